import { setTimeout as sleep } from 'node:timers/promises';
import { filter, firstValueFrom, merge, startWith, takeUntil, timer } from 'rxjs';
import { foldEvents, versionsOf } from '../../../spec/e2e/foldEvents.js';
import { createClient, createInformer, type ResourceEvent, resources, type SharedInformer, type V1ConfigMap } from 'rx-informer';
import type { FaultCase } from './faultCase.js';
import { requestsSince } from './requestTimes.js';
import type { Scene } from './scene.js';

/** The measurements of one fault. */
export interface Measurement {
  readonly id: string;
  readonly noticedMs: number;
  readonly consistentMs: number;
  readonly perMinute: number;
  /** Writes since the start of the fault for which no event was emitted. */
  readonly untold: number;
  readonly writes: number;
  /** The final differences between the cache, its subscribers and the server. */
  readonly differences: readonly string[];
}

const minuteMs = 60_000;
/** The longest wait for a promised recovery. */
const patienceMs = 200_000;

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([key, version]) => other.get(key) === version);

function busiestMinute(times: readonly number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + minuteMs).length));
}

/** The informer of a case, and its observations. */
class Follower {
  readonly events: ResourceEvent<V1ConfigMap>[] = [];
  readonly failures: { readonly at: number; readonly code: string }[] = [];
  private readonly client;
  private readonly informer: SharedInformer<V1ConfigMap>;
  private readonly known: ReadonlyMap<string, string>;

  constructor(fault: FaultCase, scene: Scene) {
    const { userAgent, namespace, url: server, token } = scene;
    this.client = createClient(fault.client?.(scene) ?? { server, token, userAgent });
    this.informer = createInformer(this.client, resources.core.v1.configmaps, { namespace, ...fault.options?.(scene) });
    this.informer.error$.subscribe({
      next: ({ code }) => this.failures.push({ at: performance.now(), code }),
      error: (error: unknown) => {
        throw error;
      },
    });
    this.known = foldEvents(this.informer, this.events);
  }

  /** Resolves when the condition is true; it is checked after each event of the informer. */
  async reaches(condition: () => boolean): Promise<void> {
    const { resource$, health$ } = this.informer;
    const reached = merge(resource$, health$).pipe(
      startWith(undefined),
      filter(() => condition()),
      takeUntil(timer(patienceMs)),
    );
    await firstValueFrom(reached, { defaultValue: undefined });
  }

  watches(): boolean {
    return this.informer.health().state === 'watching';
  }

  agrees(truth: ReadonlyMap<string, string>): boolean {
    return this.informer.hasSynced() && isSame(truth, versionsOf(this.informer.lister.list())) && isSame(truth, this.known);
  }

  /** The differences between the server's state and the cache, the first subscriber and a new one. */
  differences(truth: ReadonlyMap<string, string>): readonly string[] {
    const views = {
      cache: versionsOf(this.informer.lister.list()),
      'early subscriber': this.known,
      'late subscriber': foldEvents(this.informer),
    };
    return Object.entries(views).flatMap(([who, known]) => (isSame(truth, known) ? [] : [who]));
  }

  async leave(): Promise<void> {
    await this.informer.stop();
    this.client.close();
  }
}

/** Writes every second: an update, and sometimes an object that is created and deleted. */
async function writeMeanwhile(scene: Scene, until: number): Promise<void> {
  for (let round = 0; performance.now() < until; round += 1) {
    await scene.patch('a', String(round));
    if (round % 3 === 0) {
      await scene.create(`passing-${String(round)}`);
      await scene.delete(`passing-${String(round)}`);
    }
    await sleep(Math.max(0, Math.min(1_000, until - performance.now())));
  }
}

/** Changes of every type, so that a missed one is noticed. */
async function change(scene: Scene): Promise<void> {
  await scene.create('d');
  await scene.delete('c');
  await scene.patch('b', 'changed');
}

async function lasts(fault: FaultCase, scene: Scene, begun: number): Promise<void> {
  const until = begun + (fault.lastsMs ?? 0);
  if (fault.away === true) await sleep(until - performance.now());
  else await writeMeanwhile(scene, until);
}

/** Simulates a fault, and measures an informer. */
export async function measure(fault: FaultCase, scene: Scene): Promise<Measurement> {
  await fault.prepare?.(scene);
  let follower: Follower | undefined;
  if (fault.startsLate !== true) {
    follower = new Follower(fault, scene);
    await follower.reaches(() => follower?.watches() === true);
    await fault.afterStart?.(scene);
    await sleep(1_000);
  }
  const [eventsBefore, writesBefore] = [follower?.events.length ?? 0, scene.writes];
  let begun = performance.now();
  await fault.begin(scene);
  if (follower === undefined) {
    begun = performance.now();
    follower = new Follower(fault, scene);
  }
  const following = follower;
  await lasts(fault, scene, begun);
  await fault.end?.(scene);
  const over = fault.lastsMs === undefined ? begun : performance.now();
  await change(scene);
  const truth = await scene.state();
  await following.reaches(() => following.agrees(truth));
  const consistentAt = performance.now();
  await sleep(Math.max(2_000, begun + minuteMs - consistentAt));

  const told = following.events.slice(eventsBefore).filter(({ type }) => type !== 'synced').length;
  const writes = scene.writes - writesBefore;
  const requests = requestsSince(scene.userAgent, begun);
  const noticed = [
    ...following.failures.filter(({ at, code }) => at >= begun && (fault.noticedBy ?? code) === code),
    ...requests.filter(({ lists }) => fault.noticedBy === undefined || (fault.noticedBy === 'list' && lists)),
  ].map(({ at }) => at - begun);
  const differences = following.differences(truth);
  await following.leave();
  return {
    id: fault.id,
    noticedMs: Math.min(...noticed),
    consistentMs: consistentAt - over,
    perMinute: busiestMinute(requests.map(({ at }) => at)),
    untold: fault.startsLate === true ? 0 : Math.max(0, writes - told),
    writes,
    differences,
  };
}
