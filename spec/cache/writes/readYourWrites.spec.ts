import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { type KubernetesObject, objectIdentity } from '../../../src/api/kubernetesObject.js';
import type { ResourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { labelIndexFunc } from '../../../src/cache/store/indexFuncs.js';
import { ReadYourWrites, type ReadYourWritesInit } from '../../../src/cache/readYourWrites.js';
import type { IndexReader } from '../../../src/cache/store/store.js';
import { runs } from '../../tier.js';

function podOf(name: string, uid: string, resourceVersion: string, app = 'web'): KubernetesObject {
  return { metadata: { name, uid, resourceVersion, labels: { app } } };
}

function synced(resourceVersion: string, previousResourceVersion: string): ResourceEvent<KubernetesObject> {
  return { type: 'synced', resourceVersion, previousResourceVersion };
}

function viewOf(indexer: IndexReader<KubernetesObject>, init: Partial<ReadYourWritesInit<KubernetesObject>> = {}) {
  const reachedVersion = (): string => indexer.lastStoreSyncResourceVersion();
  return new ReadYourWrites({
    indexer,
    identityOf: (_key, cached) => objectIdentity(cached),
    project: (written) => written,
    reachedVersion,
    owns: () => true,
    ...init,
  });
}

/** The number of writes and deletions that the view keeps, after a read of every key. */
function pendingIn(view: object): number {
  const { listKeys, writes, deletions } = view as {
    listKeys: () => unknown;
    writes: ReadonlyMap<string, unknown>;
    deletions: ReadonlyMap<string, unknown>;
  };
  listKeys.call(view);
  return writes.size + deletions.size;
}

/** A cache at version 10 with one pod, and the view of it. */
function createView(init?: Partial<ReadYourWritesInit<KubernetesObject>>) {
  const indexer = createIndexer<KubernetesObject>({ indexers: { app: labelIndexFunc('app') } });
  const cached = podOf('a', 'u1', '5');
  indexer.replace([cached], '10');
  return { indexer, cached, view: viewOf(indexer, init) };
}

/** Applies a change to the cache and notifies the view, as an informer does. */
function deletedEvent(object: KubernetesObject, finalStateUnknown = false): ResourceEvent<KubernetesObject> {
  return { type: 'deleted', key: object.metadata?.name ?? '', object, finalStateUnknown, inferred: finalStateUnknown };
}

describe('ReadYourWrites', () => {
  it('remembers a bounded number of deletions of objects that the cache never has', () => {
    const { view } = createView();
    for (let at = 0; at < 10_100; at += 1) view.noteDelete({ namespace: '', name: `foreign-${at}`, uid: `foreign-${at}` });
    expect(pendingIn(view)).toBe(10_000);
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    expect(view.list()).toEqual([]);
  });

  it('shows what the cache has while nothing was written', () => {
    const { indexer, cached, view } = createView();
    expect(view.getByKey('a')).toBe(cached);
    expect(view.list()).toEqual(indexer.list());
    expect(view.byIndex('app', 'web')).toEqual([cached]);
    expect(pendingIn(view)).toBe(0);
  });

  it('shows the newer of the written and the cached object (MC-01)', () => {
    const { indexer, view } = createView();
    const written = podOf('a', 'u1', '12');
    view.noteWrite(written);
    expect([view.getByKey('a'), view.list()]).toEqual([written, [written]]);
    indexer.update(podOf('a', 'u1', '11'));
    expect(view.getByKey('a')).toBe(written);
    const newer = podOf('a', 'u1', '13');
    indexer.update(newer);
    expect(view.getByKey('a')).toBe(newer);
  });

  it('lets a write go once the cache has reached its version, by that object or by any other (MC-01)', () => {
    const { indexer, view } = createView();
    view.noteWrite(podOf('a', 'u1', '12'));
    view.noteWrite(podOf('b', 'u2', '13'));
    const sameVersion = podOf('a', 'u1', '12');
    indexer.update(sameVersion);
    expect(view.getByKey('a')).toBe(sameVersion);
    expect(pendingIn(view)).toBe(1);
    indexer.bookmark('13');
    expect(pendingIn(view)).toBe(0);
    expect(view.getByKey('b')).toBeUndefined();
  });

  it('shows a create that the cache does not have in every read (MC-03)', () => {
    const { cached, view } = createView();
    const created = podOf('b', 'u2', '12', 'db');
    view.noteWrite(created);
    expect(view.getByKey('b')).toBe(created);
    expect(view.list()).toEqual([cached, created]);
    expect([view.byIndex('app', 'db'), view.byIndex('app', 'web')]).toEqual([[created], [cached]]);
  });

  it('moves an object between index values with a write', () => {
    const { view } = createView();
    const written = podOf('a', 'u1', '12', 'db');
    view.noteWrite(written);
    expect([view.byIndex('app', 'web'), view.byIndex('app', 'db')]).toEqual([[], [written]]);
  });

  it('does not go back to a write that the cache has passed (MC-01)', () => {
    const { indexer, view } = createView();
    view.noteWrite(podOf('a', 'u1', '4'));
    view.noteWrite(podOf('b', 'u2', '10'));
    expect([view.getByKey('a')?.metadata?.resourceVersion, view.getByKey('b')]).toEqual(['5', undefined]);
    indexer.bookmark('9');
    view.noteWrite(podOf('b', 'u2', '9'));
    expect(view.getByKey('b')).toBeUndefined();
  });

  it('keeps the newest of several writes, whatever order the answers come in', () => {
    const { view } = createView();
    view.noteWrite(podOf('a', 'u1', '100'));
    view.noteWrite(podOf('a', 'u1', '99'));
    expect(view.getByKey('a')?.metadata?.resourceVersion).toBe('100');
    view.noteWrite(podOf('a', 'u1', '101'));
    expect(view.getByKey('a')?.metadata?.resourceVersion).toBe('101');
  });

  it.each(['', 'abc', '0x20', '012'])('never shows a write whose version is %j, and does not throw (MC-05)', (resourceVersion) => {
    const { cached, view } = createView();
    view.noteWrite(podOf('a', 'u1', resourceVersion));
    expect(view.getByKey('a')).toBe(cached);
    expect(pendingIn(view)).toBe(0);
  });

  it('shows writes before the first sync, when the cache has no version', () => {
    const view = viewOf(createIndexer<KubernetesObject>());
    const written = podOf('a', 'u1', '3');
    view.noteWrite(written);
    expect(view.list()).toEqual([written]);
    view.noteEvent(synced('2', ''));
    expect(view.list()).toEqual([written]);
  });

  it('forgets nothing that the cache does not have (MC-02)', () => {
    const { view } = createView();
    for (let at = 0; at < 3_000; at += 1) view.noteWrite(podOf(`p${at}`, `u${at}`, String(100 + at)));
    for (let at = 0; at < 3_000; at += 1) view.noteDelete({ namespace: '', name: `d${at}`, uid: `d${at}` });
    expect([pendingIn(view), view.getByKey('p0') === undefined]).toEqual([6_000, false]);
  });

  it.each([
    undefined,
    null,
    'text',
    {},
    { metadata: null },
    { metadata: { name: 5, resourceVersion: '99' } },
    { metadata: { resourceVersion: '99' } },
  ])('takes %j for no answer', (answer) => {
    const { view } = createView();
    expect(() => view.noteWrite(answer as KubernetesObject)).not.toThrow();
    expect(pendingIn(view)).toBe(0);
  });

  it('passes on the error for an unknown index', () => {
    expect(() => createView().view.byIndex('ap', 'web')).toThrow('Expected `indexName` to be the name of an index');
  });

  it('leaves an object out of an index whose function fails for it', () => {
    const { indexer, view } = createView();
    indexer.addIndexers({ label: ({ metadata }) => [(metadata?.labels as { app: string }).app] });
    view.noteWrite({ metadata: { name: 'b', uid: 'u2', resourceVersion: '12' } });
    expect(view.byIndex('label', 'web')).toHaveLength(1);
    expect(view.list()).toHaveLength(2);
  });

  it('lists the keys of what it shows', () => {
    const { view } = createView();
    expect(view.listKeys()).toEqual(['a']);
    view.noteWrite(podOf('b', 'u2', '12'));
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    expect(view.listKeys()).toEqual(['b']);
  });

  it('lets go what belongs to the keys that are picked', () => {
    const { view } = createView();
    view.noteWrite(podOf('b', 'u2', '12'));
    view.noteWrite(podOf('c', 'u3', '13'));
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    view.clear((key) => key !== 'b');
    expect([view.listKeys(), pendingIn(view)]).toEqual([['a', 'b'], 1]);
    view.clear();
    expect([view.listKeys(), pendingIn(view)]).toEqual([['a'], 0]);
  });

  it('changes nothing in the cache', () => {
    const { indexer, cached, view } = createView();
    view.noteWrite(podOf('b', 'u2', '12'));
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    expect([indexer.list(), indexer.lastStoreSyncResourceVersion()]).toEqual([[cached], '10']);
  });
});

describe('ReadYourWrites: deletions', () => {
  it('hides what was deleted from every read, until the cache has lost it', () => {
    const { indexer, cached, view } = createView();
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    expect([view.getByKey('a'), view.list(), view.byIndex('app', 'web')]).toEqual([undefined, [], []]);
    indexer.update(podOf('a', 'u1', '11'));
    expect(view.list()).toEqual([]);
    indexer.delete(podOf('a', 'u1', '12'));
    view.noteEvent(deletedEvent(cached));
    expect([view.list(), pendingIn(view)]).toEqual([[], 0]);
  });

  it('shows an object created again under the name, from its answer or from the cache (MC-04)', () => {
    const { indexer, view } = createView();
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    const again = podOf('a', 'u2', '13');
    view.noteWrite(again);
    expect([view.getByKey('a'), view.list()]).toEqual([again, [again]]);
    const cachedAgain = podOf('a', 'u2', '13');
    indexer.update(cachedAgain);
    expect(view.getByKey('a')).toBe(cachedAgain);
  });

  it('has nothing to wait for when the answer to a delete comes after the cache has lost the object', () => {
    const { indexer, view } = createView();
    indexer.delete(podOf('a', 'u1', '12'));
    view.noteEvent(deletedEvent(podOf('a', 'u1', '12')));
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    expect([view.list(), pendingIn(view)]).toEqual([[], 0]);
  });

  it('does not hide a newer object of that name when the answer to a delete comes late', () => {
    const { indexer, view } = createView();
    const again = podOf('a', 'u2', '13');
    indexer.update(again);
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    view.noteDelete({ namespace: '', name: 'a' });
    expect(view.getByKey('a')).toBe(again);
  });

  it('keeps the write of an object that was created again under the name when the answer to the delete comes late', () => {
    const { view } = createView();
    const again = podOf('a', 'u2', '13');
    view.noteWrite(again);
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    expect([view.getByKey('a'), view.list()]).toEqual([again, [again]]);
  });

  it('does not go back to an older object of that name when its own is deleted before the cache has it', () => {
    const { indexer, view } = createView();
    view.noteWrite(podOf('a', 'u2', '12'));
    view.noteDelete({ namespace: '', name: 'a', uid: 'u2' });
    expect([view.getByKey('a'), view.list(), view.byIndex('app', 'web')]).toEqual([undefined, [], []]);
    const again = podOf('a', 'u3', '14');
    indexer.update(again);
    expect([view.getByKey('a'), view.list()]).toEqual([again, [again]]);
  });

  it('lets the pending write of a deleted object go, and takes no late answer about it (MC-04)', () => {
    const { view } = createView();
    view.noteWrite(podOf('b', 'u2', '12'));
    view.noteDelete({ namespace: '', name: 'b', object: podOf('b', 'u2', '12') });
    expect(view.getByKey('b')).toBeUndefined();
    view.noteWrite(podOf('b', 'u2', '99'));
    expect(view.getByKey('b')).toBeUndefined();
  });

  it('leaves no ghost of a create whose answer comes after the cache saw it go (MC-04)', () => {
    // The versions of two namespaces in one cache: its own is lower than the one of this object's namespace.
    const { indexer, view } = createView({ reachedVersion: () => '10' });
    const created = podOf('b', 'u2', '12');
    indexer.add(created);
    view.noteEvent({ type: 'added', key: 'b', object: created, initial: false, inferred: false });
    indexer.delete(podOf('b', 'u2', '14'));
    view.noteEvent(deletedEvent(podOf('b', 'u2', '14')));
    view.noteWrite(podOf('b', 'u2', '12'));
    view.noteWrite(podOf('b', 'u2', '13'));
    expect([view.getByKey('b'), pendingIn(view)]).toEqual([undefined, 0]);
  });

  it('shows an object that left the selection of the cache and was brought back by a later write', () => {
    const { indexer, view } = createView();
    indexer.delete(podOf('a', 'u1', '14'));
    view.noteEvent(deletedEvent(podOf('a', 'u1', '14')));
    const back = podOf('a', 'u1', '15');
    view.noteWrite(back);
    expect(view.getByKey('a')).toBe(back);
  });

  it('takes an answer with an object that finalizers or a grace period keep for a write', () => {
    const { view } = createView();
    const kept = { metadata: { ...podOf('a', 'u1', '12').metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x/y'] } };
    view.noteDelete({ namespace: '', name: 'a', object: kept });
    expect(view.getByKey('a')).toBe(kept);
    const { finalizers: _, ...metadata } = kept.metadata;
    const slow = { metadata: { ...metadata, resourceVersion: '13', deletionGracePeriodSeconds: 30 } };
    view.noteDelete({ namespace: '', name: 'a', object: slow });
    expect(view.getByKey('a')).toBe(slow);
    view.noteDelete({ namespace: '', name: 'a', object: { metadata: { ...slow.metadata, deletionGracePeriodSeconds: 0 } } });
    expect(view.getByKey('a')).toBeUndefined();
  });
});

describe('ReadYourWrites: the answer to a delete', () => {
  it.each([
    ['nothing', {}],
    [
      'an object that finalizers do not keep, as it is not being deleted',
      { metadata: { ...podOf('a', 'u1', '12').metadata, finalizers: ['x/y'] } },
    ],
  ])('hides the object where it is %s', (_, object) => {
    const { view } = createView();
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1', object });
    expect(view.getByKey('a')).toBeUndefined();
  });
});

describe('ReadYourWrites: noteEvent', () => {
  it('shows writes of an object that is there again since the server was set back', () => {
    const { indexer, view } = createView();
    indexer.delete(podOf('a', 'u1', '14'));
    view.noteEvent(deletedEvent(podOf('a', 'u1', '14')));
    indexer.replace([podOf('a', 'u1', '5')], '7');
    view.noteEvent(synced('7', '14'));
    const written = podOf('a', 'u1', '9');
    view.noteWrite(written);
    expect(view.getByKey('a')).toBe(written);
  });

  it('lets everything go after a synced with a lower version: the server was set back', () => {
    const { indexer, view } = createView();
    view.noteWrite(podOf('b', 'u2', '12'));
    view.noteDelete({ namespace: '', name: 'a', uid: 'u1' });
    const restored = podOf('a', 'u1', '5');
    indexer.replace([restored], '7');
    view.noteEvent(synced('7', '10'));
    expect(view.list()).toEqual([restored]);
    view.noteWrite(podOf('a', 'u1', '8'));
    expect(view.getByKey('a')?.metadata?.resourceVersion).toBe('8');
  });

  it('keeps what a synced with a higher version has not reached', () => {
    const { indexer, view } = createView();
    view.noteWrite(podOf('b', 'u2', '12'));
    view.noteWrite(podOf('c', 'u3', '20'));
    indexer.replace([], '15');
    view.noteEvent(synced('15', '10'));
    expect(view.list().map(({ metadata }) => metadata?.name)).toEqual(['c']);
  });

  it('lets a write go when the event of its object comes', () => {
    const { indexer, view } = createView({ reachedVersion: () => '' });
    view.noteWrite(podOf('a', 'u1', '12'));
    const newer = podOf('a', 'u1', '13');
    indexer.update(newer);
    view.noteEvent({ type: 'updated', key: 'a', object: newer, oldObject: newer, resync: false, inferred: false });
    indexer.update(podOf('a', 'u1', '1'));
    expect(view.getByKey('a')?.metadata?.resourceVersion).toBe('1');
  });
});

describe('ReadYourWrites: project', () => {
  it('shows what the cache would hold of a written object', () => {
    const { view } = createView({ project: ({ metadata }) => ({ kind: 'Projected', metadata: { name: metadata?.name ?? '' } }) });
    view.noteWrite(podOf('a', 'u1', '12'));
    expect(view.getByKey('a')).toEqual({ kind: 'Projected', metadata: { name: 'a' } });
  });

  it('hides an object that a write took out of the selection, until the cache has lost it', () => {
    const { indexer, view } = createView({ project: (written) => (written.metadata?.labels?.['app'] === 'web' ? written : undefined) });
    view.noteWrite(podOf('a', 'u1', '12', 'db'));
    view.noteWrite(podOf('b', 'u2', '13', 'db'));
    expect([view.list(), view.getByKey('a')]).toEqual([[], undefined]);
    indexer.delete(podOf('a', 'u1', '12', 'db'));
    indexer.bookmark('13');
    expect([view.list(), pendingIn(view)]).toEqual([[], 0]);
  });

  it('shows the cached object when it throws', () => {
    let broken = false;
    const { cached, view } = createView({
      project: (written) => {
        if (broken) throw new Error('no');
        return written;
      },
    });
    view.noteWrite(podOf('a', 'u1', '12'));
    broken = true;
    view.noteWrite(podOf('a', 'u1', '13'));
    expect([view.getByKey('a'), pendingIn(view)]).toEqual([cached, 0]);
  });
});

interface Change {
  readonly version: number;
  readonly name: string;
  readonly uid: string;
  /** The written object; absent for a deletion. */
  readonly object: KubernetesObject | undefined;
}

/** The history of a server on which these names are written or deleted one after the other. */
function historyOf(steps: readonly { name: string; remove: boolean }[]): Change[] {
  const uids = new Map<string, string>();
  const history: Change[] = [];
  for (const { name, remove } of steps) {
    const version = history.length + 1;
    const living = uids.get(name);
    if (remove && living === undefined) continue;
    const uid = living ?? `${name}-${version}`;
    if (remove) uids.delete(name);
    else uids.set(name, uid);
    history.push({ version, name, uid, object: remove ? undefined : podOf(name, uid, String(version)) });
  }
  return history;
}

describe('ReadYourWrites against a server', () => {
  const names = ['a', 'b'];
  const steps = fc.array(fc.record({ name: fc.constantFrom(...names), remove: fc.boolean() }), { minLength: 1, maxLength: 14 });
  const moves = fc.array(fc.oneof(fc.record({ cache: fc.nat(3), jump: fc.boolean() }), fc.record({ answer: fc.nat(20) })), {
    maxLength: 30,
  });

  it('shows the newest state of every key that the cache or an answer has told of, in whatever order they come', () => {
    fc.assert(
      fc.property(steps, moves, (written, schedule) => {
        const history = historyOf(written);
        const indexer = createIndexer<KubernetesObject>();
        const view = viewOf(indexer);
        let position = 0;
        const told = new Set<Change>();

        const see = (change: Change): void => {
          const before = indexer.getByKey(change.name);
          if (change.object !== undefined) {
            indexer.add(change.object);
            view.noteEvent({ type: 'added', key: change.name, object: change.object, initial: false, inferred: false });
          } else if (before !== undefined) {
            const last = podOf(change.name, change.uid, String(change.version));
            indexer.delete(last);
            view.noteEvent(deletedEvent(last));
          }
        };
        const relist = (to: number): void => {
          const previous = indexer.lastStoreSyncResourceVersion();
          const before = new Map(indexer.listKeys().map((key) => [key, indexer.getByKey(key)]));
          const state = new Map<string, KubernetesObject>();
          for (const { name, object } of history.slice(0, to)) {
            if (object === undefined) state.delete(name);
            else state.set(name, object);
          }
          indexer.replace([...state.values()], String(to));
          for (const [key, object] of before) {
            if (object !== undefined && state.get(key)?.metadata?.uid !== object.metadata?.uid) view.noteEvent(deletedEvent(object, true));
          }
          view.noteEvent(synced(String(to), previous));
        };
        const expectNewest = (): void => {
          for (const name of names) {
            const known = history.filter((change) => change.name === name && (change.version <= position || told.has(change)));
            const newest = known[known.length - 1];
            const shown = view.getByKey(name);
            // The answer to a delete has only the uid: it says nothing about earlier objects of that name.
            const isDeletedByUid = newest?.object === undefined && newest !== undefined && newest.version > position;
            const expected = isDeletedByUid && shown?.metadata?.uid !== newest.uid ? shown : newest?.object;
            expect(shown).toEqual(expected);
          }
          expect(new Set(view.list())).toEqual(new Set(names.map((name) => view.getByKey(name)).filter((object) => object !== undefined)));
        };

        for (const move of schedule) {
          if ('answer' in move) {
            const change = history[move.answer % history.length];
            if (change === undefined) continue;
            told.add(change);
            if (change.object === undefined) view.noteDelete({ namespace: '', name: change.name, uid: change.uid });
            else view.noteWrite(change.object);
          } else {
            const to = Math.min(position + move.cache, history.length);
            if (move.jump) relist(to);
            else history.slice(position, to).forEach(see);
            position = to;
          }
          expectNewest();
        }
      }),
      { numRuns: runs(2_000) },
    );
  });
});
