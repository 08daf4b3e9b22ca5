import { clientNodeModels, clientNodeNames, clientNodeTimes } from '../api/kubernetes/clientNodeModels.js';
import { isPlainObject } from '../api/json.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import type { Resources } from '../api/resources.js';

type ValueOf<T> = T[keyof T];
type Plurals = ValueOf<{ [Group in keyof Resources]: ValueOf<Resources[Group]> }>;
type ObjectOf<R> = R extends Resource<infer T, never> ? T : never;
/** Distributes over versions, since each has its own plurals. */
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
            ? Time<Exclude<T[Field], undefined>>
            : ModelOf<Exclude<T[Field], undefined>>;
        }
      : T;

/** Whether T is a built-in kind, not just a type with the same fields. */
type IsBuiltIn<T> = BuiltIn extends infer Kind ? (Kind extends T ? (T extends Kind ? true : never) : never) : never;

/**
 * An object as the models of client-node type it: with `Date`s, `_from` for `from`, and without `readonly`. For a kind that is not built in, only the metadata is
 * converted.
 *
 * `null`, which the models lack, is left out of the types; at run time it stays, as client-node itself has it.
 */
export type ClientNodeObject<T> = [IsBuiltIn<T>] extends [never]
  ? { [Field in keyof T]: Field extends 'metadata' ? ModelOf<T[Field]> : T[Field] }
  : ModelOf<T>;

/**
 * A time that serializes to the text that the server sent, with all digits of its fraction. A plain `Date` keeps milliseconds, and always writes three digits
 * where servers use six (MicroTime) or none.
 */
class ServerTime extends Date {
  readonly #text: string;
  readonly #time: number;

  constructor(text: string) {
    super(text);
    this.#text = text;
    this.#time = this.getTime();
  }

  /** The server's text; after the time has been changed, with microseconds, which every field accepts. */
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

/** How a value is converted: `leaf` for values that are neither list nor plain object, and name and rule of each field. Items of a list use the list's rule. */
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

/** The rule for a value, or for the items of a list, whose type is a model class of client-node. */
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

/** A copy converted by the rule. Iterative: a server may send objects nested deeper than the call stack. */
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
    } else if (isPlainObject(part)) {
      const fields = Object.entries(part).map(([name, held]) => [held, ...by.field(name)] as const);
      const object = Object.fromEntries(fields.map(([held, name]) => [name, held]));
      for (const [held, name, rules] of fields) waiting.push([held, rules, object, name]);
      copy = object;
    } else if (by.leaf !== undefined) {
      copy = by.leaf(part);
    }
    // Assignment would not create a field named `__proto__`.
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
 * Converts an object to the form that the typed API of `@kubernetes/client-node`, 1.4 or 2.x, takes.
 *
 * Objects of this library are JSON as the server sent it. client-node's serializer writes only the properties that its own classes declare, and silently drops
 * all others: `ingress[].from` of a NetworkPolicy, which its class calls `_from`, and every `default`, `enum` and `x-kubernetes-list-type` of the schema in a
 * CustomResourceDefinition. The result has client-node's names, and `Date`s where its classes declare them; they serialize to the text that the server
 * sent. It is a copy that may be changed, unlike cached objects, which are frozen.
 *
 * For a kind that is not built in, only the metadata is converted, since client-node sends the rest unchanged. Fields newer than client-node's classes are
 * kept here, but its serializer still drops them. To write an object whole, use this library's client.
 *
 * client-node is neither loaded nor needed. The conversion table has 10 kB, minified; bundlers drop it where this function is not used.
 *
 * @example
 * ```ts
 * import { type KubeConfig, NetworkingV1Api } from '@kubernetes/client-node';
 * import { type SharedInformer, type V1NetworkPolicy } from 'rx-informer';
 * import { toClientNode } from 'rx-informer/client-node';
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
