import { fitLine } from './fitLine.js';
import { textOf, type Line, type Span } from './span.js';

const gap = '   ';

const padded = (cell: Span, width: number): Span => {
  const text = textOf(cell).padEnd(width);
  return typeof cell === 'string' ? text : { ...cell, text };
};

/** Lays rows out in left-aligned columns, each as wide as its widest cell, none of the lines longer than `maxWidth`. */
export function textTable(rows: readonly Line[], maxWidth: number = Infinity): Line[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, textOf(cell).length);
    });
  }
  return rows.map((row) => {
    const line = row.flatMap((cell, column) => (column === row.length - 1 ? [cell] : [padded(cell, widths[column] ?? 0), gap]));
    return fitLine(line, maxWidth);
  });
}
