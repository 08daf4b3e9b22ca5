/** Chooses a number from 0 to one below `count`. */
export type Choose = (count: number) => number;

/** What a run of a program has found wrong. */
export interface EveryChoice {
  readonly runs: number;
  readonly problem: string | undefined;
}

/**
 * Runs a program again and again, with every sequence of choices that it can make: for what has its state inside, and can only be explored by doing
 * everything again from the beginning. The program says what is wrong, and has to end.
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
    // The last choice that has another way is taken anew, and all behind it begin from the first.
    while ((choices.at(-1)?.chosen ?? 0) === (choices.at(-1)?.count ?? 0) - 1) choices = choices.slice(0, -1);
    const last = choices.pop();
    if (last === undefined) return { runs, problem: undefined };
    choices.push({ ...last, chosen: last.chosen + 1 });
  }
}
