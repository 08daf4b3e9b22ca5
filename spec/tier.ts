/** `npm test` is run for every change: a quarter of the histories each time are soon more than all of them now and then. */
const factor = Number(process.env['TEST_DEPTH'] ?? 0.25);

/** Whether this run tries much more than `npm test` does: `npm run test:deep`. */
export const isDeep: boolean = factor > 1;

/** The number of runs of a property: a quarter of this in `npm test`, and `TEST_DEPTH` times as many in `npm run test:deep`. */
export function runs(whole: number): number {
  return Math.ceil(whole * factor);
}

/** Says what an exploration or a property has reached. The summary of a run shows it. */
export function reached(what: string): void {
  console.info(`reached: ${what}`);
}
