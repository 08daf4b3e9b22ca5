import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { type Collection } from 'rx-informer';
import { collectionPort } from 'rx-informer/internal';
import { type FakeCollection, fakeCollection } from '../src/testing/fakeCollection.js';
import type { View } from '../src/view.js';
import {
  type Content,
  Fold,
  indexers,
  type Item,
  namespaces,
  type Random,
  randomItem,
  randomKey,
  randomOf,
  randomSteps,
  type Step,
  textOf,
} from './randomViews.js';
import { runs } from '../../../spec/tier.js';

const histories = runs(1_000);
const sourceNames = ['first', 'second', 'third'];

/** One history of a graph of views: its content is compared with the expected one, at every change and in every callback. */
class World {
  private readonly random: Random;
  private readonly steps: readonly Step[];
  private readonly models: Map<string, Item>[] = [];
  private readonly sources: FakeCollection<Item>[] = [];
  private readonly views: View<Item>[] = [];
  private expected: readonly Content[] = [];
  private readonly folds: { readonly at: number; readonly fold: Fold; readonly subscription: Subscription }[] = [];
  private readonly held: Subscription[] = [];
  private readonly failing: boolean;
  private callbacks = 0;
  /** How much callbacks may still do before the next change. */
  private nested = 0;
  failure: unknown;

  constructor(seed: number) {
    this.random = randomOf(seed);
    // What fails keeps its last value, which nobody has who was not there: then all views are up all the time.
    this.failing = this.random(2) === 0;
    for (const name of sourceNames) {
      const model = new Map<string, Item>();
      for (let at = this.random(5); at > 0; at -= 1) {
        const key = randomKey(this.random);
        model.set(key, randomItem(this.random, key, `uid ${key}`));
      }
      this.models.push(model);
      this.sources.push(fakeCollection<Item>(model.values(), { name, indexers, synced: this.random(4) > 0 }));
    }
    this.steps = randomSteps(this.random, this.sources.length, this.failing);
    for (const step of this.steps) {
      const view = step.build(step.inputs.map((at) => this.all()[at] as Collection<Item>));
      this.held.push(view.error$.subscribe());
      this.views.push(view);
    }
    this.expected = this.evaluate([]);
    if (this.failing) for (const at of this.views.keys()) this.subscribe(this.sources.length + at);
    for (const [at, source] of this.sources.entries()) source.replace([...(this.models[at] as Map<string, Item>).values()]);
  }

  run(changes: number): void {
    for (let at = 0; at < changes && this.failure === undefined; at += 1) {
      if (this.random(4) === 0) this.comeOrGo();
      this.nested = 2;
      if (this.random(6) === 0) this.exchange();
      else this.change();
      this.check('after a change');
    }
    for (const { subscription } of this.folds) subscription.unsubscribe();
    for (const subscription of this.held) subscription.unsubscribe();
    for (const [at, source] of this.sources.entries()) {
      if (source.subscriptions() > 0) throw new Error(`${sourceNames[at] ?? ''} is still subscribed to`);
    }
  }

  describe(): string {
    return this.steps.map(({ kind, inputs }, at) => `${String(at + sourceNames.length)}: ${kind}(${inputs.join(', ')})`).join('\n');
  }

  private all(): Collection<Item>[] {
    return [...this.sources, ...this.views];
  }

  private evaluate(before: readonly Content[]): readonly Content[] {
    const contents: Content[] = this.models.map((model) => new Map(model));
    for (const step of this.steps) contents.push(step.evaluate(contents, before[contents.length] ?? new Map<string, Item>()));
    return contents;
  }

  private change(): void {
    const at = this.random(this.sources.length);
    const source = this.sources[at] as FakeCollection<Item>;
    const model = this.models[at] as Map<string, Item>;
    const put: Item[] = [];
    const removed: string[] = [];
    const dice = this.random(10);
    const item = (key: string): void => {
      const before = model.get(key);
      const recreated = this.random(6) === 0;
      put.push(randomItem(this.random, key, before === undefined || recreated ? `uid ${String(this.random(1e9))}` : before.metadata?.uid));
    };
    if (dice < 5) item(randomKey(this.random));
    else if (dice < 7) for (const key of new Set([randomKey(this.random), randomKey(this.random), randomKey(this.random)])) item(key);
    else if (dice < 8) removed.push(randomKey(this.random));
    else if (dice < 9) removed.push(...[...model.keys()].filter((key) => key.startsWith(namespaces[this.random(2)] ?? '')));
    const isList = dice === 9;
    const kept = isList ? [...model.values()].filter(() => this.random(3) > 0) : [];
    // In a turn right before that of the change, after the running ones.
    source[collectionPort].trampoline.run(() => {
      if (isList) model.clear();
      for (const object of isList ? kept : put) model.set(`${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`, object);
      for (const key of removed) model.delete(key);
      this.expected = this.evaluate(this.expected);
    });
    if (isList) source.replace(kept);
    else if (put.length > 0) source.put(...put);
    else source.remove(...removed);
  }

  /** Gives a view of collections that come and go other ones. */
  private exchange(): void {
    const choices = this.steps.filter((step) => 'choose' in step);
    if (choices.length === 0) return;
    const hand = choices[this.random(choices.length)]?.choose?.(this.random);
    this.expected = this.evaluate(this.expected);
    hand?.();
  }

  private subscribe(at: number): void {
    const fold = new Fold();
    const collection = this.all()[at] as Collection<Item>;
    let depth = 0;
    const subscription = collection.change$.subscribe({
      next: (change) => {
        try {
          if (depth > 0) throw new Error('A callback is called within itself');
          depth += 1;
          fold.take(change);
          this.inCallback(at, fold);
          depth -= 1;
        } catch (error) {
          this.failure ??= error;
        }
      },
      error: (error: unknown) => (this.failure ??= error),
    });
    this.folds.push({ at, fold, subscription });
  }

  private inCallback(at: number, fold: Fold): void {
    this.callbacks += 1;
    if (textOf(fold.content) !== textOf(this.expected[at] as Content)) {
      throw new Error(
        `A subscriber of ${String(at)} was told\n${textOf(fold.content)}\nbut it holds\n${textOf(this.expected[at] as Content)}`,
      );
    }
    this.compareStores('in a callback');
    if (this.nested === 0 || this.random(6) > 0) return;
    this.nested -= 1;
    if (this.random(2) === 0) this.subscribe(this.random(this.all().length));
    else this.change();
  }

  private comeOrGo(): void {
    if (this.random(2) === 0 && !this.failing) this.folds.splice(this.random(this.folds.length), 1)[0]?.subscription.unsubscribe();
    else if (this.folds.length < 12) this.subscribe(this.random(this.all().length));
  }

  /** All running collections have the expected content. */
  private compareStores(when: string): void {
    for (const [at, collection] of this.all().entries()) {
      if (!collection.hasSynced()) continue;
      const content = new Map(collection.indexer.listKeys().map((key) => [key, collection.indexer.getByKey(key) as Item]));
      if (textOf(content) !== textOf(this.expected[at] as Content)) {
        throw new Error(`${String(at)} holds ${when}\n${textOf(content)}\nand not\n${textOf(this.expected[at] as Content)}`);
      }
    }
  }

  private check(when: string): void {
    if (this.failure !== undefined) throw this.failure as Error;
    this.compareStores(when);
    for (const view of this.views) {
      if (!view.hasSynced()) continue;
      for (const key of view.indexer.listKeys())
        if (view.explain(key) === undefined) throw new Error(`${view.name} does not explain ${key}`);
    }
    for (const { at, fold } of this.folds) {
      if (fold.changes === 0) throw new Error(`A subscriber of ${String(at)} was told nothing`);
      if (textOf(fold.content) !== textOf(this.expected[at] as Content)) {
        throw new Error(`A subscriber of ${String(at)} knows\n${textOf(fold.content)}\nand not\n${textOf(this.expected[at] as Content)}`);
      }
    }
  }
}

describe('live views', () => {
  it(`hold what computing everything anew gives, in every callback of ${String(histories)} random histories`, () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        const world = new World(seed);
        try {
          world.run(12);
          if (world.failure !== undefined) throw world.failure as Error;
        } catch (error) {
          throw new Error(`${world.describe()}\n${(error as Error).stack ?? String(error)}`, { cause: error });
        }
      }),
      { numRuns: histories },
    );
    expect(histories).toBeGreaterThan(0);
  });
});
