import { textOf, type Line, type Span } from './span.js';

const withText = (span: Span, text: string): Span => (typeof span === 'string' ? text : { ...span, text });

/** A line that is no longer than `width`: what is cut off ends in `…`. */
export function fitLine(line: Line, width: number): Line {
  if (textOf(line).length <= width) return line;
  const fitted: Span[] = [];
  let room = Math.max(0, width - 1);
  for (const span of line) {
    const text = textOf(span).slice(0, room);
    if (text !== '') fitted.push(withText(span, text));
    room -= text.length;
  }
  return width > 0 ? [...fitted, '…'] : [];
}
