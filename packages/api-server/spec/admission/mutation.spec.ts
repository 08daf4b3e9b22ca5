import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { openTarget, type Target } from '../support/target.js';

const registration = '/apis/admissionregistration.k8s.io/v1';
const service = {
  metadata: { name: 's', labels: { run: 'm' } },
  spec: { clusterIP: 'None', selector: { a: 'b' }, ports: [{ port: 80, name: 'http' }] },
};

describe('Mutations of policies', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget({ clock: createManualClock(Date.UTC(2026, 0, 1)) });
    await target.post(`${registration}/mutatingadmissionpolicybindings`, { metadata: { name: 'm' }, spec: { policyName: 'm' } });
  });
  afterAll(() => target.close());

  /** The answer to a new object, with a policy that has one mutation. */
  async function created(
    patchType: 'ApplyConfiguration' | 'JSONPatch',
    expression: string,
    resource = 'services',
    body: object = service,
  ): Promise<Awaited<ReturnType<Target['request']>>['json']> {
    const own = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }];
    await target.must(`${registration}/mutatingadmissionpolicies`, {
      method: 'POST',
      body: {
        metadata: { name: 'm' },
        spec: { matchConstraints: { resourceRules }, reinvocationPolicy: 'Never', mutations: [{ patchType, [own]: { expression } }] },
      },
    });
    const { json } = await target.request(`/api/v1/namespaces/default/${resource}?dryRun=All`, { method: 'POST', body });
    await target.delete(`${registration}/mutatingadmissionpolicies/m`);
    return json;
  }
  const denied = "policy 'm' with binding 'm' denied request: ";
  const unconverted = `${denied}error applying patch: failed to convert patch object to typed object: `;

  it('apply objects', async () => {
    const expression =
      'Object{?metadata: object.?nope, spec: Object.spec{ports: [Object.spec.ports{port: 81, name: "more", protocol: "TCP"}]}}';
    const { spec } = await created('ApplyConfiguration', expression);
    expect(spec).toMatchObject({ ports: [{ port: 80 }, { port: 81, name: 'more' }] });
  });

  it.each([
    [
      'Object{spec: Object.foo{type: "ClusterIP"}}',
      `${denied}type mismatch: unexpected type name "Object.foo", expected "Object.spec", which matches field name path from root Object type`,
    ],
    [
      'Object{spec: Object.spec{selector: {"c": "d"}}}',
      `${denied}error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector`,
    ],
    [
      'Object{spec: Object.spec{ports: [{"name": "a"}]}}',
      `${unconverted}.spec.ports: element 0: associative list with keys may not have non-map elements`,
    ],
    ['Object{spec: null}', `${unconverted}.spec: expected map, got null`],
    ['Object{spec: Object{}.spec}', `${unconverted}.spec: expected map, got null`],
    [
      'Object{spec: Object.spec{healthCheckNodePort: 2u}}',
      `${unconverted}.spec.healthCheckNodePort: expected numeric, got an unsigned number`,
    ],
    ['Object{spec: Object.spec{externalName: b"x"}}', `${unconverted}.spec.externalName: expected string, got bytes`],
  ])('refuse %s', async (expression, message) => {
    expect(await created('ApplyConfiguration', expression)).toMatchObject({ code: 403, reason: 'Invalid', message });
  });

  it('apply maps in objects of a list', async () => {
    const limits = 'Object.spec.containers{name: "c", resources: Object.spec.containers.resources{limits: {"cpu": "1"}}}';
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const answer = await created('ApplyConfiguration', `Object{spec: Object.spec{containers: [${limits}]}}`, 'pods', pod);
    expect(answer).toMatchObject({ spec: { containers: [{ image: 'i', resources: { limits: { cpu: '1' } } }] } });
  });

  it('patch with the values of CEL in their JSON', async () => {
    const values = '{"a": dyn(duration("3s")), "b": dyn(b"xyz"), "c": dyn(timestamp("2020-01-01T00:00:00Z"))}';
    const { metadata } = await created('JSONPatch', `[JSONPatch{op: "add", path: "/metadata/annotations", value: ${values}}]`);
    expect(metadata).toMatchObject({ annotations: { a: '3s', b: 'eHl6', c: '2020-01-01T00:00:00Z' } });
  });

  it('change nothing when a test fails', async () => {
    const expression = '[JSONPatch{op: "remove", path: "/metadata/labels"}, JSONPatch{op: "test", path: "/spec/type", value: "x"}]';
    expect(await created('JSONPatch', expression)).toMatchObject({ metadata: { labels: { run: 'm' } } });
  });

  it.each([
    ['[JSONPatch{op: "bad", path: "x"}]', `${denied}JSON Patch: bad operation does not apply: x`],
    ['[JSONPatch{op: "add", path: "/spec/ports/5", value: {}}]', `${denied}JSON Patch: add operation does not apply: /spec/ports/5`],
    [
      '[JSONPatch{op: object.spec}]',
      `${denied}expression '[JSONPatch{op: object.spec}]' resulted in error: unexpected type map for JSONPatchType 'op' field`,
    ],
    [
      '[JSONPatch{val: object.spec}]',
      `${denied}expression '[JSONPatch{val: object.spec}]' resulted in error: unexpected JSONPatchType field: val`,
    ],
    ['[JSONPatch{op: "add", path: "/spec/nope", value: 1}]', 'Internal error occurred: strict decoding error: unknown field "spec.nope"'],
  ])('refuse %s', async (expression, message) => {
    expect(await created('JSONPatch', expression)).toMatchObject({ status: 'Failure', message });
  });
});
