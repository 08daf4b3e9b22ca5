import { type OperatorFunction, Subject, VirtualTimeScheduler, type SchedulerLike } from 'rxjs';
import { deepFreeze } from '../../api/deepFreeze.js';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { checkOptions, expectArgument, type OptionRules, rules } from '../../api/options.js';
import { randomHistory, type SampleObject, seededRandom } from '../fakes/randomHistory.js';
import { advanceBy } from '../marbles/advanceBy.js';
import { ChangeFold } from './changeFold.js';
import { differencesOf } from './differencesOf.js';

type Objects<T> = ReadonlyMap<string, T>;

/** The law for an operator. */
export interface OperatorLaw<R> {
  /** Makes the operator, which may emit changes or events; one that needs time gets it from the scheduler. */
  readonly operator: (scheduler: SchedulerLike) => OperatorFunction<ResourceChange<SampleObject>, ResourceChange<R> | ResourceEvent<R>>;
  /** The expected result of the operator for a whole collection; the identity when absent. */
  readonly expected?: (objects: Objects<SampleObject>) => Objects<R>;
  /** The part of an object that the operator maintains; all of it when absent. */
  readonly compare?: (object: R) => unknown;
  /**
   * For operators that delay: the law is checked only after this many milliseconds without an event. Without it, the law is checked after
   * every change.
   */
  readonly restMs?: number;
  /** The number of random histories. @defaultValue 200 */
  readonly runs?: number;
  /** The seed of the first history. @defaultValue 1 */
  readonly seed?: number;
}

const lawRules: OptionRules<OperatorLaw<never>> = {
  operator: rules.required(rules.function),
  expected: rules.function,
  compare: rules.function,
  restMs: rules.durationMs,
  runs: rules.number({ min: 1, integer: true }),
  seed: rules.number({ integer: true }),
};

/** An object of which nothing is compared must still be there. */
function contentOf<R>(objects: Objects<R>, compare: (object: R) => unknown): object {
  return Object.fromEntries([...objects].map(([key, object]) => [key, compare(object) ?? null]));
}

function checkRun<R>(law: OperatorLaw<R>, seed: number): void {
  const { operator, expected, compare = (object: R) => object, restMs } = law;
  const scheduler = new VirtualTimeScheduler();
  scheduler.maxFrames = Infinity;
  const random = seededRandom(seed);
  const source = new Subject<ResourceChange<SampleObject>>();
  const before = new ChangeFold<SampleObject>();
  const after = new ChangeFold<R>();
  const failures: unknown[] = [];
  const operated = operator(scheduler);
  expectArgument('checkOperatorLaw', 'operator()', operated, rules.function);
  source.pipe(operated).subscribe({
    next: (value) => {
      try {
        after.apply(value);
      } catch (error) {
        failures.push(error);
      }
    },
    error: (error: unknown) => failures.push(error),
    complete: () => failures.push('it has completed'),
  });
  const pass = (ms: number): void => advanceBy(scheduler, ms);
  const check = (at: number): void => {
    if (failures.length > 0)
      throw new Error(`The output for seed ${String(seed)} is inconsistent after change ${String(at)}: ${String(failures[0])}`);
    const wanted = expected === undefined ? (before.objects as unknown as Objects<R>) : expected(before.objects);
    const differences = differencesOf(contentOf(after.objects, compare), contentOf(wanted, compare));
    if (differences.length > 0)
      throw new Error([`The law is broken for seed ${String(seed)} after change ${String(at)}:`, ...differences].join('\n  '));
  };
  randomHistory(seed).forEach((each, at) => {
    // As in a cache: what an operator changes there, other subscribers would see.
    const change = deepFreeze(each);
    before.apply(change);
    source.next(change);
    if (restMs === undefined) check(at);
    else if (random() < 0.3) pass(random() * restMs * 0.5);
    if (restMs !== undefined && random() < 0.1) {
      pass(restMs);
      check(at);
    }
  });
  if (restMs !== undefined) pass(restMs);
  check(-1);
}

/**
 * Checks the law of operators over changes: folding the output equals applying the operator to the folded input.
 *
 * Random histories of a small collection, with updates, deletions, recreations, relists and resyncs, run through the operator. The output must be
 * consistent (nothing is added twice, nothing unknown is updated or deleted; in a change, deletions come first and each key has at most one event, or
 * a deletion and then an addition) and its fold must equal `expected`. The input is frozen.
 *
 * @throws Error that names the seed and the fields that differ; the same seed fails again.
 *
 * @example
 * ```ts
 * import { filterObjects } from 'rx-informer';
 * import { checkOperatorLaw } from 'rx-informer/testing';
 *
 * checkOperatorLaw({
 *   operator: () => filterObjects((object) => object.status.phase === 'Running'),
 *   expected: (objects) => new Map([...objects].filter(([, object]) => object.status.phase === 'Running')),
 * });
 * ```
 */
export function checkOperatorLaw<R = SampleObject>(law: OperatorLaw<R>): void {
  checkOptions('checkOperatorLaw', law, lawRules);
  const { runs = 200, seed = 1 } = law;
  for (let run = 0; run < runs; run += 1) checkRun(law, seed + run);
}
