import { between, letters, oneOf, time, uid } from './madeUp.js';
import { managed } from './managed.js';
import { inTurn, type Json, type Traffic } from './traffic.js';

function endpoint(service: string, namespace: string, seed: number) {
  const ready = seed % 9 > 0;
  return {
    addresses: [`10.${between(seed, 0, 255)}.${between(seed + 1, 0, 255)}.${between(seed + 2, 1, 254)}`],
    conditions: { ready, serving: ready, terminating: false },
    targetRef: { kind: 'Pod', namespace, name: `${service}-${letters(seed >> 8, 10)}-${letters(seed, 5)}`, uid: uid(seed) },
    nodeName: `ip-10-0-${between(seed + 3, 0, 255)}-17.eu-central-1.compute.internal`,
    zone: oneOf(seed, ['eu-central-1a', 'eu-central-1b', 'eu-central-1c']),
  };
}

function slice(at: number, version: number, resourceVersion: number): Json {
  const service = `service-${at}`;
  const namespace = `namespace-${at % 40}`;
  const count = between(at * 31 + version, 20, 80);
  return {
    metadata: {
      name: `${service}-${letters(at, 5)}`,
      generateName: `${service}-`,
      namespace,
      uid: uid(at),
      resourceVersion: String(resourceVersion),
      generation: version + 1,
      creationTimestamp: time(at * 53),
      labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io', 'kubernetes.io/service-name': service },
      annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': time(4_000_000 + version * 30) },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Service', name: service, uid: uid(at + 60_000), controller: true, blockOwnerDeletion: true },
      ],
      managedFields: [
        managed(
          'kube-controller-manager',
          4_000_000 + version * 30,
          'addressType,endpoints,metadata.annotations..,metadata.labels..,ports',
        ),
      ],
    },
    addressType: 'IPv4',
    // One endpoint in five stays, at another index.
    endpoints: Array.from({ length: count }, (_, place) =>
      endpoint(service, namespace, at * 100_000 + (place % 5 === 0 ? place : version * 100 + place)),
    ),
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  };
}

/** Endpoint slices of 20 to 80 endpoints, most of which are replaced with each version. */
export const endpointSlices: Traffic = {
  path: '/apis/discovery.k8s.io/v1/endpointslices',
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  objects: 1_000,
  warmUp: 2_000,
  events: 5_000,
  target: 1.1,
  source: inTurn(slice),
};
