import type { KubeClient, KubernetesObject, Resource, SharedInformer } from 'rx-informer';
import { definedOf, resourceName } from 'rx-informer/internal';
import { children, type ChildrenAcross, type ChildrenResult } from '../children/children.js';
import { groupOf } from '../owners/ownerReferences.js';
import { owns } from '../owners/owns.js';
import type { ReconcileConfig, ReconcileSource } from '../reconcile/reconcileConfig.js';
import type { ManagedChildrenOptions, ManagedReconcileConfig } from './controllerContext.js';

type AnyResource = Resource<KubernetesObject>;

/** A kind of parents, and what a loop has said about their children. */
interface Owning {
  readonly parent: AnyResource;
  readonly owned: readonly AnyResource[];
  readonly across: ChildrenAcross | undefined;
}

/** What one call of a controller has said about its kinds and the kinds of their children. */
export class OwnedKinds {
  private readonly name: string;
  private readonly client: KubeClient;
  private readonly informer: (resource: AnyResource) => SharedInformer<KubernetesObject>;
  /** That of the latest loop first. */
  private readonly owning: Owning[] = [];

  constructor(name: string, client: KubeClient, informer: (resource: AnyResource) => SharedInformer<KubernetesObject>) {
    this.name = name;
    this.client = client;
    this.informer = informer;
  }

  /** The config of a loop, with the sources that follow from `for` and `owns`. */
  configOf({ for: parent, owns: owned = [], across, sources = {}, ...rest }: ManagedReconcileConfig): Omit<ReconcileConfig, 'stop$'> {
    if (parent === undefined && (owned.length > 0 || across !== undefined))
      throw new TypeError('Expected `for` of `reconcile` beside `owns` and `across`, got undefined');
    if (parent === undefined) return { ...rest, sources };
    this.owning.unshift({ parent, owned, across: across === undefined ? undefined : { name: across, parent } });
    const name = resourceName(parent);
    const own = owned.map((resource) => {
      const kind = resourceName(resource);
      return [kind === name ? `${name} owned` : kind, owns(parent, this.informer(resource), { across })] as const;
    });
    const known = new Map<string, ReconcileSource>([[name, this.informer(parent)], ...own]);
    const further = Object.entries(sources);
    const taken = further.find(([each]) => known.has(each));
    if (taken !== undefined)
      throw new TypeError(
        `Expected a name in \`sources\` other than those of \`for\` and \`owns\` (${[...known.keys()].join(', ')}), got ${JSON.stringify(taken[0])}`,
      );
    return { ...rest, sources: Object.fromEntries([...known, ...further]) };
  }

  async children(
    parent: KubernetesObject,
    desired: readonly KubernetesObject[],
    { of: given, ...options }: ManagedChildrenOptions = {},
  ): Promise<ChildrenResult> {
    const { owned = [], across } = this.owningOf(parent) ?? {};
    const of = given ?? owned;
    const cached = of.map((resource) => ({ resource, informer: this.informer(resource) }));
    const { signal } = options;
    for (const { informer } of cached) if (!informer.hasSynced()) await informer.whenSynced(definedOf({ signal }));
    return children(this.client, parent, desired, { fieldManager: this.name, ...options, of: cached, across });
  }

  /** What was said about the kind of a parent; of one without a kind, what was said last. */
  private owningOf({ kind, apiVersion = '' }: KubernetesObject): Owning | undefined {
    const { owning } = this;
    return owning.find(({ parent }) => parent.kind === kind && parent.group === groupOf(apiVersion)) ?? owning[0];
  }
}
