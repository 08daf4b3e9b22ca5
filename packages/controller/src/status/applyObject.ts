import {
  checkOptions,
  compareResourceVersions,
  expectArgument,
  isEqualJson,
  resourceVersionOf,
  rules,
  type RequestOptions,
} from 'rx-informer/internal';
import { type KubeClient, type KubernetesObject, metaNamespaceKey, type Resource } from 'rx-informer';
import { type AppliedFields, appliedFieldsOf, isApplied, isShown, valuesOf } from '../children/appliedFields.js';
import { setControllerReference } from '../owners/ownerReferences.js';

/** A cache of the objects of one resource: an informer. */
export interface CurrentObjects<T> {
  readonly lister: { get(key: string): T | undefined };
}

/** Options of `applyObject` and `applyStatus`. */
export interface ApplyOptions<T = KubernetesObject> extends RequestOptions {
  /**
   * An informer of the resource, or the object as it is in a cache. With it, nothing is sent that would change nothing: what was applied last by this client is still so,
   * or, where the cache keeps `managedFields`, what any earlier run of the program has applied. Quantities are compared by their values.
   *
   * @defaultValue none: it is always sent
   */
  readonly current?: CurrentObjects<T> | T | undefined;
  /**
   * The owner that controls the object, set by `setControllerReference`.
   *
   * @defaultValue none
   */
  readonly owner?: KubernetesObject | undefined;
  /** The manager of the applied fields. */
  readonly fieldManager: string;
  /**
   * Whether to take over fields of other managers. A controller should, since it cannot resolve a conflict.
   *
   * @defaultValue true
   */
  readonly force?: boolean | undefined;
}

function nameOf(owner: string, object: KubernetesObject): string {
  expectArgument(owner, 'object', object, rules.object);
  const { name = '' } = object.metadata ?? {};
  if (name === '') throw new TypeError('Expected `object` to have a `metadata.name`, got none');
  return name;
}

/** What was applied last, and what the server made of it. */
interface Applied {
  /** The JSON of what was applied. */
  readonly desired: string;
  readonly fields: AppliedFields;
  readonly answer: KubernetesObject;
  /** Whether the answer has all of it. */
  readonly isShown: boolean;
}

/** How many objects each client remembers. One that is forgotten is applied once more than needed. */
const rememberedObjects = 50_000;

const memories = new WeakMap<object, Map<string, Applied>>();

/** Whether the object has what was applied. A cache that has not caught up with the answer does not count against it. */
function isUnchanged(known: Applied, current: KubernetesObject): boolean {
  if (current.metadata?.uid !== known.answer.metadata?.uid) return false;
  const [then = '', now = ''] = [known.answer, current].map(resourceVersionOf);
  if ((compareResourceVersions(now, then) ?? 1) <= 0) return true;
  return known.isShown && isEqualJson(valuesOf(known.fields, known.answer), valuesOf(known.fields, current));
}

const isCache = <T>(current: CurrentObjects<T> | T): current is CurrentObjects<T> =>
  typeof (current as Partial<CurrentObjects<T>>).lister?.get === 'function';

/** The object in the cache. */
function currentOf<T extends KubernetesObject>({ current }: ApplyOptions<T>, object: T): T | undefined {
  return current !== undefined && isCache(current) ? current.lister.get(metaNamespaceKey(object)) : current;
}

/** One apply: of whom, to what. */
interface ApplyTarget<T> extends Pick<ApplyOptions<T>, 'fieldManager'> {
  readonly current: T | undefined;
  readonly resource: Resource<T>;
  readonly desired: T;
  readonly subresource: '' | 'status';
}

function keyOf({ resource, desired, subresource, fieldManager }: ApplyTarget<KubernetesObject>): string {
  const { namespace = '', name = '' } = desired.metadata ?? {};
  return [resource.group, resource.plural, subresource, fieldManager, namespace, name].join('\n');
}

/** Whether the apply may change something. Remembers nothing and sends nothing. */
function isNeeded(client: KubeClient, target: ApplyTarget<KubernetesObject>): boolean {
  const { current, desired, fieldManager, subresource } = target;
  if (current === undefined) return true;
  const known = memories.get(client)?.get(keyOf(target));
  if (known?.desired === JSON.stringify(desired) && isUnchanged(known, current)) return false;
  const fields = appliedFieldsOf(current, fieldManager, subresource);
  return fields === undefined || !isApplied(fields, ownPart(desired), current);
}

/** Sends an apply, unless it would change nothing. */
async function applied<T extends KubernetesObject>(client: KubeClient, target: ApplyTarget<T>, send: () => Promise<T>): Promise<T> {
  const { current, desired, fieldManager, subresource } = target;
  if (current !== undefined && !isNeeded(client, target)) return current;
  const answer = await send();
  const memory = memories.get(client) ?? new Map<string, Applied>();
  memories.set(client, memory);
  const key = keyOf(target);
  memory.delete(key);
  const fields = appliedFieldsOf(answer, fieldManager, subresource);
  if (fields !== undefined)
    memory.set(key, { desired: JSON.stringify(desired), fields, answer, isShown: isShown(fields, desired, answer) });
  const [oldest = key] = memory.keys();
  if (memory.size > rememberedObjects) memory.delete(oldest);
  return answer;
}

/** Of an object, what belongs to the manager that applies it: not its name. */
function ownPart({ apiVersion: _, kind: __, metadata = {}, ...rest }: KubernetesObject): object {
  const { name: _name, namespace: _namespace, uid: _uid, resourceVersion: _version, ...own } = metadata;
  return { ...rest, ...(Object.keys(own).length > 0 && { metadata: own }) };
}

function patchOptions(owner: string, object: KubernetesObject, given: ApplyOptions) {
  checkOptions(owner, given, {
    fieldManager: rules.required(rules.nonEmptyString),
    current: rules.object,
    owner: rules.object,
    force: rules.boolean,
    beforeSend: rules.function,
    rateLimited: rules.boolean,
    signal: rules.signal,
    timeoutMs: rules.durationMs,
  });
  const { force = true, current: _, owner: __, ...options } = given;
  const { namespace } = object.metadata ?? {};
  return { ...options, force, ...(namespace !== undefined && { namespace }) };
}

/**
 * Applies an object by server-side apply: creates it if it is missing, leaves fields of others
 * alone, and removes fields that this program applied before and no longer does.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { applyObject } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const { configmaps } = resources.core.v1;
 * const informer = createInformer(client, configmaps);
 * informer.start();
 * await informer.whenSynced();
 * const site = { metadata: { name: 'site', namespace: 'default' }, data: { title: 'Hello' } };
 * // Sent only where it would change something.
 * await applyObject(client, configmaps, site, { fieldManager: 'website-operator', current: informer });
 * ```
 */
export function applyObject<T extends KubernetesObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  options: ApplyOptions<T>,
): Promise<T> {
  const name = nameOf('applyObject', object);
  const sent = patchOptions('applyObject', object, options);
  const { fieldManager, owner } = options;
  const desired = desiredOf(object, owner);
  const target = { resource, desired, current: currentOf(options, object), fieldManager, subresource: '' } as const;
  return applied(client, target, () => client.patch(resource, name, 'apply', desired, sent));
}

function desiredOf<T extends KubernetesObject>(object: T, owner: KubernetesObject | undefined): T {
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  const bare = { ...object, metadata };
  return owner === undefined ? bare : setControllerReference(bare, owner);
}

/** Whether `applyObject` would send something. */
export function needsApply<T extends KubernetesObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  options: ApplyOptions<T>,
): boolean {
  const { fieldManager, owner } = options;
  const target = { resource, desired: desiredOf(object, owner), current: currentOf(options, object), fieldManager };
  return isNeeded(client, { ...target, subresource: '' });
}

/**
 * Applies the status of an object, and nothing else of it, by server-side apply.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { applyStatus } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const service = await client.get(resources.core.v1.services, 'site', { namespace: 'default' });
 * const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
 * await applyStatus(client, resources.core.v1.services, { ...service, status }, { fieldManager: 'balancer' });
 * ```
 */
export function applyStatus<T extends KubernetesObject & { readonly status?: unknown }>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  options: Omit<ApplyOptions<T>, 'owner'>,
): Promise<T> {
  const name = nameOf('applyStatus', object);
  const sent = patchOptions('applyStatus', object, options);
  const { namespace } = object.metadata ?? {};
  const patch = { metadata: { name, ...(namespace !== undefined && { namespace }) }, status: object.status };
  const { fieldManager } = options;
  const target = {
    resource,
    desired: patch as unknown as T,
    current: currentOf(options, object),
    fieldManager,
    subresource: 'status',
  } as const;
  return applied(client, target, () => client.status.patch(resource, name, 'apply', patch, sent));
}
