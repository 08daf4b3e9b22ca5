import { base64, time, uid } from './madeUp.js';
import { managed } from './managed.js';
import type { Json, Traffic, TrafficEvent } from './traffic.js';

const dataBytes = 76_000;

function release(at: number, status: string, content: number, resourceVersion: number): Json {
  const name = `app-${at % 30}`;
  const revision = String(1 + Math.floor(at / 30));
  return {
    metadata: {
      name: `sh.helm.release.v1.${name}.v${revision}`,
      namespace: `namespace-${at % 10}`,
      uid: uid(at),
      resourceVersion: String(resourceVersion),
      creationTimestamp: time(4_000_000 + at * 60),
      labels: { modifiedAt: String(1_780_000_000 + resourceVersion), name, owner: 'helm', status, version: revision },
      managedFields: [managed('Helm', 4_000_000 + at * 60, 'data..,data.release,metadata.labels..,metadata.labels.status,type')],
    },
    data: { release: base64(at * 3 + content, dataBytes) },
    type: 'helm.sh/release.v1',
  };
}

/** Secrets of 100 kB, as Helm stores its releases: one is created, rewritten and relabelled, and an old one is deleted. */
export const largeSecrets: Traffic = {
  path: '/api/v1/secrets',
  apiVersion: 'v1',
  kind: 'Secret',
  objects: 150,
  warmUp: 300,
  events: 1_200,
  target: 1.1,
  source(kept) {
    let made = kept;
    let step = 0;
    const steps: readonly ((resourceVersion: number) => TrafficEvent)[] = [
      (version) => ({ type: 'ADDED', object: release(made, 'pending-upgrade', 0, version) }),
      (version) => ({ type: 'MODIFIED', object: release(made, 'deployed', 1, version) }),
      (version) => ({ type: 'MODIFIED', object: release(made - 1, 'superseded', 1, version) }),
      (version) => ({ type: 'DELETED', object: release(made++ - kept, 'superseded', 1, version) }),
    ];
    return {
      objects: Array.from({ length: kept }, (_, at) => release(at, 'superseded', 1, 900_000 + at)),
      next: (resourceVersion) => (steps[step++ % steps.length] as (typeof steps)[number])(resourceVersion),
    };
  },
};
