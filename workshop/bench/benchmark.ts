import type { PodServer } from './startPodServer.js';

/** One row of the table: the target and the measured figure. */
export interface Row {
  readonly what: string;
  readonly target: string;
  /** The measured figure as text, with the figures behind a ratio. */
  readonly measured: string;
  /** The distance to the target as a fraction of it; zero or less if the target is met, undefined without a target. */
  readonly missedBy: number | undefined;
}

/** Options of the command line. A benchmark ignores the options that it does not use. */
export interface BenchmarkOptions {
  /** The kinds of traffic; all of them by default. */
  readonly kinds?: readonly string[];
  /** The parts of the objects of traffic that are read: `metadata`, `fields` or `everything`; all three in turn by default. */
  readonly readers?: readonly string[];
  readonly rounds?: number;
  /** Node flags for the processes of rx-informer, for example `--cpu-prof`. */
  readonly sideFlags?: readonly string[];
}

/** One benchmark. */
export interface Benchmark {
  readonly name: string;
  readonly run: (server: PodServer, options: BenchmarkOptions) => Promise<readonly Row[]>;
}

/** A row whose figure must be at most `limit`. */
export function atMost(what: string, figure: number, limit: number, target: string, measured: string): Row {
  return { what, target, measured, missedBy: figure / limit - 1 };
}

/** A row whose figure must be at least `limit`. */
export function atLeast(what: string, figure: number, limit: number, target: string, measured: string): Row {
  return { what, target, measured, missedBy: 1 - figure / limit };
}

/** A row without a target, which explains other rows. */
export function remark(what: string, measured: string): Row {
  return { what, target: '', measured, missedBy: undefined };
}
