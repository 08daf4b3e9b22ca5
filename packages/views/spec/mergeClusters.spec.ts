import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, Subject, VirtualTimeScheduler } from 'rxjs';
import { type Collection, type KubernetesObject, withLabels } from 'rx-informer';
import { type Outcome, reconcile } from '@rx-informer/controller';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { type Clusters, mergeClusters } from '../src/mergeClusters.js';

interface Pod extends KubernetesObject {
  readonly n: number;
}

const pod = (name: string, n: number, labels: Record<string, string> = {}): Pod => ({ metadata: { namespace: 'n', name, labels }, n });
const signs = { added: '+', updated: '~', deleted: '-' };

function record(collection: Pick<Collection<Pod>, 'change$'>): string[] {
  const seen: string[] = [];
  collection.change$.subscribe({
    next: ({ events, synced }) => {
      const shown = events.map(({ type, key, object }) => `${signs[type]}${key}${type === 'deleted' ? '' : `=${object.n}`}`);
      seen.push(`${shown.join(' ')}${synced ? '' : ' incomplete'}`);
    },
    error: (error: unknown) => seen.push(String(error)),
    complete: () => seen.push('complete'),
  });
  return seen;
}

const of = (clusters: Record<string, Collection<Pod>>): Clusters<Pod> => new Map(Object.entries(clusters));

describe('mergeClusters', () => {
  it('has a name of its own, also over other clusters', () => {
    const views = [mergeClusters(of({})), mergeClusters(of({}))];
    expect(new Set(views.map(({ name }) => name)).size).toBe(2);
  });

  it('has objects of the same name of several clusters, under keys that carry the cluster', () => {
    const [eu, us] = [fakeCollection([pod('a', 1)]), fakeCollection([pod('a', 2)])];
    const pods = mergeClusters(of({ eu, us }));
    const seen = record(pods);
    us.put(pod('a', 3), pod('b', 3));
    eu.remove('n/a');
    const sorted = seen.map((change) => change.split(' ').sort());
    expect(sorted).toEqual([['+eu/n/a=1', '+us/n/a=2'], ['+us/n/b=3', '~us/n/a=3'], ['-eu/n/a']]);
    expect(pods.lister.get('us/n/a')).toEqual(pod('a', 3));
    expect(pods.lister.get('eu/n/a')).toBeUndefined();
    expect(() => pods.lister.getOrThrow('eu/n/a')).toThrow('not found');
  });

  it('shows clusters that come when they are complete, and lets the others go on', () => {
    const [eu, us] = [fakeCollection([pod('a', 1)]), fakeCollection([pod('a', 2)], { synced: false })];
    const clusters = new BehaviorSubject(of({ eu }));
    const pods = mergeClusters(clusters);
    const seen = record(pods);
    clusters.next(of({ eu, us }));
    eu.put(pod('b', 1));
    expect(seen).toEqual(['+eu/n/a=1', '+eu/n/b=1']);
    us.replace([pod('a', 2)]);
    expect(seen.slice(2)).toEqual(['+us/n/a=2']);
    expect(us.subscriptions()).toBe(1);
  });

  it('waits 30 s for a cluster that is down, then shows the others, and its health names it until it is there', () => {
    const scheduler = new VirtualTimeScheduler();
    const [eu, us] = [fakeCollection([pod('a', 1)]), fakeCollection([pod('a', 2)], { synced: false })];
    const pods = mergeClusters(of({ eu, us }), { scheduler, name: 'clusters' });
    const errors: (string | undefined)[] = [];
    pods.health$.subscribe(({ error }) => errors.push(error?.message));
    const seen = record(pods);
    expect(seen).toEqual([]);
    scheduler.flush();
    expect([seen, scheduler.now()]).toEqual([['+eu/n/a=1'], 30_000]);
    expect(pods.health().error?.message).toBe('The cluster us of clusters is not shown: it has not been listed');
    us.replace([pod('a', 2)]);
    expect([seen.slice(1), pods.health().error, errors.at(-1)]).toEqual([['+us/n/a=2'], undefined, undefined]);
    expect(errors).toContain('The cluster us of clusters is not shown: it has not been listed');
  });

  it('leaves no timer behind when all clusters are there', () => {
    const scheduler = new VirtualTimeScheduler();
    mergeClusters(of({ eu: fakeCollection([pod('a', 1)]) }), { scheduler }).change$.subscribe();
    scheduler.flush();
    expect(scheduler.now()).toBe(0);
  });

  it('deletes in one change what goes with its cluster, and leaves its collection', () => {
    const [eu, us] = [fakeCollection([pod('a', 1)]), fakeCollection([pod('a', 2), pod('b', 2)])];
    const clusters = new BehaviorSubject(of({ eu, us }));
    const seen = record(mergeClusters(clusters));
    clusters.next(of({ eu }));
    expect(seen.slice(1)).toEqual(['-us/n/a -us/n/b']);
    expect(us.subscriptions()).toBe(0);
    us.put(pod('c', 2));
    expect(seen).toHaveLength(2);
  });

  it('keeps what a cluster had last until it comes again and is complete, if that is wanted', () => {
    const [eu, us] = [fakeCollection([pod('a', 1)]), fakeCollection([pod('a', 2), pod('b', 2)])];
    const clusters = new BehaviorSubject(of({ eu, us }));
    const pods = mergeClusters(clusters, { gone: 'keep' });
    const seen = record(pods);
    clusters.next(of({ eu }));
    us.remove('n/a');
    expect(seen).toHaveLength(1);
    expect(pods.indexer.getByKey('us/n/a')?.n).toBe(2);
    const again = fakeCollection([pod('a', 3)], { synced: false });
    clusters.next(of({ eu, us: again }));
    expect(pods.indexer.getByKey('us/n/b')?.n).toBe(2);
    again.replace([pod('a', 3)]);
    expect(seen.slice(1).join(' ').split(' ').sort()).toEqual(['-us/n/b', '~us/n/a=3']);
  });

  it('waits for the clusters of the first map, and no longer than it is told', () => {
    const scheduler = new VirtualTimeScheduler();
    const [eu, us] = [fakeCollection([pod('a', 1)]), fakeCollection([pod('a', 2)], { synced: false })];
    const seen = record(mergeClusters(of({ eu, us }), { syncTimeoutMs: 5_000, scheduler }));
    scheduler.maxFrames = 4_999;
    scheduler.flush();
    expect(seen).toEqual([]);
    scheduler.maxFrames = 5_000;
    scheduler.flush();
    expect(seen).toEqual(['+eu/n/a=1']);
    us.replace([pod('a', 2)]);
    expect(seen.slice(1)).toEqual(['+us/n/a=2']);
  });

  it('says how each cluster is, and starts nothing by it', () => {
    const [eu, us] = [fakeCollection([pod('a', 1)]), fakeCollection([pod('a', 2)], { synced: false })];
    const clusters = new BehaviorSubject(of({ eu }));
    const pods = mergeClusters(clusters);
    const states: string[] = [];
    pods.clusters$.subscribe((healths) =>
      states.push([...healths].map(([name, { state, synced }]) => `${name} ${state} ${synced}`).join(', ')),
    );
    expect([states, eu.subscriptions()]).toEqual([[''], 0]);
    pods.change$.subscribe();
    expect(states.at(-1)).toBe('eu watching true');
    clusters.next(of({ eu, us }));
    expect(states.at(-1)).toMatch(/^eu watching true, us [a-z]+ false$/);
    us.replace([]);
    expect(states.at(-1)).toBe('eu watching true, us watching true');
    clusters.next(of({ us }));
    expect(states.at(-1)).toBe('us watching true');
  });

  it('is a collection: operators, views and reconcile take it', () => {
    const [eu, us] = [fakeCollection([pod('a', 1, { app: 'x' })]), fakeCollection([pod('a', 2)])];
    const pods = mergeClusters(of({ eu, us }));
    expect(record({ change$: pods.change$.pipe(withLabels('app=x')) })).toEqual(['+eu/n/a=1']);
    const doubled = derive(pods, ({ metadata = {}, n }) => ({ metadata, n: 2 * n }));
    expect(record(doubled)).toEqual(['+eu/n/a=2 +us/n/a=4']);
    const outcomes: Outcome[] = [];
    const scheduler = new VirtualTimeScheduler();
    reconcile({ sources: { pods: pods.resource$ }, reconcile: () => [], scheduler }).subscribe((outcome) => outcomes.push(outcome));
    expect(outcomes.flatMap((outcome) => (outcome.type === 'succeeded' ? [outcome.key] : []))).toEqual(['eu/n/a', 'us/n/a']);
  });

  it('refuses what is no map of collections, and fails with a stream', () => {
    expect(() => mergeClusters({} as never)).toThrow('Expected `mergeClusters` to be given a Map of informers and views');
    expect(() => mergeClusters(of({ 'a/b': fakeCollection<Pod>([]) }))).toThrow(
      'Expected the name of a cluster to be a non-empty string without a slash, got "a/b"',
    );
    expect(() => mergeClusters(new Map(), { syncTimeotMs: 1 } as never)).toThrow('did you mean `syncTimeoutMs`?');
    const clusters = new Subject<Clusters<Pod>>();
    const seen = record(mergeClusters(clusters));
    clusters.error(new Error('no list of clusters'));
    expect(seen).toEqual(['Error: no list of clusters']);
    const missing = record(mergeClusters<Pod>(new BehaviorSubject(new Map([['eu', undefined as never]]))));
    expect(missing).toEqual(['TypeError: Expected `mergeClusters` to be given an informer or a view, got undefined']);
  });
});
