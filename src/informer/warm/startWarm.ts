import { WarmStart, type WarmStartInit } from './warmStart.js';

/** Begins an informer with what an earlier run has saved. @throws TypeError when it cannot have that. */
export function startWarm<T, U>(init: WarmStartInit<T, U>): WarmStart<T, U> {
  return new WarmStart(init);
}
