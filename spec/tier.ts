const factor = Number(process.env['TEST_DEPTH'] ?? 1);

/** Whether this run tries much more than `npm test` does: `npm run test:deep`. */
export const isDeep: boolean = factor > 1;

/** The number of runs of a property: this many in `npm test`, and `TEST_DEPTH` times as many in `npm run test:deep`. */
export function runs(quick: number): number {
  return Math.ceil(quick * factor);
}

/** Says what an exploration or a property has reached. The summary of a run shows it. */
export function reached(what: string): void {
  console.info(`reached: ${what}`);
}
