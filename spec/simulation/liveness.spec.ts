import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { VirtualTimeScheduler } from 'rxjs';
import { createInformer } from '../../src/informer/createInformer.js';
import { requests } from '../../src/informer/parts/requests.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { mergeSources } from '../../src/source/mergeSources.js';
import { reflect } from '../../src/source/reflector/reflect.js';
import type { ReflectOptions } from '../../src/source/reflector/reflectOptions.js';
import type { FakeListerWatcherOptions } from '../../src/testing/fakes/fakeListerWatcher.js';
import { seededRandom } from '../../src/testing/fakes/randomHistory.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import { history, serverOptions, type Simulated, simulated, SimulatedServer, type TimedStep } from './simulatedServer.js';
import { runs } from '../tier.js';

const histories = runs(1_000);

/**
 * After the last fault, a cache is right within the silence that a dead watch may have (75 s), that of a list beside it (60 s), the longest wait (60 s), and
 * the wait after a list that was refused because of its version (60 s).
 */
const boundMs = 75_000 + 60_000 + 60_000 + 60_000;
interface Plan {
  readonly server: FakeListerWatcherOptions;
  readonly steps: readonly TimedStep[];
  readonly options: Pick<ReflectOptions, 'pageSize' | 'listSemantics' | 'listStrategy' | 'relistPeriodMs'>;
  /** Whether each namespace has a source of its own. */
  readonly byNamespace: boolean;
  readonly chance: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  server: serverOptions,
  steps: history,
  options: fc.record({
    pageSize: fc.constantFrom(undefined, 0, 1, 2),
    listSemantics: fc.constantFrom('any' as const, 'mostRecent' as const, { notOlderThan: '1' }, { exact: '1' }),
    listStrategy: fc.constantFrom('auto' as const, 'list' as const),
    relistPeriodMs: fc.constantFrom(0, 0, 45_000),
  }),
  byNamespace: fc.boolean(),
  chance: fc.integer(),
});

function informerOf({ source }: SimulatedServer, plan: Plan, scheduler: VirtualTimeScheduler): SharedInformer<Simulated> {
  const options = { ...plan.options, scheduler, random: seededRandom(plan.chance), onError: () => 'retry' as const };
  const { listSemantics, ...others } = options;
  if (!plan.byNamespace) return createInformer<Simulated>(source, { ...others, parts: [requests({ listSemantics })] });
  const sources = ['one', 'two'].map((namespace) => reflect(source.inNamespace(namespace), options));
  return createInformer<Simulated>(mergeSources(sources), { scheduler, logger: { warn: () => undefined } });
}

function described(objects: Iterable<Simulated>): string[] {
  return [...objects].map(({ metadata }) => `${metadata?.name ?? ''} ${metadata?.uid ?? ''} ${metadata?.resourceVersion ?? ''}`).sort();
}

function simulate(plan: Plan): void {
  const scheduler = new VirtualTimeScheduler();
  const server = new SimulatedServer({ ...plan.server, scheduler }, simulated);
  const informer = informerOf(server, plan, scheduler);
  informer.start();
  // What is lost without a trace, and a restored server that has caught up meanwhile, are not found within any bound.
  const steps = plan.steps.filter(({ step }) => step.do !== 'restore' && !('lost' in step && step.lost));
  for (const { afterMs, step } of steps) {
    if (afterMs > 0) advanceBy(scheduler, afterMs);
    server.apply(step);
  }
  server.source.start();
  advanceBy(scheduler, boundMs);
  expect(described(informer.lister.list())).toEqual(described(server.source.objects()));
  expect(informer.health()).toMatchObject({ state: 'watching', synced: true });
  void informer.stop();
  expect(server.source.openWatches).toBe(0);
}

describe('an informer, after the last fault', () => {
  it('is right within the stated bound, whatever its requests ask for', () => {
    fc.assert(fc.property(plan, simulate), { numRuns: histories });
  }, 600_000);
});
