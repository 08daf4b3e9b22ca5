import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const pods = '/api/v1/namespaces/default/pods';

describe("authorize: 'rbac'", () => {
  let server: TestApiServer;
  const as = (token: string, method: string, path: string, body?: object) =>
    send(server, path, { method, headers: { authorization: `Bearer ${token}` }, ...(body !== undefined && { body }) });
  const bind = (kind: string, role: object, name = 'b') =>
    as('root', 'POST', `${rbac}/${kind}`, { metadata: { name }, roleRef: role, subjects: [{ kind: 'User', name: 'bob' }] });

  beforeEach(async () => {
    const tokens = { root: { name: 'root', groups: ['system:masters'] }, bob: 'bob' };
    server = await startApiServer({ auth: { tokens, authorize: 'rbac' } });
  });
  afterEach(() => server.close());

  it('allows nothing but discovery without a binding, and everything to system:masters', async () => {
    expect((await as('bob', 'GET', pods)).code).toBe(403);
    expect((await as('bob', 'GET', '/api')).code).toBe(200);
    expect((await as('root', 'GET', pods)).code).toBe(200);
  });

  it('says of a denial which bound roles do not exist', async () => {
    const missing = 'clusterrole.rbac.authorization.k8s.io "gone" not found';
    await bind('clusterrolebindings', { kind: 'ClusterRole', name: 'gone', apiGroup: 'rbac.authorization.k8s.io' });
    const denied = 'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"';
    expect((await as('bob', 'GET', pods)).json.message).toBe(`${denied}: RBAC: ${missing}`);
    expect((await as('bob', 'GET', '/metrics')).json.message).toBe(`forbidden: User "bob" cannot get path "/metrics": RBAC: ${missing}`);
    const reviews = '/apis/authorization.k8s.io/v1';
    const asked = await as('bob', 'POST', `${reviews}/selfsubjectaccessreviews`, {
      spec: { resourceAttributes: { verb: 'list', resource: 'pods' } },
    });
    expect(asked.json.status).toEqual({ allowed: false, reason: `RBAC: ${missing}` });
    await bind('namespaces/default/rolebindings', { kind: 'Role', name: 'lost', apiGroup: 'rbac.authorization.k8s.io' });
    const both = `[${missing}, role.rbac.authorization.k8s.io "lost" not found]`;
    expect((await as('bob', 'GET', pods)).json.message).toBe(`${denied}: RBAC: ${both}`);
    const rules = await as('bob', 'POST', `${reviews}/selfsubjectrulesreviews`, { spec: { namespace: 'default' } });
    expect(rules.json.status).toMatchObject({ incomplete: false, evaluationError: both });
  });

  it('allows what a role allows, in its namespace', async () => {
    await as('root', 'POST', `${rbac}/namespaces/default/roles`, {
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'], resourceNames: [] }],
    });
    await bind('namespaces/default/rolebindings', { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' });
    expect((await as('bob', 'GET', pods)).code).toBe(200);
    expect((await as('bob', 'GET', `${pods}/x`)).code).toBe(403);
    expect((await as('bob', 'GET', '/api/v1/namespaces/kube-system/pods')).code).toBe(403);
    expect((await as('bob', 'GET', '/api/v1/pods')).code).toBe(403);
  });

  it('gathers the rules of the roles that every cluster has', async () => {
    await bind('clusterrolebindings', { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' });
    expect((await as('bob', 'GET', '/api/v1/pods')).code).toBe(200);
    expect((await as('bob', 'GET', '/api/v1/secrets')).code).toBe(403);
    expect((await as('bob', 'DELETE', `${pods}/x`)).code).toBe(403);
  });

  it('names who may not do what', async () => {
    const { json } = await as('bob', 'GET', pods);
    expect(json.message).toBe('pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"');
  });

  const refused = { code: 403, json: { reason: 'Forbidden' } };
  const rules = [{ apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'], verbs: ['get', 'update'] }];
  const roles = `${rbac}/namespaces/default/roles`;
  const mayWrite = async (...verbs: string[]): Promise<void> => {
    const all = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];
    const own = [{ apiGroups: ['rbac.authorization.k8s.io'], resources: all, verbs }];
    await as('root', 'POST', `${rbac}/clusterroles`, { metadata: { name: 'writer' }, rules: own });
    await bind('clusterrolebindings', { kind: 'ClusterRole', name: 'writer', apiGroup: 'rbac.authorization.k8s.io' }, 'writer');
  };

  it('lets nobody write a role beyond the own rights, and says which are missing', async () => {
    await mayWrite('create', 'update');
    const answer = await as('bob', 'POST', roles, { metadata: { name: 'r' }, rules });
    expect(answer).toMatchObject(refused);
    expect(answer.json.message).toBe(
      'roles.rbac.authorization.k8s.io "r" is forbidden: user "bob" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        'get deployments.apps/scale\nget deployments/scale\nget pods\nget pods.apps\n' +
        'update deployments.apps/scale\nupdate deployments/scale\nupdate pods\nupdate pods.apps',
    );
    const urls = [{ nonResourceURLs: ['/metrics'], verbs: ['get', 'post'] }];
    expect((await as('bob', 'POST', `${rbac}/clusterroles`, { metadata: { name: 'r' }, rules: urls })).json.message).toMatch(
      /held:\nget \/metrics\npost \/metrics$/,
    );
    const own = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] };
    expect((await as('bob', 'POST', roles, { metadata: { name: 'r' }, rules: [own] })).code).toBe(201);
    expect(await as('bob', 'PUT', `${roles}/r`, { metadata: { name: 'r' }, rules })).toMatchObject(refused);
    const kept = { metadata: { name: 'r', finalizers: ['example.com/held'] }, rules: [own] };
    expect((await as('bob', 'PUT', `${roles}/r`, kept)).code).toBe(200);
  });

  it('lets nobody gather rules, nor bind a role, without all that is in it', async () => {
    await mayWrite('create');
    const gather = { metadata: { name: 'g' }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] }, rules: [] };
    expect((await as('bob', 'POST', `${rbac}/clusterroles`, gather)).json.message).toMatch(/must have cluster-admin privileges/);
    const binding = (name: string): object => ({ metadata: { name: 'b2' }, roleRef: { kind: 'ClusterRole', name } });
    expect(await as('bob', 'POST', `${rbac}/clusterrolebindings`, binding('view'))).toMatchObject(refused);
    expect((await as('bob', 'POST', `${rbac}/clusterrolebindings`, binding('absent'))).code).toBe(404);
    expect((await as('bob', 'POST', `${rbac}/clusterrolebindings`, binding('writer'))).code).toBe(201);
  });

  it('lets those who may escalate and bind', async () => {
    await mayWrite('create', 'escalate', 'bind');
    expect((await as('bob', 'POST', roles, { metadata: { name: 'r' }, rules })).code).toBe(201);
    const binding = { metadata: { name: 'b2' }, roleRef: { kind: 'ClusterRole', name: 'view' } };
    expect((await as('bob', 'POST', `${rbac}/clusterrolebindings`, binding)).code).toBe(201);
  });
});
