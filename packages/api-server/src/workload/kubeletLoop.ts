import { filter, type Observable } from 'rxjs';
import { resources, type V1Container, type V1Pod } from 'rx-informer';
import { type Outcome, reconcile, type ReconcileResult } from '@rx-informer/controller';
import { deadlineExceeded, deadlineOf, type PodFailure, refusalOf } from './podFailure.js';
import { activityOf, podStatusOf, restartsOf, type PodActivity, type PodLifeOptions } from './podLife.js';
import { recordEvent, type Happening } from './recordEvent.js';
import { nodeIndex, timestampOf, tolerate, type WorkloadContext } from './workloadContext.js';

/** The next step in the life of a pod. */
interface Step {
  readonly to: PodActivity | 'gone';
  /** The delay since the current state began. */
  readonly afterMs: number;
  /** Set for a step to `failed`. */
  readonly failure?: PodFailure | undefined;
}

/** The next step of a pod, determined by the seed: the same pod always has the same life. */
function nextStep({ chance, pods }: WorkloadContext, life: PodLifeOptions, pod: V1Pod): Step | undefined {
  const name = `${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`;
  const activity = activityOf(pod);
  const at = (what: string, maxMs: number): number =>
    Math.round((0.25 + 0.75 * chance(`${name} ${what} ${String(restartsOf(pod))}`)) * maxMs);
  if (pod.metadata?.deletionTimestamp !== undefined) return { to: 'gone', afterMs: activity === undefined ? 0 : at('stop', life.stopMs) };
  const pulled = (pod.spec?.containers ?? []).every(({ image = '' }) => life.canPull?.(image) !== false);
  switch (activity) {
    case undefined: {
      const failure = refusalOf(pod, pods.indexer.byIndex(nodeIndex, pod.spec?.nodeName ?? ''));
      return failure === undefined ? { to: 'creating', afterMs: 0 } : { to: 'failed', afterMs: 0, failure };
    }
    case 'creating':
      return { to: pulled ? 'running' : 'waiting', afterMs: at('start', life.startMs) };
    case 'waiting':
      return pulled ? { to: 'running', afterMs: at('start', life.startMs) } : undefined;
    case 'crashed':
      return { to: 'running', afterMs: life.crashBackoffMs };
    case 'running':
      if (pod.spec?.restartPolicy === 'Never' || pod.spec?.restartPolicy === 'OnFailure')
        return { to: 'done', afterMs: at('work', life.workMs) };
      if (chance(`${name} crash ${String(restartsOf(pod))}`) < life.crashRate)
        return { to: 'crashed', afterMs: at('crash', life.crashAfterMs) };
      return undefined;
    case 'done':
    case 'failed':
      return undefined;
  }
}

/** A pseudorandom address in the pod network. */
function addressOf({ chance }: WorkloadContext, { metadata }: V1Pod): string {
  const number = Math.floor(chance(`address ${metadata?.uid ?? ''}`) * 65_536);
  return `10.244.${String(number >> 8)}.${String(number & 255)}`;
}

/** The events of a step for one container, as a kubelet reports them. */
function happeningsOf(
  pod: V1Pod,
  { name, image = '' }: V1Container,
  to: Step['to'],
): readonly Pick<Happening, 'type' | 'reason' | 'message'>[] {
  if (to === 'gone') return [{ reason: 'Killing', message: `Stopping container ${name}` }];
  if (to === 'crashed') {
    const message = `Back-off restarting failed container ${name} in pod ${pod.metadata?.name ?? ''}`;
    return [{ type: 'Warning', reason: 'BackOff', message }];
  }
  if (to === 'waiting') return [{ reason: 'BackOff', message: `Back-off pulling image "${image}"` }];
  if (to !== 'running') return [];
  return [
    { reason: 'Pulled', message: `Container image "${image}" already present on machine` },
    { reason: 'Created', message: `Created container: ${name}` },
    { reason: 'Started', message: `Started container ${name}` },
  ];
}

async function reportStep(context: WorkloadContext, pod: V1Pod, to: Step['to']): Promise<void> {
  const source = { component: 'kubelet', host: pod.spec?.nodeName ?? '' };
  for (const container of pod.spec?.containers ?? [])
    for (const happening of happeningsOf(pod, container, to))
      await recordEvent(context, resources.core.v1.pods, pod, { ...source, ...happening });
}

/** Records in the status that a changed spec has been observed. */
async function observe({ client }: WorkloadContext, { metadata, status }: V1Pod): Promise<void> {
  const { name = '', namespace = '', generation } = metadata ?? {};
  if (status?.observedGeneration === undefined || status.observedGeneration === generation) return;
  await tolerate(client.status.patch(resources.core.v1.pods, name, 'merge', { status: { observedGeneration: generation } }, { namespace }));
}

async function carryOut(context: WorkloadContext, pod: V1Pod, { to, failure }: Omit<Step, 'afterMs'>): Promise<void> {
  const { client, nodes, scheduler } = context;
  const { name = '', namespace = '' } = pod.metadata ?? {};
  if (to === 'gone') {
    if (activityOf(pod) === 'running') await reportStep(context, pod, to);
    // By its uid: by now, another pod may have the name.
    const preconditions = { uid: pod.metadata?.uid };
    await tolerate(client.delete(resources.core.v1.pods, name, { namespace, gracePeriodSeconds: 0, preconditions }));
    return;
  }
  const now = timestampOf(scheduler.now());
  const hostIP = nodes.indexer.getByKey(pod.spec?.nodeName ?? '')?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  const refused = activityOf(pod) === undefined && failure !== undefined;
  const status = { ...(refused ? { phase: 'Failed' } : podStatusOf(pod, to, { hostIP, podIP: addressOf(context, pod) }, now)), ...failure };
  if (await tolerate(client.status.patch(resources.core.v1.pods, name, 'merge', { status }, { namespace })))
    await reportStep(context, pod, to);
}

/**
 * Simulates the kubelets of all nodes: starts the containers of pods that have a node, lets some crash and those of jobs finish, and ends deleted
 * pods.
 */
export function kubeletLoop(context: WorkloadContext, life: PodLifeOptions): Observable<Outcome> {
  const { nodes, pods, scheduler } = context;
  /** The next step of each pod and its time: by uid, state and deletion. */
  const due = new Map<string, { readonly state: string; readonly at: number }>();

  const dueAt = (pod: V1Pod, { afterMs }: Step): number => {
    const { uid = '', deletionTimestamp = '' } = pod.metadata ?? {};
    const key = `${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`;
    const state = `${uid} ${activityOf(pod) ?? ''} ${String(restartsOf(pod))} ${deletionTimestamp}`;
    const known = due.get(key);
    if (known?.state === state) return known.at;
    const next = { state, at: scheduler.now() + afterMs };
    due.set(key, next);
    return next.at;
  };

  const work = async (key: string): Promise<ReconcileResult | undefined> => {
    const pod = pods.indexer.getByKey(key);
    if (pod?.spec?.nodeName === undefined) {
      due.delete(key);
      return undefined;
    }
    await observe(context, pod);
    const step = nextStep(context, life, pod);
    const deadline = deadlineOf(pod);
    const at = Math.min(deadline, step === undefined ? Infinity : dueAt(pod, step));
    if (at === Infinity) return undefined;
    const wait = at - scheduler.now();
    if (wait > 0) return { requeueAfterMs: wait };
    await carryOut(context, pod, step === undefined || at === deadline ? { to: 'failed', failure: deadlineExceeded } : step);
    return undefined;
  };

  return reconcile({
    sources: { pods: pods.resource$.pipe(filter((event) => event.type !== 'synced')) },
    caches: [pods, nodes],
    concurrent: 4,
    scheduler,
    reconcile: ({ key }) => work(key),
  });
}
