import { isJsonObject } from '../../api/json.js';
import type { ShardFilter } from '../../api/shardFilter.js';

/**
 * Which parts of an object are kept.
 */
export interface ObjectShape {
  /** `'drop'` leaves `metadata.managedFields` out. */
  readonly managedFields: 'drop' | 'keep';
  /** Keeps the metadata alone, even if the server sent whole objects. */
  readonly metadataOnly: boolean;
}

/**
 * How objects of one type are read.
 */
export interface ItemShape extends ObjectShape {
  /** Filled in for items of a list without a type, as in lists of built-in kinds. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Selection of the list or watch, for example a namespace: only objects of the same scope are compared. */
  readonly scope?: string;
  /** Leaves out objects of other shards. */
  readonly shard?: ShardFilter | undefined;
}

/**
 * Applies `shape` to an object just parsed. Returns a copy, or the object itself where nothing changes.
 */
export function shapeObject(object: Readonly<Record<string, unknown>>, shape: ObjectShape): Readonly<Record<string, unknown>> {
  let { metadata } = object;
  const isLean = shape.managedFields === 'keep' || !isJsonObject(metadata) || !('managedFields' in metadata);
  if (!isLean) {
    const { managedFields: _, ...rest } = metadata as Record<string, unknown>;
    metadata = rest;
  }
  if (shape.metadataOnly && object['kind'] !== 'PartialObjectMetadata') {
    return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
  }
  return isLean ? object : { ...object, metadata };
}
