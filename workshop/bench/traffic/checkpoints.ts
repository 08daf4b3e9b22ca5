import { between, time, uid } from './madeUp.js';
import { managed } from './managed.js';
import { inTurn, type Json, type Traffic } from './traffic.js';

const apiVersion = 'autoscaling.k8s.io/v1';
const kind = 'VerticalPodAutoscalerCheckpoint';

/** Weights by their bucket's number. All change with the seed. */
function weights(seed: number, buckets: number): Json {
  return Object.fromEntries(Array.from({ length: buckets }, (_, bucket) => [bucket, between(seed + bucket, 1, 10_000)]));
}

function checkpoint(at: number, version: number, resourceVersion: number): Json {
  return {
    apiVersion,
    kind,
    metadata: {
      name: `app-${at}-web`,
      namespace: `namespace-${at % 40}`,
      uid: uid(at),
      resourceVersion: String(resourceVersion),
      generation: version + 1,
      creationTimestamp: time(at * 7),
      managedFields: [managed('recommender', 4_000_000 + version * 60, 'spec.containerName,status.cpuHistogram,status.memoryHistogram')],
    },
    spec: { containerName: 'web', vpaObjectName: `app-${at}` },
    status: {
      version: 'v3',
      lastUpdateTime: time(4_000_000 + version * 60),
      totalSamplesCount: version * 1_000 + at,
      cpuHistogram: { totalWeight: between(at + version, 1, 1e6) / 997, bucketWeights: weights(at * 300 + version, 150) },
      memoryHistogram: { totalWeight: between(at + version, 1, 1e6) / 997, bucketWeights: weights(at * 300 + 150, 100) },
    },
  };
}

/** Checkpoints of the vertical autoscaler: their keys are numbers, and most of their values change with each version. */
export const checkpoints: Traffic = {
  path: '/apis/autoscaling.k8s.io/v1/verticalpodautoscalercheckpoints',
  apiVersion,
  kind,
  objects: 1_500,
  warmUp: 5_000,
  events: 15_000,
  target: 1.1,
  source: inTurn(checkpoint),
};
