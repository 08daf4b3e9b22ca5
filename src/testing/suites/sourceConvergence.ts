import assert from 'node:assert/strict';
import { type Observable, tap, VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { SourceEvent } from '../../api/events.js';
import type { ReflectOptions } from '../../source/reflector/reflectOptions.js';
import { advanceBy } from '../marbles/advanceBy.js';
import { checkSourceGrammar } from './checkSourceGrammar.js';
import { FakeListerWatcher } from '../fakes/fakeListerWatcher.js';
import type { FakeListerWatcherOptions } from '../fakes/fakeListerWatcher.js';
import { foldSource } from './foldSource.js';
import { type History, sourceHistories, sourceObject } from './sourceCases/sourceHistories.js';

/**
 * Makes the source under test over a server in memory. It may list, watch, or both, and be one source or several merged ones. The options
 * are those of `reflect`, with a virtual scheduler and a constant `random`.
 */
export type ServedSourceFactory = (server: FakeListerWatcher, options: ReflectOptions) => Observable<SourceEvent<KubernetesObject>>;

/** One history that a source must survive. */
export interface SourceConvergenceCase {
  /** A fact, for use as the name of a test. */
  readonly name: string;
  /** Throws when the source does not meet the requirement. */
  readonly run: (createSource: ServedSourceFactory) => void;
}

const servers: readonly (readonly [name: string, options: FakeListerWatcherOptions])[] = [
  ['from a server that streams lists', {}],
  ['from a server that does not', { watchList: 'refused', latencyMs: 5, chunkSize: 1 }],
];

/** Long enough for every wait, and for a silent connection to be detected twice. */
const restMs = 3_600_000;

function converges(
  options: FakeListerWatcherOptions,
  during: History,
  before: History | undefined,
  createSource: ServedSourceFactory,
): void {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler, resource: 'objects', ...options });
  const wait = (ms: number): void => advanceBy(scheduler, ms);
  for (const made of [sourceObject('a'), sourceObject('b', 'db'), sourceObject('c')]) server.add(made);
  before?.(server, wait);
  const fold = foldSource<KubernetesObject>();
  const problems: unknown[] = [];
  const subscription = createSource(server, { scheduler, random: () => 0.5 })
    .pipe(
      checkSourceGrammar(),
      tap((event) => fold.apply(event)),
    )
    .subscribe({ error: (error: unknown) => problems.push(error), complete: () => problems.push('complete') });
  during(server, wait);
  wait(restMs);
  assert.deepEqual(problems, [], 'a source must not end');
  const emitted = [...fold.scopes.values()].flatMap((objects) => [...objects]).sort(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(
    emitted.map(([, value]) => value),
    server.objects(),
    'a source at rest must have told what the server has',
  );
  subscription.unsubscribe();
  assert.equal(server.openWatches, 0, 'a watch outlived the subscription');
  assert.equal(scheduler.actions.length, 0, 'a timer outlived the subscription');
}

function twice(createSource: ServedSourceFactory): void {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler });
  const source = createSource(server, { scheduler, random: () => 0.5 });
  assert.equal(server.requests.length, 0, 'nothing may happen before the subscription');
  const inits = (): unknown[] => {
    const versions: unknown[] = [];
    source.subscribe({
      next: (event) => {
        if (event.type === 'init') versions.push(event.previousResourceVersion);
      },
      error: (error: unknown) => versions.push(error),
    });
    advanceBy(scheduler, 1000);
    return versions;
  };
  assert.deepEqual(inits(), inits(), 'each subscription must begin anew');
}

/**
 * The required behaviour of any source: it obeys the grammar, does not complete, ends up with the server's content after any failure, and
 * leaves nothing running. For any test runner: each case has a name, and throws when it fails.
 *
 * `sourceConformance` tests each request and each event; this suite tests only the result, so it also applies to polls and to merged
 * sources.
 *
 * @example
 * ```ts
 * import { pollSource } from 'rx-informer/pipeline';
 * import { sourceConvergence } from 'rx-informer/testing';
 *
 * for (const { name, run } of sourceConvergence) {
 *   run((server, { scheduler }) => pollSource((request) => server.list(request), { periodMs: 10_000, scheduler }));
 *   console.log('ok', name);
 * }
 * ```
 */
export const sourceConvergence: readonly SourceConvergenceCase[] = [
  ...servers.flatMap(([where, options]) =>
    sourceHistories.map(([what, during, before]) => ({
      name: `ends up with ${what}, ${where}`,
      run: (createSource: ServedSourceFactory) => converges(options, during, before, createSource),
    })),
  ),
  { name: 'does nothing before it is subscribed to, and begins anew with each subscription', run: twice },
];
