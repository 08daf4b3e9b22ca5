import { describe, expect, it, jest } from '@jest/globals';
import { BehaviorSubject } from 'rxjs';
import type { Collection, KubernetesObject } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { mergeClusters } from '../src/mergeClusters.js';
import { mergeViews } from '../src/mergeViews.js';
import type { View } from '../src/view.js';

const pod = (name: string): KubernetesObject => ({ metadata: { namespace: 'n', name } });
const quiet = { logger: { warn: () => undefined } };

function chain(pods: Collection<KubernetesObject>, length: number): View<KubernetesObject>[] {
  const views: View<KubernetesObject>[] = [];
  for (let at = 0; at < length; at += 1) views.push(derive(views.at(-1) ?? pods, (object) => object, quiet));
  return views;
}

describe('a deep graph of views', () => {
  it('of 10,000 levels connects, changes, fails and disconnects', () => {
    const pods = fakeCollection([pod('a')], { name: 'pods' });
    const views = chain(pods, 10_000);
    const last = views.at(-1) as View<KubernetesObject>;
    const seen: string[] = [];
    const subscription = last.change$.subscribe(({ events }) => seen.push(events.map(({ type, key }) => `${type} ${key}`).join()));
    pods.put(pod('b'));
    pods.remove('n/a');
    expect(seen).toEqual(['added n/a', 'added n/b', 'deleted n/a']);
    expect(last.health().state).toBe('watching');
    subscription.unsubscribe();
    expect([pods.subscriptions(), last.health().state, views[0]?.health().state]).toEqual([0, 'idle', 'idle']);
  });

  it('completes through 2,000 levels when its input is stopped, and names stay short', async () => {
    const pods = fakeCollection([pod('a')], { name: 'pods' });
    const first = derive(pods, (object) => object);
    const last = chain(first, 2_000).at(-1) as View<KubernetesObject>;
    let completed = false;
    last.change$.subscribe({ complete: () => (completed = true) });
    await first.stop();
    expect(completed).toBe(true);
    expect(last.name.length).toBeLessThanOrEqual(80);
  });

  it('asks for the health of its inputs once, however many ways lead to them', () => {
    const pods = fakeCollection([pod('a')], { name: 'pods' });
    const health = jest.spyOn(pods, 'health');
    const views: Collection<KubernetesObject>[] = [pods, derive(pods, (object) => object)];
    for (let at = 2; at < 60; at += 1) views.push(mergeViews([views[at - 1], views[at - 2]] as Collection<KubernetesObject>[]));
    const last = views.at(-1) as View<KubernetesObject>;
    const states: string[] = [];
    last.health$.subscribe(({ state }) => states.push(state));
    last.change$.subscribe();
    pods.put(pod('b'));
    expect(last.health().state).toBe('watching');
    // Two views look at the pods, when they connect and when that has happened.
    expect(health.mock.calls.length).toBeLessThanOrEqual(8);
    expect(states).toEqual(['idle', 'watching']);
  });

  it('shows a failing input in all that is made of it, in one step, and lets go of it', () => {
    const pods = fakeCollection([pod('a')], { name: 'pods' });
    let broken = false;
    const first = derive(
      pods,
      (object) => {
        if (broken) throw new Error('broken');
        return object;
      },
      quiet,
    );
    first.error$.subscribe();
    const last = chain(first, 30).at(-1) as View<KubernetesObject>;
    const seen: (string | undefined)[] = [];
    last.health$.subscribe(({ error }) => seen.push(error?.message.slice(-6)));
    last.change$.subscribe();
    broken = true;
    pods.put({ ...pod('a'), spec: 2 } as KubernetesObject);
    broken = false;
    pods.put({ ...pod('a'), spec: 3 } as KubernetesObject);
    expect(seen).toEqual([undefined, undefined, 'broken', undefined]);
  });
});

describe('a view of 1,000 collections', () => {
  const collections = (): Collection<KubernetesObject>[] => Array.from({ length: 1_000 }, (_, at) => fakeCollection([pod(`p${at}`)]));
  /** The calls of `indexer.getByKey`, with which a view looks up objects. */
  const lookups = (all: readonly Collection<KubernetesObject>[]): (() => number) => {
    const spies = all.map(({ indexer }) => jest.spyOn(indexer, 'getByKey'));
    return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  };

  it('looks each object up a few times, all at once and one by one', () => {
    const all = collections();
    const count = lookups(all);
    mergeViews(all).change$.subscribe();
    expect(count()).toBeLessThan(5_000);
    const lists = new BehaviorSubject(all.slice(0, 1));
    const view = mergeViews(lists);
    view.change$.subscribe();
    for (let at = 2; at <= all.length; at += 1) lists.next(all.slice(0, at));
    expect(view.indexer.listKeys()).toHaveLength(1_000);
    expect(count()).toBeLessThan(10_000);
  });

  it('of clusters does so, too', () => {
    const all = collections();
    const count = lookups(all);
    const maps = new BehaviorSubject(new Map<string, Collection<KubernetesObject>>());
    const view = mergeClusters(maps);
    view.change$.subscribe();
    const clusters = all.map((collection, at) => [`c${at}`, collection] as const);
    for (let at = 1; at <= all.length; at += 1) maps.next(new Map(clusters.slice(0, at)));
    expect(view.indexer.listKeys()).toHaveLength(1_000);
    expect(count()).toBeLessThan(10_000);
  });
});
