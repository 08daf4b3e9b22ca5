import { checkOptions, expectArgument, noteCopy, rules } from 'rx-informer/internal';
import type { KubernetesObject, Resource, V1OwnerReference } from 'rx-informer';

/** Options of `ownerReferenceOf`. */
export interface OwnerReferenceOptions {
  /**
   * Whether the owner controls the dependent; at most one owner may.
   *
   * @defaultValue false
   */
  readonly controller?: boolean | undefined;
  /**
   * Whether a foreground deletion of the owner waits for the dependent.
   *
   * @defaultValue the same as `controller`
   */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** The group of an apiVersion. */
export function groupOf(apiVersion: string): string {
  const at = apiVersion.indexOf('/');
  return at === -1 ? '' : apiVersion.slice(0, at);
}

/** What begins the annotation of a child outside of its parent's namespace: the parent's kind and group. Its key follows. */
export function parentPrefix({ group, kind }: Pick<Resource<unknown>, 'group' | 'kind'>): string {
  return `${group === '' ? kind : `${kind}.${group}`} `;
}

function nameOf(object: KubernetesObject): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return `${object.kind ?? 'object'} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/**
 * The reference from a dependent to this owner, for `metadata.ownerReferences`.
 *
 * @example
 * ```ts
 * import { ownerReferenceOf } from '@rx-informer/controller';
 *
 * const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'site', namespace: 'default', uid: 'c2f1' } };
 * const secret = { metadata: { name: 'site', namespace: 'default', ownerReferences: [ownerReferenceOf(owner)] } };
 * ```
 *
 * @throws TypeError when the owner lacks its apiVersion, kind, name or uid: it must come from the server.
 */
export function ownerReferenceOf(owner: KubernetesObject, options: OwnerReferenceOptions = {}): V1OwnerReference {
  expectArgument('ownerReferenceOf', 'owner', owner, rules.object);
  checkOptions('ownerReferenceOf', options, { controller: rules.boolean, blockOwnerDeletion: rules.boolean });
  const { apiVersion, kind, metadata: { name, uid } = {} } = owner;
  if (apiVersion === undefined || kind === undefined || name === undefined || uid === undefined) {
    throw new TypeError(
      `Expected \`owner\` to have apiVersion, kind, name and uid, got ${JSON.stringify({ apiVersion, kind, name, uid })}`,
    );
  }
  const { controller = false, blockOwnerDeletion = controller } = options;
  return { apiVersion, kind, name, uid, ...(controller && { controller }), ...(blockOwnerDeletion && { blockOwnerDeletion }) };
}

/** Whether two references are to one owner, which may have been made again under its name: a restored one adopts what it had. */
function isSameOwner(one: V1OwnerReference, other: V1OwnerReference): boolean {
  return one.kind === other.kind && one.name === other.name && groupOf(one.apiVersion) === groupOf(other.apiVersion);
}

/**
 * The reference to the owner that controls the object, if there is one.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { controllerOf } from '@rx-informer/controller';
 *
 * const { items } = await createClient().list(resources.core.v1.pods);
 * for (const pod of items) console.log(pod.metadata?.name, controllerOf(pod)?.name ?? 'has no controller');
 * ```
 */
export function controllerOf(object: KubernetesObject): V1OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

/**
 * Whether this very owner (the same uid, not just the same name) controls the object.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { isControlledBy } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const [sets, pods] = await Promise.all([client.list(resources.apps.v1.replicasets), client.list(resources.core.v1.pods)]);
 * for (const set of sets.items) console.log(set.metadata?.name, pods.items.filter((pod) => isControlledBy(pod, set)).length);
 * ```
 *
 * @see apimachinery's `metav1.IsControlledBy`
 */
export function isControlledBy(object: KubernetesObject, owner: KubernetesObject): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

/**
 * The object with a reference to the owner that controls it, so that it is deleted with the owner, and its events trigger the owner (`ownerKeys`). The
 * object itself when it has that reference. A reference to an earlier object of the owner's name, from before it was deleted and made again, is replaced.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { setControllerReference } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const site = await client.get(resources.core.v1.configmaps, 'site', { namespace: 'default' });
 * const secret = setControllerReference({ metadata: { name: 'site', namespace: 'default' } }, site);
 * await client.create(resources.core.v1.secrets, secret);
 * ```
 *
 * @throws Error when another owner controls the object already, or when an owner of one namespace would own an object outside it, which the
 * garbage collector takes for an orphan.
 *
 * @see controller-runtime's `controllerutil.SetControllerReference`
 */
export function setControllerReference<T extends KubernetesObject>(object: T, owner: KubernetesObject): T {
  expectArgument('setControllerReference', 'object', object, rules.object);
  const reference = ownerReferenceOf(owner, { controller: true });
  const { namespace, ownerReferences = [] } = object.metadata ?? {};
  const ownerNamespace = owner.metadata?.namespace;
  if (ownerNamespace !== undefined && ownerNamespace !== namespace) {
    throw new Error(`${nameOf(object)} cannot be owned by ${nameOf(owner)}: it is not in the owner's namespace`);
  }
  const controller = controllerOf(object);
  if (controller?.uid === reference.uid) return object;
  if (controller !== undefined && !isSameOwner(controller, reference))
    throw new Error(`${nameOf(object)} is controlled by ${controller.kind} ${controller.name} already`);
  const others = ownerReferences.filter((other) => other.uid !== reference.uid && !isSameOwner(other, reference));
  return noteCopy(object, { ...object, metadata: { ...object.metadata, ownerReferences: [...others, reference] } });
}
