/**
 * Prints rows of text: the first column to the left, figures to the right.
 */
export function printColumns(rows: readonly (readonly string[])[]): void {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const [first = '', ...figures] of rows) {
    console.log([first.padEnd(widths[0] ?? 0), ...figures.map((text, at) => text.padStart(widths[at + 1] ?? 0))].join('  '));
  }
}
