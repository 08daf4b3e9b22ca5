import { between, hex, letters, oneOf, time, uid } from './madeUp.js';
import { managed } from './managed.js';
import type { Json, Traffic, TrafficEvent } from './traffic.js';

/** The age of a repeated Event, as the number of Events created since. */
const recent = 500;

const reasons = [
  { reason: 'Scheduled', component: 'default-scheduler', message: 'Successfully assigned NAMESPACE/POD to NODE' },
  { reason: 'Pulled', component: 'kubelet', message: 'Container image "registry.example.com/shop/APP:v2.1.0" already present on machine' },
  { reason: 'Created', component: 'kubelet', message: 'Created container: APP' },
  { reason: 'Started', component: 'kubelet', message: 'Started container APP' },
  { reason: 'Killing', component: 'kubelet', message: 'Stopping container APP' },
  {
    reason: 'Unhealthy',
    component: 'kubelet',
    message: 'Readiness probe failed: Get "http://10.0.0.1:8080/readyz": dial tcp 10.0.0.1:8080: connect: connection refused',
  },
  {
    reason: 'FailedScheduling',
    component: 'default-scheduler',
    message: "0/120 nodes are available: 12 Insufficient cpu, 108 node(s) did not match Pod's node affinity/selector.",
  },
] as const;

function event(at: number, count: number, resourceVersion: number): Json {
  const app = `app-${between(at, 0, 400)}`;
  const pod = `${app}-${letters(between(at, 0, 900), 10)}-${letters(at, 5)}`;
  const namespace = `namespace-${between(at + 3, 0, 40)}`;
  const node = `ip-10-0-${between(at + 9, 0, 255)}-17.eu-central-1.compute.internal`;
  const { reason, component, message } = oneOf(at + 77, reasons);
  const filled = message.replace('NAMESPACE', namespace).replace('POD', pod).replace('NODE', node).replaceAll('APP', app);
  const first = 5_000_000 + (at >> 2);
  return {
    metadata: {
      name: `${pod}.${hex(at, 16)}`,
      namespace,
      uid: uid(at),
      resourceVersion: String(resourceVersion),
      creationTimestamp: time(first),
      managedFields: [
        managed(
          component,
          first + count,
          'count,firstTimestamp,involvedObject,lastTimestamp,message,reason,reportingComponent,source.component,type',
        ),
      ],
    },
    involvedObject: {
      kind: 'Pod',
      namespace,
      name: pod,
      uid: uid(at + 400_000),
      apiVersion: 'v1',
      resourceVersion: String(resourceVersion - 9),
      ...(component === 'kubelet' && { fieldPath: `spec.containers{${app}}` }),
    },
    reason,
    message: filled,
    source: { component, ...(component === 'kubelet' && { host: node }) },
    firstTimestamp: time(first),
    lastTimestamp: time(first + count * 10),
    count,
    type: reason === 'Unhealthy' || reason === 'FailedScheduling' ? 'Warning' : 'Normal',
    eventTime: null,
    reportingComponent: component,
    reportingInstance: component === 'kubelet' ? node : '',
  };
}

/** Events of pods, always with new names: of five notifications, two are new Events, one is a repeated Event, and two are deletions. */
export const events: Traffic = {
  path: '/api/v1/events',
  apiVersion: 'v1',
  kind: 'Event',
  objects: 10_000,
  warmUp: 10_000,
  events: 20_000,
  target: 1.1,
  source(kept) {
    let made = kept;
    let gone = 0;
    let step = 0;
    const steps: readonly ((resourceVersion: number) => TrafficEvent)[] = [
      (version) => ({ type: 'ADDED', object: event(made++, 1, version) }),
      (version) => ({ type: 'DELETED', object: event(gone++, 1, version) }),
      (version) => ({ type: 'MODIFIED', object: event(made - recent, 2, version) }),
    ];
    return {
      objects: Array.from({ length: kept }, (_, at) => event(at, 1, 900_000 + at)),
      next(resourceVersion) {
        const next = [0, 1, 2, 0, 1][step % 5] as number;
        step += 1;
        return (steps[next] as (typeof steps)[number])(resourceVersion);
      },
    };
  },
};
