import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from, Subject } from 'rxjs';
import type { SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Indexer } from '../../../src/cache/store/store.js';
import { scanToIndex } from '../../../src/delta/index/scanToIndex.js';
import type { ScanToIndexOptions } from '../../../src/delta/index/scanToIndex.js';
import { namespaces, play, steps } from '../histories.js';
import { added, bookmark, brief, createStrictFollower, deleted, init, list, modified, page, type Pod, pod } from '../pods.js';
import { flattenChanges } from '../share/flattenChanges.js';

/** A store that takes a list only when it is in the mood. */
function pickyStore(mood: () => boolean): Indexer<Pod> {
  const indexer = createIndexer<Pod>();
  const replace = indexer.replace.bind(indexer);
  return Object.assign(indexer, {
    replace: (objects: readonly Pod[], version: string) => {
      if (!mood()) throw new Error('the disk is full');
      replace(objects, version);
    },
    stage: undefined,
  });
}

function follow(options: Partial<ScanToIndexOptions<Pod>> = {}) {
  const disk = { full: false };
  const store = pickyStore(() => !disk.full);
  const errors: string[] = [];
  const seen: string[] = [];
  const source = new Subject<SourceEvent<Pod>>();
  source
    .pipe(scanToIndex<Pod>(store, { onError: ({ code, message }) => errors.push(`${code} ${message}`), ...options }), flattenChanges())
    .subscribe((event) => seen.push(brief(event)));
  const send = (...events: readonly SourceEvent<Pod>[]): string[] => {
    const known = seen.length;
    for (const event of events) source.next(event);
    return seen.slice(known);
  };
  return { disk, store, errors, send };
}

const refusal = 'ERR_KEY The store refused a change: the disk is full';

describe('scanToIndex with a store that refuses a list', () => {
  it('tries the first list again with every bookmark, with what has changed since (WL-13)', () => {
    const { disk, store, errors, send } = follow();
    disk.full = true;
    expect(send(...list('3', [pod('a', '1'), pod('b', '2')]), modified(pod('b', '4')), added(pod('c', '5')), bookmark('5'))).toEqual([]);
    expect(errors).toEqual([refusal, refusal]);
    disk.full = false;
    expect(send(deleted(pod('a', '6')))).toEqual([]);
    expect(send(bookmark('7'))).toEqual(['+default/b@4 initial', '+default/c@5 initial', 'synced@7']);
    expect(store.lastStoreSyncResourceVersion()).toBe('7');
    expect(send(bookmark('8'), modified(pod('b', '9')))).toEqual(['~default/b@9<4']);
    expect(errors).toHaveLength(2);
  });

  it('tells changes of the old content until a later list is taken, and then what is missing and gone (WL-13)', () => {
    const { disk, store, send } = follow();
    send(...list('3', [pod('a', '1'), pod('b', '2'), pod('c', '3')]));
    disk.full = true;
    expect(send(...list('9', [pod('b', '2'), pod('c', '7'), pod('d', '8')]))).toEqual([]);
    expect(send(modified(pod('b', '10')), added(pod('e', '11')), deleted(pod('c', '12')), deleted(pod('d', '13')))).toEqual([
      '~default/b@10<2',
      '+default/e@11',
      '-default/c@12',
    ]);
    disk.full = false;
    expect(send(bookmark('14'))).toEqual(['-default/a@1 finalStateUnknown inferred', 'synced@14']);
    expect(store.listKeys().sort()).toEqual(['default/b', 'default/e']);
  });

  it('compares contents of equal versions still, when the list may have been older', () => {
    const { disk, store, send } = follow();
    send(...list('30', [pod('a', '5', { value: 'lost' })]));
    disk.full = true;
    send(...list('9', [pod('a', '5', { value: 'restored' })]));
    disk.full = false;
    expect(send(bookmark('10'))).toEqual(['~default/a@5<5 inferred', 'synced@10']);
    expect(store.getByKey('default/a')?.value).toBe('restored');
  });

  it('does not take it for carried out because the store says its version and holds as many objects', () => {
    const { disk, store, errors, send } = follow();
    send(...list('3', [pod('a', '1')]), bookmark('9'));
    disk.full = true;
    expect(send(...list('9', [pod('b', '8')]))).toEqual([]);
    expect([errors, store.listKeys()]).toEqual([[refusal], ['default/a']]);
  });

  it('forgets it when another list begins', () => {
    const { disk, store, send } = follow();
    send(...list('3', [pod('a', '1')]));
    disk.full = true;
    send(...list('9', [pod('b', '2')]));
    disk.full = false;
    expect(send(init(), page([pod('c', '4')]), bookmark('10'))).toEqual([]);
    expect(store.listKeys()).toEqual(['default/a']);
  });

  it('runs the transform once per version, all the same', () => {
    const calls: string[] = [];
    const transform = (object: Pod): Pod => {
      calls.push(object.metadata.resourceVersion ?? '');
      return { ...object };
    };
    const { disk, send } = follow({ transform });
    send(...list('1', [pod('a', '1'), pod('b', '1')]));
    disk.full = true;
    send(...list('2', [pod('a', '2')]), modified(pod('a', '3')), bookmark('3'));
    disk.full = false;
    expect(send(bookmark('4'))).toEqual(['-default/b@1 finalStateUnknown inferred', 'synced@4']);
    expect(calls).toEqual(['1', '1', '2', '3']);
  });

  it('holds in the end what the server has, and has told it, whatever is refused', () => {
    const moods = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(steps, steps, fc.boolean(), moods, (history, rest, scoped, refusals) => {
        const lists = namespaces.map((namespace) => ({ type: 'list' as const, namespace, pageSize: 2, streamed: false, cut: undefined }));
        const changes = rest.filter(({ type }) => type !== 'list').map((step) => ('lost' in step ? { ...step, lost: false } : step));
        const { events, objects } = play([...history, ...lists, ...changes], scoped);
        let asked = 0;
        let isOver = false;
        const store = pickyStore(() => isOver || refusals[(asked += 1) % refusals.length] !== true);
        const follower = createStrictFollower<Pod>();
        const source = new Subject<SourceEvent<Pod>>();
        source.pipe(scanToIndex<Pod>(store, scoped ? { scopes: namespaces } : {}), flattenChanges()).subscribe(follower.follow);
        from(events).subscribe((event) => source.next(event));
        isOver = true;
        for (const scope of scoped ? namespaces : ['']) source.next(bookmark('1000', scope));
        expect(new Map(store.list().map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, object]))).toEqual(objects);
        expect(follower.known).toEqual(objects);
        expect(follower.misfits).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
