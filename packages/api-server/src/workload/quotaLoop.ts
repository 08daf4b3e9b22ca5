import { catchError, mergeMap, Subject, type Observable } from 'rxjs';
import {
  createInformer,
  type InformerError,
  type KubernetesObject,
  type Resource,
  resources,
  type SharedInformer,
  type V1ResourceQuota,
} from 'rx-informer';
import { asJsonObject, type JsonObject } from '../json.js';
import { amountsOf, shownAmount, sumOf } from '../kinds/limitRanges.js';
import { inScope, usageOf, usersOf } from '../kinds/quotaUsage.js';
import { mappedKeys, type Outcome } from '@rx-informer/controller';
import { indexers, loopOver, namespaceIndex, tolerate, type WorkloadContext } from './workloadContext.js';

/** Objects change in bursts: quotas are computed once per 20 ms. */
const swarm = { when: () => 20, forget: () => undefined, numRequeues: () => 0 };
/** How long a kind is considered unknown: it may be defined later. */
const unknownKindMs = 30_000;

/** The objects of one kind that quotas count. */
interface Counted {
  readonly resource: Resource<KubernetesObject>;
  readonly objects: SharedInformer<KubernetesObject>;
}

/** The quotas in the namespace of an object. */
function keysBeside(quotas: SharedInformer<V1ResourceQuota>, { metadata: { namespace = '' } = {} }: KubernetesObject): readonly string[] {
  return quotas.indexer.indexKeys(namespaceIndex, namespace);
}

/** The usage of the objects of a namespace, for the resources that a quota limits. */
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

/** Whether both have equal amounts, regardless of their notation. */
function isSame(one: object | undefined, other: object): boolean {
  const [before, after] = [amountsOf(asJsonObject(one)), amountsOf(other as JsonObject)];
  return one !== undefined && before.size === after.size && [...after].every(([name, amount]) => before.get(name) === amount);
}

/** The caches of the kinds named in quotas: each is started at its first use, and stopped when its kind is no longer served. */
class CountedKinds {
  /** The quotas to compute again, because objects of these kinds were added or removed. */
  readonly key$: Observable<string>;
  private readonly begun$ = new Subject<{ readonly name: string; readonly objects: SharedInformer<KubernetesObject> }>();
  /** When to look up unknown kinds again. */
  private readonly askAgainAt = new Map<string, number>();

  private readonly context: WorkloadContext;
  private readonly known: Map<string, Counted>;

  constructor(context: WorkloadContext, known: Map<string, Counted>, quotas: SharedInformer<V1ResourceQuota>) {
    this.context = context;
    this.known = known;
    this.key$ = this.begun$.pipe(
      mergeMap(({ name, objects }) =>
        objects.resource$.pipe(
          mergeMap((event) => (event.type === 'synced' ? quotas.indexer.listKeys() : keysBeside(quotas, event.object))),
          catchError(() => {
            this.forget(name);
            return quotas.indexer.listKeys();
          }),
        ),
      ),
    );
  }

  /** The informer of a kind; `undefined` if the server has no such kind. It may not have synced yet: `key$` emits when it has. */
  async of(name: string): Promise<Counted | undefined> {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const { client, scheduler } = this.context;
    if (scheduler.now() < (this.askAgainAt.get(name) ?? 0)) return undefined;
    const resource = await client.discovery.find(name).catch(() => undefined);
    if (resource?.namespaced !== true) return undefined;
    const onError = ({ code }: InformerError): 'stop' | 'retry' => (code === 'ERR_NOT_SERVED' ? 'stop' : 'retry');
    const objects = createInformer<KubernetesObject>(client, resource, { indexers, scheduler, onError });
    this.known.set(name, { resource, objects });
    this.begun$.next({ name, objects });
    return { resource, objects };
  }

  private forget(name: string): void {
    const { client, scheduler } = this.context;
    client.discovery.invalidate();
    this.askAgainAt.set(name, scheduler.now() + unknownKindMs);
    this.known.delete(name);
  }
}

/** Simulates the resource quota controller: sets limits and usage in the status. Watches the kinds that quotas name. */
export function quotaLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, pods, quotas, scheduler } = context;
  const { resourcequotas } = resources.core.v1;
  const known = new Map<string, Counted>([
    ['pods', { resource: resources.core.v1.pods, objects: pods }],
    ['resourcequotas', { resource: resourcequotas, objects: quotas }],
  ]);
  const kinds = new CountedKinds(context, known, quotas);
  const quotasBeside = mappedKeys((object: KubernetesObject) => keysBeside(quotas, object));
  const sources = { quotas: quotas.resource$.pipe(quotasBeside), pods: pods.resource$.pipe(quotasBeside), objects: kinds.key$ };
  const limits = { pods: swarm, objects: swarm };
  return loopOver(quotas, { sources, limits, caches: [quotas, pods], scheduler }, async (quota) => {
    const { hard = {} } = quota.spec ?? {};
    const names = [...new Set(Object.keys(hard).flatMap((name) => usersOf(name) ?? []))];
    const counted: Counted[] = [];
    for (const name of names) counted.push(...[await kinds.of(name)].filter((one) => one !== undefined));
    if (!counted.every(({ objects }) => objects.hasSynced())) return undefined;
    const used = usedOf(quota, counted);
    if (!isSame(quota.status?.hard, hard) || !isSame(quota.status?.used, used))
      // With the resourceVersion, so that usage counted by the server meanwhile is not lost.
      await tolerate(client.status.replace(resourcequotas, { ...quota, status: { hard, used } }));
    return counted.length < names.length ? { requeueAfterMs: unknownKindMs } : undefined;
  });
}
