import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { openTarget, type Target } from '../support/target.js';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const nobody = { name: 'nobody', parameterNotFoundAction: 'Deny' };

/** A mutation that notes in a field how many fields there were. */
function counting(field: string): object {
  const known = `has(object.data.${field}) ? object.data.${field} : ""`;
  const expression = `Object{data: {"${field}": (${known}) + string(object.data.size())}}`;
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
}

describe('Policies', () => {
  let target: Target;
  beforeEach(async () => {
    target = await openTarget({ clock: createManualClock(Date.UTC(2026, 0, 1)) });
  });
  afterEach(() => target.close());

  async function install(kind: 'validating' | 'mutating', name: string, spec: object, binding: object = {}): Promise<number> {
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
    const own = kind === 'mutating' ? { reinvocationPolicy: 'Never' } : {};
    const policy = { metadata: { name }, spec: { matchConstraints: { resourceRules }, ...own, ...spec } };
    const { code } = await target.request(`${registration}/${kind}admissionpolicies`, { method: 'POST', body: policy });
    const actions = kind === 'validating' ? { validationActions: ['Deny'] } : {};
    const bound = { metadata: { name }, spec: { policyName: name, ...actions, ...binding } };
    await target.request(`${registration}/${kind}admissionpolicybindings`, { method: 'POST', body: bound });
    return code;
  }

  function create(): ReturnType<Target['request']> {
    return target.request(configMaps, { method: 'POST', body: { metadata: { name: 'a' }, data: { k: 'v' } } });
  }

  it.each([
    ['validating', 'Fail', { paramRef: nobody }, 422],
    ['validating', 'Fail', { paramRef: nobody, validationActions: ['Warn'] }, 422],
    ['validating', 'Ignore', { paramRef: nobody }, 201],
    ['mutating', 'Fail', { paramRef: nobody }, 403],
    ['mutating', 'Ignore', { paramRef: nobody }, 201],
  ] as const)(
    'a %s one without its parameters follows the failure policy %s, whatever else is set: %j',
    async (kind, failurePolicy, binding, code) => {
      const never = [{ name: 'never', expression: 'false' }];
      const own = { validations: [{ expression: 'true' }], mutations: [counting('a')] };
      await install(kind, 'p', { ...own, failurePolicy, paramKind, matchConditions: never }, binding);
      expect((await create()).code).toBe(code);
    },
  );

  it('has no parameters where its binding names none, and fails where their kind is not served', async () => {
    await install('validating', 'p', { paramKind, validations: [{ expression: 'params == null' }] });
    expect((await create()).code).toBe(201);
    await install('validating', 'q', { paramKind: { apiVersion: 'no.io/v1', kind: 'No' }, validations: [{ expression: 'true' }] });
    expect((await create()).json).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  it('warns by one, too, where another denies', async () => {
    await install('validating', 'a', { validations: [{ expression: 'false' }] });
    await install('validating', 'b', { validations: [{ expression: 'false', message: 'careful' }] }, { validationActions: ['Warn'] });
    const { code, headers } = await create();
    expect([code, headers['warning']]).toEqual([422, expect.stringContaining('careful')]);
  });

  it('mutates by its other mutations when one fails, and looks at its conditions once', async () => {
    const failing = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"n": object.data.nope}}' } };
    const matchConditions = [{ name: 'first', expression: '!has(object.data.a)' }];
    await install('mutating', 'p', {
      failurePolicy: 'Ignore',
      matchConditions,
      mutations: [counting('a'), failing, counting('b')],
    });
    expect((await create()).json.data).toEqual({ k: 'v', a: '1', b: '2' });
  });

  it('mutates again after a change if it is to', async () => {
    await install('mutating', 'a', { reinvocationPolicy: 'IfNeeded', mutations: [counting('a')] });
    await install('mutating', 'b', { mutations: [counting('b')] });
    await install('mutating', 'c', { reinvocationPolicy: 'IfNeeded', mutations: [counting('c')] });
    expect((await create()).json.data).toEqual({ k: 'v', a: '14', b: '2', c: '34' });
  });

  it('mutates no deletion', async () => {
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }];
    expect(await install('mutating', 'p', { matchConstraints: { resourceRules }, mutations: [counting('a')] })).toBe(422);
  });
});
