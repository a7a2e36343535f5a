/** How deep the text is broken into lines: down to each field of a schema, and to each parameter and answer of an operation. */
const BROKEN_LEVELS = 5;
/** What fits into so many characters stands on one line. */
const LINE_CHARACTERS = 100;

/**
 * JSON text in lines that a comparison of two versions shows well: what a change concerns stands on a line of its own, and the
 * text is not much longer than without any lines. Indented by tabs.
 */
export function layOut(value: unknown, level = 0): string {
  const text = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || level === BROKEN_LEVELS || text.length <= LINE_CHARACTERS)
    return text;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((item) => layOut(item, level + 1))
    : Object.entries(value)
        .filter(([, inside]) => inside !== undefined)
        .map(([key, inside]) => `${JSON.stringify(key)}: ${layOut(inside, level + 1)}`);
  const indent = '\t'.repeat(level);
  return `${open}\n${parts.map((part) => `${indent}\t${part}`).join(',\n')}\n${indent}${close}`;
}
