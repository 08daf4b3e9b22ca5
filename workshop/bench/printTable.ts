import type { Row } from './benchmark.js';

function verdictOf({ missedBy }: Row): string {
  if (missedBy === undefined) return '';
  return missedBy <= 0 ? 'met' : `MISSED by ${Math.ceil(missedBy * 100)} %`;
}

/** Prints the table of results. */
export function printTable(rows: readonly Row[]): void {
  const lines = [['what', 'target', 'measured', 'verdict'], ...rows.map((row) => [row.what, row.target, row.measured, verdictOf(row)])];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const print = (line: readonly string[]): void => console.log(`| ${line.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |`);
  const [head = [], ...body] = lines;
  print(head);
  print(widths.map((width) => '-'.repeat(width)));
  body.forEach(print);
}
