import type { V1ContainerStatus, V1Pod, V1PodStatus } from 'rx-informer';

/** The durations of the simulated kubelet's steps, in milliseconds, and the rate of crashes. */
export interface PodLifeOptions {
  /** The longest time that containers take to start. */
  readonly startMs: number;
  /** The longest time that containers take to stop. */
  readonly stopMs: number;
  /** The longest time that the containers of a job work. */
  readonly workMs: number;
  /** The delay before a crashed container is started again. */
  readonly crashBackoffMs: number;
  /** The share of starts, from 0 to 1, after which a container crashes. */
  readonly crashRate: number;
  /** The longest time that a container runs before it crashes. */
  readonly crashAfterMs: number;
  /** Whether an image can be pulled; the containers of other images never start. @defaultValue all can */
  readonly canPull?: ((image: string) => boolean) | undefined;
}

type ContainerState = NonNullable<V1ContainerStatus['state']>;

/** The activity of a pod's containers. */
export type PodActivity = 'creating' | 'waiting' | 'running' | 'crashed' | 'done' | 'failed';

const phases: Readonly<Record<PodActivity, string>> = {
  creating: 'Pending',
  waiting: 'Pending',
  running: 'Running',
  crashed: 'Running',
  done: 'Succeeded',
  failed: 'Failed',
};

function stateOf(activity: PodActivity, image: string, now: string): ContainerState {
  switch (activity) {
    case 'creating':
      return { waiting: { reason: 'ContainerCreating' } };
    case 'waiting':
      return { waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` } };
    case 'running':
      return { running: { startedAt: now } };
    case 'crashed':
      return { waiting: { reason: 'CrashLoopBackOff', message: 'the container ended with exit code 1' } };
    case 'done':
      return { terminated: { exitCode: 0, reason: 'Completed', finishedAt: now } };
    case 'failed':
      return { terminated: { exitCode: 137, reason: 'Error', finishedAt: now } };
  }
}

/** The activity of a pod's containers, by its status; undefined for a pod that no kubelet has seen. */
export function activityOf({ status }: V1Pod): PodActivity | undefined {
  if (status?.phase === 'Failed') return 'failed';
  const state = status?.containerStatuses?.[0]?.state;
  if (state === undefined) return undefined;
  if (state.running !== undefined) return 'running';
  if (state.terminated !== undefined) return 'done';
  if (state.waiting?.reason === 'ImagePullBackOff') return 'waiting';
  return state.waiting?.reason === 'CrashLoopBackOff' ? 'crashed' : 'creating';
}

/** The number of restarts of a pod's containers. */
export function restartsOf({ status }: V1Pod): number {
  return status?.containerStatuses?.[0]?.restartCount ?? 0;
}

/** The addresses of a pod. */
interface PodAddresses {
  readonly hostIP: string | undefined;
  readonly podIP: string;
}

/** The status of a pod with this activity, on a node with these addresses. */
export function podStatusOf(pod: V1Pod, activity: PodActivity, { hostIP, podIP }: PodAddresses, now: string): V1PodStatus {
  const running = activity === 'running';
  const restartCount = restartsOf(pod) + (activity === 'crashed' ? 1 : 0);
  const truth = running ? 'True' : 'False';
  return {
    ...(pod.metadata?.generation !== undefined && { observedGeneration: pod.metadata.generation }),
    phase: phases[activity],
    startTime: pod.status?.startTime ?? now,
    ...(hostIP !== undefined && { hostIP, hostIPs: [{ ip: hostIP }] }),
    ...(activity !== 'creating' && activity !== 'waiting' && { podIP, podIPs: [{ ip: podIP }] }),
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: '',
      ready: running,
      started: running,
      restartCount,
      state: stateOf(activity, image, now),
    })),
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: type === 'PodScheduled' || type === 'Initialized' ? 'True' : truth,
      lastTransitionTime: now,
      ...(activity === 'done' && type.endsWith('Ready') && { reason: 'PodCompleted' }),
    })),
  };
}
