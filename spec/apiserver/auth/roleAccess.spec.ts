import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../../src/testing/startApiServer.js';
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
});
