import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ObjectEvent, ResourceChange } from '../../api/events.js';

/** The objects of random histories. */
export interface SampleObject extends KubernetesObject {
  readonly spec: { readonly size: number };
  readonly status: { readonly phase: string };
}

/** Pseudorandom numbers in [0, 1), determined by the seed. */
export function seededRandom(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface World {
  readonly random: () => number;
  readonly objects: Map<string, SampleObject>;
  version: number;
}

const pick = <T>(world: World, items: readonly T[]): T => items[Math.floor(world.random() * items.length)] as T;

function sample(world: World, key: string, before?: SampleObject): SampleObject {
  world.version += 1;
  const [namespace = '', name = ''] = key.split('/');
  const sizeChanges = before === undefined || world.random() < 0.4;
  return {
    apiVersion: 'example.com/v1',
    kind: 'Sample',
    metadata: {
      namespace,
      name,
      uid: before?.metadata?.uid ?? `uid-${String(world.version)}`,
      resourceVersion: String(world.version),
      generation: (before?.metadata?.generation ?? 0) + (sizeChanges ? 1 : 0),
      labels: { app: pick(world, ['web', 'api']) },
    },
    spec: { size: sizeChanges ? world.version : before.spec.size },
    status: { phase: pick(world, ['Pending', 'Running', 'Failed']) },
  };
}

const keys = ['one/a', 'one/b', 'one/c', 'two/a', 'two/b'];

/** The event that a subscriber gets for a random change of the object under a key. */
function change(world: World, key: string, inferred: boolean): ObjectEvent<SampleObject>[] {
  const before = world.objects.get(key);
  const dice = world.random();
  if (before === undefined) {
    const object = sample(world, key);
    world.objects.set(key, object);
    return [{ type: 'added', key, object, initial: false, inferred }];
  }
  if (dice < 0.25) {
    world.objects.delete(key);
    world.version += 1;
    const object = inferred ? before : { ...before, metadata: { ...before.metadata, resourceVersion: String(world.version) } };
    return [{ type: 'deleted', key, object, finalStateUnknown: inferred, inferred }];
  }
  if (dice < 0.35) {
    const object = sample(world, key);
    world.objects.set(key, object);
    return [
      { type: 'deleted', key, object: before, finalStateUnknown: true, inferred: true },
      { type: 'added', key, object, initial: false, inferred },
    ];
  }
  const object = sample(world, key, before);
  world.objects.set(key, object);
  return [{ type: 'updated', key, object, oldObject: before, resync: false, inferred }];
}

function relist(world: World): ResourceChange<SampleObject> {
  const previousResourceVersion = String(world.version);
  const events = keys.filter(() => world.random() < 0.5).flatMap((key) => change(world, key, true));
  const deletesFirst = [...events.filter(({ type }) => type === 'deleted'), ...events.filter(({ type }) => type !== 'deleted')];
  return { cause: 'list', events: deletesFirst, scope: '', resourceVersion: String(world.version), previousResourceVersion, synced: true };
}

function watch(world: World): ResourceChange<SampleObject> {
  const events = change(world, pick(world, keys), false);
  return { cause: 'watch', events, scope: '', resourceVersion: String(world.version), synced: true };
}

function resync({ objects }: World): ResourceChange<SampleObject>[] {
  if (objects.size === 0) return [];
  const events = [...objects].map(([key, object]): ObjectEvent<SampleObject> => ({
    type: 'updated',
    key,
    object,
    oldObject: object,
    resync: true,
    inferred: false,
  }));
  return [{ cause: 'resync', events, synced: true }];
}

/** A valid input for a subscriber of `change$`: a snapshot, then `steps` changes by watches, lists and resyncs, determined by the seed. */
export function randomHistory(seed: number, steps = 30): readonly ResourceChange<SampleObject>[] {
  const world: World = { random: seededRandom(seed), objects: new Map(), version: 1 };
  const events = keys
    .filter(() => world.random() < 0.6)
    .map((key): ObjectEvent<SampleObject> => {
      const object = sample(world, key);
      world.objects.set(key, object);
      return { type: 'added', key, object, initial: true, inferred: false };
    });
  const history: ResourceChange<SampleObject>[] = [{ cause: 'snapshot', events, resourceVersion: String(world.version), synced: true }];
  for (let step = 0; step < steps; step += 1) {
    const dice = world.random();
    if (dice < 0.1) history.push(relist(world));
    else if (dice < 0.15) history.push(...resync(world));
    else history.push(watch(world));
  }
  return history;
}
