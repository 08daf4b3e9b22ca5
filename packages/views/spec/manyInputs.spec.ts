import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject } from 'rxjs';
import type { Collection, KubernetesObject } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { type Clusters, mergeClusters } from '../src/mergeClusters.js';
import { mergeViews } from '../src/mergeViews.js';
import { runs } from '../../../spec/tier.js';

interface Item extends KubernetesObject {
  readonly from: number;
}

const item = (name: string, from: number): Item => ({ metadata: { name }, from });

/** The content that a collection has emitted, folded. */
function foldOf<T>({ change$ }: Pick<Collection<T>, 'change$'>): Map<string, T> {
  const fold = new Map<string, T>();
  change$.subscribe(({ events }) => {
    for (const { type, key, object } of events) {
      if (type === 'deleted') fold.delete(key);
      else fold.set(key, object);
    }
  });
  return fold;
}

const names = ['a', 'b', 'c'];
const inputs = 7;

/** A list of collections, by number: some twice, in any order, often much like the one before. */
const lists = fc.array(
  fc.oneof(
    fc.record({ list: fc.array(fc.nat(inputs - 1), { maxLength: 12 }) }),
    fc.record({ complete: fc.nat(inputs - 1) }),
    fc.record({ put: fc.nat(inputs - 1), name: fc.constantFrom(...names) }),
    fc.record({ remove: fc.nat(inputs - 1), name: fc.constantFrom(...names) }),
    fc.record({ swap: fc.tuple(fc.nat(11), fc.nat(11)) }),
    fc.record({ grow: fc.nat(inputs - 1) }),
    fc.record({ shrink: fc.nat(11) }),
  ),
  { maxLength: 20 },
);

describe('views of many inputs', () => {
  it('mergeViews has what the first collection of the list has, whatever lists come', () => {
    fc.assert(
      fc.property(lists, fc.uniqueArray(fc.nat(inputs - 1)), (steps, late) => {
        const pool = Array.from({ length: inputs }, (_, from) => fakeCollection<Item>([item('a', from)], { synced: !late.includes(from) }));
        let now: number[] = [0];
        const lists$ = new BehaviorSubject<readonly Collection<Item>[]>([pool[0] as Collection<Item>]);
        const view = mergeViews(lists$);
        const fold = foldOf(view);
        const model = pool.map(() => new Map([['a', true]]));
        const complete = new Set(pool.keys());
        for (const from of late) complete.delete(from);
        for (const step of steps) {
          if ('complete' in step) {
            complete.add(step.complete);
            pool[step.complete]?.replace([...(model[step.complete]?.keys() ?? [])].map((name) => item(name, step.complete)));
          } else if ('put' in step) {
            model[step.put]?.set(step.name, true);
            pool[step.put]?.put(item(step.name, step.put));
          } else if ('remove' in step) {
            model[step.remove]?.delete(step.name);
            pool[step.remove]?.remove(step.name);
          } else {
            if ('list' in step) now = step.list;
            else if ('grow' in step) now = [...now, step.grow];
            else if ('shrink' in step) now = now.filter((_, at) => at !== step.shrink);
            else {
              const [a, b] = step.swap.map((at) => now[at % Math.max(now.length, 1)]);
              now = now.map((from, at) =>
                at === step.swap[0] % now.length ? (b ?? from) : at === step.swap[1] % now.length ? (a ?? from) : from,
              );
            }
            lists$.next(now.map((from) => pool[from] as Collection<Item>));
          }
        }
        // Nothing is shown before the first content is complete; from then on those that are complete count.
        if (!view.hasSynced() && fold.size === 0) return;
        const shown = now.filter((from) => complete.has(from));
        const expected = names.flatMap((name) => {
          const first = shown.find((from) => model[from]?.has(name) === true);
          return first === undefined ? [] : [[name, first] as const];
        });
        expect([...fold].map(([key, { from }]) => [key, from]).sort()).toEqual(expected.map(([name, from]) => [name, from]).sort());
        expect(view.hasSynced()).toBe(now.every((from) => complete.has(from)));
      }),
      { numRuns: runs(150) },
    );
  });

  it('mergeClusters has what each cluster has, whatever Maps come', () => {
    const maps = fc.array(fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.nat(3)), { maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(maps, fc.constantFrom('drop', 'keep'), (steps, gone) => {
        const pool = Array.from({ length: 4 }, (_, from) => fakeCollection<Item>([item('a', from)]));
        const clusters$ = new BehaviorSubject<Clusters<Item>>(new Map([['x', pool[0] as Collection<Item>]]));
        const view = mergeClusters(clusters$, { gone, syncTimeoutMs: Infinity });
        const fold = foldOf(view);
        const kept = new Map<string, Map<string, number>>();
        let model = new Map<string, number>([['x', 0]]);
        let version = 0;
        const contents = pool.map((_, from) => new Map([['a', from]]));
        for (const step of steps) {
          for (const [name, from] of model) kept.set(name, new Map(contents[from]));
          model = new Map(step);
          clusters$.next(new Map(step.map(([name, from]) => [name, pool[from] as Collection<Item>])));
          for (const name of kept.keys()) if (gone === 'drop' && !model.has(name)) kept.delete(name);
          for (const name of model.keys()) kept.delete(name);
          version += 10;
          const changed = version % 4;
          contents[changed]?.set('b', version);
          pool[changed]?.put(item('b', version));
        }
        const shown = [...[...model].map(([name, from]) => [name, contents[from]] as const), ...kept];
        const expected = shown.flatMap(([name, content]) => [...(content ?? [])].map(([key, from]) => [`${name}/${key}`, from]));
        expect([...fold].map(([key, { from }]) => [key, from]).sort()).toEqual(expected.sort());
        expect(view.hasSynced()).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  it('shows the health of the worst off of 1,000, one with an error before one without', () => {
    const flawed = fakeCollection([item('a', 0)]);
    const failing = derive<Item, number>(
      flawed,
      () => {
        throw new Error('no number');
      },
      { logger: { warn: () => undefined } },
    );
    const others = Array.from({ length: 999 }, (_, from) => derive(fakeCollection([item(`a${from}`, from)]), (object) => object.from));
    const view = mergeViews([...others, failing]);
    view.change$.subscribe();
    expect([view.health().state, view.health().error?.message]).toEqual(['watching', expect.stringContaining('no number')]);
    void failing.stop();
  });
});
