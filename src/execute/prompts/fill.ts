/**
 * Puts values in the places of a text that are named `{{name}}`. What a value holds is not looked at again.
 * @throws Error where a place has no value, or a value no place: the text and its caller no longer fit
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  const open = new Set(Object.keys(values));
  const filled = text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`the prompt has a place ${place} and nothing to put there`);
    open.delete(name);
    return value;
  });
  if (open.size > 0) throw new Error(`the prompt has no place for ${[...open].join(", ")}`);
  return filled;
}
