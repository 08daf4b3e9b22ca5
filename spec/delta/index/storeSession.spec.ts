import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { ResourceChange, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Store } from '../../../src/cache/store/store.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import type { ScanToIndexOptions } from '../../../src/delta/index/cache.js';
import { added, bookmark, brief, deleted, init, list, modified, page, type Pod, pod, ready } from '../pods.js';

const a1 = pod('a', '1');
const b1 = pod('b', '1');
const x = (object: Pod, type = added): SourceEvent<Pod> => type(object, 'x');
const y = (object: Pod, type = added): SourceEvent<Pod> => type(object, 'y');

interface Played {
  readonly store: Store<Pod>;
  readonly degraded: Set<string>;
  readonly changes: ResourceChange<Pod>[];
  readonly send: (...events: readonly SourceEvent<Pod>[]) => string[];
  readonly names: () => string[];
}

function play(options: Partial<ScanToIndexOptions<Pod>> & { readonly store?: Store<Pod>; readonly stored?: Pod[] } = {}): Played {
  const { stored = [], store = createIndexer<Pod>({ initialObjects: stored }), ...rest } = options;
  const degraded = new Set<string>(['default/left-over']);
  const source = new Subject<SourceEvent<Pod>>();
  const changes: ResourceChange<Pod>[] = [];
  source.pipe(scanToIndex<Pod>(store, { degraded, ...rest })).subscribe((change) => changes.push(change));
  const send = (...events: readonly SourceEvent<Pod>[]): string[] => {
    changes.splice(0);
    for (const event of events) source.next(event);
    return changes.flatMap((change) => change.events.map(brief));
  };
  const names = (): string[] =>
    store.list().map(({ metadata, value = '' }) => `${metadata.name}@${metadata.resourceVersion ?? ''}${value}`);
  return { store, degraded, changes, send, names };
}

/** Takes uid and version away, fails for objects with the value `bad`, and counts. */
function counting() {
  const calls: string[] = [];
  const transform = ({ metadata: { namespace, name, resourceVersion = '' }, value }: Pod): Pod => {
    calls.push(`${name}@${resourceVersion}`);
    if (value === 'bad') throw new Error('bad');
    return { metadata: { namespace, name }, ...(value !== undefined && { value }) };
  };
  return { calls, transform };
}

describe.each([
  ['one scope', undefined],
  ['several scopes', ['x', 'y']],
])('a cache of %s', (_, scopes) => {
  const scope = scopes === undefined ? '' : 'x';
  const begin = (options: Parameters<typeof play>[0] = {}): Played => {
    const played = play({ ...options, ...(scopes !== undefined && { scopes }) });
    if (scopes !== undefined) played.send(...list('1', [], 'y'));
    return played;
  };

  it('tells of what was in the store once (EX-03)', () => {
    const { send } = begin({ stored: [a1, b1] });
    expect(send(...list('3', [a1, b1], scope))).toEqual(['~default/a@1<1 inferred', '~default/b@1<1 inferred']);
    expect(send(...list('4', [a1, b1], scope))).toEqual([]);
    expect(send(modified(a1, scope))).toEqual([]);
  });

  it('emits nothing where nothing has changed', () => {
    const { send, changes } = begin();
    send(...list('3', [a1], scope));
    send(modified(a1, scope), deleted(b1, scope), bookmark('4', scope));
    expect(changes).toEqual([]);
  });

  it('has no version before its first list', () => {
    const { store, send } = play(scopes === undefined ? {} : { scopes });
    send(init(scope), bookmark('9', scope));
    expect(store.lastStoreSyncResourceVersion()).toBe('');
  });

  it('runs a transform once per version, and knows what was made anew', () => {
    const { calls, transform } = counting();
    const { send } = begin({ transform });
    send(...list('3', [a1, b1], scope));
    expect(send(...list('4', [a1, b1], scope))).toEqual([]);
    expect(send(modified(pod('a', '5'), scope), ...list('5', [pod('a', '5'), b1], scope))).toEqual([]);
    expect(calls).toEqual(['a@1', 'b@1', 'a@5']);
    expect(send(...list('7', [pod('a', '6', { uid: 'other' }), b1], scope))).toEqual([
      '-default/a@ finalStateUnknown inferred',
      '+default/a@ inferred',
    ]);
  });

  it('knows which objects have no good value', () => {
    const { degraded, send } = begin({ transform: counting().transform });
    const bad = (name: string, version: string): Pod => pod(name, version, { value: 'bad' });
    expect([...degraded]).toEqual([]);
    send(...list('3', [a1, bad('b', '2'), bad('c', '3')], scope));
    expect([...degraded]).toEqual(['default/b', 'default/c']);
    send(...list('5', [bad('a', '4'), pod('b', '5')], scope));
    expect([...degraded]).toEqual(['default/a']);
    // Within one list: what fails may be good later, or gone.
    send(
      init(scope),
      page([bad('a', '4'), bad('b', '6'), bad('d', '6')], scope),
      modified(pod('b', '7'), scope),
      deleted(bad('d', '8'), scope),
    );
    send(ready('8', scope));
    expect([...degraded]).toEqual(['default/a']);
    send(modified(pod('a', '9'), scope));
    expect([...degraded]).toEqual([]);
  });

  it('knows what was made anew while it could not be transformed', () => {
    const { send } = begin({ transform: counting().transform });
    send(...list('3', [a1], scope));
    expect(send(...list('4', [pod('a', '2', { value: 'bad' })], scope))).toEqual([]);
    expect(send(...list('5', [pod('a', '3', { uid: 'other' })], scope))).toEqual([
      '-default/a@ finalStateUnknown inferred',
      '+default/a@ inferred',
    ]);
  });

  it('takes the latest of what an older list brings, also where that was cached before', () => {
    const { send, names } = begin({ transform: counting().transform, store: createIndexer<Pod>() });
    const values = (value: string, version: string): Pod => pod('a', version, { value });
    send(...list('30', [values('lost', '5'), b1], scope));
    send(
      init(scope),
      page([values('restored', '5'), b1], scope),
      modified(values('new', '6'), scope),
      deleted(b1, scope),
      ready('9', scope),
    );
    expect(names()).toEqual(['a@new']);
  });

  it('takes contents of a list that is older than what the store had at first', () => {
    const store = createIndexer<Pod>({ initialObjects: [pod('a', '5', { value: 'lost' })] });
    store.bookmark('30');
    const { send, names } = begin({ store });
    send(...list('9', [pod('a', '5', { value: 'restored' })], scope));
    expect(names()).toEqual(['a@5restored']);
  });

  it('tells what has moved to another shard, which is no deletion', () => {
    const { send, changes, store } = begin();
    send(...list('3', [a1], scope));
    send({ type: 'deleted', scope, object: pod('a', '9'), resourceVersion: '9', reason: 'moved' });
    expect(changes[0]?.events).toEqual([
      { type: 'deleted', key: 'default/a', object: a1, finalStateUnknown: true, inferred: true, reason: 'moved' },
    ]);
    expect(store.list()).toEqual([]);
  });
});

describe('a cache of an object without a good value', () => {
  it('forgets what had no good value and is gone', () => {
    const { degraded, send } = play({ transform: counting().transform });
    send(...list('3', [pod('a', '1', { value: 'bad' })]));
    expect([...degraded]).toEqual(['default/a']);
    send(...list('4', []));
    expect([...degraded]).toEqual([]);
  });
});

describe('a cache of scopes that come later', () => {
  it('keeps what another scope has brought while a list was under way', () => {
    const { send, names } = play();
    send(init('x'), page([a1], 'x'));
    send(...list('3', [b1], 'y'));
    expect(send(ready('4', 'x'))).toEqual(['+default/a@1 initial']);
    expect(names().sort()).toEqual(['a@1', 'b@1']);
  });

  it('lets an object go from one scope to another', () => {
    const { send } = play({ scopes: ['x', 'y'] });
    send(...list('3', [a1], 'x'), ...list('3', [], 'y'));
    expect(send(x(pod('a', '4'), deleted), y(pod('a', '5')), y(pod('a', '6'), deleted))).toEqual([
      '-default/a@4',
      '+default/a@5',
      '-default/a@6',
    ]);
    expect(send(x(pod('a', '7')), y(pod('a', '7')), x(pod('a', '8'), deleted))).toEqual(['+default/a@7']);
    expect(send(y(pod('a', '9'), deleted))).toEqual(['-default/a@9']);
  });

  it('tells of what was in the store with the first event of it', () => {
    const { send } = play({ scopes: ['x', 'y'], stored: [a1] });
    send(...list('3', [], 'x'));
    expect(send(x(a1, modified))).toEqual(['~default/a@1<1']);
    expect(send(x(a1, modified))).toEqual([]);
  });
});
