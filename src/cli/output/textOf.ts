import type { Line, Span } from './span.js';

/** The text of a line or of a piece of one, without its styles. */
export function textOf(line: Line | Span): string {
  if (typeof line === 'string') return line;
  return 'text' in line ? line.text : line.map(textOf).join('');
}
