/** By what is measured, in bytes. */
export type Figures = Readonly<Record<string, number>>;

/** By how much a figure may be above its budget. */
export const tolerance = 0.1;

/** The figures that are above their budget by more than the tolerance, that have none, or that are above what is promised to users. */
export function overBudget(figures: Figures, budget: Figures, promised: Figures = {}): readonly string[] {
  return Object.entries(figures)
    .filter(([what, figure]) => !(figure <= Math.min((budget[what] ?? NaN) * (1 + tolerance), promised[what] ?? Infinity)))
    .map(([what]) => what);
}
