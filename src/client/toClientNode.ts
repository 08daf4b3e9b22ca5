import { clientNodeModels, clientNodeNames, clientNodeTimes } from '../api/kubernetes/clientNodeModels.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import type { Resources } from '../api/resources.js';

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

/**
 * A time as the server wrote it. Written again, it is the same text, fractions of a second included: a `Date` alone keeps milliseconds, and writes
 * three digits where servers want six (MicroTime) or none.
 */
class ServerTime extends Date {
  readonly #text: string;
  readonly #time: number;

  constructor(text: string) {
    super(text);
    this.#text = text;
    this.#time = this.getTime();
  }

  /** The text as the server wrote it; with microseconds, which all fields take, once the time has been set to another. */
  override toISOString(): string {
    return this.getTime() === this.#time ? this.#text : super.toISOString().replace('Z', '000Z');
  }
}

type Fields = Readonly<Record<string, string>>;

const times: readonly string[] = clientNodeTimes;
const names: Fields = clientNodeNames;

function own<V>(record: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function fieldsOf(model: string): Fields {
  return own(clientNodeModels, model) ?? {};
}

/** How a value is converted: what becomes of what is neither list nor plain object, and the name and the rule of each field. Items go by their list's rule. */
interface Rule {
  readonly leaf?: (value: unknown) => unknown;
  readonly field: (name: string) => readonly [name: string, rule: Rule];
}

function timeOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const time = new ServerTime(value);
  return Number.isNaN(time.getTime()) ? value : time;
}

const copying: Rule = { field: (name) => [name, copying] };
const timing: Rule = { leaf: timeOf, field: (name) => [name, timing] };

const everyField = (rule: Rule): Rule => ({ field: (name) => [name, rule] });

/** The rule of what is, or whose items are, of a model of client-node. */
function modelled(fields: Fields): Rule {
  return {
    field: (field) => {
      const name = own(names, field) ?? field;
      if (times.includes(field)) return [name, timing];
      const held = own(fields, field);
      if (held === undefined) return [name, copying];
      const rule = modelled(fieldsOf(held.replace('{}', '')));
      return [name, held.startsWith('{}') ? everyField(rule) : rule];
    },
  };
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A copy that goes by the rule. No recursion: a server may send objects deeper than the stack. */
function converted(value: unknown, rule: Rule): unknown {
  const result: { copy?: unknown } = {};
  const waiting: (readonly [value: unknown, rule: Rule, into: object, key: string | number])[] = [[value, rule, result, 'copy']];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, by, into, key] = next;
    let copy: unknown = part;
    if (Array.isArray(part)) {
      const list: unknown[] = [...(part as unknown[])];
      list.forEach((item, at) => waiting.push([item, by, list, at]));
      copy = list;
    } else if (typeof part === 'object' && part !== null && isPlain(part)) {
      const fields = Object.entries(part).map(([name, held]) => [held, ...by.field(name)] as const);
      const object = Object.fromEntries(fields.map(([held, name]) => [name, held]));
      for (const [held, name, rules] of fields) waiting.push([held, rules, object, name]);
      copy = object;
    } else if (by.leaf !== undefined) {
      copy = by.leaf(part);
    }
    // `__proto__` is a key like any other.
    Object.defineProperty(into, key, { value: copy, writable: true, enumerable: true, configurable: true });
  }
  return result.copy;
}

function expectTyped(object: unknown): asserts object is { readonly apiVersion: string; readonly kind: string } {
  const given = typeof object === 'object' && object !== null ? (object as Readonly<Record<string, unknown>>) : undefined;
  for (const field of ['apiVersion', 'kind']) {
    const value = given?.[field];
    if (typeof value === 'string' && value !== '') continue;
    const got = given === undefined ? String(object) : value === undefined ? 'none' : JSON.stringify(value);
    throw new TypeError(`Expected \`object\` to be a Kubernetes object with its \`${field}\`, got ${got}`);
  }
}

/**
 * Converts an object to what callers of the typed API of `@kubernetes/client-node`, 1.4 or 2.x, have to give it.
 *
 * Objects here are JSON as the server sent it. client-node's serializer takes from an object only the properties that its own classes have, and silently
 * drops the rest: of the JSON of a NetworkPolicy it loses `ingress[].from`, which its classes call `_from`, of the schema in a CustomResourceDefinition
 * every `default`, `enum` and `x-kubernetes-list-type`. The result has client-node's names, and `Date`s where its classes have them, which are written
 * again as the server wrote them. It is a copy that may be changed, while cached objects are frozen.
 *
 * Of a kind that is not built in, only the metadata is converted: client-node sends the rest as it is. What is newer than the classes of client-node is
 * kept here, and dropped by its serializer all the same. To write an object whole, use this library's client, which sends what it is given.
 *
 * client-node is neither loaded nor needed. The table of the differences takes 10 kB, minified; bundlers leave it out where this function is not used.
 *
 * @example
 * ```ts
 * import { type KubeConfig, NetworkingV1Api } from '@kubernetes/client-node';
 * import { type SharedInformer, toClientNode, type V1NetworkPolicy } from 'rx-informer';
 *
 * export async function admit(app: string, policies: SharedInformer<V1NetworkPolicy>, kubeConfig: KubeConfig): Promise<void> {
 *   const body = toClientNode(policies.lister.namespace('default').getOrThrow('web'));
 *   body.spec?.ingress?.[0]?._from?.push({ podSelector: { matchLabels: { app } } });
 *   await kubeConfig.makeApiClient(NetworkingV1Api).replaceNamespacedNetworkPolicy({ name: 'web', namespace: 'default', body });
 * }
 * ```
 *
 * @throws TypeError when the object has no `apiVersion` or `kind`, by which its model is found. Cached objects have them, unless a transform takes them.
 */
export function toClientNode<T extends KubernetesObject>(object: T): ClientNodeObject<T> {
  expectTyped(object);
  const fields = own(clientNodeModels, `${object.apiVersion} ${object.kind}`);
  const rule: Rule =
    fields === undefined
      ? { field: (field) => [field, field === 'metadata' ? modelled(fieldsOf('V1ObjectMeta')) : copying] }
      : modelled(fields);
  return converted(object, rule) as ClientNodeObject<T>;
}
