import {
  isConflict,
  isForbidden,
  isNotFound,
  type KubeClient,
  type KubernetesObject,
  metaNamespaceKey,
  type Resource,
  type SharedInformer,
} from 'rx-informer';
import { apiVersionOf, checkOptions, describeValue, expectArgument, isResource, resourceName, rules, uidOf } from 'rx-informer/internal';
import { parentPrefix, setControllerReference } from '../owners/ownerReferences.js';
import { applyObject, needsApply } from '../status/applyObject.js';
import { ensureFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from '../status/finalizers.js';

type ChildResource = Resource<KubernetesObject>;

/** A kind of children, with an informer of them: without one, they are listed with each call. */
export interface CachedChildren {
  readonly resource: ChildResource;
  readonly informer: Pick<SharedInformer<KubernetesObject>, 'lister' | 'indexer' | 'addIndexers'>;
}

/** How children outside of the parent's namespace are known, and are deleted with it. */
export interface ChildrenAcross {
  /** A name such as `example.com/website`: the finalizer of the parent, and a label of the children with its uid, and an annotation with its kind, group and key. */
  readonly name: string;
  /** The resource of the parent. */
  readonly parent: Resource<KubernetesObject>;
}

/** Options of `children`. */
export interface ChildrenOptions {
  /** The kinds of which the parent has children. Nothing of another kind is looked at. */
  readonly of: readonly (ChildResource | CachedChildren)[];
  /** The manager of the applied fields. */
  readonly fieldManager: string;
  /**
   * Allows children outside of the parent's namespace.
   *
   * @defaultValue none: such children are refused, since the garbage collector would delete them
   */
  readonly across?: ChildrenAcross | undefined;
  /** Whether to write nothing, and say what would be done. @defaultValue false */
  readonly dryRun?: boolean | undefined;
  /** Ends the requests. */
  readonly signal?: AbortSignal | undefined;
}

/** What `children` has done, by `resource namespace/name`. */
export type ChildrenResult = Readonly<{
  applied: readonly string[];
  deleted: readonly string[];
  unchanged: readonly string[];
}>;

/** The name of the index of children by the uid of their parent. */
const indexName = 'rx-informer/children';

/** A child that should exist, as it is applied. */
interface Wanted {
  readonly kind: CachedChildren | { readonly resource: ChildResource; readonly informer?: undefined };
  readonly object: KubernetesObject;
  readonly isAcross: boolean;
}

/** The keys under which an object is a child: the uids of its owners, each label value that may be one, and each annotation beside such a label that may name a parent. */
function parentsOf({ metadata: { ownerReferences = [], labels = {}, annotations = {} } = {} }: KubernetesObject): string[] {
  const marks = Object.keys(labels).flatMap((name) => annotations[name] ?? []);
  return [...ownerReferences.map(({ uid }) => uid), ...Object.values(labels), ...marks];
}

/** One call of `children`. */
class ChildrenCall {
  private readonly client: KubeClient;
  private readonly parent: KubernetesObject;
  private readonly options: ChildrenOptions;
  private readonly kinds: readonly Wanted['kind'][];
  private current: Promise<boolean> | undefined;
  private readonly done = { applied: [] as string[], deleted: [] as string[], unchanged: [] as string[] };

  constructor(client: KubeClient, parent: KubernetesObject, options: ChildrenOptions) {
    this.client = client;
    this.parent = parent;
    this.options = options;
    this.kinds = options.of.map((each) => (isResource(each) ? { resource: each } : each));
    for (const { informer } of this.kinds)
      if (informer !== undefined && !(indexName in informer.indexer.getIndexers())) informer.addIndexers({ [indexName]: parentsOf });
  }

  async run(desired: readonly KubernetesObject[]): Promise<ChildrenResult> {
    const isLeaving = isBeingDeleted(this.parent);
    const wanted = isLeaving ? [] : desired.map((object) => this.wantedOf(object));
    const labels = wanted.map(({ kind, object }) => labelOf(kind.resource, object));
    const twice = labels.find((label, at) => labels.indexOf(label) < at);
    if (twice !== undefined) throw new TypeError(`Expected one child ${twice}, got two`);
    if (wanted.some(({ isAcross }) => isAcross)) await this.holdParent();
    for (const each of wanted) await this.ensure(each);
    const left = await this.deleteOthers(new Set(labels));
    if (isLeaving && left === 0) await this.releaseParent();
    return this.done;
  }

  /** A desired object with its mark of the parent. */
  private wantedOf(object: KubernetesObject): Wanted {
    const { parent, options } = this;
    const kind = this.kinds.find(({ resource }) => resource.kind === object.kind && apiVersionOf(resource) === object.apiVersion);
    if (kind === undefined) {
      const known = this.kinds.map(({ resource }) => `${apiVersionOf(resource)} ${resource.kind}`).join(', ');
      throw new TypeError(
        `Expected each child to have apiVersion and kind of a resource in \`of\` (${known}), got ${describeValue(object.apiVersion)} ${describeValue(object.kind)}`,
      );
    }
    const namespace = parent.metadata?.namespace;
    if (namespace === undefined || object.metadata?.namespace === namespace)
      return { kind, object: setControllerReference(object, parent), isAcross: false };
    const { across } = options;
    if (across === undefined) {
      const child = labelOf(kind.resource, object);
      throw new TypeError(`Expected the option \`across\` of \`children\`: ${child} is not in the namespace of its parent, ${namespace}`);
    }
    const { metadata = {} } = object;
    const labels = { ...metadata.labels, [across.name]: uidOf(parent) ?? '' };
    const annotations = { ...metadata.annotations, [across.name]: parentMark(across, parent) };
    return { kind, object: { ...object, metadata: { ...metadata, labels, annotations } }, isAcross: true };
  }

  /** Applies a child where it differs. @throws Error when it belongs to another parent. */
  private async ensure({ kind: { resource, informer }, object, isAcross }: Wanted): Promise<void> {
    const { client, parent, options } = this;
    const { fieldManager, dryRun = false, signal } = options;
    const current =
      informer?.lister.get(metaNamespaceKey(object)) ?? (dryRun || informer === undefined ? await this.read(resource, object) : undefined);
    if (current !== undefined && !isAcross) setControllerReference(current, parent);
    const { across } = options;
    if (isAcross && across !== undefined) {
      const { labels, annotations } = current?.metadata ?? {};
      // A parent that was restored, or made again under its name, adopts what it had.
      const isOwn = annotations?.[across.name] === parentMark(across, parent) || labels?.[across.name] === uidOf(parent);
      if (labels?.[across.name] !== undefined && !isOwn)
        throw new Error(`${labelOf(resource, object)} is a child of another parent already`);
    }
    const given = { fieldManager, current, signal };
    const isApplied = dryRun
      ? needsApply(client, resource, object, given)
      : (await applyObject(client, resource, object, given)) !== current;
    this.done[isApplied ? 'applied' : 'unchanged'].push(labelOf(resource, object));
  }

  private async read(resource: ChildResource, { metadata = {} }: KubernetesObject): Promise<KubernetesObject | undefined> {
    const { name = '', namespace } = metadata;
    const where = { signal: this.options.signal, ...(namespace !== undefined && { namespace }) } as const;
    try {
      return await this.client.get(resource, name, where);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Deletes the children that are not kept. Returns how many there were outside of the namespace, deleted now or before. */
  private async deleteOthers(keep: ReadonlySet<string>): Promise<number> {
    const { client, options } = this;
    let across = 0;
    for (const { resource, informer } of this.kinds) {
      for (const child of await this.childrenOf(resource, informer)) {
        const label = labelOf(resource, child);
        if (keep.has(label)) continue;
        const isLeft = this.isLeft(child);
        if (isLeft || child.metadata?.labels?.[options.across?.name ?? ''] === uidOf(this.parent)) across += 1;
        // The garbage collector deletes those in the namespace of a parent that is being deleted.
        else if (isBeingDeleted(this.parent)) continue;
        if (isBeingDeleted(child) || (isLeft && !(await this.isCurrent()))) continue;
        this.done.deleted.push(label);
        if (options.dryRun !== true) await this.delete(client, resource, child);
      }
    }
    return across;
  }

  /** Whether a child outside of the namespace was left by an earlier parent of the same key. */
  private isLeft({ metadata: { labels, annotations } = {} }: KubernetesObject): boolean {
    const { parent, options } = this;
    const { across } = options;
    if (across === undefined || annotations?.[across.name] !== parentMark(across, parent)) return false;
    const uid = labels?.[across.name];
    return uid !== undefined && uid !== uidOf(parent);
  }

  /** Whether the parent is the one that the server has: what looks left may be of a later one, which a cache that is behind does not know. */
  private isCurrent(): Promise<boolean> {
    const { parent, options } = this;
    const find = async (): Promise<boolean> =>
      options.across !== undefined && uidOf(await this.read(options.across.parent, parent)) === uidOf(parent);
    return (this.current ??= find());
  }

  private async delete(client: KubeClient, resource: ChildResource, { metadata = {} }: KubernetesObject): Promise<void> {
    const { name = '', namespace, uid } = metadata;
    const where = namespace === undefined ? {} : { namespace };
    try {
      const preconditions = { uid };
      const { signal } = this.options;
      await client.delete(resource, name, {
        ...where,
        preconditions,
        propagationPolicy: 'Background',
        signal,
      });
    } catch (error) {
      // It is gone, or another one has its name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** The parent's children of one kind. */
  private async childrenOf(
    resource: ChildResource,
    informer: CachedChildren['informer'] | undefined,
  ): Promise<readonly KubernetesObject[]> {
    const { client, parent, options } = this;
    const uid = uidOf(parent) ?? '';
    const { signal, across } = options;
    const isChild = ({ metadata = {} }: KubernetesObject): boolean =>
      metadata.ownerReferences?.some((reference) => reference.uid === uid && reference.controller === true) === true ||
      (across !== undefined && metadata.labels?.[across.name] === uid);
    const isOwn = (object: KubernetesObject): boolean => isChild(object) || this.isLeft(object);
    const keys = [uid, ...(across === undefined ? [] : [parentMark(across, parent)])];
    const cached = informer && keys.flatMap((key) => informer.lister.byIndex(indexName, key).filter(isOwn));
    const isLeaving = isBeingDeleted(parent);
    // A cache that is behind must not let the parent go before its children.
    if (cached !== undefined && (across === undefined || !isLeaving)) return cached;
    const { namespace } = parent.metadata ?? {};
    const list = async (selection: object): Promise<readonly KubernetesObject[]> =>
      (await client.list(resource, { ...selection, signal })).items;
    const hasNear = !isLeaving && (namespace === undefined || resource.namespaced);
    const near = hasNear ? await list(namespace === undefined ? {} : { namespace }) : [];
    const withoutRight = (error: unknown): readonly KubernetesObject[] => {
      if (cached !== undefined && isForbidden(error)) return cached;
      throw error;
    };
    // Without a cache, those that an earlier parent has left are found among those of all parents.
    const far = across === undefined ? [] : await list({ labelSelector: `${across.name}${cached ? `=${uid}` : ''}` }).catch(withoutRight);
    const left = cached?.filter((child) => this.isLeft(child)) ?? [];
    return [...new Map([...near, ...far, ...left].filter(isOwn).map((child) => [uidOf(child), child])).values()];
  }

  /** Adds the finalizer to the parent, before there is anything outside of its namespace. */
  private async holdParent(): Promise<void> {
    const { across, dryRun } = this.options;
    if (across !== undefined && !hasFinalizer(this.parent, across.name) && dryRun !== true)
      await this.patchParent(across, ensureFinalizer(this.parent, across.name).patch);
  }

  private async releaseParent(): Promise<void> {
    const { across, dryRun } = this.options;
    if (across !== undefined && hasFinalizer(this.parent, across.name) && dryRun !== true)
      await this.patchParent(across, removeFinalizer(this.parent, across.name).patch);
  }

  private async patchParent({ parent: resource }: ChildrenAcross, patch: object): Promise<void> {
    const { name = '', namespace } = this.parent.metadata ?? {};
    const { signal } = this.options;
    await this.client.patch(resource, name, 'json', patch, { signal, ...(namespace !== undefined && { namespace }) });
  }
}

function parentMark({ parent: resource }: ChildrenAcross, parent: KubernetesObject): string {
  return parentPrefix(resource) + metaNamespaceKey(parent);
}

function labelOf(resource: ChildResource, object: KubernetesObject): string {
  return `${resourceName(resource)} ${metaNamespaceKey(object)}`;
}

/**
 * Makes the children of a parent be these: applies those that differ, by server-side apply, and deletes those that are not wanted any more. A second call with the
 * same objects writes nothing.
 *
 * - A child in the parent's namespace, or of a parent without one, gets the parent as its controller (`setControllerReference`), and is deleted with it by the
 *   garbage collector.
 * - Other children need the option `across`: they get a label with the parent's uid, and the parent a finalizer. A parent made again under its key adopts them, or deletes those that it does not want. When the parent is being deleted, a call deletes
 *   them, and removes the finalizer when none is left; so call it then, too.
 * - Only kinds in `of` are looked at. Without informers, children are read from the server with each call. Those of `across` are read from it when the parent is being
 *   deleted, by whoever may list them in all namespaces: a cache may be behind.
 * - Deletions have the uid as a precondition, so that nothing that was made anew is deleted by a cache that is behind.
 *
 * @param parent - The parent as the server has it, with apiVersion and kind.
 * @param desired - The children, each with apiVersion, kind, name and namespace.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { children } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const { configmaps, services } = resources.core.v1;
 * const site = await client.get(configmaps, 'site', { namespace: 'default' });
 * const service = {
 *   apiVersion: 'v1', kind: 'Service', metadata: { name: 'site', namespace: 'default' },
 *   spec: { selector: { app: 'site' }, ports: [{ port: 80 }] },
 * };
 * const { applied, deleted } = await children(client, { apiVersion: 'v1', kind: 'ConfigMap', ...site }, [service], {
 *   of: [services],
 *   fieldManager: 'site-operator',
 * });
 * console.log(applied, deleted);
 * ```
 *
 * Rejects with a TypeError for two children of one name, for a child of a kind that is not in `of`, or outside of the parent's namespace without `across`; with an Error for one that belongs to
 * another parent; and with the errors of requests.
 *
 * @throws TypeError when an argument is wrong.
 */
export function children(
  client: KubeClient,
  parent: KubernetesObject,
  desired: readonly KubernetesObject[],
  options: ChildrenOptions,
): Promise<ChildrenResult> {
  expectArgument('children', 'parent', parent, rules.object);
  expectArgument('children', 'desired', desired, rules.listOf(rules.object, 'objects'));
  checkOptions('children', options, {
    of: rules.required(rules.listOf(rules.object, 'resources')),
    fieldManager: rules.required(rules.nonEmptyString),
    across: rules.object,
    dryRun: rules.boolean,
    signal: rules.signal,
  });
  if (options.across !== undefined)
    checkOptions('children.across', options.across, {
      name: rules.required(rules.nonEmptyString),
      parent: rules.required({ expected: 'a resource', holds: isResource }),
    });
  if (uidOf(parent) === undefined) throw new TypeError('Expected `parent` of `children` to have a uid: it must come from the server');
  return new ChildrenCall(client, parent, options).run(desired);
}
