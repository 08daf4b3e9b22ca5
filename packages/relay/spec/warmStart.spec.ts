import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { of, Subject, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubernetesObject, type SharedInformer } from 'rx-informer';
import { warmStart, type CacheSnapshot, type SavedSnapshot, type SnapshotStore } from 'rx-informer/pipeline';
import type { Scope } from '../src/wire/frames.js';
import { fakeCollection, type FakeCollection } from '@rx-informer/views/testing';
import { advanceBy } from 'rx-informer/testing';
import { derive } from '@rx-informer/views';
import { Link, objects, pageSource, relayCore } from './link.js';

function object(name: string, kind = 'Object'): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata: { namespace: 'a', name, resourceVersion: '1' } };
}

/** What a page saves, for the page that comes after it. */
class Disk implements SnapshotStore {
  content: readonly [identity: string, version: string, entries: readonly (readonly [string, object])[]][] = [];
  saves = 0;

  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly open = (identity: string) => of(this.opened(identity));
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly save = ({ identity, scopes }: CacheSnapshot) => {
    this.saves += 1;
    this.content = [...scopes.values()].map(({ resourceVersion, objects: entries }) => [identity, resourceVersion, [...entries]]);
    return of(undefined);
  };

  keys(): string[] {
    return this.content.flatMap(([, , entries]) => entries.map(([key]) => key)).sort();
  }

  private opened(identity: string): SavedSnapshot | undefined {
    const [saved] = this.content;
    if (saved === undefined || saved[0] !== identity) return undefined;
    const entries = new Map(saved[2]);
    return {
      savedAt: 0,
      resourceVersions: new Map([['', saved[1]]]),
      keys: () => [...entries.keys()],
      read: (key) => (entries.has(key) ? new TextEncoder().encode(JSON.stringify(entries.get(key))) : undefined),
      readAll: () => of(),
      close: () => entries.clear(),
    };
  }
}

interface World {
  readonly scheduler: VirtualTimeScheduler;
  readonly disk: Disk;
  readonly cache: FakeCollection<KubernetesObject>;
  /** What the user may see. */
  rights: boolean;
  readonly hint: () => void;
  readonly page: (
    scope?: Scope,
    isOnline?: boolean,
  ) => { readonly page: SharedInformer<KubernetesObject>; readonly link: Link; shown(): string };
  readonly connect: (link: Link) => void;
  readonly rest: (ms?: number) => Promise<void>;
}

function worldOf(...made: readonly KubernetesObject[]): World {
  const scheduler = new VirtualTimeScheduler();
  const disk = new Disk();
  const cache = fakeCollection(made.length > 0 ? made : [object('x'), object('y')], { name: 'objects', scheduler });
  const named = derive(cache, ({ metadata = {} }) => ({ called: metadata.name }));
  const hints$ = new Subject<() => boolean>();
  const rest = async (ms = 2_000): Promise<void> => {
    for (let step = 0; step < 4; step += 1) {
      await setImmediate();
      advanceBy(scheduler, ms / 4);
    }
    await setImmediate();
  };
  const world: World = {
    ...{ scheduler, disk, cache, rights: true, hint: () => hints$.next(() => true), rest },
    connect: (link) => {
      link.core = core;
    },
    page: (scope = { kind: 'objects' }, isOnline = true) => {
      const link = new Link(isOnline ? core : undefined);
      const page = createInformer<KubernetesObject>(pageSource(link, scheduler, scope), {
        ...{ resource: 'objects', scheduler, logger: { warn: () => undefined } },
        parts: [warmStart(disk, { saveEveryMs: 10_000 })],
      });
      page.start();
      return { page, link, shown: () => [page.health().state, ...page.indexer.listKeys().sort()].join(' ') };
    },
  };
  const core = relayCore({
    ...{ scheduler, sources: { objects: { collection: cache, resource: objects }, named: { collection: named, inputs: ['objects'] } } },
    authorizer: { changed$: hints$, review: () => of(world.rights) },
  });
  return world;
}

describe('a page over a relay that is opened again', () => {
  it.each([
    ['a kind', { kind: 'objects' }],
    ['a view, whose values have no metadata', { view: 'named' }],
  ])('shows what the last one had of %s, marked as restored, and then what there is', async (_, scope) => {
    const { disk, cache, page, connect, rest } = worldOf();
    const first = page(scope);
    await rest();
    expect(first.shown()).toBe('watching a/x a/y');
    await first.page.stop();
    cache.remove('a/y');
    cache.put(object('z'));

    const second = page(scope, false);
    const told: string[] = [];
    second.page.change$.subscribe(({ events }) => told.push(events.map(({ type, key }) => `${type} ${key}`).join(' ')));
    await rest(100);
    expect([second.shown(), second.page.hasSynced(), told]).toEqual(['restored a/x a/y', false, []]);
    expect(second.page.indexer.getByKey('a/x')).toBeDefined();
    connect(second.link);
    await rest();
    expect([second.shown(), told]).toEqual(['watching a/x a/z', ['added a/x added a/z']]);
    await rest(10_000);
    expect(disk.keys()).toEqual(['a/x', 'a/z']);
    await second.page.stop();
  });

  it('shows nothing that its user may not see any more, and nothing of it stays', async () => {
    const world = worldOf();
    const { disk, page, rest } = world;
    const first = page();
    await rest();
    await first.page.stop();
    expect(disk.keys()).toEqual(['a/x', 'a/y']);
    world.rights = false;
    world.hint();
    const second = page();
    await rest(100);
    await rest();
    expect([second.shown(), disk.keys()]).toEqual(['retrying', []]);
    await second.page.stop();
    // The one after it has nothing to show, whether the relay answers or not.
    const third = page(undefined, false);
    await rest(100);
    expect(third.shown()).toBe('retrying');
    await third.page.stop();
  });

  it('saves that something was revoked, although no version has changed', async () => {
    const world = worldOf();
    const { disk, page, rest } = world;
    const first = page();
    await rest(11_000);
    expect(disk.keys()).toEqual(['a/x', 'a/y']);
    const { saves } = disk;
    await rest(30_000);
    expect(disk.saves).toBe(saves);
    world.rights = false;
    world.hint();
    await rest(30_000);
    expect(disk.keys()).toEqual([]);
    await first.page.stop();
  });

  it('writes no Secrets down', async () => {
    const { disk, page, rest } = worldOf(object('s', 'Secret'));
    const first = page();
    const errors: string[] = [];
    first.page.error$.subscribe(({ message }) => errors.push(message));
    await rest(11_000);
    await first.page.stop();
    expect([disk.keys(), errors[0]]).toEqual([[], expect.stringContaining('Secrets would be written down')]);
  });

  it('is refused where what was saved is not what would be shown', () => {
    const make = (options: object) => () =>
      createInformer<KubernetesObject>(new Subject<never>(), { resource: 'objects', parts: [warmStart(new Disk())], ...options });
    expect(make({ transform: (each: object) => each })).toThrow('cannot have the part `warmStart`: the saved results of its `transform`');
    expect(make({ scopes: ['a', 'b'] })).toThrow('it has `scopes`');
    expect(make({ resource: undefined })).toThrow('The informer of a source cannot have the part `warmStart`: it has no `resource`');
    expect(() => warmStart(new Disk(), { saveEvery: 1 } as never)).toThrow('did you mean `saveEveryMs`?');
  });
});
