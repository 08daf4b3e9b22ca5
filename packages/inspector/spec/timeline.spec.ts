import { describe, expect, it } from '@jest/globals';
import { Subject, type Subscription } from 'rxjs';
import { createInformer } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { type Describable, runningKey } from 'rx-informer/internal';
import { objectAt } from '../src/look.js';
import { maskingOf } from '../src/masking.js';
import type { Scene } from '../src/scene.js';
import { Timeline } from '../src/timeline.js';
import { randomOf, type Random } from '../../views/spec/randomViews.js';
import { added, deleted, list, modified, page, pod, type Pod, ready } from '../../../spec/delta/pods.js';

const keys = ['a', 'b', 'c', 'd'];

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify([value])) as unknown;

/** An informer that is followed from now on, at moments that are counted. */
function followed() {
  const source = new Subject<SourceEvent<Pod>>();
  const informer = createInformer<Pod>(source, { resource: 'pods', logger: { warn: () => undefined } });
  let now = 1;
  const timeline = new Timeline({ maxBytes: Infinity, now: () => now });
  const running = (informer as unknown as Describable)[runningKey];
  const object = (_: number, key: string): unknown => informer.indexer.getByKey(key);
  return {
    ...{ source, informer, timeline },
    scene: { timeline, object } as unknown as Scene,
    follow: () => timeline.follow(new Map([[running, { id: 1, masking: maskingOf(running) }]])),
    tick: () => (now += 1),
    now: () => now,
  };
}

/** A part of an object: a value, a list or a record, which may be missing. */
const someValue = (random: Random): unknown =>
  [undefined, null, random(3), 'x', [random(2)], [random(2), { a: random(2) }], { a: random(3) }, { a: { b: random(2) }, constructor: 1 }][
    random(8)
  ];

describe('the timeline', () => {
  it.each([...Array(30).keys()])('shows each object as it was at each moment, history %i', (seed) => {
    const random = randomOf(seed);
    const { source, informer, scene, follow, tick, now, timeline } = followed();
    informer.start();
    let subscription: Subscription | undefined;
    const server = new Map<string, Pod>();
    let version = 10;
    const make = (key: string): Pod => {
      version += 1;
      const uid = random(6) === 0 ? `uid-${version}` : (server.get(key)?.metadata.uid ?? `uid-${key}`);
      return { ...pod(key, String(version), { uid }), spec: someValue(random), status: someValue(random) } as unknown as Pod;
    };
    for (const event of list('9', [])) source.next(event);
    follow();
    const seen: { readonly at: number; readonly objects: ReadonlyMap<string, unknown> }[] = [];
    for (let step = 0; step < 40; step += 1) {
      tick();
      const key = keys[random(keys.length)] as string;
      const known = server.get(key);
      const kind = random(6);
      if (kind === 0 && known !== undefined) {
        server.delete(key);
        source.next(deleted(known));
      } else if (kind === 1) {
        for (const other of keys) if (random(2) === 0) server.set(other, make(other));
        if (random(2) === 0) server.delete(key);
        source.next({ type: 'init', scope: '', reason: 'expired', previousResourceVersion: '' });
        source.next(page([...server.values()]));
        source.next(ready(String(version)));
      } else if (kind === 2) {
        subscription?.unsubscribe();
        subscription = subscription === undefined ? informer.resource$.subscribe() : undefined;
      } else {
        const object = make(key);
        server.set(key, object);
        source.next(known === undefined ? added(object) : modified(object));
      }
      if (random(3) === 0) timeline.newest(undefined, 0, 10);
      const objects = new Map(keys.map((each) => [`default/${each}`, informer.indexer.getByKey(`default/${each}`)]));
      seen.push({ at: now(), objects });
    }
    for (const { at, objects } of seen)
      for (const [key, object] of objects) expect([at, key, plain(objectAt(scene, 1, key, at))]).toEqual([at, key, plain(object)]);
    timeline.stop();
    void informer.stop();
  });

  it('does not take the present for what was there before many objects changed at once', () => {
    const { source, informer, scene, follow, tick, now, timeline } = followed();
    informer.start();
    follow();
    const many = (version: string): Pod[] => Array.from({ length: 150 }, (_, at) => pod(`p${at}`, version));
    const before = now();
    tick();
    for (const event of list('9', many('9'))) source.next(event);
    const between = now();
    tick();
    source.next(modified(pod('p7', '10', { value: 'new' })));
    const changed = now();
    tick();
    source.next(deleted(pod('p8', '9')));
    for (const event of list('12', many('12'))) source.next(event);
    const at = (moment: number): unknown => objectAt(scene, 1, 'default/p7', moment);
    expect(at(before)).toBe('(not known: 150 objects changed at once since then)');
    for (const moment of [between, changed]) expect(at(moment)).toBe('(not known: 150 objects changed at once since then)');
    expect(objectAt(scene, 1, 'default/p8', changed)).toMatchObject(pod('p8', '9'));
    expect(at(now())).toMatchObject(pod('p7', '12'));
    timeline.stop();
    void informer.stop();
  });
});
