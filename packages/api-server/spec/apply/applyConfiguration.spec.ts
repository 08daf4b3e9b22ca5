import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyConfiguration, type ApplyRequest } from '../../src/apply/applyConfiguration.js';
import { systemClock } from '../../src/clock.js';
import { asJsonObject, valueAt, type JsonObject } from '../../src/json.js';
import { KindRegistry } from '../../src/kinds/registry.js';
import type { ServedResource } from '../../src/kinds/servedResource.js';
import { StatusError } from '../../src/status/statusError.js';
import { isFilled } from '../../src/validation/fieldChecks.js';

function served(groupVersion: string, plural: string): ServedResource {
  const resource = new KindRegistry().find(groupVersion, plural);
  if (resource === undefined) throw new Error(`Expected ${plural} to be served`);
  return resource;
}

type Values = Readonly<Record<string, string>>;

/** The form of the values in an object, and their names in conflicts. */
interface Form {
  readonly resource: ServedResource;
  readonly configuration: (values: Values) => JsonObject;
  readonly values: (object: JsonObject) => Values;
  readonly field: (name: string) => string;
}

const inData: Form = {
  resource: served('v1', 'configmaps'),
  configuration: (data) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...(isFilled(data) && { data }) }),
  values: (object) => asJsonObject(object['data']) as Values,
  field: (name) => `.data.${name}`,
};

const inContainers: Form = {
  resource: served('v1', 'pods'),
  configuration: (values) => {
    const containers = Object.entries(values).map(([name, image]) => ({ name, image }));
    return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, ...(isFilled(containers) && { spec: { containers } }) };
  },
  values: (object) => {
    const containers = (valueAt(object, 'spec', 'containers') ?? []) as readonly { readonly name: string; readonly image: string }[];
    return Object.fromEntries(containers.map(({ name, image }) => [name, image]));
  },
  field: (name) => `.spec.containers[name="${name}"].image`,
};

interface Owned {
  readonly value: string;
  readonly owners: ReadonlySet<string>;
}

/** The expected result of one step, computed from the rules alone. */
function expected(
  state: ReadonlyMap<string, Owned>,
  manager: string,
  values: Values,
  force: boolean,
): { conflicts: number; next: Map<string, Owned> } {
  const next = new Map<string, Owned>();
  let conflicts = 0;
  for (const [name, { value, owners }] of state) {
    const others = new Set([...owners].filter((owner) => owner !== manager));
    const wanted = values[name];
    if (wanted === undefined) {
      if (others.size > 0) next.set(name, { value, owners: others });
    } else if (wanted === value) next.set(name, { value, owners: new Set([...others, manager]) });
    else {
      conflicts += others.size;
      next.set(name, { value: wanted, owners: new Set([manager]) });
    }
  }
  for (const [name, value] of Object.entries(values)) if (!state.has(name)) next.set(name, { value, owners: new Set([manager]) });
  return force || conflicts === 0 ? { conflicts: 0, next } : { conflicts, next: new Map(state) };
}

const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'), { noNullPrototype: true });
const steps = fc.array(fc.record({ manager: fc.constantFrom('m1', 'm2', 'm3'), values, force: fc.boolean() }), { maxLength: 12 });

interface Outcome {
  readonly live: JsonObject | undefined;
  /** The fields in conflict. */
  readonly conflicts: readonly string[];
}

function attempt(request: ApplyRequest): Outcome {
  try {
    return { live: applyConfiguration({ clock: systemClock }, request), conflicts: [] };
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 409) throw error;
    return { live: request.live, conflicts: (error.status.details?.causes ?? []).map((cause) => cause.field ?? '') };
  }
}

describe('applyConfiguration', () => {
  it.each<[string, Form]>([
    ['entries of a map', inData],
    ['items of a list', inContainers],
  ])(
    'gives %s to those who apply them, and takes them away with their last owner (row 73)',
    (_, { resource, configuration, values: read, field }) => {
      fc.assert(
        fc.property(steps, (history) => {
          let live: JsonObject | undefined;
          let state: ReadonlyMap<string, Owned> = new Map();
          for (const { manager, values: wanted, force } of history) {
            const request: ApplyRequest = { resource, live, applied: configuration(wanted), manager, subresource: '', force };
            const { conflicts, next } = expected(state, manager, wanted, force);
            const outcome = attempt(request);
            expect(outcome.conflicts).toHaveLength(conflicts);
            expect(outcome.conflicts.filter((path) => !Object.keys(wanted).map(field).includes(path))).toEqual([]);
            ({ live } = outcome);
            state = next;
            expect(read(live ?? {})).toEqual(Object.fromEntries([...state].map(([name, { value }]) => [name, value])));
            // Applying the same configuration again changes nothing, unless no field has an owner: then all fields are attributed to a
            // manager before the first apply.
            const owned = conflicts === 0 && Object.keys(wanted).length > 0;
            const again = owned ? applyConfiguration({ clock: { ...systemClock, now: () => 0 } }, { ...request, live }) : live;
            expect(again).toEqual(live);
          }
        }),
      );
    },
  );
});
