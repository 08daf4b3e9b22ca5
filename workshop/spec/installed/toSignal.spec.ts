import { describe, expect, it } from '@jest/globals';
import { computed as angularComputed, signal as angularSignal } from '@angular/core';
import { computed, effect, signal } from '@preact/signals-core';
import { Signal } from 'signal-polyfill';
import { Subject } from 'rxjs';
import { fakeCollection } from '@rx-informer/views/testing';
import { pod } from 'rx-informer/testing';
import type { KubernetesObject } from 'rx-informer';
import { derive, toSignal } from '@rx-informer/views';

const namesOf = (pods: Iterable<readonly [string, unknown]> | undefined): string =>
  [...(pods ?? [])]
    .map(([key]) => key)
    .sort()
    .join(' ');

describe('toSignal', () => {
  it('has nothing before the collection is complete, then its content, and keeps the collection up while subscribed to', () => {
    const pods = fakeCollection([pod('a')], { synced: false });
    const all = toSignal(pods);
    const seen: string[] = [];
    expect([all(), pods.subscriptions()]).toEqual([undefined, 0]);
    const stop = all.subscribe((value) => seen.push(value === undefined ? 'nothing' : namesOf(value)));
    pods.replace([pod('a'), pod('b')]);
    pods.remove('default/a');
    expect(seen).toEqual(['nothing', 'default/a default/b', 'default/b']);
    expect([all.value, all.get(), all.peek()]).toEqual([all(), all(), all()]);
    expect(pods.subscriptions()).toBe(1);
    stop();
    pods.put(pod('c'));
    expect([pods.subscriptions(), namesOf(all())]).toEqual([0, 'default/b']);
    all.subscribe(() => undefined)();
    expect(namesOf(all())).toBe('default/b default/c');
  });

  it('tells of one key only what concerns it', () => {
    const pods = fakeCollection([pod('a'), pod('b')]);
    const seen: (string | undefined)[] = [];
    toSignal(pods, 'default/a').subscribe((value) => seen.push(value?.metadata?.labels?.['v']));
    pods.put(pod('b', { metadata: { labels: { v: '2' } } }));
    pods.put(pod('a', { metadata: { labels: { v: '3' } } }));
    expect(seen).toEqual([undefined, '3']);
  });

  it('tells the others when a listener throws, and keeps the value when the collection fails', () => {
    const contents = new Subject<readonly ReturnType<typeof pod>[]>();
    const all = toSignal(fakeCollection(contents));
    const seen: string[] = [];
    all.subscribe((value) => seen.push(namesOf(value)));
    contents.next([pod('a')]);
    contents.error(new Error('gone'));
    expect([seen, namesOf(all())]).toEqual([['', 'default/a'], 'default/a']);
  });

  it('sets a signal of Preact', () => {
    const pods = fakeCollection([pod('a')]);
    const source = toSignal(pods);
    const all = signal(source.value);
    source.subscribe((value) => (all.value = value));
    const count = computed(() => all.value?.size);
    const seen: (number | undefined)[] = [];
    effect(() => {
      seen.push(count.value);
    });
    pods.put(pod('b'));
    pods.put(pod('b', { metadata: { labels: { v: '2' } } }));
    pods.put(pod('c'), pod('d'));
    expect(seen).toEqual([1, 2, 4]);
  });

  it('sets a signal of Angular', () => {
    const pods = fakeCollection([pod('a')]);
    const source = toSignal(pods);
    const all = angularSignal(source());
    const stop = source.subscribe((value) => all.set(value));
    const names = angularComputed(() => namesOf(all()));
    expect(names()).toBe('default/a');
    pods.put(pod('b'));
    expect(names()).toBe('default/a default/b');
    stop();
    pods.remove('default/a');
    expect([names(), pods.subscriptions()]).toEqual(['default/a default/b', 0]);
  });

  it('sets a signal of the TC39 proposal', () => {
    const pods = fakeCollection([pod('a')]);
    const source = toSignal(pods, 'default/b');
    const state = new Signal.State(source.get());
    source.subscribe((value) => state.set(value));
    const name = new Signal.Computed(() => state.get()?.metadata?.name ?? 'none');
    expect(name.get()).toBe('none');
    pods.put(pod('b'));
    expect(name.get()).toBe('b');
  });

  it('refuses what is no collection, and what is no key', () => {
    expect(() => toSignal({} as never)).toThrow('Expected `toSignal` to be given an informer or a view, got');
    expect(() => toSignal(fakeCollection([pod('a')]), 7 as never)).toThrow('Expected `key` of `toSignal` to be a non-empty string, got 7');
  });
});

describe('signals and stores of one graph', () => {
  const version = (object: KubernetesObject): number => Number(object.metadata?.resourceVersion);
  const at = (resourceVersion: number): KubernetesObject => ({
    metadata: { namespace: 'default', name: 'a', resourceVersion: String(resourceVersion) },
  });

  it('show one moment in every callback, those of one key and of everything', () => {
    const pods = fakeCollection([at(1)]);
    const tens = derive(pods, (object) => version(object) * 10);
    const hundreds = derive(tens, (value) => value * 10);
    const signals = [toSignal(tens, 'default/a'), toSignal(hundreds, 'default/a')] as const;
    const wholes = [toSignal(pods), toSignal(tens), toSignal(hundreds)] as const;
    const seen: (number | undefined)[][] = [];
    const look = (): void => {
      const object = wholes[0]()?.get('default/a');
      seen.push([
        (object === undefined ? NaN : version(object)) * 100,
        (signals[0]() ?? NaN) * 10,
        signals[1](),
        (wholes[1]()?.get('default/a') ?? NaN) * 10,
        wholes[2]()?.get('default/a'),
      ]);
    };
    for (const signal of [...signals, ...wholes]) signal.subscribe(() => undefined);
    for (const signal of [...signals, ...wholes]) signal.subscribe(look);
    for (const next of [2, 3, 4]) pods.put(at(next));
    expect(seen).toHaveLength(20);
    for (const values of seen) expect(new Set(values).size).toBe(1);
  });

  it('show a collection that is complete at once, without being subscribed to, and as it is now', () => {
    const pods = fakeCollection([pod('a'), pod('b')]);
    pods.change$.subscribe();
    const [one, all] = [toSignal(pods, 'default/a'), toSignal(pods)];
    expect([one()?.metadata?.name, namesOf(all())]).toEqual(['a', 'default/a default/b']);
    expect(all()).toBe(all());
    one.subscribe(() => undefined)();
    all.subscribe(() => undefined)();
    pods.remove('default/a');
    expect([one(), namesOf(all())]).toEqual([undefined, 'default/b']);
  });
});
