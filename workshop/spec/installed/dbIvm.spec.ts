import { describe, expect, it } from '@jest/globals';
import { D2, join, map, MultiSet, output, reduce } from '@tanstack/db-ivm';
import fc from 'fast-check';
import { fakeCollection } from '@rx-informer/views/testing';
import { derive } from '@rx-informer/views';
import { type Item, randomItem, randomKey, randomOf } from '../../../packages/views/spec/randomViews.js';

const appOf = ({ metadata }: Item): string => `${metadata?.namespace ?? ''}/${metadata?.labels?.['app'] ?? ''}`;
const keyOf = ({ metadata }: Item): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

/** The same join and counts in differential dataflow: how many on the right have the namespace and app of each on the left. */
class Dataflow {
  readonly counts = new Map<string, number>();
  private readonly graph = new D2();
  private readonly left = this.graph.newInput<[string, string]>();
  private readonly right = this.graph.newInput<[string, string]>();

  constructor() {
    this.left.pipe(
      join(this.right, 'inner'),
      map(([, [left]]): [string, string] => [left as string, 'one']),
      reduce((values) => [[values.reduce((sum, [, count]) => sum + count, 0), 1]]),
      output((changes) => {
        const rows = changes.getInner() as [[string, number], number][];
        for (const [[key, count], times] of rows) if (times < 0 && this.counts.get(key) === count) this.counts.delete(key);
        for (const [[key, count], times] of rows) if (times > 0 && count > 0) this.counts.set(key, count);
      }),
    );
    this.graph.finalize();
  }

  replace(side: 'left' | 'right', before: Item | undefined, after: Item | undefined): void {
    const rows: [[string, string], number][] = [];
    if (before !== undefined) rows.push([[appOf(before), keyOf(before)], -1]);
    if (after !== undefined) rows.push([[appOf(after), keyOf(after)], 1]);
    this[side].sendData(new MultiSet(rows));
    this.graph.run();
  }
}

describe('a join with counts', () => {
  it('is what @tanstack/db-ivm makes of the same changes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        const random = randomOf(seed);
        const sides = { left: fakeCollection<Item>([]), right: fakeCollection<Item>([]) };
        const models = { left: new Map<string, Item>(), right: new Map<string, Item>() };
        const counts = derive(sides.left, ({ metadata }, read) => {
          const { length } = read(sides.right, { namespace: metadata?.namespace, labelSelector: { app: metadata?.labels?.['app'] ?? '' } });
          return length === 0 ? undefined : length;
        });
        const known = new Map<string, number>();
        counts.change$.subscribe(({ events }) => {
          for (const { type, key, object } of events) {
            if (type === 'deleted') known.delete(key);
            else known.set(key, object);
          }
        });
        const dataflow = new Dataflow();
        for (let at = 0; at < 40; at += 1) {
          const side = random(3) === 0 ? 'left' : 'right';
          const key = randomKey(random);
          const before = models[side].get(key);
          const after = random(4) === 0 ? undefined : randomItem(random, key);
          if (before === undefined && after === undefined) continue;
          if (after === undefined) models[side].delete(key);
          else models[side].set(key, after);
          if (after === undefined) sides[side].remove(key);
          else sides[side].put(after);
          dataflow.replace(side, before, after);
          expect([...known].sort()).toEqual([...dataflow.counts].sort());
        }
      }),
      { numRuns: 100 },
    );
  });
});
