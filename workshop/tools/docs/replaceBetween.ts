/**
 * Replaces a generated part of a page, between the comments `name` and `end of name`.
 *
 * @throws Error when the page has none.
 */
export function replaceBetween(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`Expected the page to have ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}
