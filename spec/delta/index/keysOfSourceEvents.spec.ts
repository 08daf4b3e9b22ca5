import { describe, expect, it } from '@jest/globals';
import { type OperatorFunction, Subject } from 'rxjs';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import type { ResourceChange, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Indexer } from '../../../src/cache/store/store.js';
import { deltaFifo } from '../../../src/delta/fifo/deltaFifo.js';
import { processDeltas } from '../../../src/delta/index/processDeltas.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import { createInformer } from '../../../src/informer/createInformer.js';

/** A value that tells nothing about its key. */
interface Value {
  readonly value: number;
}

type Way = (store: Indexer<Value>, onError: (error: InformerError) => void) => OperatorFunction<SourceEvent<Value>, ResourceChange<Value>>;

const init = (scope = ''): SourceEvent<Value> => ({ type: 'init', scope, reason: 'first', previousResourceVersion: '' });
const ready = (resourceVersion: string, scope = ''): SourceEvent<Value> => ({ type: 'ready', scope, resourceVersion });
const page = (values: Readonly<Record<string, number>>, scope = ''): SourceEvent<Value> => ({
  type: 'page',
  scope,
  items: Object.values(values).map((value) => ({ value })),
  keys: Object.keys(values),
});
const happened = (
  type: 'added' | 'modified' | 'deleted',
  key: string,
  value: number,
  reason?: 'moved' | 'revoked',
): SourceEvent<Value> => ({
  ...{ type, key, object: { value }, resourceVersion: '9' },
  ...(reason !== undefined && { reason }),
});

function play(way: Way, store = createIndexer<Value>()) {
  const source = new Subject<SourceEvent<Value>>();
  const errors: string[] = [];
  const told: string[] = [];
  source.pipe(way(store, ({ code, message }) => errors.push(`${code} ${message}`))).subscribe(({ events }) => {
    for (const event of events) told.push([event.type, event.key, 'reason' in event ? event.reason : ''].join(' ').trim());
  });
  const send = (...events: readonly SourceEvent<Value>[]): string[] => {
    told.splice(0);
    for (const event of events) source.next(event);
    return [...told];
  };
  return { send, errors, store, content: () => Object.fromEntries(store.listKeys().map((key) => [key, store.getByKey(key)?.value])) };
}

const ways: readonly [string, Way][] = [
  ['scanToIndex', (store, onError) => scanToIndex(store, { onError })],
  ['deltaFifo', (store, onError) => deltaFifo(processDeltas(store), { onError })],
];

describe.each(ways)('keys that come with source events, through %s', (_, way) => {
  it('are those of the store and of what is told, in pages as in changes', () => {
    const { send, content } = play(way);
    expect(send(init(), page({ 'east/web/a': 1, 'west/web/a': 2 }), ready('3'))).toEqual(['added east/web/a', 'added west/web/a']);
    expect(send(happened('modified', 'east/web/a', 3), happened('added', 'b', 4), happened('deleted', 'west/web/a', 5))).toEqual([
      ...['updated east/web/a', 'added b', 'deleted west/web/a'],
    ]);
    expect(content()).toEqual({ 'east/web/a': 3, b: 4 });
    expect(send(init(), page({ b: 4 }), ready('9'))).toEqual(['deleted east/web/a']);
    expect(content()).toEqual({ b: 4 });
  });

  it('are of values whose content counts, as two of one version may differ: on watches as in lists', () => {
    const { send, content } = play(way);
    const view = (value: number): Value => ({ metadata: { name: 'a', uid: 'u', resourceVersion: '1' }, value }) as Value;
    const listed = (value: number): SourceEvent<Value> => ({ type: 'page', items: [view(value)], keys: ['a'] });
    const changed = (value: number): SourceEvent<Value> => ({ type: 'modified', key: 'a', object: view(value), resourceVersion: '9' });
    expect(send(init(), listed(1), ready('3'))).toEqual(['added a']);
    expect(send(changed(2))).toEqual(['updated a']);
    expect(send(changed(2))).toEqual([]);
    expect(content()).toEqual({ a: 2 });
    expect(send(init(), listed(3), ready('10'))).toEqual(['updated a']);
    expect(send(init(), listed(3), ready('11'))).toEqual([]);
    expect(content()).toEqual({ a: 3 });
  });

  it('stay through lists of several scopes, of which the second one appears while the first one is listed', () => {
    const { send, content } = play(way);
    send(init('one'), page({ a: 1 }, 'one'), init('two'), ready('2', 'one'), page({ b: 2 }, 'two'), ready('3', 'two'));
    expect(content()).toEqual({ a: 1, b: 2 });
  });

  it('are not empty: such an object is reported and left out', () => {
    const { send, content, errors } = play(way);
    send(init(), page({ '': 1, a: 2 }), ready('3'), happened('added', '', 3));
    expect(content()).toEqual({ a: 2 });
    expect(errors).toEqual(
      [1, 2].map(() => expect.stringMatching(/ERR_KEY .*Expected `key` of a source event to be a non-empty string/) as unknown),
    );
  });

  it.each(['moved', 'revoked'] as const)('of what is %s are told with that reason, also while a list comes', (reason) => {
    const { send, content } = play(way);
    send(init(), page({ a: 1, b: 2 }), ready('3'));
    expect(send(happened('deleted', 'a', 1, reason))).toEqual([`deleted a ${reason}`]);
    expect(send(init(), happened('deleted', 'b', 2, reason), page({ c: 3 }), ready('4'))).toEqual([`deleted b ${reason}`, 'added c']);
    expect(content()).toEqual({ c: 3 });
  });
});

describe('an informer over a source with keys', () => {
  it('reads by key and by the namespace in it, what has no metadata included', () => {
    const source = new Subject<SourceEvent<Value>>();
    const informer = createInformer(source);
    informer.start();
    for (const event of [init(), page({ 'web/a': 1, 'db/b': 2 }), ready('3')]) source.next(event);
    expect(informer.lister.get('web/a')).toEqual({ value: 1 });
    expect(informer.lister.namespace('db').list()).toEqual([{ value: 2 }]);
    void informer.stop();
  });
});
