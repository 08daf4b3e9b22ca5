import { expect } from '@jest/globals';
import { filter, firstValueFrom, map, merge, startWith, takeUntil, timer } from 'rxjs';
import type { InformerErrorCode } from '../../src/api/informerError.js';
import type { InformerHealth } from '../../src/api/informerHealth.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { Resource } from '../../src/api/resource.js';
import type { ResourceEvent } from '../../src/api/resourceEvent.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { foldEvents, versionsOf } from './foldEvents.js';

const patienceMs = 15_000;

function sameAs(truth: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>): boolean {
  return known.size === truth.size && [...truth].every(([key, version]) => known.get(key) === version);
}

/** An informer under observation: what it tells, and what went wrong on its way. */
export class Follower<T extends KubernetesObject> {
  readonly informer: SharedInformer<T>;
  readonly events: ResourceEvent<T>[] = [];
  readonly errors: InformerErrorCode[] = [];
  /** What a subscriber from the start knows. */
  readonly known: ReadonlyMap<string, string>;

  constructor(informer: SharedInformer<T>) {
    this.informer = informer;
    informer.error$.subscribe(({ code }) => this.errors.push(code));
    this.known = foldEvents(informer, this.events);
  }

  /** Resolves once the health is like that, now or later. */
  async reaches(condition: (health: InformerHealth) => boolean): Promise<void> {
    const reached = this.informer.health$.pipe(filter(condition), takeUntil(timer(patienceMs)));
    const found = await firstValueFrom(reached, { defaultValue: undefined });
    if (found === undefined) throw new Error(`The informer is still ${JSON.stringify(this.informer.health())} after ${patienceMs} ms`);
  }

  /** Resolves once a failure with this code was reported, before or after. */
  async fails(code: InformerErrorCode): Promise<void> {
    if (this.errors.includes(code)) return;
    const failure = this.informer.error$.pipe(
      filter((error) => error.code === code),
      takeUntil(timer(patienceMs)),
    );
    const found = await firstValueFrom(failure, { defaultValue: undefined });
    if (found === undefined) throw new Error(`Expected ${code}, got ${JSON.stringify(this.errors)}`);
  }

  /** Resolves once the cache and its subscribers hold what the server has: nothing may be written meanwhile. */
  async equals(server: KubeClient, resource: Resource<T>, namespace: string): Promise<void> {
    const truth = versionsOf((await server.list(resource, { namespace })).items);
    const { resource$, health$, lister } = this.informer;
    const settled = merge(resource$, health$).pipe(
      startWith(undefined),
      map(() => versionsOf(lister.list())),
      filter((cached) => sameAs(truth, cached) && sameAs(truth, this.known) && this.informer.hasSynced()),
      takeUntil(timer(patienceMs)),
    );
    await firstValueFrom(settled, { defaultValue: undefined });
    expect(versionsOf(lister.list())).toEqual(truth);
    expect(this.known).toEqual(truth);
    expect(foldEvents(this.informer)).toEqual(truth);
  }
}
