const gap = '   ';

/**
 * Lays rows out in left-aligned columns, each as wide as its widest cell, none of the lines longer than `maxWidth`.
 */
export function textTable(rows: readonly (readonly string[])[], maxWidth: number = Infinity): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) => {
    const line = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join(gap);
    return line.length > maxWidth ? `${line.slice(0, Math.max(0, maxWidth - 1))}…` : line;
  });
}
