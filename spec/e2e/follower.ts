import { filter, firstValueFrom, merge, startWith, takeUntil, timer } from 'rxjs';
import type { InformerErrorCode } from '../../src/api/errors/informerError.js';
import type { InformerHealth, ResourceEvent } from '../../src/api/events.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { Resource } from '../../src/api/resource.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { foldEvents, versionsOf } from './foldEvents.js';

const patienceMs = 15_000;

function differences(who: string, truth: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>): readonly string[] {
  const keys = [...new Set([...truth.keys(), ...known.keys()])];
  const differing = keys.filter((key) => truth.get(key) !== known.get(key));
  return differing.map((key) => `${who} has ${key} at ${known.get(key) ?? 'nothing'}, the server at ${truth.get(key) ?? 'nothing'}`);
}

/** What an informer is about, and a client that sees the server as it is. */
export interface Followed<T extends KubernetesObject> {
  readonly truth: KubeClient;
  readonly resource: Resource<T>;
  readonly namespace: string;
}

/** An informer under observation: what it tells, and what went wrong on its way. */
export class Follower<T extends KubernetesObject> {
  readonly informer: SharedInformer<T>;
  readonly events: ResourceEvent<T>[] = [];
  readonly errors: InformerErrorCode[] = [];
  private readonly followed: Followed<T>;
  /** What a subscriber from the start knows. */
  private readonly known: ReadonlyMap<string, string>;

  constructor(informer: SharedInformer<T>, followed: Followed<T>) {
    this.informer = informer;
    this.followed = followed;
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

  /** In what the cache, an early and a late subscriber differ from the server in the end. Nothing may be written meanwhile. */
  async differences(): Promise<readonly string[]> {
    const { truth: client, resource, namespace } = this.followed;
    const truth = versionsOf((await client.list(resource, { namespace })).items);
    const { resource$, health$, lister } = this.informer;
    const now = (): readonly string[] => [
      ...differences('the cache', truth, versionsOf(lister.list())),
      ...differences('an early subscriber', truth, this.known),
    ];
    const settled = merge(resource$, health$).pipe(
      startWith(undefined),
      filter(() => this.informer.hasSynced() && now().length === 0),
      takeUntil(timer(patienceMs)),
    );
    await firstValueFrom(settled, { defaultValue: undefined });
    return [...now(), ...differences('a late subscriber', truth, foldEvents(this.informer))];
  }
}
