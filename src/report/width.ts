/**
 * Columns a text takes in a terminal: wide characters (Unicode East Asian Width W and F, emoji shown as pictures) take
 * two, marks that sit on the character before them none. UAX #11, https://www.unicode.org/reports/tr11/.
 */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

const picture = /^\p{Emoji_Presentation}$/u;
const onTop = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

const wideRanges: readonly [number, number][] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2fb],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

function widthOfCharacter(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (onTop.test(character)) return 0;
  const wide = picture.test(character) || wideRanges.some(([first, last]) => point >= first && point <= last);
  return wide ? 2 : 1;
}

/** The text cut to so many columns, with "…" where something is missing. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let line = "";
  let width = 0;
  for (const character of text) {
    const next = widthOfCharacter(character);
    if (width + next > columns - 1) break;
    line += character;
    width += next;
  }
  return columns < 1 ? "" : `${line.trimEnd()}…`;
}

/** Filled up with blanks to so many columns, or cut to them. */
export function pad(text: string, columns: number): string {
  const fitted = cut(text, columns);
  return fitted + " ".repeat(Math.max(0, columns - widthOf(fitted)));
}

/** Broken between words into lines of so many columns; lines after the first begin with `indent` blanks. */
export function wrap(text: string, columns: number, indent = 0): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").filter((each) => each !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    const room = lines.length === 0 ? columns : columns - indent;
    if (widthOf(longer) <= room) line = longer;
    else {
      if (line !== "") lines.push(line);
      line = cut(word, columns - indent);
    }
  }
  if (line !== "") lines.push(line);
  return lines.map((each, at) => (at === 0 ? each : " ".repeat(indent) + each));
}
