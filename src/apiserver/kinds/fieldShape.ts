import type { Json } from '../json.js';

/** What a scalar has to be where a configuration is applied. */
export type ScalarShape = 'string' | 'numeric' | 'boolean';

/**
 * How one value is merged with another. Without anything said, objects merge field by field, and lists and scalars are replaced as a whole.
 */
export interface FieldShape {
  /** What the value is, where it is known to be a scalar. */
  readonly scalar?: ScalarShape;
  /** Of an object: what is known of its fields. */
  readonly fields?: Readonly<Record<string, FieldShape>>;
  /** Of an object whose names the client chooses: what is known of its values. */
  readonly values?: FieldShape;
  /** Fields that are neither in `fields` nor covered by `values` are mistakes. */
  readonly closed?: boolean;
  /** Server-side apply takes the object as one value. */
  readonly atomic?: boolean;
  /** Of a list: what is known of its items. */
  readonly items?: FieldShape;
  /** Of a list that server-side apply merges: the fields that tell items apart; none when it is a set of scalars. */
  readonly keys?: readonly string[];
  /** The values of `keys` that items leave out. */
  readonly keyDefaults?: Readonly<Record<string, Json>>;
  /** Of a list that strategic merge patches merge: the field that tells items apart; `''` when they are scalars. */
  readonly patchKey?: string;
  /** Strategic merge patches replace the value although it is an object. */
  readonly patchReplaces?: boolean;
}

/** What is known of a field; of one that is not mentioned, nothing. */
export function fieldOf({ fields, values }: FieldShape, name: string): FieldShape {
  return (fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : values) ?? {};
}

/** A list that both kinds of merge tell apart by the same field. */
export function listBy(key: string, items: FieldShape = {}): FieldShape {
  return { keys: [key], patchKey: key, items };
}

/** An object that server-side apply takes as one value. */
export const atomicObject: FieldShape = { atomic: true };

/** An object with some fields about which something is known. */
export function object(fields: Readonly<Record<string, FieldShape>>): FieldShape {
  return { fields };
}
