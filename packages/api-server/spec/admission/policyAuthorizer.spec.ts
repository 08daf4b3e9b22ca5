import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send, type Answer } from '../support/httpClient.js';
import { status } from '../support/target.js';

const registration = '/apis/admissionregistration.k8s.io/v1';
const roles = '/apis/rbac.authorization.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = "authorizer.group('').resource('pods').namespace('default')";
const mayGet = `${pods}.check('get').allowed()`;
const mayDelete = `${pods}.check('delete').allowed()`;
const noPath = "authorizer.path('').check('get').allowed()";
/** Shows a text as the error of a missing key. */
const shown = (text: string): string => `{'a': true}[${text}]`;
const times = (count: number, expression: string): string => Array.from({ length: count }, () => expression).join(' && ');
const budget = 'validation failed due to running out of cost budget, no further validation rules will be run';

describe('the authorizer of policies', () => {
  let server: TestApiServer;
  const as = (token: string, method: string, path: string, body?: object): Promise<Answer> =>
    send(server, path, { method, headers: { authorization: `Bearer ${token}` }, ...(body !== undefined && { body }) });
  const create = (name = 'c'): Promise<Answer> => as('bob', 'POST', configMaps, { metadata: { name } });

  const grant = async (kind: 'Role' | 'ClusterRole', name: string, rules: readonly object[], subject: object): Promise<void> => {
    const [list, bindings] = kind === 'Role' ? ['roles', 'rolebindings'] : ['clusterroles', 'clusterrolebindings'];
    const where = kind === 'Role' ? `${roles}/namespaces/default` : roles;
    await as('root', 'POST', `${where}/${list}`, { metadata: { name }, rules });
    const roleRef = { kind, name, apiGroup: 'rbac.authorization.k8s.io' };
    await as('root', 'POST', `${where}/${bindings}`, { metadata: { name }, roleRef, subjects: [subject] });
  };

  /** Defines a policy with a binding. */
  const define = async (spec: object, kind: 'validating' | 'mutating' = 'validating', actions = ['Deny']): Promise<void> => {
    const rule = { apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'], operations: kind === 'mutating' ? ['CREATE'] : ['*'] };
    const policy = { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: [rule] }, ...spec } };
    expect(await as('root', 'POST', `${registration}/${kind}admissionpolicies`, policy)).toMatchObject({ code: 201 });
    const bound = { policyName: 'p', ...(kind === 'validating' && { validationActions: actions }) };
    await as('root', 'POST', `${registration}/${kind}admissionpolicybindings`, { metadata: { name: 'p' }, spec: bound });
  };
  const denied = (problem: string): object =>
    status(422, 'Invalid', `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: ${problem}`);
  const failed = (expression: string, problem: string): object => denied(`expression '${expression}' resulted in error: ${problem}`);

  beforeEach(async () => {
    const tokens = { root: { name: 'root', groups: ['system:masters'] }, bob: 'bob' };
    server = await startApiServer({ auth: { tokens, authorize: 'rbac' } });
    const bob = { kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' };
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'delete'] },
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['c'], verbs: ['custom'] },
      { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get'] },
    ];
    await grant('Role', 'bob', rules, bob);
    await grant('ClusterRole', 'nodes', [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }], {
      kind: 'ServiceAccount',
      name: 'robot',
      namespace: 'default',
    });
  });
  afterEach(() => server.close());

  it.each([
    [mayGet, true],
    [mayDelete, false],
    ["authorizer.group('').resource('pods').check('get').allowed()", false],
    [`${pods}.subresource('log').check('get').allowed()`, true],
    [`${pods}.subresource('exec').check('get').allowed()`, false],
    ["authorizer.group('').resource('secrets').namespace('default').name('one').check('get').allowed()", true],
    ["authorizer.group('').resource('secrets').namespace('default').name('two').check('get').allowed()", false],
    ["authorizer.path('/healthz').check('get').allowed()", true],
    ["authorizer.path('/metrics').check('get').allowed()", false],
    [`${pods}.fieldSelector('spec.nodeName=a').labelSelector('a in (b').check('get').allowed()`, true],
    ["authorizer.serviceAccount('default', 'robot').group('').resource('nodes').check('list').allowed()", true],
    ["authorizer.serviceAccount('default', 'other').group('').resource('nodes').check('list').allowed()", false],
    ["authorizer.requestResource.check('custom').allowed()", true],
    ["authorizer.requestResource.name('other').check('custom').allowed()", false],
    [`!${pods}.check('get').errored()`, true],
    [`['get', 'delete'].map(verb, ${pods}.check(verb).allowed()) == [true, false]`, true],
  ])('decides %s: %s', async (expression, allowed) => {
    await define({ validations: [{ expression }] });
    const expected = allowed ? { metadata: { name: 'c' } } : denied(`failed expression: ${expression}`);
    expect((await create()).json).toMatchObject(expected);
  });

  it.each([
    [shown(`${pods}.check('get').reason()`), 'no such key: RBAC: allowed by RoleBinding "bob/default" of Role "bob" to User "bob"'],
    [shown(`${pods}.check('delete').reason()`), 'no such key: '],
    [shown(`${pods}.check('get').error()`), 'no such key: '],
    [`${pods}.check('get') == ${pods}.check('get')`, 'no such overload'],
    [noPath, 'path must not be empty'],
    ["authorizer.group('').resource(' ').check('get').allowed()", 'resource must not be empty'],
    ["authorizer.serviceAccount('', 'a').path('/').check('get').allowed()", 'Invalid service account namespace'],
    ["authorizer.serviceAccount('a', 'B').path('/').check('get').allowed()", 'Invalid service account name'],
  ])('says why: %s', async (expression, problem) => {
    await define({ validations: [{ expression }] });
    expect((await create()).json).toMatchObject(failed(expression, problem));
  });

  it('knows the object of a deletion, too', async () => {
    await create();
    const expression = shown("authorizer.requestResource.check('custom').reason()");
    await define({ validations: [{ expression }] });
    expect((await as('bob', 'DELETE', `${configMaps}/c`)).json).toMatchObject(
      failed(expression, 'no such key: RBAC: allowed by RoleBinding "bob/default" of Role "bob" to User "bob"'),
    );
  });

  it('is known to variables, but not to messages and annotations', async () => {
    const variables = [{ name: 'why', expression: `${pods}.check('get').reason()` }];
    const validation = { expression: "variables.why == ''", message: 'plain', messageExpression: "'because ' + variables.why" };
    await define({ variables, validations: [validation] });
    expect((await create()).json).toMatchObject(denied('plain'));
    await as('root', 'DELETE', `${registration}/validatingadmissionpolicies/p`);
    await define({ variables, auditAnnotations: [{ key: 'a', valueExpression: 'variables.why' }] }, 'validating', ['Audit']);
    const problem = 'composited variable "why" fails to evaluate: no such attribute(s): authorizer';
    expect((await create()).json).toMatchObject(failed('variables.why', problem));
  });

  it('is known to mutations', async () => {
    const expression = `Object{data: {'may': string(${mayGet}), 'other': string(${mayDelete})}}`;
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
    await define({ mutations, reinvocationPolicy: 'Never' }, 'mutating');
    expect((await create()).json).toMatchObject({ data: { may: 'true', other: 'false' } });
  });

  it.each([
    [[mayGet], 'reached'],
    [[mayDelete], undefined],
    [[noPath, mayDelete], undefined],
    [[noPath, mayGet], `expression '${noPath}' resulted in error: path must not be empty`],
    [
      [noPath, "object.gone == 'a'"],
      `[expression '${noPath}' resulted in error: path must not be empty, expression 'object.gone == 'a'' resulted in error: no such key: gone]`,
    ],
    [[times(2, mayGet), times(2, mayGet), times(2, mayGet), mayGet], 'reached'],
    [[times(2, mayGet), times(2, mayGet), times(2, mayGet), times(2, mayGet)], budget],
  ])('decides the conditions %j: %s', async (expressions, problem) => {
    const matchConditions = expressions.map((expression, at) => ({ name: `c${String(at)}`, expression }));
    await define({ matchConditions, validations: [{ expression: 'false', message: 'reached' }] });
    const clientConfig = { url: 'https://127.0.0.1:1/' };
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }];
    const webhook = { name: 'a.b.example', clientConfig, rules, matchConditions, sideEffects: 'None', admissionReviewVersions: ['v1'] };
    expect((await create()).json).toMatchObject(problem === undefined ? { metadata: { name: 'c' } } : denied(problem));
    await as('root', 'DELETE', `${registration}/validatingadmissionpolicybindings/p`);
    await as('root', 'POST', `${registration}/mutatingwebhookconfigurations`, { metadata: { name: 'w' }, webhooks: [webhook] });
    const called: unknown = expect.stringContaining('failed calling webhook "a.b.example"');
    const expected =
      problem === undefined
        ? { metadata: { name: 'd' } }
        : problem === 'reached'
          ? { code: 500, message: called }
          : status(403, 'Forbidden', `configmaps "d" is forbidden: ${problem}`);
    expect((await create('d')).json).toMatchObject(expected);
  });

  it('is asked twice by an expression at most, whatever the expression does with errors', async () => {
    const expression = `[1, 2, 3].exists(x, ${mayDelete}) || true`;
    await define({ validations: [{ expression }] });
    expect((await create()).json).toMatchObject(failed(expression, 'operation cancelled: actual cost limit exceeded'));
  });

  it('is asked by each variable anew, and by an expression that fails no second time', async () => {
    const variables = ['a', 'b', 'c'].map((name) => ({ name, expression: times(2, mayGet) }));
    const expression = `variables.a && variables.b && variables.c && ${times(2, mayGet)} && object.gone`;
    await define({ variables, validations: [{ expression }] });
    expect((await create()).json).toMatchObject(failed(expression, 'no such key: gone'));
  });

  it('is asked 28 times by the validations of a policy at most', async () => {
    const validations = (count: number): object => ({
      validations: Array.from({ length: count }, () => ({ expression: times(2, mayGet) })),
    });
    await define(validations(14));
    expect((await create()).code).toBe(201);
    await as('root', 'DELETE', `${registration}/validatingadmissionpolicies/p`);
    await define(validations(15));
    await as('root', 'DELETE', `${configMaps}/c`);
    expect((await create()).json).toMatchObject(denied(budget));
  });
});

it('an authorizer of the options that fails gives a decision that errored', async () => {
  const broken = (_: unknown, { verb }: { readonly verb: string }): boolean => {
    if (verb === 'ask') throw new Error('no answer');
    return true;
  };
  const server = await startApiServer({ auth: { tokens: { root: 'root' }, authorize: broken } });
  const post = (path: string, body: object): Promise<Answer> =>
    send(server, path, { method: 'POST', headers: { authorization: 'Bearer root' }, body });
  const resourceRules = [{ apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'], operations: ['*'] }];
  const decision = `${pods}.check('ask')`;
  const expression = `${decision}.errored() && ${shown(`${decision}.error()`)}`;
  const spec = { matchConstraints: { resourceRules }, validations: [{ expression }] };
  await post(`${registration}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
  const bound = { policyName: 'p', validationActions: ['Deny'] };
  await post(`${registration}/validatingadmissionpolicybindings`, { metadata: { name: 'p' }, spec: bound });
  const { json } = await post(configMaps, { metadata: { name: 'c' } });
  expect(json.message).toContain('resulted in error: no such key: no answer');
  await server.close();
});
