import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject, map, Subject, VirtualTimeScheduler } from 'rxjs';
import type { ResourceEvent } from '../../src/api/events.js';
import { uidOf } from '../../src/api/kubernetesObject.js';
import { resources } from '../../src/api/resources.js';
import { type ShardFilter, slotCount, slotOfObject } from '../../src/api/shardFilter.js';
import type { ClientWrite } from '../../src/client/kubeClient.js';
import { createInformer } from '../../src/informer/createInformer.js';
import type { InformerClient, InformerPart } from '../../src/informer/parts/part.js';
import { readYourWrites } from '../../src/informer/parts/readYourWrites.js';
import { requests } from '../../src/informer/parts/requests.js';
import { sharding } from '../../src/informer/parts/sharding.js';
import { verification } from '../../src/informer/verify/verifier.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { seededRandom } from '../../src/testing/fakes/randomHistory.js';
import type { FakeListerWatcherOptions } from '../../src/testing/fakes/fakeListerWatcher.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import { runs } from '../tier.js';
import { Fold } from './fold.js';
import { type PipelineConsumer, pipelineConsumer } from './pipelineConsumer.js';
import { consumerKinds } from './pipelinePlan.js';
import { serverOptions, type Simulated, simulated, SimulatedServer, step, type Step } from './simulatedServer.js';

const { SIMULATION_SEED: seed, SIMULATION_PATH: path } = process.env;
const histories = runs(200);
const namespaces = ['one', 'two'] as const;
const boundMs = 75_000 + 60_000 + 60_000 + 60_000;

type PartStep =
  | Step
  | { readonly do: 'namespaces'; readonly names: readonly string[] }
  | { readonly do: 'slots'; readonly mask: number }
  | { readonly do: 'own write'; readonly key: string; readonly deletes: boolean; readonly lateMs: number }
  | { readonly do: 'join'; readonly kind: (typeof consumerKinds)[number] }
  | { readonly do: 'leave' | 'leave all' }
  | { readonly do: 'meddle'; readonly with: 'write' | 'namespaces' | 'slots' | 'leave' | 'indexers'; readonly mask: number };

interface Plan {
  readonly server: FakeListerWatcherOptions;
  readonly place: 'all' | 'one' | 'both' | 'changing';
  readonly shard: 'none' | 'uid' | 'namespace';
  /** Whether the server selects the objects of a shard. */
  readonly selects: boolean;
  readonly idleGraceMs: number;
  readonly verified: number;
  readonly onDrift: 'relist' | 'report';
  readonly writes: boolean;
  readonly transforms: boolean;
  readonly options: {
    readonly pageSize: number | undefined;
    readonly listStrategy: 'auto' | 'list' | 'watchList';
    readonly relistPeriodMs: number;
    readonly idleTimeoutMs: number;
    readonly resyncPeriodMs: number;
  };
  readonly listSemantics: 'any' | 'mostRecent' | { readonly notOlderThan: string } | { readonly exact: string } | undefined;
  readonly chance: number;
  readonly steps: readonly { readonly afterMs: number; readonly step: PartStep }[];
}

const mask = fc.integer({ min: 0, max: 15 });
const more: fc.Arbitrary<PartStep> = fc.oneof(
  fc.record({ do: fc.constant('namespaces' as const), names: fc.subarray([...namespaces]) }),
  fc.record({ do: fc.constant('slots' as const), mask }),
  fc.record({
    do: fc.constant('own write' as const),
    key: fc.constantFrom('one/a', 'one/b', 'two/a'),
    deletes: fc.boolean(),
    lateMs: fc.constantFrom(0, 0, 3, 5_000),
  }),
  fc.record({ do: fc.constant('join' as const), kind: fc.constantFrom(...consumerKinds.filter((kind) => kind !== 'change$')) }),
  fc.record({ do: fc.constantFrom('leave' as const, 'leave' as const, 'leave all' as const) }),
  fc.record({
    do: fc.constant('meddle' as const),
    with: fc.constantFrom('write' as const, 'namespaces' as const, 'slots' as const, 'leave' as const, 'indexers' as const),
    mask,
  }),
);
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 900 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 40_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }) },
);
const plans: fc.Arbitrary<Plan> = fc.record({
  server: serverOptions,
  place: fc.constantFrom('all' as const, 'one' as const, 'both' as const, 'changing' as const, 'changing' as const),
  shard: fc.constantFrom('none' as const, 'none' as const, 'uid' as const, 'namespace' as const),
  selects: fc.boolean(),
  idleGraceMs: fc.constantFrom(0, 0, 500),
  verified: fc.constantFrom(0, Infinity, 1_000, 4_000, 20_000),
  onDrift: fc.constantFrom('relist' as const, 'relist' as const, 'report' as const),
  writes: fc.boolean(),
  transforms: fc.boolean(),
  options: fc.record({
    pageSize: fc.constantFrom(undefined, 0, 1, 2),
    listStrategy: fc.constantFrom('auto' as const, 'auto' as const, 'list' as const),
    relistPeriodMs: fc.constantFrom(0, 0, 2_500, 45_000),
    idleTimeoutMs: fc.constantFrom(75_000, 5_000),
    resyncPeriodMs: fc.constantFrom(0, 0, 10_000),
  }),
  listSemantics: fc.constantFrom(undefined, 'any' as const, 'mostRecent' as const, { notOlderThan: '1' }, { exact: '1' }),
  chance: fc.integer(),
  steps: fc.array(fc.record({ afterMs: gap, step: fc.oneof({ weight: 4, arbitrary: step }, { weight: 3, arbitrary: more }) }), {
    maxLength: 40,
  }),
});

const keyOf = ({ metadata }: Simulated): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

function described(objects: Iterable<Simulated>): string[] {
  return [...objects].map((object) => `${keyOf(object)} ${object.metadata?.uid ?? ''} ${object.metadata?.resourceVersion ?? ''}`).sort();
}

class Run {
  readonly scheduler = new VirtualTimeScheduler();
  readonly server: SimulatedServer;
  readonly informer: SharedInformer<Simulated>;
  readonly consumers: PipelineConsumer[] = [];
  readonly complaints: string[] = [];
  private readonly namespace$: BehaviorSubject<readonly string[]>;
  private readonly slots$ = new BehaviorSubject({ slots: slotsOf(15) });
  /** The uids that the server has not had at some time after it had them. */
  private readonly gone = new Set<string>();
  private readonly write$ = new Subject<ClientWrite>();
  private hasRestored = false;
  private isOlder = false;
  private readonly plan: Plan;

  constructor(plan: Plan) {
    this.plan = plan;
    const { scheduler } = this;
    this.server = new SimulatedServer({ ...plan.server, scheduler }, (namespace, name, value) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      ...simulated(namespace, name, value),
    }));
    this.namespace$ = new BehaviorSubject<readonly string[]>([...namespaces]);
    const { source } = this.server;
    interface Asked {
      readonly namespace?: string | undefined;
      readonly shard?: ShardFilter;
      readonly shardSelector?: string;
    }
    const served = ({ namespace = '', shard, shardSelector }: Asked) => {
      const slots = plan.selects && shardSelector !== undefined ? new Set(shard?.slots) : undefined;
      return source.where(
        (object) =>
          (namespace === '' || object.metadata?.namespace === namespace) &&
          (slots === undefined || shard === undefined || slots.has(slotOfObject(object, shard.by))),
        namespace,
      );
    };
    const client: InformerClient = {
      listChunks: (_, request) =>
        served(request as never)
          .list(request as never)
          .pipe(
            map((chunk) =>
              plan.selects && chunk.metadata !== undefined
                ? { ...chunk, metadata: { ...chunk.metadata, shardInfo: { selector: (request as Asked).shardSelector } } }
                : chunk,
            ),
          ) as never,
      watch: (_, request) => served(request as never).watch(request) as never,
      writes$: this.write$,
    };
    const namespace = { all: undefined, one: 'one', both: [...namespaces], changing: this.namespace$ }[plan.place];
    const parts: InformerPart[] = [];
    if (plan.shard !== 'none') parts.push(sharding({ by: plan.shard, shard$: this.slots$ }));
    else if (plan.verified !== 0) parts.push(verification({ everyMs: plan.verified, onDrift: plan.onDrift }));
    if (plan.writes) parts.push(readYourWrites());
    if (plan.listSemantics !== undefined) parts.push(requests({ listSemantics: plan.listSemantics }));
    this.informer = createInformer<Simulated>(client, resources.core.v1.configmaps as never, {
      ...plan.options,
      ...(namespace !== undefined && { namespace }),
      ...(plan.transforms && { transform: transformed }),
      scheduler,
      idleGraceMs: plan.idleGraceMs,
      random: seededRandom(plan.chance),
      onError: () => 'retry',
      logger: { warn: () => undefined },
      parts,
    });
    this.watchOver();
  }

  /** One subscriber that checks every change. */
  private watchOver(): void {
    const { informer } = this;
    const deleted = new Set<string>();
    const uids = (): void => {
      for (const { metadata } of this.server.source.objects()) this.had.add(metadata?.uid ?? '');
    };
    uids();
    const content = new Map<string, Simulated>();
    const subscription = informer.change$.subscribe({
      next: ({ events, cause }) => {
        for (const event of events) {
          const uid = uidOf(event.object) ?? '';
          if (event.type === 'deleted') {
            content.delete(event.key);
            this.note();
            const mayLeave = this.plan.place === 'changing' || this.plan.shard !== 'none' || this.isOlder;
            if (!this.gone.has(uid) && !mayLeave) this.complaints.push(`deleted ${event.key} ${uid}, which the server has always had`);
            if (this.gone.has(uid)) deleted.add(uid);
          } else {
            content.set(event.key, event.object);
            if (event.type === 'added' && deleted.has(uid) && !this.hasRestored && !this.isOlder)
              this.complaints.push(`${cause}: ${event.key} ${uid} is back`);
          }
        }
        const cached = informer.indexer.list();
        if (cached.length !== content.size || cached.some((object) => content.get(keyOf(object)) !== object))
          this.complaints.push(`after a change by ${cause}, the cache is another one`);
      },
      error: (error: unknown) => this.complaints.push(`failed: ${String(error)}`),
    });
    this.consumers.push({ kind: 'all', content: () => content.values(), complaints: [], leave: () => subscription.unsubscribe() });
  }

  private readonly had = new Set<string>();
  private note(): void {
    const now = new Set(this.server.source.objects().map(({ metadata }) => metadata?.uid ?? ''));
    for (const uid of this.had) if (!now.has(uid)) this.gone.add(uid);
    for (const uid of now) this.had.add(uid);
  }

  apply(step: PartStep): void {
    const { consumers, informer, scheduler } = this;
    switch (step.do) {
      case 'namespaces':
        this.namespace$.next(step.names);
        break;
      case 'slots':
        this.slots$.next({ slots: slotsOf(step.mask) });
        break;
      case 'own write':
        this.ownWrite(step.key, step.deletes, step.lateMs);
        break;
      case 'join':
        consumers.push(pipelineConsumer(informer, scheduler, step.kind));
        break;
      case 'leave':
        if (consumers.length > 1) consumers.splice(1, 1)[0]?.leave();
        break;
      case 'leave all':
        // A session that begins at an exact version is back at it.
        this.isOlder ||= typeof this.plan.listSemantics === 'object' && 'exact' in this.plan.listSemantics;
        for (const consumer of consumers.splice(0)) consumer.leave();
        this.watchOver();
        break;
      case 'meddle': {
        let left = 2;
        const subscription = informer.resource$.subscribe((event: ResourceEvent<Simulated>) => {
          if (left === 0 || event.type === 'synced') return;
          left -= 1;
          switch (step.with) {
            case 'write':
              this.change({ do: left === 0 ? 'recreate' : 'write', key: 'one/a', lost: false });
              break;
            case 'namespaces':
              this.namespace$.next(namespaces.filter((_, at) => (step.mask & (1 << at)) !== 0));
              break;
            case 'slots':
              this.slots$.next({ slots: slotsOf(step.mask) });
              break;
            case 'leave':
              if (consumers.length > 1) consumers.splice(1, 1)[0]?.leave();
              break;
            case 'indexers':
              informer.addIndexers({ [`i${this.indexes++}`]: (object: Simulated) => [object.metadata?.name ?? ''] });
          }
        });
        consumers.push({
          kind: 'meddler',
          content: () => this.informer.indexer.list(),
          complaints: [],
          leave: () => subscription.unsubscribe(),
        });
        break;
      }
      default:
        if (step.do === 'restore') this.hasRestored = true;
        this.change(step);
    }
  }
  private indexes = 0;

  private change(step: Step): void {
    // recreation deletes in between
    if ('key' in step && step.do !== 'write') {
      const before = this.server.source.get(step.key)?.metadata?.uid;
      if (before !== undefined) this.gone.add(before);
    }
    this.note();
    this.server.apply(step);
    this.note();
  }

  private ownWrite(key: string, deletes: boolean, lateMs: number): void {
    const { source } = this.server;
    const [namespace = '', name = ''] = key.split('/');
    const before = source.get(key);
    if (deletes && before === undefined) return;
    this.change({ do: deletes ? 'delete' : 'write', key, lost: false });
    const object = deletes ? before : source.get(key);
    if (object === undefined) return;
    const about = { resource: resources.core.v1.configmaps, namespace, name };
    const answer = (): void =>
      this.write$.next({ ...about, verb: deletes ? 'delete' : 'replace', object, ...(deletes && { uid: uidOf(object) }) } as never);
    if (lateMs === 0) answer();
    else this.scheduler.schedule(answer, lateMs);
  }

  /** What the informer is to have at rest. */
  truth(): string[] {
    const names = { all: ['one', 'two'], one: ['one'], both: ['one', 'two'], changing: this.namespace$.value }[this.plan.place];
    const { slots } = this.slots$.value;
    const { degraded } = this.informer.health();
    return described(
      this.server.source
        .objects()
        .filter((object) => names.includes(object.metadata?.namespace ?? ''))
        .filter((object) => this.plan.shard === 'none' || slots.has(slotOfObject(object, this.plan.shard)))
        .filter((object) => !degraded.includes(keyOf(object))),
    );
  }
}

function transformed(object: Simulated): Simulated {
  if (object.spec.value % 7 === 0) throw new Error('simulated');
  return { ...object, spec: { value: object.spec.value } };
}

function slotsOf(mask: number): ReadonlySet<number> {
  return new Set(Array.from({ length: slotCount }, (_, slot) => slot).filter((slot) => (mask & (1 << (slot % 4))) !== 0));
}

/** Lets time pass, and promises settle. */
async function pass(scheduler: VirtualTimeScheduler, ms: number): Promise<void> {
  const slice = ms > 20_000 ? 500 : 100;
  for (let left = ms; left > 0; left -= slice) {
    advanceBy(scheduler, Math.min(slice, left));
    for (let times = 0; times < 4; times += 1) await Promise.resolve();
  }
}

async function simulate(plan: Plan): Promise<void> {
  const run = new Run(plan);
  const { informer, scheduler, server } = run;
  const isVerified =
    plan.shard === 'none' &&
    [1_000, 4_000, 20_000].includes(plan.verified) &&
    plan.onDrift === 'relist' &&
    // Without bookmarks, the cached version stays the one before the loss.
    plan.server.bookmarkIntervalMs !== Infinity &&
    plan.options.idleTimeoutMs > 60_000 &&
    plan.steps.every(({ step }) => step.do !== 'compact' && step.do !== 'expire');
  const isRepaired = plan.options.relistPeriodMs > 0 || isVerified;
  const isBounded = plan.steps.every(({ step }) => step.do !== 'restore' && !('lost' in step && step.lost && !isRepaired));
  for (const { afterMs, step } of plan.steps) {
    await pass(scheduler, afterMs);
    run.apply(step);
  }
  server.source.start();
  if (!isBounded)
    for (const waitMs of [400_000, 61_000, 67_000]) {
      await pass(scheduler, waitMs);
      server.source.expire();
    }
  await pass(scheduler, boundMs);
  for (const kind of consumerKinds) if (kind !== 'change$') run.consumers.push(pipelineConsumer(informer, scheduler, kind));
  await pass(scheduler, 2_000);

  const truth = run.truth();
  const { degraded } = informer.health();
  const good = (objects: Iterable<Simulated>): Simulated[] => [...objects].filter((object) => !degraded.includes(keyOf(object)));
  expect(run.complaints).toEqual([]);
  expect(described(good(informer.indexer.list()))).toEqual(truth);
  // A write that a restored server does not have, nor the first list, may also be one that an old list does not have yet.
  if (!plan.writes || plan.steps.every(({ step }) => step.do !== 'restore')) expect(described(good(informer.lister.list()))).toEqual(truth);
  for (const { kind, content, complaints } of run.consumers)
    expect([kind, complaints, described(good(content()))]).toEqual([kind, [], truth]);
  expect(informer.health()).toMatchObject({ state: 'watching', synced: true });
  const lateFold = new Fold(informer.resource$);
  expect(described(good(lateFold.objects.values()))).toEqual(truth);
  await informer.stop();
  await pass(scheduler, 10_000);
  expect(server.source.openWatches).toBe(0);
  expect(scheduler.actions).toHaveLength(0);
}

describe('an informer on a client, with any of its parts', () => {
  it(`converges in ${String(histories)} random histories`, async () => {
    const replayed = { ...(seed !== undefined && { seed: Number(seed) }), ...(path !== undefined && { path }) };
    await fc.assert(fc.asyncProperty(plans, simulate), { numRuns: histories, ...replayed });
  }, 600_000);
});
