import { styleText } from 'node:util';
import { textOf, type Line, type Span } from './span.js';

const always = { validateStream: false };

const paintSpan = (span: Span): string =>
  typeof span === 'string' || span.style === undefined || span.text === '' ? textOf(span) : styleText(span.style, span.text, always);

/** A line as it is written: with the codes of its styles where colour is wanted. */
export function paint(line: Line, colour: boolean): string {
  return colour ? line.map(paintSpan).join('') : textOf(line);
}
