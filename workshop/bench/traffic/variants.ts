import { between, letters, time, uid } from './madeUp.js';
import { inTurn, type Json, type Traffic, type TrafficEvent } from './traffic.js';

/** The same traffic with every object mapped. */
function mapped(traffic: Traffic, map: (object: Json) => Json): Traffic {
  return {
    ...traffic,
    source(count) {
      const source = traffic.source(count);
      return {
        objects: source.objects.map(map),
        next: (resourceVersion): TrafficEvent => {
          const { type, object } = source.next(resourceVersion);
          return { type, object: map(object) };
        },
      };
    },
  };
}

/** The same traffic without managed fields, like objects written before server-side apply, or by a server that omits them. */
export function unmanaged(traffic: Traffic): Traffic {
  return mapped(traffic, (object) => {
    const { managedFields: _, ...metadata } = object['metadata'] as Json;
    return { ...object, metadata };
  });
}

/** The same traffic with the keys of each object reversed, and kind and apiVersion last. */
export function typeLast(traffic: Traffic): Traffic {
  const { apiVersion, kind } = traffic;
  return mapped(traffic, (object) => {
    const metadata = Object.fromEntries(Object.entries(object['metadata'] as Json).reverse());
    return { ...Object.fromEntries(Object.entries({ ...object, metadata }).reverse()), kind, apiVersion };
  });
}

/** A config map of 0.3 to 100 kB; most are small. */
function sized(at: number, version: number, resourceVersion: number): Json {
  const bytes = Math.round(200 * 500 ** ((between(at, 0, 100) / 100) ** 2));
  const seed = at * 64 + version;
  const values = Math.max(1, Math.min(200, Math.floor(bytes / 100)));
  const data = Array.from({ length: values }, (_, part): [string, string] => [
    `${letters(at + part, 6)}-${part}`,
    letters(part % 7 === version % 7 ? seed + part : at + part, Math.ceil(bytes / values)),
  ]);
  return {
    metadata: {
      name: `${letters(at, 7)}-${at}`,
      namespace: `namespace-${at % 40}`,
      uid: uid(at),
      resourceVersion: String(resourceVersion),
      creationTimestamp: time(at * 71),
    },
    data: Object.fromEntries(data),
  };
}

/** Config maps of 0.3 to 100 kB without managed fields. A seventh of the values differs from the previous version. */
export const sizes: Traffic = {
  path: '/api/v1/configmaps',
  apiVersion: 'v1',
  kind: 'ConfigMap',
  objects: 1_500,
  warmUp: 3_000,
  events: 6_000,
  target: 1.1,
  source: inTurn(sized),
};
