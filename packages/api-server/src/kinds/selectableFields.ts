import { listAt, textAt, valueAt } from '../json.js';
import type { StoredContent } from '../store/storedObject.js';

type Fields = Readonly<Record<string, (content: StoredContent) => string>>;

function text(...path: readonly string[]): (content: StoredContent) => string {
  return (content) => textAt(content, ...path);
}

function numberOrZero(...path: readonly string[]): (content: StoredContent) => string {
  return (content) => text(...path)(content) || '0';
}

function flag(...path: readonly string[]): (content: StoredContent) => string {
  return (content) => String(valueAt(content, ...path) === true);
}

function podIPs(content: StoredContent): string {
  return textAt(listAt(content, 'status', 'podIPs')[0], 'ip');
}

const podFields: Fields = {
  'spec.nodeName': text('spec', 'nodeName'),
  'spec.host': text('spec', 'nodeName'),
  'spec.restartPolicy': text('spec', 'restartPolicy'),
  'spec.schedulerName': text('spec', 'schedulerName'),
  'spec.serviceAccountName': text('spec', 'serviceAccountName'),
  'spec.hostNetwork': flag('spec', 'hostNetwork'),
  'status.phase': text('status', 'phase'),
  'status.podIP': text('status', 'podIP'),
  'status.podIPs': podIPs,
  'status.nominatedNodeName': text('status', 'nominatedNodeName'),
};

// core/v1 and events.k8s.io/v1 name the same fields differently.
const eventFields: Fields = {
  ...Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((name) => [
      `involvedObject.${name}`,
      text('involvedObject', name),
    ]),
  ),
  reason: text('reason'),
  reportingComponent: text('reportingComponent'),
  source: (content) => text('source', 'component')(content) || text('reportingComponent')(content),
  type: text('type'),
};

const newEventFields: Fields = Object.fromEntries(
  Object.entries(eventFields).map(([name, read]) => [
    name.startsWith('involvedObject.')
      ? name.replace('involvedObject', 'regarding')
      : name === 'reportingComponent'
        ? 'reportingController'
        : name,
    read,
  ]),
);

/** The selectable fields in addition to name and namespace, by group and plural. */
export const selectableFields: Readonly<Record<string, Fields>> = {
  '/pods': podFields,
  '/events': eventFields,
  'events.k8s.io/events': newEventFields,
  '/nodes': { 'spec.unschedulable': flag('spec', 'unschedulable') },
  '/namespaces': { 'status.phase': text('status', 'phase') },
  '/secrets': { type: text('type') },
  '/replicationcontrollers': { 'status.replicas': numberOrZero('status', 'replicas') },
  '/services': { 'spec.clusterIP': text('spec', 'clusterIP'), 'spec.type': text('spec', 'type') },
  'resource.k8s.io/resourceslices': { 'spec.nodeName': text('spec', 'nodeName'), 'spec.driver': text('spec', 'driver') },
  'batch/jobs': { 'status.successful': numberOrZero('status', 'succeeded') },
  'certificates.k8s.io/certificatesigningrequests': { 'spec.signerName': text('spec', 'signerName') },
};
