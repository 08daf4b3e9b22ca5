import type { KeyFunc } from '../../cache/keys/keyFunc.js';
import type { StagedContent } from '../../cache/store/stagedContent.js';
import type { Store } from '../../cache/store/store.js';
import type { ObjectIntake } from './objectIntake.js';

type Report = ObjectIntake<unknown, unknown>['report'];

/**
 * Writes to a store of any make. A write that throws counts when the store holds its result all the same.
 */
export interface StoreWriter<U> {
  put(key: string, value: U, resourceVersion: string): boolean;
  /** `value` is the cached one. */
  remove(key: string, value: U, resourceVersion: string): boolean;
  /** `staged`, if there is one, is the same as `values`. */
  replace(values: readonly U[], resourceVersion: string, staged?: StagedContent<U>): boolean;
}

function holdsJust<U>(store: Store<U>, values: readonly U[]): boolean {
  const held = store.list();
  const isHeld = new Set(held);
  return held.length === values.length && values.every((value) => isHeld.has(value));
}

function reportThrown(report: Report, error: unknown, done: boolean, key: string | undefined): void {
  if (done) report('ERR_INDEX_FUNC', 'The object is cached without an entry in an index whose function failed', error, key);
  else report('ERR_KEY', 'The store refused a change', error, key);
}

/**
 * @param report - told of a write that threw.
 * @param keyFunc - makes the keys that values are written with, for a store that goes by it too.
 */
export function createStoreWriter<U>(store: Store<U>, report: Report, keyFunc?: KeyFunc<U>): StoreWriter<U> {
  const keyed = store.keyedBy?.(keyFunc);

  const finish = (done: boolean, resourceVersion: string): boolean => {
    if (resourceVersion !== '' && done && store.lastStoreSyncResourceVersion() !== resourceVersion) store.bookmark(resourceVersion);
    return done;
  };

  return {
    put: (key, value, resourceVersion) => {
      let done = true;
      try {
        if (keyed === undefined) store.update(value);
        else keyed.update(key, value);
      } catch (error) {
        done = store.getByKey(key) === value;
        reportThrown(report, error, done, key);
      }
      return finish(done, resourceVersion);
    },
    remove: (key, value, resourceVersion) => {
      let done = true;
      try {
        if (keyed === undefined) store.delete(value);
        else keyed.delete(key, value);
      } catch (error) {
        done = store.getByKey(key) === undefined;
        reportThrown(report, error, done, key);
      }
      return finish(done, resourceVersion);
    },
    replace: (values, resourceVersion, staged) => {
      let done = true;
      try {
        if (staged === undefined) store.replace(values, resourceVersion);
        else staged.publish(resourceVersion);
      } catch (error) {
        done = store.lastStoreSyncResourceVersion() === resourceVersion && holdsJust(store, values);
        reportThrown(report, error, done, undefined);
      }
      return finish(done, resourceVersion);
    },
  };
}
