import { describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER, of } from 'rxjs';

import type { KubernetesObject, ResourceEvent } from 'rx-informer';
import { mappedKeys } from '../../src/reconcile/mappedKeys.js';
import { reconcile } from '../../src/reconcile/reconcile.js';
import { fakeCollection } from '@rx-informer/views/testing';
import { derive } from '@rx-informer/views';
import { createTestScheduler } from './outcomeLog.js';

type Keys = readonly string[];
const base = { key: 'o', inferred: false } as const;
const added = (object: Keys, initial = false): ResourceEvent<Keys> => ({ ...base, type: 'added', object, initial });
const updated = (oldObject: Keys, object: Keys, resync = false): ResourceEvent<Keys> => ({
  ...base,
  type: 'updated',
  object,
  oldObject,
  resync,
});
const deleted = (object: Keys): ResourceEvent<Keys> => ({ ...base, type: 'deleted', object, finalStateUnknown: true });
const trigger = (key: string, cause: string) => ({ type: 'trigger', key, cause, objectKey: 'o' });

describe('what has left without having been deleted', () => {
  it.each(['moved', 'revoked'] as const)('is no reason to reconcile: %s', (reason) => {
    const left: ResourceEvent<Keys> = { ...base, type: 'deleted', object: ['a'], finalStateUnknown: true, reason };
    const called: string[] = [];
    const sources = { events: of(left), mapped: of(left).pipe(mappedKeys((keys: Keys) => keys)), gone: of(deleted(['b'])) };
    const stop$ = NEVER;
    reconcile({
      sources,
      caches: [],
      stop$,
      reconcile: ({ key, reasons }) => (called.push(`${key} ${reasons.map(({ source }) => source).join()}`), []),
    })
      .subscribe()
      .unsubscribe();
    expect(called).toEqual(['o gone']);
  });
});

describe('mappedKeys over a view', () => {
  interface Pod extends KubernetesObject {
    readonly site: string;
  }
  const pod = (name: string, site: string): Pod => ({ metadata: { name, namespace: 'n' }, site });

  it('triggers for the values of the view, the old ones too, whether they come as changes or as events', () => {
    const pods = fakeCollection([pod('a', 'x')]);
    const sites = derive(pods, ({ metadata = {}, site }) => ({ metadata, uses: `n/${site}` }));
    const keysOf = ({ uses }: { readonly uses: string }): readonly string[] => [uses];
    const called: string[] = [];
    const sources = { changes: sites.change$.pipe(mappedKeys(keysOf)), events: sites.resource$.pipe(mappedKeys(keysOf)) };
    reconcile({
      sources,
      caches: [],
      reconcile: ({ key, reasons }) => (called.push(`${key} ${reasons.map(({ source }) => source).join()}`), []),
    }).subscribe();
    expect(called.splice(0)).toEqual(['n/x changes,events']);
    pods.put(pod('a', 'y'));
    expect([...new Set(called.splice(0).map((line) => line.split(' ')[0]))].sort()).toEqual(['n/x', 'n/y']);
    pods.remove('n/a');
    expect(called.every((line) => line.startsWith('n/y'))).toBe(true);
  });
});

describe('mappedKeys', () => {
  it('triggers each key of the new and of the old object once', () => {
    const same: Keys = ['a', 'a', 'b'];
    createTestScheduler().run(({ hot, expectObservable }) => {
      const events = hot('i---a---u----r---d---s|', {
        i: added(same, true),
        a: added(same),
        u: updated(['a', 'b'], ['b', 'c']),
        r: updated(same, same, true),
        d: deleted(['a']),
        s: { type: 'synced', resourceVersion: '1', previousResourceVersion: '' } as const,
      });
      expectObservable(events.pipe(mappedKeys((keys: Keys) => keys))).toBe('(ij)(ab)(uvw)(rs)d----|', {
        i: trigger('a', 'initial'),
        j: trigger('b', 'initial'),
        a: trigger('a', 'added'),
        b: trigger('b', 'added'),
        u: trigger('b', 'updated'),
        v: trigger('c', 'updated'),
        w: trigger('a', 'updated'),
        r: trigger('a', 'resync'),
        s: trigger('b', 'resync'),
        d: trigger('a', 'deleted'),
      });
    });
  });

  it('tells an object whose keys cannot be found out, and goes on', () => {
    const error = new Error('bad object');
    const keysOf = (keys: Keys): Keys => {
      if (keys.length === 0) throw error;
      return keys;
    };
    createTestScheduler().run(({ hot, expectObservable }) => {
      const events = hot('-a-b', { a: added([]), b: added(['x']) });
      expectObservable(events.pipe(mappedKeys(keysOf))).toBe('-e-t', {
        e: { type: 'triggerError', objectKey: 'o', error },
        t: trigger('x', 'added'),
      });
    });
  });

  it('triggers the keys of a good object after a bad one, and those of the good one before a bad one', () => {
    const error = new Error('bad object');
    const keysOf = (keys: Keys): Keys => {
      if (keys.length === 0) throw error;
      return keys;
    };
    createTestScheduler().run(({ hot, expectObservable }) => {
      const events = hot('-a-b', { a: updated([], ['x']), b: updated(['y'], []) });
      expectObservable(events.pipe(mappedKeys(keysOf))).toBe('-a-(be)', {
        a: trigger('x', 'updated'),
        b: trigger('y', 'updated'),
        e: { type: 'triggerError', objectKey: 'o', error },
      });
    });
  });

  it.each<[unknown, string]>([
    ['site', 'Expected `keysOf` to return a list of keys, got "site"'],
    [undefined, 'Expected `keysOf` to return a list of keys, got undefined'],
    [['a', undefined], 'Expected a key to be a non-empty string, got undefined'],
    [[''], 'Expected a key to be a non-empty string, got ""'],
  ])('tells an object for which the function returns %j', (returned, message) => {
    const told: unknown[] = [];
    of(added(['x']))
      .pipe(mappedKeys(() => returned as Keys))
      .subscribe((value) => told.push(value));
    expect(told).toEqual([{ type: 'triggerError', objectKey: 'o', error: new TypeError(message) }]);
  });

  it('ends when its source does, or is left', () => {
    createTestScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const operator = mappedKeys((keys: Keys) => keys);
      expectObservable(EMPTY.pipe(operator)).toBe('|');
      expectObservable(NEVER.pipe(operator)).toBe('-');
      expectObservable(hot<ResourceEvent<Keys>>('--#').pipe(operator)).toBe('--#');
      const left = hot<ResourceEvent<Keys>>('-----');
      expectObservable(left.pipe(operator), '^--!').toBe('-----');
      expectSubscriptions(left.subscriptions).toBe('^--!');
    });
  });
});
