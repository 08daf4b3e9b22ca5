import * as clientNode from '@kubernetes/client-node';
import { ObjectSerializer } from '@kubernetes/client-node/dist/gen/models/ObjectSerializer.js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apiVersionOf } from '../../src/api/resource.js';
import { builtInResources } from '../../src/api/builtInResources.js';
import type { V1Lease, V1NetworkPolicy, V1PodDisruptionBudget } from '../../src/api/kubernetes/index.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { deepFreeze } from '../../src/api/deepFreeze.js';
import { toClientNode } from '../../src/client/toClientNode.js';
import { runs } from '../tier.js';

interface Attribute {
  readonly name: string;
  readonly baseName: string;
  readonly type: string;
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly model: string;
}

const models = new Map(
  Object.entries(clientNode).flatMap(([name, value]) =>
    typeof value === 'function' && 'attributeTypeMap' in value ? [[name, value.attributeTypeMap as readonly Attribute[]] as const] : [],
  ),
);

/** Every built-in kind, and how client-node calls its model. */
const kinds = builtInResources.map((resource): Kind => {
  const { group, version, kind } = resource;
  const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
  const plain = capital(version) + kind;
  const model = models.has(plain) ? plain : capital(group === '' ? 'core' : group.replace(/\..*/, '')) + plain;
  return { apiVersion: apiVersionOf(resource), kind, model };
});

/** Keys that users choose, and that models have as names of fields. */
const keys = fc.constantFrom('a', 'from', 'default', 'time', 'metadata', 'properties', '$ref', 'constructor', 'creationTimestamp');
const seconds = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().replace(/\.\d+Z/, 'Z'));
const micros = fc
  .tuple(seconds, fc.integer({ min: 0, max: 999_999 }))
  .map(([text, micro]) => text.replace('Z', `.${String(micro).padStart(6, '0')}Z`));

const plain: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  any: fc.oneof(
    fc.integer(),
    fc.string(),
    fc.dictionary(keys, fc.constantFrom('2024-01-01T00:00:00Z', 1, null)),
    fc.array(fc.constant({ from: 1 })),
  ),
  boolean: fc.boolean(),
  Date: seconds,
  IntOrString: fc.constantFrom<unknown>(1, '50%'),
  number: fc.integer(),
  string: fc.string(),
  V1MicroTime: micros,
};

/** JSON of a type, as a server may send it, without the fields of `without`. */
function json(type: string, depth: number, without?: string): fc.Arbitrary<unknown> {
  const item = /^Array<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) return fc.array(json(item, depth, without), { maxLength: 2 });
  const value = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (value !== undefined) return fc.dictionary(keys, json(value, depth, without), { maxKeys: 2 });
  const attributes = models.get(type);
  if (attributes === undefined) return plain[type] ?? fc.constant(null);
  const fields = attributes.filter((attribute) => attribute.type !== without && (depth > 0 || attribute.type in plain));
  return fc.record(Object.fromEntries(fields.map((field) => [field.baseName, json(field.type, depth - 1, without)])), { requiredKeys: [] });
}

const samples: Readonly<Record<string, unknown>> = {
  ...{ any: { from: [{ default: 1 }] }, boolean: true, Date: '2024-01-01T00:00:00Z', IntOrString: '50%', number: 1, string: 'a' },
  V1MicroTime: '2024-01-01T00:00:00.123456Z',
};

/** JSON of a type with every field; a model nested in itself only once. */
function everything(type: string, within: readonly string[], without?: string): unknown {
  const item = /^Array<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) return [everything(item, within, without)];
  const value = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (value !== undefined) return { from: everything(value, within, without), time: everything(value, within, without) };
  const fields = models.get(type)?.filter((field) => field.type !== without) ?? [];
  if (fields.length === 0) return samples[type];
  if (within.filter((name) => name === type).length > 1) return {};
  return Object.fromEntries(fields.map((field) => [field.baseName, everything(field.type, [...within, type], without)]));
}

function complete({ apiVersion, kind, model }: Kind, without?: string): KubernetesObject {
  return { ...(everything(model, [], without) as KubernetesObject), apiVersion, kind };
}

function objects({ apiVersion, kind, model }: Kind, without?: string): fc.Arbitrary<KubernetesObject> {
  return json(model, 4, without).map((object) => ({ ...(object as KubernetesObject), apiVersion, kind }));
}

/** What the typed API would send: JSON has no properties that are undefined. */
function sent(object: object, model: string): unknown {
  return JSON.parse(JSON.stringify(ObjectSerializer.serialize(object, model, '')));
}

const policy: V1NetworkPolicy = deepFreeze({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'web', namespace: 'default', creationTimestamp: '2024-01-01T00:00:00Z', labels: { from: 'a' } },
  spec: { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { from: 'b' } } }] }] },
});

const lease: V1Lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'leader' },
  spec: { renewTime: '2024-01-01T00:00:00.123456Z' },
};

describe('toClientNode', () => {
  it('lets the serializer of client-node see ingress[].from of a NetworkPolicy, which it drops from plain JSON', () => {
    expect(sent(policy, 'V1NetworkPolicy')).not.toEqual(policy);
    expect(toClientNode(policy).spec?.ingress?.[0]?._from).toEqual([{ podSelector: { matchLabels: { from: 'b' } } }]);
    expect(sent(toClientNode(policy), 'V1NetworkPolicy')).toEqual(policy);
  });

  it.each(kinds)('loses nothing of a $kind of $apiVersion on its way through the serializer of client-node', (kind) => {
    fc.assert(
      fc.property(objects(kind), (object) => {
        expect(sent(toClientNode(object), kind.model)).toEqual(JSON.parse(JSON.stringify(object)));
      }),
      { numRuns: runs(30), examples: [[complete(kind)]] },
    );
  });

  // The deserializer of client-node leaves a V1MicroTime a string, although its types promise a Date.
  it.each(kinds)('makes of a $kind of $apiVersion what client-node itself reads', (kind) => {
    fc.assert(
      fc.property(objects(kind, 'V1MicroTime'), (object) => {
        expect(toClientNode(object)).toEqual(ObjectSerializer.deserialize(object, kind.model, ''));
      }),
      { numRuns: runs(30), examples: [[complete(kind, 'V1MicroTime')]] },
    );
  });

  it('makes dates of times, which are written again as the server wrote them', () => {
    const { renewTime } = toClientNode(lease).spec ?? {};
    expect(renewTime).toBeInstanceOf(Date);
    expect(renewTime?.getTime()).toBe(Date.UTC(2024, 0, 1, 0, 0, 0, 123));
    expect(JSON.stringify(renewTime)).toBe('"2024-01-01T00:00:00.123456Z"');
  });

  it('writes a time that has been changed with the microseconds that a MicroTime must have', () => {
    const { renewTime } = toClientNode(lease).spec ?? {};
    renewTime?.setUTCSeconds(7);
    expect(JSON.stringify(renewTime)).toBe('"2024-01-01T00:00:07.123000Z"');
  });

  it('converts the values of a map of times, and leaves null and what is no time', () => {
    const budget: V1PodDisruptionBudget = {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
      metadata: { creationTimestamp: null, deletionTimestamp: 'soon' },
      status: {
        currentHealthy: 1,
        desiredHealthy: 1,
        disruptionsAllowed: 0,
        expectedPods: 1,
        disruptedPods: { time: '2024-01-01T00:00:00Z' },
      },
    };
    const { metadata, status } = toClientNode(budget);
    expect(metadata).toEqual({ creationTimestamp: null, deletionTimestamp: 'soon' });
    expect(status?.disruptedPods).toEqual({ time: new Date('2024-01-01T00:00:00Z') });
  });

  it('makes a copy that may be changed, whatever is frozen', () => {
    const copy = toClientNode(policy);
    copy.metadata ??= {};
    copy.metadata.labels = { ...copy.metadata.labels, b: 'c' };
    copy.spec?.ingress?.[0]?._from?.pop();
    expect(copy.spec?.ingress).toEqual([{ _from: [] }]);
    expect(policy.spec?.ingress?.[0]?.from).toHaveLength(1);
  });

  it('converts of a kind that is not built in the metadata, and nothing else', () => {
    const site = {
      ...{ apiVersion: 'example.com/v1', kind: 'NetworkPolicy', metadata: { name: 'a', creationTimestamp: '2024-01-01T00:00:00Z' } },
      spec: { from: '2024-01-01T00:00:00Z', ingress: [{ from: [] }] },
      startTime: '2024-01-01T00:00:00Z',
    };
    expect(toClientNode(site)).toEqual({ ...site, metadata: { name: 'a', creationTimestamp: new Date('2024-01-01T00:00:00Z') } });
  });

  it.each([
    [{ kind: 'Pod' }, '`apiVersion`, got none'],
    [{ apiVersion: 'v1' }, '`kind`, got none'],
    [{ apiVersion: 'v1', kind: '' }, '`kind`, got ""'],
    [undefined, '`apiVersion`, got undefined'],
  ])('refuses %j, whose model cannot be found', (object, message) => {
    expect(() => toClientNode(object as KubernetesObject)).toThrow(
      new TypeError(`Expected \`object\` to be a Kubernetes object with its ${message}`),
    );
  });
});
