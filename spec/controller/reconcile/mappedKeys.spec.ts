import { describe, it } from '@jest/globals';
import { EMPTY, NEVER } from 'rxjs';

import type { ResourceEvent } from '../../../src/api/events/resourceEvent.js';
import { mappedKeys } from '../../../src/controller/reconcile/mappedKeys.js';
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

describe('mapped', () => {
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
