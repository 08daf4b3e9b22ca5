/** How a piece of text looks. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** A piece of text of one style; a text alone has none. */
export type Span = string | { readonly text: string; readonly style: Style | undefined };

/** A line of a terminal. */
export type Line = readonly Span[];

/** The text of a line or of a piece of one, without its styles. */
export function textOf(line: Line | Span): string {
  if (typeof line === 'string') return line;
  return 'text' in line ? line.text : line.map(textOf).join('');
}
