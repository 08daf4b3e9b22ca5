import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { concat, concatMap, delay, of, take, throwError, type Observable, VirtualTimeScheduler } from 'rxjs';
import type { ListChunk, ListerWatcher } from '../../src/api/listerWatcher.js';
import { createInformer } from '../../src/informer/createInformer.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { mergeSources } from '../../src/source/mergeSources.js';
import { reflect } from '../../src/source/reflector/reflect.js';
import { seededRandom } from '../../src/testing/fakes/randomHistory.js';
import { connectionError, statusError } from '../../src/testing/fakes/serverErrors.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import { failingPlans } from './failingPlans.js';
import { type PipelineConsumer, pipelineConsumer } from './pipelineConsumer.js';
import { consumerKinds, pipelinePlan, type PipelinePlan, type PipelineStep } from './pipelinePlan.js';
import { type Simulated, simulated, SimulatedServer } from './simulatedServer.js';
import { runs } from '../tier.js';

// SIMULATION_SEED and SIMULATION_PATH, as fast-check prints them, for one again.
const histories = runs(200);
const { SIMULATION_SEED: seed, SIMULATION_PATH: path } = process.env;
const restMs = 900_000;

function described(objects: Iterable<Simulated>): string[] {
  return [...objects]
    .map(
      ({ metadata = {}, spec }) =>
        `${metadata.namespace ?? ''}/${metadata.name ?? ''} ${metadata.uid ?? ''} ${metadata.resourceVersion ?? ''} ${spec.value}`,
    )
    .sort();
}

/** An informer on a server with faults, and all its consumers. */
class Run {
  readonly scheduler = new VirtualTimeScheduler();
  readonly server: SimulatedServer;
  readonly informer: SharedInformer<Simulated>;
  readonly consumers: PipelineConsumer[] = [];
  private cutAfter: number | undefined;
  private slowMs = 0;

  constructor({ server, scopes, pageSize, relistPeriodMs, chance }: PipelinePlan) {
    const { scheduler } = this;
    const random = seededRandom(chance);
    this.server = new SimulatedServer({ ...server, scheduler }, simulated);
    const { source } = this.server;
    const settings = { scheduler, random, pageSize, relistPeriodMs };
    const parts = scopes === 1 ? [this.faulty(source)] : ['one', 'two'].map((namespace) => this.faulty(source.inNamespace(namespace)));
    const event$ = mergeSources(parts.map((part) => reflect(part, settings)));
    const named = scopes === 1 ? {} : { scopes: ['one', 'two'] };
    this.informer = createInformer<Simulated>(event$, { ...named, scheduler, onError: () => 'retry' });
    this.informer.start();
  }

  apply(step: PipelineStep): void {
    const { consumers, informer, scheduler, server } = this;
    switch (step.do) {
      case 'warm up':
        for (let at = 0; at < step.requests; at += 1) {
          server.source.failNext(
            at % 2 === 0 ? 'watch' : 'list',
            statusError(429, 'TooManyRequests', 'storage is (re)initializing', 1_000),
          );
        }
        return;
      case 'cut':
        this.cutAfter = step.parts;
        return;
      case 'slow':
        this.slowMs = step.ms;
        return;
      case 'join':
        consumers.push(pipelineConsumer(informer, scheduler, step.kind));
        return;
      case 'leave':
        consumers.shift()?.leave();
        return;
      case 'join throwing':
        this.joinThrowing();
        return;
      case 'join meddling':
        this.joinMeddling(step.writes);
        return;
      default:
        server.apply(step);
    }
  }

  /** What the next lists suffer. */
  private faulty(source: ListerWatcher<Simulated>): ListerWatcher<Simulated> {
    return {
      resource: 'objects',
      ...(source.scope !== undefined && { scope: source.scope }),
      watch: (request) => source.watch(request),
      list: (request) => {
        const { cutAfter, slowMs } = this;
        this.cutAfter = undefined;
        this.slowMs = 0;
        const answer = source.list(request);
        const slow: Observable<ListChunk<Simulated>> =
          slowMs === 0 ? answer : answer.pipe(concatMap((chunk) => of(chunk).pipe(delay(slowMs, this.scheduler))));
        return cutAfter === undefined
          ? slow
          : concat(
              slow.pipe(take(cutAfter)),
              throwError(() => connectionError('ECONNRESET')),
            );
      },
    };
  }

  private joinThrowing(): void {
    let calls = 0;
    const fail = (): void => {
      calls += 1;
      if (calls % 2 === 0) throw new Error('simulated');
    };
    this.informer.addEventHandler({ onAdd: fail, onUpdate: fail, onDelete: fail });
  }

  private joinMeddling(writes: number): void {
    let left = writes;
    this.informer.resource$.subscribe((event) => {
      if (left === 0 || event.type === 'synced') return;
      left -= 1;
      this.server.apply({ do: left % 2 === 0 ? 'write' : 'recreate', key: 'one/a', lost: false });
    });
  }
}

function simulate(plan: PipelinePlan): void {
  const run = new Run(plan);
  const { informer, scheduler, server } = run;
  for (const { afterMs, step } of plan.steps) {
    if (afterMs > 0) advanceBy(scheduler, afterMs);
    run.apply(step);
  }
  // The faults are over. What was lost without a trace is found by a list; a watch that is just being opened does not hear that one is asked for.
  server.source.start();
  for (const waitMs of [restMs, 61_000, 67_000]) {
    advanceBy(scheduler, waitMs);
    server.source.expire();
  }
  advanceBy(scheduler, restMs);
  for (const kind of consumerKinds) run.consumers.push(pipelineConsumer(informer, scheduler, kind));
  advanceBy(scheduler, 10_000);

  const truth = described(server.source.objects());
  expect(described(informer.lister.list())).toEqual(truth);
  for (const { kind, content, complaints } of run.consumers) {
    expect([kind, complaints, described(content())]).toEqual([kind, [], truth]);
  }
  expect(informer.health()).toMatchObject({ state: 'watching', synced: true });

  void informer.stop();
  expect(server.source.openWatches).toBe(0);
  expect(scheduler.actions).toHaveLength(0);
}

describe('an informer with every kind of consumer', () => {
  it(`converges in ${histories} random histories, and all who follow it with it, whenever they came`, () => {
    const replayed = { ...(seed !== undefined && { seed: Number(seed) }), ...(path !== undefined && { path }) };
    fc.assert(fc.property(pipelinePlan, simulate), { numRuns: histories, examples: failingPlans.map((plan) => [plan]), ...replayed });
  }, 600_000);
});
