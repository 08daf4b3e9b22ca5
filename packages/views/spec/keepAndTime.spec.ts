import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { deriveMany } from '../src/deriveMany.js';
import { keep, type Read, type View } from '../src/view.js';
import { type Item, item } from './items.js';

/** Runs virtual time until a moment. */
function advanceTo(scheduler: VirtualTimeScheduler, at: number): void {
  scheduler.maxFrames = at;
  scheduler.schedule(() => undefined, at - scheduler.now());
  scheduler.flush();
}

describe('keep', () => {
  it('leaves the value of a key as it is, without a failure', () => {
    const items = fakeCollection([item('a', 1)]);
    const view = derive(items, ({ n }) => (n < 0 ? keep : n));
    let changes = 0;
    view.change$.subscribe(() => (changes += 1));
    items.put(item('a', -1));
    expect(view.indexer.getByKey('a')).toBe(1);
    expect(view.health().degraded).toEqual([]);
    expect(view.counters().failed).toBe(0);
    expect(changes).toBe(1);
    items.put(item('a', 2));
    expect(view.indexer.getByKey('a')).toBe(2);
  });

  it('makes no value where there was none', () => {
    const items = fakeCollection([item('a', -1)]);
    const view = derive(items, ({ n }) => (n < 0 ? keep : n));
    view.start();
    expect(view.hasSynced()).toBe(true);
    expect(view.indexer.listKeys()).toEqual([]);
  });

  it('keeps up what has been read, so that the function is called again', () => {
    const [items, others] = [fakeCollection([item('a', 1)]), fakeCollection([item('b', -1)])];
    const view = derive(items, (_, read) => {
      const n = read.get(others, 'b')?.n ?? 0;
      return n < 0 ? keep : n;
    });
    view.start();
    expect(view.indexer.listKeys()).toEqual([]);
    others.put(item('b', 7));
    expect(view.indexer.getByKey('a')).toBe(7);
    others.put(item('b', -1));
    expect(view.indexer.getByKey('a')).toBe(7);
    others.put(item('b', 8));
    expect(view.indexer.getByKey('a')).toBe(8);
  });

  it('goes with its object', () => {
    const items = fakeCollection([item('a', 1)]);
    const view = derive(items, ({ n }) => (n < 0 ? keep : n));
    view.start();
    items.put(item('a', -1));
    items.remove('a');
    expect(view.indexer.listKeys()).toEqual([]);
  });

  it('ends a failure', () => {
    const items = fakeCollection([item('a', 1)]);
    const view = derive(
      items,
      ({ n }) => {
        if (n === 13) throw new Error('unlucky');
        return n < 0 ? keep : n;
      },
      { logger: { warn: () => undefined } },
    );
    view.start();
    items.put(item('a', 13));
    expect(view.health().degraded).toEqual(['a']);
    items.put(item('a', -1));
    expect(view.health().degraded).toEqual([]);
    expect(view.indexer.getByKey('a')).toBe(1);
  });

  it('leaves all values that deriveMany has made of an object', () => {
    const items = fakeCollection([item('a', 2)]);
    const view = deriveMany(items, ({ n }) => (n < 0 ? keep : Array.from({ length: n }, (_, at) => `v${at}`)), { key: (value) => value });
    view.start();
    items.put(item('a', -1));
    expect(view.indexer.listKeys()).toEqual(['v0', 'v1']);
    items.put(item('a', 1));
    expect(view.indexer.listKeys()).toEqual(['v0']);
  });
});

describe('read.now', () => {
  const setUp = (
    work: (object: Item, read: Read) => number,
  ): { scheduler: VirtualTimeScheduler; items: ReturnType<typeof fakeCollection<Item>>; view: View<number>; seen: string[] } => {
    const scheduler = new VirtualTimeScheduler();
    const items = fakeCollection([item('a', 1)], { scheduler });
    const view = derive<Item, number>(items, work, { scheduler, logger: { warn: () => undefined } });
    const seen: string[] = [];
    view.change$.subscribe(({ events }) => seen.push(`${scheduler.now()}: ${events.map(({ key }) => key).join(' ')}`));
    return { scheduler, items, view, seen };
  };

  it('is whole steps, and computes the value again when the next one begins', () => {
    const { scheduler, view, seen } = setUp((_, read) => read.now(1000));
    const first = view.indexer.getByKey('a') as number;
    expect(first % 1000).toBe(0);
    advanceTo(scheduler, 3500);
    expect(seen).toHaveLength(4);
    expect(view.indexer.getByKey('a')).toBe(first + 3000);
    expect(view.counters().computed).toBe(4);
  });

  it('goes by the shortest step that was asked for', () => {
    const { scheduler, view } = setUp((_, read) => read.now(10_000) * 0 + read.now(100) * 0 + read.now(5000) * 0);
    advanceTo(scheduler, 950);
    expect(view.counters().computed).toBe(10);
  });

  it('costs 50,000 keys a timer and a look at each, not at each other', () => {
    const scheduler = new VirtualTimeScheduler();
    const items = fakeCollection(
      Array.from({ length: 50_000 }, (_, at) => item(`i${at}`, at)),
      { scheduler },
    );
    let timers = 0;
    const schedule = scheduler.schedule.bind(scheduler);
    scheduler.schedule = ((...args: Parameters<typeof schedule>) => ((timers += 1), schedule(...args))) as typeof schedule;
    let walked = 0;
    const values = Reflect.get(Map.prototype, 'values') as (this: Map<unknown, unknown>) => MapIterator<unknown>;
    const view = derive(items, (_, read) => read.now(1000), { scheduler, sliceSize: Infinity });
    Map.prototype.values = function count(this: Map<unknown, unknown>) {
      walked += this.size;
      return values.call(this);
    };
    try {
      view.start();
    } finally {
      Map.prototype.values = values;
    }
    expect(view.indexer.listKeys()).toHaveLength(50_000);
    expect(timers).toBeLessThan(10);
    expect(walked).toBeLessThan(20 * 50_000);
  });

  it('computes only the keys that asked, and emits nothing where the value stays', () => {
    const { scheduler, items, view, seen } = setUp(({ n }, read) => (n === 1 ? read.now(1000) * 0 : n));
    items.put(item('b', 2));
    const computed = view.counters().computed;
    advanceTo(scheduler, 2500);
    expect(view.counters().computed).toBe(computed + 2);
    expect(seen).toHaveLength(2);
  });

  it('ends when the function does not ask any more, and with the key', () => {
    const { scheduler, items, view } = setUp(({ n }, read) => (n === 1 ? read.now(1000) : n));
    items.put(item('a', 2));
    const { computed } = view.counters();
    advanceTo(scheduler, 5000);
    expect(view.counters().computed).toBe(computed);
    items.put(item('a', 1));
    items.remove('a');
    const after = view.counters().computed;
    advanceTo(scheduler, 10_000);
    expect(view.counters().computed).toBe(after);
  });

  it('leaves no timer when nobody is subscribed', () => {
    const scheduler = new VirtualTimeScheduler();
    const view = derive(fakeCollection([item('a', 1)], { scheduler }), (_, read) => read.now(1000), { scheduler });
    const subscription = view.change$.subscribe();
    subscription.unsubscribe();
    scheduler.flush();
    expect(scheduler.now()).toBe(0);
    expect(view.counters().computed).toBe(1);
  });

  it.each([0, -1, NaN, Infinity, '1s', undefined])('refuses the step %p', (step) => {
    const { view } = setUp((_, read) => read.now(step as never));
    expect(view.health().degraded).toEqual(['a']);
    expect(view.health().error?.message).toContain('Expected `stepMs` of `read.now` to be a number above 0');
  });

  it('is refused after the function has returned', () => {
    const escaped: Read[] = [];
    setUp((_, read) => (escaped.push(read), 1));
    expect(() => escaped[0]?.now(1000)).toThrow('`read` was called after the function of the view had returned');
  });
});
