import type { verifierOf } from '../verify/verifier.js';
import type { SnapshotStore } from './snapshotStore.js';
import type { warmCacheOf } from './warmStart.js';

/** The member of a store for pages with the code that only informers with a store need. */
export const warmParts: unique symbol = Symbol.for('rx-informer.warmParts');

/** @internal */
export interface WarmStore extends SnapshotStore {
  readonly [warmParts]?: { readonly warmCacheOf: typeof warmCacheOf; readonly verifierOf: typeof verifierOf };
}
