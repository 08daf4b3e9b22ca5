import { type Figures, runSide } from './runSide.js';

/** One side of a comparison: a file in workshop/bench/sides, and its options. */
export interface Contender {
  readonly side: string;
  readonly options?: object;
  /** Node flags. */
  readonly flags?: readonly string[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** The results of several rounds. */
export class Results<Name extends string> {
  private readonly figures: ReadonlyMap<Name, readonly Figures[]>;

  constructor(figures: ReadonlyMap<Name, readonly Figures[]>) {
    this.figures = figures;
  }

  /** The median of a figure. */
  of(name: Name, figure: string): number {
    return median(this.all(name, figure));
  }

  /** The median of the ratios of the single rounds: disturbances of a round affect both sides. */
  ratio(name: Name, baseline: Name, figure: string): number {
    const base = this.all(baseline, figure);
    return median(this.all(name, figure).map((value, round) => value / (base[round] ?? NaN)));
  }

  all(name: Name, figure: string): number[] {
    return (this.figures.get(name) ?? []).map((round) => {
      const value = round[figure];
      if (value === undefined) throw new Error(`${name} has not measured ${figure}`);
      return value;
    });
  }
}

/** Runs all contenders in turn, for several rounds, each in a process of its own, and prints the figures of each round. */
export async function interleaved<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, show = ['wallMs', 'cpuMs'] }: { readonly rounds: number; readonly show?: readonly string[] },
): Promise<Results<Name>> {
  const names = Object.keys(contenders) as Name[];
  const figures = new Map<Name, Figures[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const { side, options, flags } = contenders[name];
      const measured = await runSide(side, options, flags);
      figures.get(name)?.push(measured);
      const shown = show.filter((figure) => figure in measured).map((figure) => `${figure} ${measured[figure]?.toFixed(1) ?? ''}`);
      console.log(`  round ${round + 1}  ${name.padEnd(28)} ${shown.join('  ')}`);
    }
  }
  return new Results(figures);
}
