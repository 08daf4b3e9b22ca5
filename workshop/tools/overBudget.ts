/** Sizes in bytes, by name. */
export type Figures = Readonly<Record<string, number>>;

/** The share by which a figure may exceed its budget. */
export const tolerance = 0.1;

/** The figures that exceed their budget by more than the tolerance, have no budget, or exceed a promise to users. */
export function overBudget(figures: Figures, budget: Figures, promised: Figures = {}): readonly string[] {
  return Object.entries(figures)
    .filter(([what, figure]) => !(figure <= Math.min((budget[what] ?? NaN) * (1 + tolerance), promised[what] ?? Infinity)))
    .map(([what]) => what);
}
