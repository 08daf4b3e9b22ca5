import type { PodServer } from './startPodServer.js';

/**
 * One line of the table: what was to be reached, and what was measured.
 */
export interface Row {
  readonly what: string;
  readonly target: string;
  /** In words, with the figures behind a ratio. */
  readonly measured: string;
  /** How far the target was missed, as a share of it; zero or less when it is met, undefined when there is none. */
  readonly missedBy: number | undefined;
}

/**
 * What the command line says beside the names of benchmarks; those that do not know an option pay no heed to it.
 */
export interface BenchmarkOptions {
  /** The kinds of traffic; all of them by default. */
  readonly kinds?: readonly string[];
  /** What is read of the objects of traffic: `metadata`, `fields` or `everything`; each in turn by default. */
  readonly readers?: readonly string[];
  readonly rounds?: number;
  /** Flags of Node for our side, `--cpu-prof` for example. */
  readonly sideFlags?: readonly string[];
}

/**
 * One subject of measurement.
 */
export interface Benchmark {
  readonly name: string;
  readonly run: (server: PodServer, options: BenchmarkOptions) => Promise<readonly Row[]>;
}

/** A row whose figure is to be at most `limit`. */
export function atMost(what: string, figure: number, limit: number, target: string, measured: string): Row {
  return { what, target, measured, missedBy: figure / limit - 1 };
}

/** A row whose figure is to be at least `limit`. */
export function atLeast(what: string, figure: number, limit: number, target: string, measured: string): Row {
  return { what, target, measured, missedBy: 1 - figure / limit };
}

/** A row that explains others, and has no target of its own. */
export function remark(what: string, measured: string): Row {
  return { what, target: '', measured, missedBy: undefined };
}
