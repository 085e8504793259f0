/**
 * Finds any of many words in one reading of a text (Aho and Corasick, 1975), as one table: a step costs the same for one
 * word and for a thousand.
 */
export interface Automaton {
  /** For each byte: 0 where it is passed over, else its column in the table. */
  columns: Uint8Array;
  /** A row number shifted by this is where the row begins. */
  shift: number;
  /** `next[row + column]` is the beginning of the next row. */
  next: Int32Array;
  /** By row number: how many bytes that count are the beginning of a word, the longest that fits. */
  depths: Int32Array;
  /** By row number: length of the longest word that ends here; 0 for none. */
  ends: Int32Array;
  /** Of all words. */
  longest: number;
}

/** @param counts whether a byte is part of words; without it all are */
export function buildAutomaton(words: readonly Uint8Array[], counts: (byte: number) => boolean): Automaton {
  const columns = columnsOf(words, counts);
  const shift = Math.ceil(Math.log2(Math.max(2, Math.max(...columns) + 1)));
  const rows = 1 + words.reduce((sum, word) => sum + word.length, 0);
  const next = new Int32Array(rows << shift);
  const depths = new Int32Array(rows);
  const ends = new Int32Array(rows);
  let used = 1;
  for (const word of words) {
    let row = 0;
    for (const [at, byte] of word.entries()) {
      const place = (row << shift) + (columns[byte] ?? 0);
      if (next[place] === 0) {
        depths[used] = at + 1;
        next[place] = used++;
      }
      row = next[place] ?? 0;
    }
    ends[row] = word.length;
  }
  link({ next, ends, shift, width: Math.max(...columns) + 1 });
  for (let place = 0; place < next.length; place++) next[place] = (next[place] ?? 0) << shift;
  const longest = Math.max(0, ...words.map((word) => word.length));
  return { columns, shift, next, depths, ends, longest };
}

/** Bytes of no word share one column, which leads back to the start. */
function columnsOf(words: readonly Uint8Array[], counts: (byte: number) => boolean): Uint8Array {
  const columns = new Uint8Array(256);
  const inWords = new Set(words.flatMap((word) => [...word]));
  let column = 1;
  for (let byte = 0; byte < 256; byte++) if (counts(byte)) columns[byte] = inWords.has(byte) ? ++column : 1;
  return columns;
}

interface Trie {
  next: Int32Array;
  ends: Int32Array;
  shift: number;
  width: number;
}

/** From where a word does not go on, one goes on in the longest other word whose beginning has been read. */
function link({ next, ends, shift, width }: Trie): void {
  const fall = new Int32Array(ends.length);
  const queue = [0];
  for (const row of queue) {
    for (let column = 1; column < width; column++) {
      const place = (row << shift) + column;
      const child = next[place] ?? 0;
      const other = row === 0 ? 0 : (next[((fall[row] ?? 0) << shift) + column] ?? 0);
      if (child === 0) next[place] = other;
      else {
        fall[child] = other;
        ends[child] = Math.max(ends[child] ?? 0, ends[other] ?? 0);
        queue.push(child);
      }
    }
  }
}
