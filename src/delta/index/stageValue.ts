import type { HalfList } from './scopes.js';

/**
 * Has the store take in an object of a list that is still arriving, so that it has little to do when the list is complete: what takes long for
 * many objects must not happen in one go.
 */
export function stageValue<U>(half: HalfList<U>, key: string, value: U): void {
  try {
    half.staged?.put(value, key);
  } catch {
    // It will refuse the whole list for the same reason, and then that is reported.
    half.staged = undefined;
  }
}
