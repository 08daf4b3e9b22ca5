import type { ObjectShape } from './parseObject.js';

/**
 * How objects of one type are read.
 */
export interface ItemShape extends ObjectShape {
  /** Filled in where an item of a list has none, as in lists of built-in kinds. */
  readonly apiVersion: string;
  readonly kind: string;
}
