import { D2, join, map, MultiSet, output, reduce } from '@tanstack/db-ivm';
import { computed, effect, signal } from 'alien-signals';
import { combineLatest, type Observable, type Subscription } from 'rxjs';
import { type FakeCollection, fakeCollection } from '@rx-informer/views/testing';
import { derive } from '@rx-informer/views';
import { median } from '../rounds.js';

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: object;
  readonly status: { readonly phase: string; readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

interface Service {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly spec: { readonly selector: Readonly<Record<string, string>> };
}

interface Backends {
  readonly service: Service;
  readonly pods: readonly Pod[];
}

/** One way to maintain the ready pods of each service: the function for the initial objects returns the function for a changed pod. */
type Way = (services: readonly Service[], pods: readonly Pod[], tell: (backends: Backends) => void) => (pod: Pod) => void;

function follow<T>(source: Observable<T>, next: (value: T) => void): Subscription {
  return source.subscribe({
    next,
    error: (error: unknown) => {
      throw error;
    },
  });
}

const namespaces = 40;
const keyOf = ({ metadata }: { readonly metadata: { readonly namespace: string; readonly name: string } }): string =>
  `${metadata.namespace}/${metadata.name}`;
const isReady = ({ status }: Pod): boolean => status.conditions.some(({ type, status: state }) => type === 'Ready' && state === 'True');
/** The services of this benchmark select by one label. */
const bucketOf = (namespace: string, app: string | undefined): string => `${namespace}/${app ?? ''}`;

function serviceOf(at: number): Service {
  return { metadata: { namespace: `team-${at % namespaces}`, name: `service-${at}` }, spec: { selector: { app: `app-${at}` } } };
}

function podOf(at: number, services: number, version: number, ready: boolean): Pod {
  const service = at % services;
  return {
    metadata: {
      namespace: `team-${service % namespaces}`,
      name: `app-${service}-${at}`,
      resourceVersion: String(version),
      labels: { app: `app-${service}`, 'pod-template-hash': `hash-${service}`, tier: 'web', team: `team-${service % 12}` },
    },
    spec: { nodeName: `node-${at % 100}`, containers: [{ name: 'server', image: `registry.example.com/app-${service}:v1` }] },
    status: {
      phase: 'Running',
      conditions: [
        { type: 'Ready', status: ready ? 'True' : 'False' },
        { type: 'PodScheduled', status: 'True' },
      ],
    },
  };
}

const collections = (
  services: readonly Service[],
  pods: readonly Pod[],
): { pods: FakeCollection<Pod>; services: FakeCollection<Service> } => ({
  pods: fakeCollection(pods, { name: 'pods' }),
  services: fakeCollection(services, { name: 'services' }),
});

const backendsOf = (inputs: ReturnType<typeof collections>) =>
  derive(inputs.services, (service, read) => ({
    service,
    pods: read(inputs.pods, { namespace: service.metadata.namespace, labelSelector: service.spec.selector }).filter(isReady),
  }));

const ways: Readonly<Record<string, Way>> = {
  derive: (services, pods, tell) => {
    const inputs = collections(services, pods);
    follow(backendsOf(inputs).change$, ({ events }) => {
      for (const { object } of events) tell(object);
    });
    return (pod) => inputs.pods.put(pod);
  },
  /** The same cache without a view: the part of the cost of `derive` that belongs to the cache. */
  cacheAlone: (services, pods, tell) => {
    const inputs = collections(services, pods);
    follow(inputs.pods.change$, ({ events }) => {
      for (const { object } of events) tell({ service: services[0] as Service, pods: [object] });
    });
    return (pod) => inputs.pods.put(pod);
  },
  byHand: (services, pods, tell) => {
    const byBucket = new Map(
      services.map((service) => [
        bucketOf(service.metadata.namespace, service.spec.selector['app']),
        { service, pods: new Map<string, Pod>() },
      ]),
    );
    const put = (pod: Pod): void => {
      const entry = byBucket.get(bucketOf(pod.metadata.namespace, pod.metadata.labels['app']));
      entry?.pods.set(keyOf(pod), pod);
      if (entry !== undefined) tell({ service: entry.service, pods: [...entry.pods.values()].filter(isReady) });
    };
    for (const pod of pods) put(pod);
    return put;
  },
  signals: (services, pods, tell) => {
    const byBucket = new Map(
      services.map((service) => [
        bucketOf(service.metadata.namespace, service.spec.selector['app']),
        { pods: signal<ReadonlyMap<string, Pod>>(new Map()), service },
      ]),
    );
    const put = (pod: Pod): void => {
      const entry = byBucket.get(bucketOf(pod.metadata.namespace, pod.metadata.labels['app']));
      entry?.pods(new Map(entry.pods()).set(keyOf(pod), pod));
    };
    for (const pod of pods) put(pod);
    for (const entry of byBucket.values()) {
      const backends = computed<Backends>(() => ({ service: entry.service, pods: [...entry.pods().values()].filter(isReady) }));
      effect(() => {
        tell(backends());
      });
    }
    return put;
  },
  dbIvm: (services, pods, tell) => {
    const graph = new D2();
    const left = graph.newInput<[string, Service]>();
    const right = graph.newInput<[string, Pod]>();
    left.pipe(
      join(right, 'inner'),
      map(([, [service, pod]]): [string, [Service, Pod]] => [keyOf(service as Service), [service as Service, pod as Pod]]),
      reduce((values) => [
        [
          {
            service: values[0]?.[0][0],
            pods: values
              .filter(([, count]) => count > 0)
              .map(([[, pod]]) => pod)
              .filter(isReady),
          },
          1,
        ],
      ]),
      output((changes) => {
        for (const [[, backends], count] of changes.getInner()) if (count > 0) tell(backends as Backends);
      }),
    );
    graph.finalize();
    const row = (pod: Pod): [string, Pod] => [bucketOf(pod.metadata.namespace, pod.metadata.labels['app']), pod];
    const known = new Map(pods.map((pod) => [keyOf(pod), pod]));
    left.sendData(
      new MultiSet(services.map((service) => [[bucketOf(service.metadata.namespace, service.spec.selector['app']), service], 1])),
    );
    right.sendData(new MultiSet(pods.map((pod) => [row(pod), 1])));
    graph.run();
    return (pod) => {
      const before = known.get(keyOf(pod));
      known.set(keyOf(pod), pod);
      right.sendData(new MultiSet([...(before === undefined ? [] : [[row(before), -1] as [[string, Pod], number]]), [row(pod), 1]]));
      graph.run();
    };
  },
  combineLatest: (services, pods, tell) => {
    const inputs = collections(services, pods);
    follow(combineLatest([inputs.services.index$, inputs.pods.index$]), ([allServices, allPods]) => {
      const backends = [...allServices.values()].map((service) => ({
        service,
        pods: [...allPods.values()].filter(
          (pod) =>
            pod.metadata.namespace === service.metadata.namespace &&
            Object.entries(service.spec.selector).every(([label, value]) => pod.metadata.labels[label] === value) &&
            isReady(pod),
        ),
      }));
      tell(backends[0] as Backends);
    });
    return (pod) => inputs.pods.put(pod);
  },
};

/** Milliseconds of CPU time, since other processes use the machine too. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Fill {
  readonly fillMs: number;
  readonly readMs: number;
  readonly handMs: number;
}

/**
 * Milliseconds of the first fill of a view, of reading all of its inputs once (namespaces, labels, selectors and readiness), and of the
 * same join written by hand.
 */
function fillOf(services: readonly Service[], pods: readonly Pod[]): Fill {
  const inputs = collections(services, pods);
  const holds = [inputs.pods.change$.subscribe(), inputs.services.change$.subscribe()];
  let seen = 0;
  const others: Subscription[] = [];
  const readMs = cpuMsOf(() => {
    others.push(
      follow(inputs.services.change$, ({ events }) => {
        for (const { object } of events) seen += bucketOf(object.metadata.namespace, object.spec.selector['app']).length;
      }),
      follow(inputs.pods.change$, ({ events }) => {
        for (const { object } of events)
          seen += bucketOf(object.metadata.namespace, object.metadata.labels['app']).length + (isReady(object) ? 1 : 0);
      }),
    );
  });
  const fillMs = cpuMsOf(() => {
    others.push(follow(backendsOf(inputs).change$, ({ events }) => (seen += events.length)));
  });
  const handMs = cpuMsOf(() => (seen += joinByHand(inputs.services.indexer.list(), inputs.pods.indexer.list()).size));
  for (const subscription of [...holds, ...others]) subscription.unsubscribe();
  if (seen === 0) throw new Error('Nothing was read');
  return { fillMs, readMs, handMs };
}

/** The ready pods of each service, computed once. */
function joinByHand(services: readonly Service[], pods: readonly Pod[]): ReadonlyMap<string, Backends> {
  const byBucket = new Map<string, Pod[]>();
  for (const pod of pods) {
    const bucket = bucketOf(pod.metadata.namespace, pod.metadata.labels['app']);
    const others = byBucket.get(bucket);
    if (others === undefined) byBucket.set(bucket, [pod]);
    else others.push(pod);
  }
  const backends = new Map<string, Backends>();
  for (const service of services) {
    const own = byBucket.get(bucketOf(service.metadata.namespace, service.spec.selector['app'])) ?? [];
    backends.set(keyOf(service), { service, pods: own.filter(isReady) });
  }
  return backends;
}

/** The first fill of the view, for pods in the order of a list, and for pods whose services are scattered over the list and over memory. */
function fills(services: readonly Service[], scattered: readonly Pod[]): object {
  // API servers list in the order of the keys; caches and their objects in memory have the same order.
  const places = scattered.map((pod, at) => ({ at, key: keyOf(pod) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const listed = places.map(({ at }) => podOf(at, services.length, at, true));
  const [inOrder, others] = [listed, scattered].map((pods) => Array.from({ length: 21 }, () => fillOf(services, pods))) as [Fill[], Fill[]];
  const ratioOf = (all: readonly Fill[]): number => median(all.map(({ fillMs, readMs }) => fillMs / readMs));
  return {
    fillMs: median(inOrder.map(({ fillMs }) => fillMs)),
    readMs: median(inOrder.map(({ readMs }) => readMs)),
    fillRatio: ratioOf(inOrder),
    firstFillMs: inOrder[0]?.fillMs,
    scatteredRatio: ratioOf(others),
    scatteredHandRatio: median(others.map(({ handMs, readMs }) => handMs / readMs)),
    handRatio: median(inOrder.map(({ handMs, readMs }) => handMs / readMs)),
  };
}

/** The number of first changes, before V8 has compiled the hot functions. */
const first = 2_000;

/**
 * The microseconds from a changed pod to the subscriber, in one way: over the last two thirds of the changes, and over the first ones. Or
 * the first fill of the view.
 */
export function run({
  way,
  pods,
  services,
  changes,
}: {
  readonly way: string;
  readonly pods: number;
  readonly services: number;
  readonly changes: number;
}): Promise<object> {
  const allServices = Array.from({ length: services }, (_, at) => serviceOf(at));
  const allPods = Array.from({ length: pods }, (_, at) => podOf(at, services, at, true));
  if (way === 'fill') return Promise.resolve(fills(allServices, allPods));
  let told = 0;
  const put = (ways[way] as Way)(allServices, allPods, () => (told += 1));
  const times: number[] = [];
  told = 0;
  for (let at = 0; at < changes; at += 1) {
    const pod = podOf((at * 7919) % pods, services, pods + at, at % 2 === 0);
    const start = performance.now();
    put(pod);
    times.push((performance.now() - start) * 1000);
  }
  if (told === 0) throw new Error(`${way} told nothing`);
  const warm = times.slice(Math.floor(changes / 3)).sort((a, b) => a - b);
  return Promise.resolve({ us: median(warm), p99: warm[Math.floor(warm.length * 0.99)] ?? NaN, firstUs: median(times.slice(0, first)) });
}
