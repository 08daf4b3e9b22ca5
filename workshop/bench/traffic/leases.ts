import { hex, time, uid } from './madeUp.js';
import { managed } from './managed.js';
import { inTurn, type Json, type Traffic } from './traffic.js';

function lease(at: number, renewal: number, resourceVersion: number): Json {
  const name = `ip-10-${at >> 8}-${at & 255}-17.eu-central-1.compute.internal`;
  return {
    metadata: {
      name,
      namespace: 'kube-node-lease',
      uid: uid(at),
      resourceVersion: String(resourceVersion),
      creationTimestamp: time(at * 13),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: uid(at + 700_000) }],
      managedFields: [
        managed(
          'kubelet',
          4_000_000 + renewal * 10,
          'metadata.ownerReferences.k:{"uid"},spec.holderIdentity,spec.leaseDurationSeconds,spec.renewTime',
        ),
      ],
    },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: time(4_000_000 + renewal * 10).replace('Z', `.${(parseInt(hex(at + renewal, 5), 16) % 900_000) + 100_000}Z`),
    },
  };
}

/** Every node in turn renews its lease. */
export const leases: Traffic = {
  path: '/apis/coordination.k8s.io/v1/leases',
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  objects: 10_000,
  warmUp: 10_000,
  events: 40_000,
  target: 1.1,
  listTarget: 1.1,
  source: inTurn(lease),
};
