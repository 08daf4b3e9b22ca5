import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject, type Subscription, VirtualTimeScheduler } from 'rxjs';
import { type Collection, createInformer, customResource, type KubeClient, type SharedInformer } from 'rx-informer';
import { advanceBy, type FakeListerWatcher } from 'rx-informer/testing';
import type { FakeListerWatcherOptions } from 'rx-informer/internal';
import type { View } from '../../src/view.js';
import {
  type Content,
  Fold,
  indexers,
  type Item,
  itemOfVersion,
  namespaces,
  type Random,
  randomOf,
  randomSteps,
  type Step,
  textOf,
} from '../randomViews.js';
import { history, serverOptions, SimulatedServer, type TimedStep } from '../../../../spec/simulation/simulatedServer.js';
import { runs } from '../../../../spec/tier.js';

const histories = runs(80);
const restMs = 300_000;
const items = customResource<Item>({ group: 'example.com', version: 'v1', plural: 'items', kind: 'Item', namespaced: true });

interface Plan {
  readonly seed: number;
  readonly servers: readonly [FakeListerWatcherOptions, FakeListerWatcherOptions];
  readonly steps: readonly TimedStep[];
}

const plan: fc.Arbitrary<Plan> = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  servers: fc.tuple(serverOptions, serverOptions),
  steps: history,
});

/** A client for the namespaces of a server. */
function clientOf(server: FakeListerWatcher<Item>): KubeClient {
  const lister = ({ namespace }: { readonly namespace?: string }) => (namespace === undefined ? server : server.inNamespace(namespace));
  return {
    listChunks: (_: unknown, options: Parameters<typeof server.list>[0]) => lister(options as object).list(options),
    watch: (_: unknown, options: Parameters<typeof server.watch>[0]) => lister(options as object).watch(options),
  } as unknown as KubeClient;
}

const isSame = (objects: readonly Item[], before: readonly Item[] | undefined): boolean =>
  before?.length === objects.length && objects.every((object, at) => object === before[at]);

/** How many views of several informers have been compared with the caches. */
let comparisons = 0;

/**
 * A random graph of views over informers of two servers with faults: two informers of the same objects, one with a DeltaFIFO, and one whose namespaces come
 * and go. In every callback of any subscriber, each view is what its functions make of the caches as they stand at that moment.
 */
class World {
  readonly scheduler = new VirtualTimeScheduler();
  private readonly random: Random;
  private readonly servers: readonly SimulatedServer<Item>[];
  private readonly names$ = new BehaviorSubject<readonly string[]>(namespaces);
  private readonly informers: readonly SharedInformer<Item>[];
  private readonly steps: readonly Step[];
  private readonly views: View<Item>[] = [];
  private readonly folds: { readonly at: number; readonly fold: Fold; readonly subscription: Subscription }[] = [];
  /** The informers that are complete: a view that begins while a namespace is being listed waits for that. */
  private readonly completed = new Set<number>();
  private compared: { readonly objects: readonly (readonly Item[])[]; readonly texts: readonly string[] } = { objects: [], texts: [] };
  /** What has been found to be as it should, and need not be looked at again before the caches change. */
  private readonly right = new Map<number, readonly Item[]>();
  /** How much callbacks may still do before the next step. */
  private nested = 0;
  failure: unknown;

  constructor({ seed, servers }: Plan) {
    const { scheduler, names$ } = this;
    this.random = randomOf(seed);
    this.servers = servers.map((options) => new SimulatedServer<Item>({ ...options, scheduler }, itemOfVersion));
    const [first, second] = this.servers.map(({ source }) => source) as [FakeListerWatcher<Item>, FakeListerWatcher<Item>];
    const options = {
      scheduler,
      indexers,
      random: () => this.random(1000) / 1000,
      onError: () => 'retry' as const,
      pageSize: this.random(3),
    };
    this.informers = [
      createInformer<Item>(first, { ...options, name: 'first' }),
      createInformer<Item>(first, { ...options, name: 'again', resyncPeriodMs: 200_000 }),
      createInformer<Item>(clientOf(second), items, { ...options, name: 'namespaces', namespace: names$ }),
      createInformer<Item>(clientOf(second), items, { ...options, name: 'both', namespace: namespaces }),
    ];
    this.steps = randomSteps(this.random, this.informers.length, false);
    for (const step of this.steps) this.views.push(step.build(step.inputs.map((at) => this.all()[at] as Collection<Item>)));
    // In an order of chance: views may be there before their informers.
    const order = this.all().map((_, at) => at);
    for (const at of order.sort(() => this.random(3) - 1)) this.subscribe(at);
  }

  apply({ afterMs, step }: TimedStep): void {
    if (afterMs > 0) advanceBy(this.scheduler, afterMs);
    this.nested = 2;
    if (this.random(8) === 0) this.exchange();
    if (this.random(8) === 0) this.comeOrGo();
    if (this.random(8) === 0) this.moveNamespaces();
    this.serverOf().apply(step);
    this.check();
  }

  /** After the faults: the content of the informers, and the content of the servers. */
  rest(): { readonly held: readonly string[]; readonly served: readonly string[] } {
    const sources = this.servers.map(({ source }) => source);
    for (const source of sources) source.start();
    for (const waitMs of [restMs, 61_000, 67_000, restMs]) {
      advanceBy(this.scheduler, waitMs);
      for (const source of sources) source.expire();
    }
    advanceBy(this.scheduler, restMs);
    this.check();
    const [first, second] = sources.map((source) => source.objects()) as [Item[], Item[]];
    const known = second.filter(({ metadata }) => this.names$.value.includes(metadata?.namespace ?? ''));
    for (const { at, fold } of this.folds) if (fold.changes === 0) throw new Error(`A subscriber of ${String(at)} was told nothing`);
    return {
      held: this.informers.map((_, at) => textOf(this.contentOf(at))),
      served: [first, first, known, second].map((objects) => textOf(new Map(objects.map((object) => [this.keyOf(object), object])))),
    };
  }

  /** All subscribers unsubscribe; returns what remains. */
  end(): { readonly running: number; readonly openWatches: number; readonly timers: number } {
    for (const { subscription } of this.folds) subscription.unsubscribe();
    return {
      running: this.informers.filter((informer) => informer.health().state !== 'idle').length,
      openWatches: this.servers.reduce((sum, { source }) => sum + source.openWatches, 0),
      timers: this.scheduler.actions.length,
    };
  }

  describe(): string {
    return this.steps.map(({ kind, inputs }, at) => `${String(at + this.informers.length)}: ${kind}(${inputs.join(', ')})`).join('\n');
  }

  private keyOf({ metadata }: Item): string {
    return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  }

  private all(): Collection<Item>[] {
    return [...this.informers, ...this.views];
  }

  private serverOf(): SimulatedServer<Item> {
    return this.servers[this.random(2)] as SimulatedServer<Item>;
  }

  private contentOf(at: number): Content {
    const { indexer } = this.all()[at] as Collection<Item>;
    return new Map(indexer.listKeys().map((key) => [key, indexer.getByKey(key) as Item]));
  }

  /** The expected content of everything, computed from the current caches of the informers. */
  private expected(): readonly string[] {
    const objects = this.informers.map(({ indexer }) => indexer.list());
    if (!objects.every((list, at) => isSame(list, this.compared.objects[at]))) {
      this.right.clear();
      const contents: Content[] = this.informers.map((_, at) => this.contentOf(at));
      for (const step of this.steps) contents.push(step.evaluate(contents, new Map<string, Item>()));
      this.compared = { objects, texts: contents.map(textOf) };
    }
    return this.compared.texts;
  }

  /** Takes other collections for a view of some that come and go. */
  private exchange(): void {
    const choices = this.steps.filter((step) => 'choose' in step);
    const hand = choices[this.random(choices.length)]?.choose?.(this.random);
    this.compared = { objects: [], texts: [] };
    hand?.();
  }

  private moveNamespaces(): void {
    this.names$.next(namespaces.filter(() => this.random(3) > 0));
  }

  private comeOrGo(): void {
    // The informers keep running, so that the functions read complete caches.
    const leaving = this.folds.findIndex(({ at }) => at >= this.informers.length);
    if (this.random(2) === 0 && leaving >= 0) this.folds.splice(leaving, 1)[0]?.subscription.unsubscribe();
    else if (this.folds.length < 14) this.subscribe(this.random(this.all().length));
  }

  private subscribe(at: number): void {
    const fold = new Fold();
    const subscription = (this.all()[at] as Collection<Item>).change$.subscribe({
      next: (change) => {
        try {
          fold.take(change);
          if (at < this.informers.length) this.completed[change.synced ? 'add' : 'delete'](at);
          if (textOf(fold.content) !== textOf(this.contentOf(at)))
            throw new Error(`A subscriber of ${String(at)} was not told what it holds`);
          this.check();
          this.interfere();
        } catch (error) {
          this.failure ??= error;
        }
      },
      error: (error: unknown) => (this.failure ??= error),
    });
    this.folds.push({ at, fold, subscription });
  }

  private interfere(): void {
    if (this.nested === 0 || this.random(6) > 0) return;
    this.nested -= 1;
    const dice = this.random(4);
    if (dice === 0) this.subscribe(this.random(this.all().length));
    else if (dice === 1) this.moveNamespaces();
    else this.serverOf().apply({ do: dice === 2 ? 'write' : 'delete', key: 'one/a', lost: false });
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure as Error;
    if (this.completed.size < this.informers.length) return;
    const expected = this.expected();
    for (const at of new Set(this.folds.filter(({ fold }) => fold.changes > 0).map((each) => each.at))) {
      const objects = (this.all()[at] as Collection<Item>).indexer.list();
      if (isSame(objects, this.right.get(at))) continue;
      const content = textOf(this.contentOf(at));
      if (at >= this.informers.length) comparisons += 1;
      this.right.set(at, objects);
      if (content !== expected[at]) throw new Error(`${String(at)} holds\n${content}\nand not\n${expected[at] ?? ''}`);
    }
  }
}

describe('live views of informers', () => {
  it(`are made of what stands together in the caches, in every callback of ${String(histories)} random histories of servers with faults`, () => {
    fc.assert(
      fc.property(plan, (each) => {
        const world = new World(each);
        try {
          for (const step of each.steps) world.apply(step);
          const { held, served } = world.rest();
          expect(held).toEqual(served);
          expect(world.end()).toEqual({ running: 0, openWatches: 0, timers: 0 });
          if (world.failure !== undefined) throw world.failure as Error;
        } catch (error) {
          throw new Error(`${world.describe()}\n${(error as Error).stack ?? String(error)}`, { cause: error });
        }
      }),
      { numRuns: histories },
    );
    expect(comparisons).toBeGreaterThan(5 * histories);
  }, 600_000);
});
