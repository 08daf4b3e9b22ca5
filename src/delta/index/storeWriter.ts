import { keyedStore } from '../../cache/store/keyedStore.js';
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

/** Neither makes nor keeps another key where the store goes by the same key function. */
function update<U>(store: Store<U>, keyFunc: KeyFunc<U> | undefined, key: string, value: U): void {
  const keyed = keyedStore(store, keyFunc);
  if (keyed === undefined) store.update(value);
  else keyed.updateKeyed(key, value);
}

function remove<U>(store: Store<U>, keyFunc: KeyFunc<U> | undefined, key: string, value: U): void {
  const keyed = keyedStore(store, keyFunc);
  if (keyed === undefined) store.delete(value);
  else keyed.deleteKeyed(key, value);
}

function reportThrown(report: Report, error: unknown, done: boolean, key: string | undefined): void {
  if (done) report('ERR_INDEX_FUNC', 'The object is cached without an entry in an index whose function failed', error, key);
  else report('ERR_KEY', 'The store refused a change', error, key);
}

/**
 * @param report - told of a write that threw.
 * @param keyFunc - makes the keys that values are written with.
 */
export function createStoreWriter<U>(store: Store<U>, report: Report, keyFunc?: KeyFunc<U>): StoreWriter<U> {
  const write = (action: () => void, isDone: () => boolean, resourceVersion: string, key?: string): boolean => {
    let done = true;
    try {
      action();
    } catch (error) {
      done = isDone();
      reportThrown(report, error, done, key);
    }
    if (resourceVersion !== '' && done && store.lastStoreSyncResourceVersion() !== resourceVersion) store.bookmark(resourceVersion);
    return done;
  };

  return {
    put: (key, value, resourceVersion) =>
      write(
        () => update(store, keyFunc, key, value),
        () => store.getByKey(key) === value,
        resourceVersion,
        key,
      ),
    remove: (key, value, resourceVersion) =>
      write(
        () => remove(store, keyFunc, key, value),
        () => store.getByKey(key) === undefined,
        resourceVersion,
        key,
      ),
    replace: (values, resourceVersion, staged) =>
      write(
        () => (staged === undefined ? store.replace(values, resourceVersion) : staged.publish(resourceVersion)),
        () => store.lastStoreSyncResourceVersion() === resourceVersion && holdsJust(store, values),
        resourceVersion,
      ),
  };
}
