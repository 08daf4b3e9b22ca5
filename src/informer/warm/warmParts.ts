import type { createVerifier } from '../verify/createVerifier.js';
import type { SnapshotStore } from './snapshotStore.js';
import type { startWarm } from './startWarm.js';

/** Under this symbol, a store for pages brings the parts that only informers with a store need. */
export const warmParts: unique symbol = Symbol.for('rx-informer.warmParts');

/** @internal */
export interface WarmStore extends SnapshotStore {
  readonly [warmParts]?: { readonly startWarm: typeof startWarm; readonly createVerifier: typeof createVerifier };
}
