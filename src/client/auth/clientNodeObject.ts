import type { clientNodeNames, clientNodeTimes } from '../../api/kubernetes/clientNodeModels.js';
import type { Resource } from '../../api/resource.js';
import type { Resources } from '../../api/resources.js';

type ValueOf<T> = T[keyof T];
type Plurals = ValueOf<{ [Group in keyof Resources]: ValueOf<Resources[Group]> }>;
type ObjectOf<R> = R extends Resource<infer T, never> ? T : never;
/** Distributes over versions; each has plurals of its own. */
type ObjectsOf<P> = P extends unknown ? ObjectOf<ValueOf<P>> : never;
type BuiltIn = ObjectsOf<Plurals>;

type Property<Field> = Field extends keyof typeof clientNodeNames ? (typeof clientNodeNames)[Field] : Field;

type Time<T> = T extends string ? Date : T extends null ? never : T extends object ? { [Field in keyof T]: Time<T[Field]> } : T;

type ModelOf<T> = T extends null
  ? never
  : T extends readonly (infer Item)[]
    ? ModelOf<Item>[]
    : T extends object
      ? {
          -readonly [Field in keyof T as Property<Field>]: Field extends (typeof clientNodeTimes)[number]
            ? Time<T[Field]>
            : ModelOf<T[Field]>;
        }
      : T;

/** Whether T is a built-in kind and not one that merely has the same fields. */
type IsBuiltIn<T> = BuiltIn extends infer Kind ? (Kind extends T ? (T extends Kind ? true : never) : never) : never;

/**
 * An object as the models of client-node have it: with `Date`s, `_from` for `from`, and everything open to change. Of a kind that is not built in, that
 * concerns the metadata alone.
 *
 * `null`, which the models lack, is left out of the types; at run time it stays, as client-node itself has it.
 */
export type ClientNodeObject<T> = [IsBuiltIn<T>] extends [never]
  ? { [Field in keyof T]: Field extends 'metadata' ? ModelOf<T[Field]> : T[Field] }
  : ModelOf<T>;
