import type { Line, Span, Style } from './span.js';
import { textOf } from './textOf.js';

/** The codes that begin a style and end it. */
const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

function paintSpan(span: Span): string {
  if (typeof span === 'string' || span.style === undefined || span.text === '') return textOf(span);
  const [begin, end] = codes[span.style];
  return `\u001b[${String(begin)}m${span.text}\u001b[${String(end)}m`;
}

/**
 * A line as it is written: with the codes of its styles where colour is wanted.
 */
export function paint(line: Line, colour: boolean): string {
  return colour ? line.map(paintSpan).join('') : textOf(line);
}
