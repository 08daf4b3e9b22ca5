import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { VirtualTimeScheduler } from 'rxjs';
import { createInformer } from '../../src/informer/createInformer.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import type { FakeListerWatcherOptions } from '../../src/testing/fakes/fakeListerWatcher.js';
import { seededRandom } from '../../src/testing/fakes/randomHistory.js';
import { Fold } from './fold.js';
import { history, serverOptions, type Simulated, simulated, SimulatedServer, type TimedStep } from './simulatedServer.js';
import { runs } from '../tier.js';

const histories = runs(1_500);
const restMs = 900_000;

interface Plan {
  readonly server: FakeListerWatcherOptions;
  readonly steps: readonly TimedStep[];
  readonly pageSize: number;
  readonly chance: number;
  /** After which step another subscriber comes, and one goes. */
  readonly joinAt: number;
  readonly leaveAt: number;
  /** The event of the first subscriber at which another one subscribes inside of its handler. */
  readonly joinInside: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  server: serverOptions,
  steps: history,
  pageSize: fc.constantFrom(0, 1, 2, 500),
  chance: fc.integer(),
  joinAt: fc.nat(30),
  leaveAt: fc.nat(30),
  joinInside: fc.nat(12),
});

function described(objects: Iterable<Simulated>): string[] {
  return [...objects]
    .map(
      ({ metadata, spec }) =>
        `${metadata?.namespace ?? ''}/${metadata?.name ?? ''} ${metadata?.uid ?? ''} ${metadata?.resourceVersion ?? ''} ${String(spec.value)}`,
    )
    .sort();
}

/** Subscribers of every kind, which must all end with the same content. */
class Audience {
  readonly folds: Fold<Simulated>[] = [];
  private readonly informer: SharedInformer<Simulated>;
  private eventsSeen = 0;

  constructor(informer: SharedInformer<Simulated>, joinInside: number) {
    this.informer = informer;
    const first = new Fold(informer.resource$, () => {
      this.eventsSeen += 1;
      if (this.eventsSeen === joinInside) this.join();
    });
    this.folds.unshift(first);
  }

  join(): void {
    this.folds.push(new Fold(this.informer.resource$));
  }
}

function simulate({ server: options, steps, pageSize, chance, joinAt, leaveAt, joinInside }: Plan): void {
  const scheduler = new VirtualTimeScheduler();
  const random = seededRandom(chance);
  const server = new SimulatedServer({ ...options, scheduler }, simulated);
  const { source } = server;
  const informer = createInformer<Simulated>(source, { scheduler, random, pageSize, onError: () => 'retry', resyncPeriodMs: 120_000 });
  const audience = new Audience(informer, joinInside);
  const leaver = new Fold(informer.resource$);
  let handled = 0;
  informer.addEventHandler({ onAdd: () => (handled += 1), onDelete: () => (handled -= 1) });

  steps.forEach(({ afterMs, step }, at) => {
    if (afterMs > 0) advanceBy(scheduler, afterMs);
    server.apply(step);
    if (at === joinAt) audience.join();
    if (at === leaveAt) leaver.subscription.unsubscribe();
  });

  // The faults are over. What was lost without a trace is found by the next list, which the server now asks for; a watch that is just being
  // opened or closed does not hear it, so it asks more than once.
  source.start();
  for (const waitMs of [restMs, 61_000, 67_000]) {
    advanceBy(scheduler, waitMs);
    source.expire();
  }
  advanceBy(scheduler, restMs);
  audience.join();

  const truth = described(source.objects());
  expect(described(informer.lister.list())).toEqual(truth);
  for (const { complaints, synced, objects } of audience.folds)
    expect({ complaints, synced, objects: described(objects.values()) }).toEqual({ complaints: [], synced: true, objects: truth });
  expect(leaver.complaints).toEqual([]);
  expect(handled).toBe(truth.length);
  expect(informer.health()).toMatchObject({ state: 'watching', synced: true });

  for (const { subscription } of audience.folds) subscription.unsubscribe();
  leaver.subscription.unsubscribe();
  expect(informer.health().state).toBe('idle');
  expect(source.openWatches).toBe(0);
  expect(scheduler.actions).toHaveLength(0);
}

describe('an informer on a server with faults', () => {
  it(`converges in ${String(histories)} random histories, and every subscriber with it`, () => {
    fc.assert(fc.property(plan, simulate), { numRuns: histories });
  }, 600_000);
});
