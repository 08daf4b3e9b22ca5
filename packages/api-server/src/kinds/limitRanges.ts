import type { Store } from '../store/store.js';
import { asJsonObject, asString, isJsonArray, isJsonObject, objectsAt, valueAt, type Json, type JsonObject } from '../json.js';
import { formatQuantity, parseQuantity } from '../schema/builtIn/quantity.js';
import { objectsIn } from '../store/bucket.js';
import type { StoredContent } from '../store/storedObject.js';
import { orderedMeta } from '../write/objectMeta.js';
import { itemsOf } from '../validation/fieldChecks.js';

/** Quantities by the names of resources, in billionths. */
export type Amounts = ReadonlyMap<string, bigint>;

/** The quantities of an object. */
export function amountsOf(value: Json | undefined): Map<string, bigint> {
  const entries = Object.entries(asJsonObject(value)).map(([name, text]): [string, bigint] => [
    name,
    parseQuantity(typeof text === 'number' ? String(text) : asString(text))?.nano ?? 0n,
  ]);
  return new Map(entries);
}

/** The sum of both, by resource. */
export function sumOf(one: Amounts, other: Amounts): Map<string, bigint> {
  const sum = new Map(one);
  for (const [name, amount] of other) sum.set(name, (sum.get(name) ?? 0n) + amount);
  return sum;
}

function largest(one: Amounts, other: Amounts): Map<string, bigint> {
  const result = new Map(one);
  for (const [name, amount] of other) if (amount > (result.get(name) ?? -1n)) result.set(name, amount);
  return result;
}

/** An amount as a quantity. */
export function shownAmount(nano: bigint, like: string): string {
  const known = parseQuantity(like);
  return formatQuantity({ nano, format: known?.format ?? 'decimal' });
}

/** The total of a pod: the sum over its containers, or the largest init container if that is more. */
export function podAmounts(content: JsonObject, part: 'requests' | 'limits'): Map<string, bigint> {
  const of = (container: JsonObject): Map<string, bigint> => amountsOf(valueAt(container, 'resources', part));
  let all = objectsAt(content, 'spec', 'containers').map(of).reduce(sumOf, new Map());
  let beside = new Map<string, bigint>();
  let before = new Map<string, bigint>();
  for (const container of objectsAt(content, 'spec', 'initContainers')) {
    if (container['restartPolicy'] === 'Always') {
      all = sumOf(all, of(container));
      beside = sumOf(beside, of(container));
      before = largest(before, beside);
    } else before = largest(before, sumOf(of(container), beside));
  }
  const own = amountsOf(valueAt(content, 'spec', 'resources', part));
  return new Map([...largest(all, before), ...own]);
}

function* limitsIn(store: Store, namespace: string): Generator<readonly [item: JsonObject, type: string], void, undefined> {
  for (const { content } of objectsIn(store.bucket('/limitranges'), namespace))
    for (const [item] of itemsOf(valueAt(content, 'spec', 'limits'), '')) yield [item, asString(item['type'])];
}

interface Added {
  readonly containers: readonly Json[];
  readonly notes: readonly string[];
}

/** Containers with default requests and limits, and the entries of the annotation that lists them. */
function withDefaults(containers: Json | undefined, defaults: JsonObject, asked: JsonObject, kind: string): Added | undefined {
  if (!isJsonArray(containers)) return undefined;
  const notes: string[] = [];
  const completed = containers.map((container) => {
    if (!isJsonObject(container)) return container;
    const resources = asJsonObject(container['resources']);
    const merged: Record<string, Json> = {};
    for (const [part, word, values] of [
      ['requests', 'request', asked],
      ['limits', 'limit', defaults],
    ] as const) {
      const known = asJsonObject(resources[part]);
      const missing = Object.keys(values).filter((name) => !(name in known));
      if (missing.length > 0) notes.push(`${missing.sort().join(', ')} ${word} for ${kind} ${asString(container['name'])}`);
      if (missing.length > 0 || part in resources) merged[part] = { ...values, ...known };
    }
    return { ...container, resources: { ...resources, ...merged } };
  });
  return { containers: completed, notes };
}

/** A pod with the defaults that the limit ranges of its namespace set for its containers. */
export function withLimitDefaults(content: StoredContent, store: Store): StoredContent {
  let result = content;
  for (const { content: range } of objectsIn(store.bucket('/limitranges'), content.metadata.namespace ?? '')) {
    let [defaults, asked]: readonly [JsonObject, JsonObject] = [{}, {}];
    for (const [item] of itemsOf(valueAt(range, 'spec', 'limits'), '')) {
      if (item['type'] !== 'Container') continue;
      defaults = { ...defaults, ...asJsonObject(item['default']) };
      asked = { ...asked, ...asJsonObject(item['defaultRequest']) };
    }
    const spec = asJsonObject(result['spec']);
    const lists = [
      ['containers', withDefaults(spec['containers'], defaults, asked, 'container')],
      ['initContainers', withDefaults(spec['initContainers'], defaults, asked, 'init container')],
    ] as const;
    const notes = lists.flatMap(([, added]) => added?.notes ?? []);
    if (notes.length === 0) continue;
    const changed = Object.fromEntries(lists.flatMap(([name, added]) => (added === undefined ? [] : [[name, added.containers]])));
    const annotations = { ...result.metadata.annotations, 'kubernetes.io/limit-ranger': `LimitRanger plugin set: ${notes.join('; ')}` };
    result = { ...result, metadata: orderedMeta(result.metadata, { annotations }), spec: { ...spec, ...changed } };
  }
  return result;
}

interface Measured {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The errors of one limit for one measure. */
function* boundErrors(item: JsonObject, type: string, { requests, limits }: Measured): Generator<string, void, undefined> {
  const claims = type === 'PersistentVolumeClaim';
  for (const [name, bound] of Object.entries(asJsonObject(item['min']))) {
    const [least, request, limit] = [parseQuantity(asString(bound))?.nano ?? 0n, requests.get(name), limits.get(name)];
    const said = `minimum ${name} usage per ${type} is ${asString(bound)}`;
    if (request === undefined) yield `${said}.  No request is specified`;
    else if (request < least) yield `${said}, but request is ${shownAmount(request, asString(bound))}`;
    else if (limit !== undefined && limit < least) yield `${said}, but limit is ${shownAmount(limit, asString(bound))}`;
  }
  for (const [name, bound] of Object.entries(asJsonObject(item['max']))) {
    const [most, request, limit] = [parseQuantity(asString(bound))?.nano ?? 0n, requests.get(name), limits.get(name)];
    const said = `maximum ${name} usage per ${type} is ${asString(bound)}`;
    if ((claims ? request : limit) === undefined) yield `${said}.  No ${claims ? 'request' : 'limit'} is specified`;
    else if (!claims && limit !== undefined && limit > most) yield `${said}, but limit is ${shownAmount(limit, asString(bound))}`;
    else if (request !== undefined && request > most) yield `${said}, but request is ${shownAmount(request, asString(bound))}`;
  }
  for (const [name, bound] of Object.entries(asJsonObject(item['maxLimitRequestRatio']))) {
    const [most, request = 0n, limit = 0n] = [parseQuantity(asString(bound))?.nano ?? 0n, requests.get(name), limits.get(name)];
    const said = `${name} max limit to request ratio per ${type} is ${asString(bound)}`;
    const ratio = Number(limit) / Number(request);
    if (request === 0n) yield `${said}, but no request is specified or request is 0`;
    else if (limit === 0n) yield `${said}, but no limit is specified or limit is 0`;
    else if (ratio > Number(most) / 1e9) yield `${said}, but provided ratio is ${ratio.toFixed(6)}`;
  }
}

/** The errors of a new pod or claim by the limit ranges of its namespace. */
export function limitRangeErrors(store: Store, bucketId: string, content: StoredContent): readonly string[] {
  const errors: string[] = [];
  const measured = (resources: Json | undefined): Measured => ({
    requests: amountsOf(valueAt(resources, 'requests')),
    limits: amountsOf(valueAt(resources, 'limits')),
  });
  for (const [item, type] of limitsIn(store, content.metadata.namespace ?? '')) {
    if (bucketId === '/persistentvolumeclaims' && type === 'PersistentVolumeClaim')
      errors.push(...boundErrors(item, type, measured(valueAt(content, 'spec', 'resources'))));
    if (bucketId !== '/pods') continue;
    if (type === 'Container')
      for (const list of ['containers', 'initContainers'])
        for (const container of objectsAt(content, 'spec', list)) errors.push(...boundErrors(item, type, measured(container['resources'])));
    if (type === 'Pod')
      errors.push(...boundErrors(item, type, { requests: podAmounts(content, 'requests'), limits: podAmounts(content, 'limits') }));
  }
  return errors;
}
