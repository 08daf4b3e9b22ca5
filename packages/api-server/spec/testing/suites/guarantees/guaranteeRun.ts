import assert from 'node:assert/strict';
import { createInformer, type KubernetesObject, type ResourceEvent } from 'rx-informer';
import type { ListerWatcher } from 'rx-informer/pipeline';
import { checkWatchGuarantees, observationsOfEvents, WatchHistory } from 'rx-informer/testing';
import type { HistoryWrite, Selects } from 'rx-informer/internal';
import type { Target } from '../../../support/target.js';
import { Churn } from './churn.js';
import { type WatchObservation, WatchProbe } from './watchProbe.js';

const lookMs = 20;

/** One run of writes with everybody watching. */
export interface GuaranteeRunOptions {
  readonly seed: number;
  readonly steps: number;
  /** The sources of the informers of a namespace's config maps, one for each. */
  readonly informers?: (namespace: string) => Readonly<Record<string, ListerWatcher<KubernetesObject>>>;
  /** The action in the middle of the writes. */
  readonly between?: () => Promise<void> | void;
  /** The origin of the history: the log of the server, or else a watch of all objects. */
  readonly writes?: () => readonly HistoryWrite[];
  /** How long to wait until everybody has seen the last write, in milliseconds. */
  readonly patienceMs?: number;
}

/** What came of it. */
export interface GuaranteeRun {
  readonly violations: ReturnType<typeof checkWatchGuarantees>;
  readonly observations: readonly WatchObservation[];
  /** The number of acknowledged writes, and of those that are missing in the history. */
  readonly acknowledged: number;
  readonly unknown: readonly string[];
  /** Who did not see the last write in time. */
  readonly late: readonly string[];
}

const last = 'z-last';
const isLeft: Selects = ({ metadata }) => metadata?.labels?.['side'] === 'left';

class InformerProbe {
  readonly events: ResourceEvent<KubernetesObject>[] = [];
  private readonly informer;
  private readonly client: string;

  constructor(client: string, source: ListerWatcher<KubernetesObject>) {
    this.client = client;
    this.informer = createInformer(source, { backoff: { initialMs: 20, maxMs: 200 }, onError: () => undefined });
    this.informer.resource$.subscribe((event) => this.events.push(event));
  }

  /** Resolves after the first list: an informer that lists later has no object of which it could miss the deletion. */
  start(): Promise<void> {
    return this.informer.whenSynced();
  }

  has(name: string): boolean {
    return this.events.some((event) => event.type !== 'synced' && event.object.metadata?.name === name);
  }

  get observations(): readonly WatchObservation[] {
    return observationsOfEvents(this.client, this.events);
  }

  stop(): Promise<void> {
    return this.informer.stop();
  }
}

const nameAndVersion = ({ metadata }: KubernetesObject): string => `${metadata?.name ?? ''}@${metadata?.resourceVersion ?? ''}`;

/** The writes according to the events of one client. A list in between must show no new versions, since the history would have a gap. */
function writesSeen({ observations }: WatchProbe): readonly HistoryWrite[] {
  const writes: HistoryWrite[] = [];
  const objects = new Map<string, KubernetesObject>();
  const append = (type: HistoryWrite['type'], object: KubernetesObject): void => {
    if (type === 'DELETED') objects.delete(object.metadata?.name ?? '');
    else objects.set(object.metadata?.name ?? '', object);
    writes.push({ type, object, resourceVersion: object.metadata?.resourceVersion ?? '' });
  };
  observations.forEach(({ state = [...objects.values()], events }, session) => {
    if (session === 0) for (const object of state) append('ADDED', object);
    assert.deepEqual(state.map(nameAndVersion).sort(), [...objects.values()].map(nameAndVersion).sort(), 'the history has a gap');
    for (const event of events) if (event.type !== 'BOOKMARK' && event.type !== 'ERROR') append(event.type, event.object);
  });
  return writes;
}

/** Writes randomly into a new namespace while probes of every kind and informers read, and checks their observations. */
export async function guaranteeRun(target: Target, options: GuaranteeRunOptions): Promise<GuaranteeRun> {
  const { seed, steps, informers, between, patienceMs = 15_000 } = options;
  const namespace = await target.namespace();
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const churn = new Churn(target, path, seed);
  await churn.write(10);
  const left = { query: 'labelSelector=side%3Dleft', selects: isLeft };
  const reference = new WatchProbe(target, { client: 'reference', path });
  // Not every server streams lists.
  const streaming = `${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`;
  const streams = (await target.request(streaming)).code === 200;
  const probes = [
    reference,
    new WatchProbe(target, { client: 'list', path, timeoutSeconds: 3 }),
    new WatchProbe(target, { client: 'list of a selection', path, timeoutSeconds: 3, ...left }),
    new WatchProbe(target, { client: 'watch list', path, timeoutSeconds: 4, watchList: streams }),
    new WatchProbe(target, { client: 'watch list of a selection', path, watchList: streams, ...left }),
  ];
  await Promise.all(probes.map((probe) => probe.start()));
  const told = Object.entries(informers?.(namespace) ?? {}).map(([name, source]) => new InformerProbe(name, source));
  await Promise.all(told.map((probe) => probe.start()));
  const half = Math.ceil(steps / 2);
  await churn.write(half);
  await churn.clear();
  await churn.write(5);
  await between?.();
  await churn.reach();
  await churn.write(steps - half);
  await target.post(path, { metadata: { name: last, labels: { side: 'left' } } });
  const watchers = [...probes, ...told];
  // Limits the number of checks, not the time, since a busy machine is slower.
  for (let looks = 0; looks < patienceMs / lookMs && !watchers.every((one) => one.has(last)); looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  const late = watchers
    .filter((one) => !one.has(last))
    .flatMap(({ observations }) => observations.at(-1)?.client ?? 'one that saw nothing');
  await Promise.all([...probes, ...told].map((one) => one.stop()));
  const all = watchers.flatMap(({ observations }) => observations);
  const writes = (options.writes?.() ?? writesSeen(reference)).filter(({ object }) => object.metadata?.namespace === namespace);
  const known = new Set(writes.map(({ resourceVersion }) => resourceVersion));
  return {
    violations: checkWatchGuarantees(new WatchHistory(writes), all),
    observations: all,
    acknowledged: churn.acknowledged.length,
    unknown: churn.acknowledged.slice(10).filter((version) => !known.has(version)),
    late,
  };
}
