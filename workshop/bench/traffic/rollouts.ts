import { podJson, podName } from '../realisticPod.js';
import { hex, time } from './madeUp.js';
import { managed } from './managed.js';
import type { Json, Traffic } from './traffic.js';

const underWay = 60;

interface Pod {
  readonly metadata: Json & { readonly name: string; readonly creationTimestamp: string };
  readonly spec: Json & { readonly containers: readonly { readonly name: string; readonly image: string }[] };
  readonly status: Json & { readonly conditions: readonly Json[]; readonly containerStatuses: readonly Json[] };
}

function finished(at: number): Pod {
  return JSON.parse(podJson(podName(at), 0, 900_000 + at, false)) as Pod;
}

const condition = (type: string, status: 'True' | 'False', seconds: number): Json => ({
  ...{ type, status, lastProbeTime: null, lastTransitionTime: time(seconds) },
  ...(status === 'False' && { reason: 'ContainersNotReady', message: 'containers with unready status' }),
});

/** The status at one step of a pod's life. */
function statusAt({ spec, status }: Pod, at: number, step: number, begun: number): Json {
  if (step === 0) return { phase: 'Pending', qosClass: 'Burstable' };
  const scheduled = condition('PodScheduled', 'True', begun + 1);
  if (step === 1) return { phase: 'Pending', conditions: [scheduled], qosClass: 'Burstable' };
  const ended = step >= 6;
  const containers = spec.containers.map(({ name, image }, place) => {
    const isReady = !ended && (step >= 4 || (step === 3 && place === 0));
    const running = { running: { startedAt: time(begun + 4 + place) } };
    const waiting = { waiting: { reason: 'ContainerCreating' } };
    const over = { terminated: { exitCode: 0, reason: 'Completed', startedAt: time(begun + 4 + place), finishedAt: time(begun + 90) } };
    const base = { name, state: ended ? over : isReady ? running : waiting, lastState: {}, ready: isReady, restartCount: 0, image };
    if (step === 2 || (step === 3 && !isReady)) return { ...base, imageID: '', started: false };
    return {
      ...base,
      imageID: status.containerStatuses[place]?.['imageID'],
      containerID: `containerd://${hex(at * 2 + place, 64)}`,
      started: isReady,
    };
  });
  const ready = step === 4 || step === 5 ? 'True' : 'False';
  const changed = begun + 2 + step * 5;
  const address = {
    hostIP: status['hostIP'],
    hostIPs: status['hostIPs'],
    ...(step > 2 && { podIP: status['podIP'], podIPs: status['podIPs'] }),
  };
  return {
    phase: step === 2 || step === 3 ? 'Pending' : 'Running',
    conditions: [
      condition('PodReadyToStartContainers', step > 2 && !ended ? 'True' : 'False', begun + 3),
      condition('Initialized', 'True', begun + 2),
      condition('Ready', ready, changed),
      condition('ContainersReady', ready, changed),
      scheduled,
    ],
    ...address,
    startTime: time(begun + 2),
    containerStatuses: containers,
    qosClass: 'Burstable',
  };
}

const kubeletFields =
  'status.conditions..,status.conditions.k:{"type":"Ready"}.status,status.containerStatuses,status.hostIP,status.phase,status.podIP,status.startTime';

/** One step of a pod's life: created, scheduled, containers creating, one ready, all ready, terminating, ended, gone. */
function podAt(pod: Pod, at: number, step: number, resourceVersion: number): Json {
  const begun = 4_000_000 + at * 3;
  const { metadata, spec } = pod;
  const { name, generateName, namespace, uid, labels, annotations, ownerReferences, managedFields } = metadata as Json;
  const { nodeName, ...unscheduled } = spec as Json;
  const [made] = managedFields as readonly object[];
  const written = managed('kubelet', begun + step * 5, kubeletFields, 'status');
  return {
    metadata: {
      name,
      generateName,
      namespace,
      uid,
      resourceVersion: String(resourceVersion),
      generation: step >= 5 ? 2 : 1,
      creationTimestamp: time(begun),
      ...(step >= 5 && { deletionTimestamp: time(begun + 120), deletionGracePeriodSeconds: step === 7 ? 0 : 30 }),
      labels,
      annotations,
      ownerReferences,
      managedFields: step < 2 ? [made] : [made, written],
    },
    spec: step === 0 ? unscheduled : spec,
    status: statusAt(pod, at, step, begun),
  };
}

const lastStep = 7;

/** Pods from creation to deletion, sixty at a time, in groups of seven replicas, among pods that do not change. */
export const rollouts: Traffic = {
  path: '/api/v1/pods',
  apiVersion: 'v1',
  kind: 'Pod',
  objects: 2_000,
  warmUp: 4_000,
  events: 8_000,
  target: 0.6,
  source(standing) {
    let created = standing;
    const running: { at: number; pod: Pod; step: number }[] = [];
    let turn = 0;
    return {
      objects: Array.from({ length: standing }, (_, at) => finished(at) as unknown as Json),
      next(resourceVersion) {
        const place = turn++ % underWay;
        let one = running[place];
        if (one === undefined || one.step === lastStep) one = running[place] = { at: created, pod: finished(created++), step: -1 };
        one.step += 1;
        const type = one.step === 0 ? 'ADDED' : one.step === lastStep ? 'DELETED' : 'MODIFIED';
        return { type, object: podAt(one.pod, one.at, one.step, resourceVersion) };
      },
    };
  },
};
