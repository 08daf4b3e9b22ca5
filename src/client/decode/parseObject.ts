import { DecodeError } from '../../api/errors/decodeError.js';
import type { ShardFilter } from '../../api/shardFilter.js';

/**
 * How objects are read out of their bytes.
 */
export interface ObjectShape {
  /** `'drop'` leaves `metadata.managedFields` out. */
  readonly managedFields: 'drop' | 'keep';
  /** Only the metadata is wanted, whatever the server sent. */
  readonly metadataOnly: boolean;
}

/**
 * How objects of one type are read.
 */
export interface ItemShape extends ObjectShape {
  /** Filled in where an item of a list has none, as in lists of built-in kinds. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Of what the lists and watches are that share objects, for example a namespace. */
  readonly scope?: string;
  /** Objects of other shards are left out. */
  readonly shard?: ShardFilter | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value that some bytes hold as JSON.
 *
 * @throws DecodeError that quotes nothing of them.
 */
export function parseJson(json: Uint8Array, what: string, position: number): unknown {
  let text: string;
  try {
    text = utf8.decode(json);
  } catch {
    throw new DecodeError(`Expected ${what} to be UTF-8, got other bytes`, position);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new DecodeError(`Expected ${what} to be JSON, got something malformed`, position);
  }
}

/**
 * Whether a value is a JSON object.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Brings an object just parsed into the shape that was asked for: a copy, where it is not in that shape already.
 */
export function shapeObject(object: Readonly<Record<string, unknown>>, shape: ObjectShape): Readonly<Record<string, unknown>> {
  let { metadata } = object;
  const isLean = shape.managedFields === 'keep' || !isRecord(metadata) || !('managedFields' in metadata);
  if (!isLean) {
    const { managedFields: _, ...rest } = metadata as Record<string, unknown>;
    metadata = rest;
  }
  if (shape.metadataOnly && object['kind'] !== 'PartialObjectMetadata') {
    return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
  }
  return isLean ? object : { ...object, metadata };
}
