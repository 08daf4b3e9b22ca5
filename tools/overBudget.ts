/** By what is measured, in bytes. */
export type Figures = Readonly<Record<string, number>>;

/** By how much a figure may be above its budget. */
export const tolerance = 0.1;

/** The figures that are above their budget by more than the tolerance, or that have none. */
export function overBudget(figures: Figures, budget: Figures): readonly string[] {
  return Object.keys(figures).filter((what) => !((figures[what] ?? NaN) <= (budget[what] ?? NaN) * (1 + tolerance)));
}
