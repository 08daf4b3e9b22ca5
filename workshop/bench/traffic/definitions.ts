import { letters, oneOf, time, uid } from './madeUp.js';
import { managed } from './managed.js';
import { inTurn, type Json, type Traffic } from './traffic.js';

/** A schema of three properties each, six levels deep. */
function schema(seed: number, depth: number): Json {
  if (depth === 6) return { type: oneOf(seed, ['string', 'integer', 'boolean']), description: letters(seed, 60) };
  const properties = Array.from({ length: 3 }, (_, place) => [letters(seed * 5 + place, 8), schema(seed * 5 + place, depth + 1)]);
  return { type: 'object', description: `The ${letters(seed, 80)}`, properties: Object.fromEntries(properties) };
}

function definition(at: number, version: number, resourceVersion: number): Json {
  const changedAt = time(4_000_000 + version * 30);
  return {
    metadata: {
      name: `things-${at}.example.com`,
      uid: uid(at),
      resourceVersion: String(resourceVersion),
      generation: 1,
      creationTimestamp: time(at * 7),
      managedFields: [
        managed('kubectl', 4_000_000, 'spec.group,spec.names,spec.scope,spec.versions'),
        managed('kube-apiserver', 4_000_000 + version * 30, 'status.conditions,status.storedVersions', 'status'),
      ],
    },
    spec: {
      group: 'example.com',
      names: { kind: `Thing${at}`, plural: `things-${at}` },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema(at, 0) } }],
    },
    status: {
      conditions: [{ type: 'Established', status: 'True', lastTransitionTime: changedAt, reason: 'InitialNamesAccepted' }],
      storedVersions: ['v1'],
    },
  };
}

/** Definitions of custom resources of 131 kB, whose status changes: larger than templates may be. */
export const definitions: Traffic = {
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  objects: 60,
  warmUp: 120,
  events: 400,
  target: 1.1,
  source: inTurn(definition),
};
