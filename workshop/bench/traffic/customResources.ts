import { between, hex, letters, oneOf, scramble, time, uid } from './madeUp.js';
import { inTurn, type Json, type Traffic } from './traffic.js';

/** The schema: for each type of object its field names and their types; 0 stands for strings, numbers and other scalars. */
const types = Array.from({ length: 24 }, (_, type) =>
  Array.from({ length: between(type, 3, 9) }, (_, field) => ({
    name: letters(type * 31 + field, between(type + field, 3, 14)),
    type: between(type * 7 + field, -12, 23),
    many: (type + field) % 5 === 0,
  })),
);

/** API servers write the fields of custom resources sorted by name. */
const sorted = (fields: Json): Json => Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));

function value(seed: number): unknown {
  return oneOf<unknown>(seed + 1, [letters(seed, between(seed, 3, 30)), between(seed, 0, 5000), seed % 2 === 0, `${seed % 90}Mi`]);
}

/** An object of this type: each field may be missing, and fields may contain objects. */
function tree(seed: number, type: number, depth: number): unknown {
  if (type < 1 || depth === 0) return value(seed);
  const fields = (types[type] ?? []).filter((_, field) => scramble(seed + field) % 3 > 0);
  return sorted(
    Object.fromEntries(
      fields.map(({ many, name, type: inner }, field) => {
        const part = (place: number): unknown => tree(seed * 5 + field * 17 + place, inner, depth - 1);
        return [name, many ? Array.from({ length: between(seed + field, 1, 3) }, (_, place) => part(place)) : part(0)];
      }),
    ),
  );
}

/** A map whose keys come and go, as many operators keep it. */
function members(at: number, version: number): Json {
  const count = between(at, 6, 16);
  return Object.fromEntries(
    Array.from({ length: count }, (_, place): [string, Json] => {
      const generation = place % 4 === version % 4 ? version : version >> 3;
      const name = `member-${place}-${letters(at * 50 + place + generation, 5)}`;
      return [
        name,
        {
          address: `10.2.${at % 250}.${place}`,
          healthy: generation % 5 > 0,
          lastProbeTime: time(4_000_000 + generation * 15),
          revision: hex(at + generation, 12),
        },
      ];
    }),
  );
}

function resource(at: number, version: number, resourceVersion: number): Json {
  const namespace = `namespace-${at % 40}`;
  const condition = (type: string, changed: number) =>
    sorted({
      type,
      status: changed % 3 > 0 ? 'True' : 'False',
      reason: `Because${letters(changed, 5)}`,
      message: letters(changed, 40),
      lastTransitionTime: time(4_000_000 + changed * 60),
      observedGeneration: 1,
    });
  const fields = (path: string) => ({
    'f:metadata': { 'f:labels': { '.': {}, 'f:tier': {} } },
    [path]: { '.': {}, 'f:members': {}, 'f:phase': {} },
  });
  const update = { apiVersion: 'stores.example.com/v1', fieldsType: 'FieldsV1', operation: 'Update' };
  return {
    apiVersion: 'stores.example.com/v1',
    kind: 'Cluster',
    metadata: {
      annotations: { 'example.com/checksum': hex(at, 40) },
      creationTimestamp: time(at * 41),
      finalizers: ['stores.example.com/cleanup'],
      generation: 1,
      labels: { team: letters(at % 20, 6), tier: oneOf(at, ['gold', 'silver']) },
      managedFields: [
        { ...update, fieldsV1: fields('f:spec'), manager: 'kubectl-client-side-apply', time: time(at * 41) },
        { ...update, fieldsV1: fields('f:status'), manager: 'operator', subresource: 'status', time: time(4_000_000 + version) },
      ],
      name: `store-${letters(at, 4)}-${at}`,
      namespace,
      resourceVersion: String(resourceVersion),
      uid: uid(at),
    },
    spec: sorted({
      size: at % 9,
      template: tree(at, 1 + (at % 23), 3),
      policy: tree(at + 7, 1 + ((at * 3) % 23), 3),
      storage: tree(at + 9, 3, 2),
    }),
    status: sorted({
      conditions: ['Available', 'Progressing', 'Degraded'].map((type, place) => condition(type, place === 1 ? version : version >> 2)),
      members: members(at, version),
      observedGeneration: 1,
      phase: oneOf(version, ['Creating', 'Running', 'Updating']),
      usage: tree(at * 9 + version, 5, 2),
    }),
  };
}

/** Custom resources with deep, irregular specs, and a status with maps of which some entries change. */
export const customResources: Traffic = {
  path: '/apis/stores.example.com/v1/clusters',
  apiVersion: 'stores.example.com/v1',
  kind: 'Cluster',
  objects: 2_000,
  warmUp: 3_000,
  events: 6_000,
  target: 1.1,
  source: inTurn(resource),
};
