import { finalize, mergeMap, Subject, type Observable } from 'rxjs';
import type { ResourceEvent } from '../../api/events.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { V1ResourceQuota } from '../../api/kubernetes/coreV1.js';
import { resources } from '../../api/resources.js';
import type { Resource } from '../../api/resource.js';
import { asJsonObject, type JsonObject } from '../../apiserver/json.js';
import { amountsOf, shownAmount, sumOf } from '../../apiserver/kinds/limitRanges.js';
import { inScope, usageOf, usersOf } from '../../apiserver/kinds/quotaUsage.js';
import { mappedKeys } from '../../controller/reconcile/mappedKeys.js';
import type { Outcome } from '../../controller/reconcile/outcome.js';
import { reconcile } from '../../controller/reconcile/reconcile.js';
import { createInformer } from '../../informer/createInformer.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import { tolerate } from './dependents.js';
import { namespaceIndex } from './endpointsLoop.js';
import type { WorkloadContext } from './workloadContext.js';

/** Objects come and go in swarms: a quota is counted once for those of 20 ms. */
const swarm = { when: () => 20, forget: () => undefined, numRequeues: () => 0 };
/** A kind that the server does not serve may be defined later. */
const unknownKindMs = 30_000;

/** The objects of one kind that quotas count. */
interface Counted {
  readonly resource: Resource<KubernetesObject>;
  readonly objects: SharedInformer<KubernetesObject>;
}

const indexers = { [namespaceIndex]: ({ metadata }: KubernetesObject) => [metadata?.namespace ?? ''] };

/** What the objects of a namespace use of what a quota limits. */
function usedOf({ metadata, spec = {} }: V1ResourceQuota, counted: readonly Counted[]): Record<string, string> {
  const scoped = spec as JsonObject;
  const kinds = new Set(counted.map(({ resource: { group, plural } }) => (group === '' ? plural : `${plural}.${group}`)));
  const used = counted
    .flatMap(({ resource, objects }) =>
      objects.indexer
        .byIndex(namespaceIndex, metadata?.namespace ?? '')
        .map((object) => object as unknown as JsonObject)
        .filter((object) => inScope(scoped, object))
        .map((object) => usageOf(resource, object)),
    )
    .reduce(sumOf, new Map());
  const hard = Object.entries(spec.hard ?? {}).filter(([name]) => kinds.has(usersOf(name) ?? ''));
  return Object.fromEntries(hard.map(([name, limit]) => [name, shownAmount(used.get(name) ?? 0n, limit)]));
}

/** Whether both name the same amounts, however they write them. */
function isSame(one: object | undefined, other: object): boolean {
  const [before, after] = [amountsOf(asJsonObject(one)), amountsOf(other as JsonObject)];
  return one !== undefined && before.size === after.size && [...after].every(([name, amount]) => before.get(name) === amount);
}

/** The caches of the kinds that quotas name: each begins when it is first asked for. */
class CountedKinds {
  /** What happens to objects of kinds that were not known at first. */
  readonly event$: Observable<ResourceEvent<KubernetesObject>>;
  private readonly begun$ = new Subject<SharedInformer<KubernetesObject>>();
  private readonly begun: SharedInformer<KubernetesObject>[] = [];

  private readonly context: WorkloadContext;
  private readonly known: Map<string, Counted>;

  constructor(context: WorkloadContext, known: Map<string, Counted>) {
    this.context = context;
    this.known = known;
    this.event$ = this.begun$.pipe(mergeMap((objects) => objects.resource$));
  }

  /** `undefined`: the server has no such kind. */
  async of(name: string): Promise<Counted | undefined> {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const { client, scheduler } = this.context;
    const resource = await client.discovery.find(name).catch(() => undefined);
    if (resource === undefined) client.discovery.invalidate();
    if (resource?.namespaced !== true) return undefined;
    const objects = createInformer<KubernetesObject>(client, resource, { indexers, scheduler });
    this.known.set(name, { resource, objects });
    this.begun.push(objects);
    this.begun$.next(objects);
    await objects.whenSynced();
    return { resource, objects };
  }

  stop(): void {
    for (const objects of this.begun) void objects.stop();
  }
}

/** Stands in for the controller of resource quotas: their status says what is limited, and what of it is used. Watches the kinds that quotas name. */
export function quotaLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, pods, scheduler } = context;
  const { resourcequotas } = resources.core.v1;
  const quotas = createInformer(client, resourcequotas, { indexers, scheduler });
  const known = new Map<string, Counted>([
    ['pods', { resource: resources.core.v1.pods, objects: pods }],
    ['resourcequotas', { resource: resourcequotas, objects: quotas }],
  ]);
  const kinds = new CountedKinds(context, known);
  const quotasBeside = mappedKeys(({ metadata: { namespace = '' } = {} }: KubernetesObject) =>
    quotas.indexer.byIndex(namespaceIndex, namespace).map(({ metadata }) => `${namespace}/${metadata?.name ?? ''}`),
  );
  return reconcile({
    sources: {
      quotas: quotas.resource$.pipe(quotasBeside),
      pods: pods.resource$.pipe(quotasBeside),
      objects: kinds.event$.pipe(quotasBeside),
    },
    limits: { pods: swarm, objects: swarm },
    caches: [quotas, pods],
    scheduler,
    reconcile: async ({ key }) => {
      const quota = quotas.indexer.getByKey(key);
      if (quota === undefined || quota.metadata?.deletionTimestamp !== undefined) return undefined;
      const { hard = {} } = quota.spec ?? {};
      const names = [...new Set(Object.keys(hard).flatMap((name) => usersOf(name) ?? []))];
      const counted: Counted[] = [];
      for (const name of names) counted.push(...[await kinds.of(name)].filter((one) => one !== undefined));
      const used = usedOf(quota, counted);
      if (!isSame(quota.status?.hard, hard) || !isSame(quota.status?.used, used))
        // With the version: what the server has counted meanwhile is not forgotten.
        await tolerate(client.status.replace(resourcequotas, { ...quota, status: { hard, used } }));
      return counted.length < names.length ? { requeueAfterMs: unknownKindMs } : undefined;
    },
  }).pipe(
    finalize(() => {
      kinds.stop();
      void quotas.stop();
    }),
  );
}
