import { TestScheduler } from 'rxjs/testing';
import { differencesOf } from '../suites/differencesOf.js';
import { expectArgument, rules } from '../../api/options.js';
import { briefly } from './briefly.js';

/** The argument of the function of `runMarbles`: the helpers of `TestScheduler.run`, and the scheduler. */
export type MarbleHelpers = Parameters<Parameters<TestScheduler['run']>[0]>[0] & {
  /** Virtual time in milliseconds: the `scheduler` option of informers, sources and fake servers. */
  readonly scheduler: TestScheduler;
};

/** The longest wait of a real timer. What is due later belongs to something that does not end. */
const longestMs = 2 ** 31 - 1;

interface Frame {
  readonly frame: number;
  readonly notification: { readonly kind: 'N' | 'E' | 'C'; readonly value?: unknown; readonly error?: unknown };
}

function isFrames(value: unknown): value is readonly Frame[] {
  return Array.isArray(value) && value.every((item: unknown) => typeof item === 'object' && item !== null && 'notification' in item);
}

function frameText({ frame, notification: { kind, value, error } }: Frame): string {
  const at = `${String(frame).padStart(7)} ms  `;
  if (kind === 'C') return `${at}complete`;
  return kind === 'N' ? `${at}${briefly(value)}` : `${at}error ${briefly(error)}`;
}

function linesOf(actual: readonly Frame[], expected: readonly Frame[]): string[] {
  const lines: string[] = [];
  const length = Math.max(actual.length, expected.length);
  for (let at = 0; at < length; at += 1) {
    const [was, wanted] = [actual[at], expected[at]];
    const differences = was === undefined || wanted === undefined ? [] : differencesOf(was, wanted);
    if (was !== undefined && wanted !== undefined && differences.length === 0) {
      lines.push(`  ${frameText(was)}`);
      continue;
    }
    if (wanted !== undefined) lines.push(`- ${frameText(wanted)}`);
    if (was !== undefined) lines.push(`+ ${frameText(was)}`);
    lines.push(...differences.map((difference) => `    ${difference.replace(/^notification\./, '')}`));
  }
  return lines;
}

function assertEqual(actual: unknown, expected: unknown): void {
  const differences = differencesOf(actual, expected);
  if (differences.length === 0) return;
  const lines = isFrames(actual) && isFrames(expected) ? linesOf(actual, expected) : differences;
  throw new Error(['Unexpected notifications (- expected, + received):', ...lines].join('\n'));
}

/**
 * Runs marbles in virtual time, one character per millisecond, and throws when an expectation fails.
 *
 * ```text
 * Unexpected notifications (- expected, + received):
 *         0 ms  synced at 1
 * -       2 ms  added default/web@1
 * +       2 ms  added default/web@2
 *     value.object.metadata.resourceVersion: expected "1", got "2"
 * ```
 *
 * A whole informer can run in it, including delays and deadlines, if it and its source get the `scheduler`. Unsubscribe from it (`'^----!'`):
 * otherwise it never ends, and the test fails after 24 days of virtual time.
 *
 * @example
 * ```ts
 * import { createInformer } from 'rx-informer';
 * import { added, FakeListerWatcher, pod, runMarbles, synced } from 'rx-informer/testing';
 *
 * runMarbles(({ cold, expectObservable, scheduler }) => {
 *   const server = new FakeListerWatcher({ scheduler });
 *   const informer = createInformer(server, { scheduler });
 *   cold('--a').subscribe(() => server.add(pod('web', { metadata: { resourceVersion: '2' } })));
 *   expectObservable(informer.resource$, '^----!').toBe('s-a', {
 *     s: synced('1'),
 *     a: added(pod('web', { metadata: { resourceVersion: '2' } })),
 *   });
 * });
 * ```
 *
 * @returns what `work` returns.
 * @throws Error with both timelines, when they differ; or when something still runs after 24 days.
 * @throws TypeError when `work` returns a promise, since virtual time does not drive promises.
 */
export function runMarbles<R>(work: (helpers: MarbleHelpers) => R): R {
  expectArgument('runMarbles', 'work', work, rules.function);
  const scheduler = new TestScheduler(assertEqual);
  const result = scheduler.run((helpers) => {
    scheduler.maxFrames = longestMs;
    return work({ ...helpers, scheduler });
  });
  // What follows an `await` would never be checked.
  if (rules.withMethods('then').holds(result))
    throw new TypeError('Expected `work` of `runMarbles` to return no promise: virtual time does not drive promises');
  if (scheduler.actions.length > 0)
    throw new Error(`Expected the test to end, for example by '^ 100s !', got a timer beyond ${String(longestMs)} ms of virtual time`);
  return result;
}
