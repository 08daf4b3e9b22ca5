import type { KubernetesObject } from '../kubernetesObject.js';
import { hashSlot } from './hashSlot.js';

/** The field whose hash determines the shard of an object. */
export type ShardField = 'uid' | 'namespace';

/** Which objects belong to a shard: those whose field has a hash in one of the slots. */
export interface ShardFilter {
  readonly by: ShardField;
  /** Of the 128 equal arcs of the ring of hashes. Read anew for each object, so a live Set may change. */
  readonly slots: ReadonlySet<number>;
}

/** The slot of an object; `''` counts for a field that it does not have. */
export function slotOfObject({ metadata }: Pick<KubernetesObject, 'metadata'>, by: ShardField): number {
  return hashSlot(metadata?.[by] ?? '');
}
