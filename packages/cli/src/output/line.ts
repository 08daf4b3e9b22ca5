import { styleText } from 'node:util';
import type { Terminal } from '../terminal.js';

/** The style of a piece of text. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

/** A piece of text with a style; a plain string has none. */
export type Span = string | { readonly text: string; readonly style: Style | undefined };

/** A line of a terminal. */
export type Line = readonly Span[];

/** The text of a line or a span, without styles. */
export function textOf(line: Line | Span): string {
  if (typeof line === 'string') return line;
  return 'text' in line ? line.text : line.map(textOf).join('');
}

const withText = (span: Span, text: string): Span => (typeof span === 'string' ? text : { ...span, text });

const narrow = /^[\u0020-\u007e\u00a0-\u02ff]*$/;
/** Characters of East Asia, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const unseen = /[\p{M}\u200b-\u200d]/u;
const widthOfCharacter = (character: string): number => (unseen.test(character) ? 0 : wide.test(character) ? 2 : 1);

/** The number of columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  return narrow.test(text) ? text.length : Array.from(text).reduce((sum, character) => sum + widthOfCharacter(character), 0);
}

/** As much of the beginning of a text as has room. */
function beginning(text: string, room: number): string {
  if (narrow.test(text)) return text.slice(0, room);
  let [length, left] = [0, room];
  for (const character of text) {
    left -= widthOfCharacter(character);
    if (left < 0) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/** A line cut to `width`; a cut is marked by `…`. */
export function fitLine(line: Line, width: number): Line {
  if (widthOf(textOf(line)) <= width) return line;
  const fitted: Span[] = [];
  let room = Math.max(0, width - 1);
  for (const span of line) {
    const text = beginning(textOf(span), room);
    if (text !== '') fitted.push(withText(span, text));
    room = text === textOf(span) ? room - widthOf(text) : 0;
  }
  return width > 0 ? [...fitted, '…'] : [];
}

/** Wraps a line to at most `columns` columns; continuation lines are indented by two more. */
export function wrapLine(line: Line, columns: number): readonly Line[] {
  const width = Math.max(1, columns);
  const whole = textOf(line);
  if (widthOf(whole) <= width) return [line];
  const indent = ' '.repeat(Math.min(whole.length - whole.trimStart().length + 2, Math.floor(width / 2)));
  const lines: Line[] = [];
  let current: Span[] = [];
  let room = width;
  for (const span of line) {
    for (let rest = textOf(span); rest !== '';) {
      const [first = ''] = rest;
      if (room < widthOfCharacter(first)) {
        lines.push(current);
        current = [indent];
        room = width - indent.length;
      }
      // A terminal of one column has no room for a wide character.
      const text = beginning(rest, room) || first;
      current.push(withText(span, text));
      room -= widthOf(text);
      rest = rest.slice(text.length);
    }
  }
  return [...lines, current];
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** The space between two columns; less on a narrow terminal. */
const widestGap = 3;

/** Formats rows in left-aligned columns, each as wide as its widest cell. Lines are cut to `maxWidth`. */
export function textTable(rows: readonly Line[], maxWidth: number = Infinity): Line[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(textOf(cell)));
    });
  }
  const room = maxWidth - widths.reduce((sum, width) => sum + width, 0);
  const gap = ' '.repeat(Math.max(1, Math.min(widestGap, Math.floor(room / Math.max(1, widths.length - 1)))));
  return rows.map((row) => {
    const line = row.flatMap((cell, column) =>
      column === row.length - 1 ? [cell] : [withText(cell, padded(textOf(cell), widths[column] ?? 0)), gap],
    );
    return fitLine(line, maxWidth);
  });
}

/** Whether the output is a terminal on which the cursor can be moved. */
export const canBeDrawnOn = ({ stdout, env }: Pick<Terminal, 'stdout' | 'env'>): boolean => stdout.isTTY === true && env['TERM'] !== 'dumb';

/** The size of a terminal. One that does not know its own says that it has no columns and no rows. */
export function sizeOf({ columns, rows }: Terminal['stdout']): { readonly columns: number; readonly rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

const always = { validateStream: false };

const paintSpan = (span: Span): string =>
  typeof span === 'string' || span.style === undefined || span.text === '' ? textOf(span) : styleText(span.style, span.text, always);

/** The text of a line, with escape codes for its styles if `colour` is true. */
export function paint(line: Line, colour: boolean): string {
  return colour ? line.map(paintSpan).join('') : textOf(line);
}

/** When to colour: a value of `--color`. */
export type ColourChoice = 'auto' | 'always' | 'never';

/** Whether the output is coloured: by `--color`, else by NO_COLOR and FORCE_COLOR, else on terminals that support colours. */
export function wantsColour({ env, stdout }: Pick<Terminal, 'stdout' | 'env'>, choice: ColourChoice = 'auto'): boolean {
  if (choice !== 'auto') return choice === 'always';
  const { NO_COLOR: no = '', FORCE_COLOR: force, TERM: term } = env;
  if (no !== '') return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stdout.isTTY === true && term !== 'dumb';
}
