/** Chooses a number from 0 to one below `count`. */
export type Choose = (count: number) => number;

/** The error of a run of a program. */
export interface EveryChoice {
  readonly runs: number;
  readonly problem: string | undefined;
}

/**
 * Runs a program repeatedly, with every sequence of choices: for programs with internal state, which can only be explored from the
 * beginning. The program returns its error, and must end.
 */
export function everyChoice(program: (choose: Choose) => string | undefined): EveryChoice {
  let choices: { readonly chosen: number; readonly count: number }[] = [];
  for (let runs = 1; ; runs += 1) {
    let at = 0;
    const choose = (count: number): number => {
      const chosen = choices[at]?.chosen ?? 0;
      if (at === choices.length) choices.push({ chosen, count });
      at += 1;
      return chosen;
    };
    const problem = program(choose);
    if (problem !== undefined) return { runs, problem };
    // Takes the next option of the last choice that has one; the choices after it start with their first option.
    while ((choices.at(-1)?.chosen ?? 0) === (choices.at(-1)?.count ?? 0) - 1) choices = choices.slice(0, -1);
    const last = choices.pop();
    if (last === undefined) return { runs, problem: undefined };
    choices.push({ ...last, chosen: last.chosen + 1 });
  }
}
