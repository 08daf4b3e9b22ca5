import type { Json } from '../json.js';

/** The type of a scalar that server-side apply requires. */
export type ScalarShape = 'string' | 'numeric' | 'boolean';

/** How values of one type are merged. By default, objects merge field by field, and lists and scalars are replaced as a whole. */
export interface FieldShape {
  /** The type of a scalar, if known. */
  readonly scalar?: ScalarShape;
  /** For an object: the shapes of its fields. */
  readonly fields?: Readonly<Record<string, FieldShape>>;
  /** For a struct of Go: its name. */
  readonly struct?: string;
  /** For a map: the shape of its values. */
  readonly values?: FieldShape;
  /** Fields that are neither in `fields` nor covered by `values` are errors. */
  readonly closed?: boolean;
  /** Server-side apply treats the object as one value. */
  readonly atomic?: boolean;
  /** For a list: the shape of its items. */
  readonly items?: FieldShape;
  /** For a list that server-side apply merges: the fields that identify an item; empty for a set of scalars. */
  readonly keys?: readonly string[];
  /** The defaults of `keys` that items may omit. */
  readonly keyDefaults?: Readonly<Record<string, Json>>;
  /** For a list that strategic merge patches merge: the field that identifies an item; `''` for scalars. */
  readonly patchKey?: string;
  /** Strategic merge patches replace the object instead of merging it. */
  readonly patchReplaces?: boolean;
}

/** The shape of a field; an empty one for an unknown field. */
export function fieldOf({ fields, values }: FieldShape, name: string): FieldShape {
  return (fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : values) ?? {};
}

/** A list that server-side apply and strategic merge patches merge by the same key. */
export function listBy(key: string, items: FieldShape = {}): FieldShape {
  return { keys: [key], patchKey: key, items };
}

/** An object that server-side apply treats as one value. */
export const atomicObject: FieldShape = { atomic: true };

/** An object with the shapes of some of its fields. */
export function object(fields: Readonly<Record<string, FieldShape>>): FieldShape {
  return { fields };
}
