import { type Observable, tap } from 'rxjs';
import { type KubernetesObject, type ResourceEvent, resources, type V1Pod } from 'rx-informer';
import { shortHash } from './chance.js';
import { tolerate, type WorkloadContext } from './workloadContext.js';

/** How long a pod that was created counts although no event has brought it: as long as the real controllers wait for one. */
const patienceMs = 300_000;

/** Creates pods under names that were never used before, and counts those that the cache does not have yet. */
export class FreshPods {
  private readonly context: WorkloadContext;
  private readonly began: number;
  private made = 0;
  /** The pods that no event has brought, by the uid of their owner: the key of each, and when it was created. */
  private readonly unseen = new Map<string, Map<string, number>>();

  constructor(context: WorkloadContext) {
    this.context = context;
    this.began = context.scheduler.now();
  }

  /** The events of pods; each is noted. */
  noted(events$: Observable<ResourceEvent<V1Pod>>): Observable<ResourceEvent<V1Pod>> {
    return events$.pipe(
      tap((event) => {
        if (event.type === 'synced') this.unseen.clear();
        else for (const keys of this.unseen.values()) keys.delete(event.key);
      }),
    );
  }

  /** How many pods of an owner were created that the cache does not have yet. */
  pending({ metadata }: KubernetesObject): number {
    const keys = this.unseen.get(metadata?.uid ?? '');
    const since = this.context.scheduler.now() - patienceMs;
    for (const [key, at] of keys ?? []) if (at < since || this.context.pods.indexer.getByKey(key) !== undefined) keys?.delete(key);
    if (keys?.size === 0) this.unseen.delete(metadata?.uid ?? '');
    return keys?.size ?? 0;
  }

  /** Creates a pod of an owner; returns its name, or undefined when it was not created. */
  async create(owner: KubernetesObject, podNamed: (name: string) => V1Pod): Promise<string | undefined> {
    const { name: base = '', namespace = '', uid = '' } = owner.metadata ?? {};
    this.made += 1;
    const name = `${base.slice(0, 57)}-${shortHash(`${uid}/${String(this.began)}/${String(this.made)}`, 5)}`;
    const key = `${namespace}/${name}`;
    const keys = this.unseen.get(uid) ?? new Map<string, number>();
    this.unseen.set(uid, keys.set(key, this.context.scheduler.now()));
    if (await tolerate(this.context.client.create(resources.core.v1.pods, podNamed(name)))) return name;
    keys.delete(key);
    return undefined;
  }
}
