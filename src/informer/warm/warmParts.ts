import type { createVerifier } from '../verify/createVerifier.js';
import type { SnapshotStore } from './snapshotStore.js';
import type { startWarm } from './startWarm.js';

/** The member of a store for pages with the code that only informers with a store need. */
export const warmParts: unique symbol = Symbol.for('rx-informer.warmParts');

/** @internal */
export interface WarmStore extends SnapshotStore {
  readonly [warmParts]?: { readonly startWarm: typeof startWarm; readonly createVerifier: typeof createVerifier };
}
