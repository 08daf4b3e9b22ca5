import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { createClient, createInformer, type KubeClient, resources } from 'rx-informer';
import type { UsedRight } from '../../src/rbac/rightsLog.js';
import { usedRightsOf } from '../../src/rbac/usedRights.js';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { runs } from '../../../../spec/tier.js';

const { configmaps, pods } = resources.core.v1;
const inDefault = { namespace: 'default' };
const rbac = 'rbac.authorization.k8s.io/v1';

const right = (verb: string, resource: string, more: Partial<UsedRight> = {}): UsedRight => ({
  userAgent: 'op',
  user: 'system:admin',
  verb,
  group: '',
  resource,
  namespace: '',
  path: '',
  ...more,
});

const clusterRole = (...rules: readonly object[]): object => ({ apiVersion: rbac, kind: 'ClusterRole', metadata: { name: 'op' }, rules });
const role = (namespace: string, ...rules: readonly object[]): object => ({
  apiVersion: rbac,
  kind: 'Role',
  metadata: { name: 'op', namespace },
  rules,
});

describe('server.rbac', () => {
  let server: TestApiServer;
  let client: KubeClient;

  beforeEach(async () => {
    server = await startApiServer();
    client = createClient({ server: server.url, userAgent: 'my-operator/1' });
  });

  afterEach(async () => {
    client.close();
    await server.close();
  });

  it('makes the smallest roles of what one client used, and leaves out what everybody may', async () => {
    await client.list(pods);
    await client.discovery.find('deployments');
    await client.create(configmaps, { metadata: { name: 'a', ...inDefault } });
    await client.get(configmaps, 'a', inDefault);
    await client.list(configmaps, { ...inDefault, fieldSelector: 'metadata.name=b' });
    await client.status.patch(pods, 'gone', 'merge', { status: {} }, inDefault).catch(() => undefined);
    await server.client.delete(configmaps, 'a', inDefault);
    const { yaml } = server.rbac({ userAgent: 'my-operator', roleName: 'op' });
    expect(parseAllDocuments(yaml).map((document) => document.toJS() as unknown)).toEqual([
      clusterRole({ apiGroups: [''], resources: ['pods'], verbs: ['list'] }),
      role(
        'default',
        { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['a'] },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['list'], resourceNames: ['b'] },
        { apiGroups: [''], resources: ['pods/status'], verbs: ['patch'], resourceNames: ['gone'] },
      ),
    ]);
  });

  it('takes a list that is streamed by a watch for a list, too, which a server without WatchList gets in its place', async () => {
    const informer = createInformer(client, pods, { listStrategy: 'watchList' });
    await informer.whenSynced();
    await informer.stop();
    const { rights, roles } = server.rbac({ userAgent: 'my-operator' });
    expect(rights.map(({ verb }) => verb)).toEqual(['watch', 'list']);
    expect(roles).toMatchObject([{ rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }] }]);
  });

  it('knows a watch while it is open, and that an apply of an object that is not there creates it', async () => {
    const response = await fetch(`${server.url}/api/v1/pods?watch=1`, { headers: { 'user-agent': 'watcher' } });
    expect(server.rbac({ userAgent: 'watcher' }).roles[0]?.rules).toEqual([{ apiGroups: [''], resources: ['pods'], verbs: ['watch'] }]);
    await response.body?.cancel();
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...inDefault } };
    await client.patch(configmaps, 'a', 'apply', applied, { ...inDefault, fieldManager: 'op' });
    await client.patch(configmaps, 'a', 'apply', applied, { ...inDefault, fieldManager: 'op' });
    expect(server.rbac({ userAgent: 'my-operator', names: 'any' }).roles[0]?.rules).toEqual([
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch'] },
    ]);
  });

  it('refuses an apply that creates to a user who may only patch', async () => {
    const strict = await startApiServer({ auth: { tokens: { t: 'u' }, authorize: (_, { verb }) => verb === 'patch' } });
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...inDefault } };
    await expect(strict.client.patch(configmaps, 'a', 'apply', applied, { ...inDefault, fieldManager: 'op' })).rejects.toThrow(
      'configmaps "a" is forbidden: User "u" cannot create resource "configmaps" in API group "" in the namespace "default"',
    );
    expect(strict.rbac({ user: 'u' }).roles[0]?.rules[0]?.verbs).toEqual(['patch']);
    await strict.close();
  });

  it('names the rules that are missing, and with `exact` those that were not used', async () => {
    await client.list(pods);
    await client.get(configmaps, 'a', inDefault).catch(() => undefined);
    const rights = server.rbac({ userAgent: 'my-operator' });
    expect(() => {
      rights.expectGrantedBy([role('default', { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get', 'list'] })]);
    }).toThrow(
      'The manifests grant less than was used. These rules are missing:\n' +
        "  in a ClusterRole:\n    - { apiGroups: [''], resources: [pods], verbs: [list] }",
    );
    const generous = clusterRole({ apiGroups: [''], resources: ['pods', 'configmaps', 'secrets'], verbs: ['get', 'list'] });
    rights.expectGrantedBy([generous]);
    expect(() => {
      rights.expectGrantedBy([generous], { exact: true });
    }).toThrow(
      'The manifests grant more than was used. These rules were not used:\n' +
        "  ClusterRole op: - { apiGroups: [''], resources: [configmaps], verbs: [list] }\n" +
        "  ClusterRole op: - { apiGroups: [''], resources: [pods], verbs: [get] }\n" +
        "  ClusterRole op: - { apiGroups: [''], resources: [secrets], verbs: [get, list] }",
    );
    expect(rights.compare(rights.yaml)).toEqual({ missing: [], unused: [], notes: [] });
  });

  it('takes a list without a value for an empty one', async () => {
    await client.list(pods);
    const yaml =
      'kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: { name: op }\nrules:\n- apiGroups: [""]\n  resources: [pods]\n  verbs:\n';
    expect(() => server.rbac({ userAgent: 'my-operator' }).expectGrantedBy(yaml)).toThrow('resources: [pods], verbs: [list] }');
  });

  it('forgets with the log, and refuses a client that nobody was', async () => {
    await client.list(pods);
    server.activity.clear();
    await server.client.list(configmaps);
    expect(() => server.rbac({ userAgent: 'my-operator' })).toThrow('Expected requests of my-operator, got requests of rx-informer');
    expect(() => server.rbac({ userAgnt: 'x' } as object)).toThrow('Unknown option `userAgnt` of `rbac`; did you mean `userAgent`?');
  });
});

describe('usedRightsOf', () => {
  it('takes namespaces and names of the test for any', () => {
    const used = [
      right('get', 'leases', { group: 'coordination.k8s.io', namespace: 'system', names: ['leader'] }),
      right('get', 'pods', { namespace: 't1', names: ['a'] }),
      right('list', 'pods'),
    ];
    const { roles } = usedRightsOf(used, { namespaces: ['system'], names: ['leases.coordination.k8s.io'] });
    expect(roles).toMatchObject([
      { kind: 'ClusterRole', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
      { kind: 'Role', metadata: { namespace: 'system' }, rules: [{ resources: ['leases'], resourceNames: ['leader'] }] },
    ]);
  });

  it('puts resources with the same verbs in one rule, and paths outside the API in another', () => {
    const used = [
      right('get', '', { path: '/metrics' }),
      right('get', '', { path: '/healthz' }),
      right('list', 'pods'),
      right('list', 'nodes'),
    ];
    expect(usedRightsOf(used).roles[0]?.rules).toEqual([
      { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['list'] },
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    ]);
  });

  it('reads bindings: whom they name, where they hold, and what they lead to', () => {
    const used = usedRightsOf([right('list', 'pods', { namespace: 'a' })]);
    const reader = clusterRole({ apiGroups: [''], resources: ['pods'], verbs: ['list'] });
    const bind = (kind: string, namespace: string, name = 'op'): object => ({
      apiVersion: rbac,
      kind,
      metadata: { name: 'b', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name: 'op', namespace: 'sys' }],
    });
    const account = { serviceAccount: 'sys/op' };
    used.expectGrantedBy([reader, bind('RoleBinding', 'a')], account);
    used.expectGrantedBy([bind('ClusterRoleBinding', '', 'cluster-admin')]);
    expect(used.compare([reader, bind('RoleBinding', 'b')]).missing).toHaveLength(1);
    expect(used.compare([reader, bind('RoleBinding', 'a')], { serviceAccount: 'sys/other' })).toMatchObject({
      missing: [{}],
      notes: ['ClusterRole op is not bound to sys/other'],
    });
    expect(used.compare([reader, bind('RoleBinding', 'a', 'view')]).notes).toEqual([
      'RoleBinding b binds the ClusterRole view, which the manifests do not hold',
      'ClusterRole op is not bound',
    ]);
  });

  it.each([
    ['a', true],
    ['b', false],
  ])('gathers roles by expressions of selectors: %s', (value, granted) => {
    const reader = clusterRole({ apiGroups: [''], resources: ['pods'], verbs: ['list'] });
    const part: object = { ...reader, metadata: { name: 'part', labels: { to: value } } };
    const selector = { matchExpressions: [{ key: 'to', operator: 'In', values: ['a'] }] };
    const whole: object = { ...clusterRole({}), aggregationRule: { clusterRoleSelectors: [selector] }, rules: [] };
    const bound = {
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'op' },
      subjects: [{ kind: 'ServiceAccount', name: 'op', namespace: 'sys' }],
    };
    const used = usedRightsOf([right('list', 'pods')]);
    expect(used.compare([whole, part, bound], { serviceAccount: 'sys/op' }).missing.length === 0).toBe(granted);
  });

  it.each([
    [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, true],
    [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }, false],
    [{ apiGroups: [''], resources: ['*/log'], verbs: ['get'] }, true],
    [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'], resourceNames: ['other'] }, false],
    [{ apiGroups: ['apps'], resources: ['pods/log'], verbs: ['get'] }, false],
  ])('reads %j as RBAC does', (rule, granted) => {
    const used = usedRightsOf([right('get', 'pods/log', { names: ['web'] })]);
    expect(used.compare([clusterRole(rule)]).missing.length === 0).toBe(granted);
  });

  it('passes over what clusters ask for that protect the finalizers of owners, and never over wildcards', () => {
    const used = usedRightsOf([right('get', 'pods')]);
    const get = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
    const finalizers = { apiGroups: ['apps'], resources: ['deployments/finalizers'], verbs: ['update'] };
    used.expectGrantedBy([clusterRole(get, finalizers)], { exact: true });
    expect(used.compare([clusterRole({ ...get, verbs: ['*'] })]).unused).toEqual([
      { role: 'ClusterRole op', rule: { ...get, verbs: ['*'] } },
    ]);
  });

  it('grants all that was used and nothing else, and lacks something as soon as a rule loses a part', () => {
    const one = fc.record({
      verb: fc.constantFrom('get', 'list', 'watch', 'create', 'deletecollection', 'approve'),
      group: fc.constantFrom('', 'apps', 'x.y'),
      resource: fc.constantFrom('a', 'b', 'c/status', 'd'),
      namespace: fc.constantFrom('', 'n', 'm'),
      names: fc.option(fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 40 }), (list) => {
        const used = usedRightsOf(
          list.map(({ verb, resource, names, ...rest }) => right(verb, resource, { ...rest, ...(names && { names }) })),
        );
        expect(used.compare(used.roles)).toEqual({ missing: [], unused: [], notes: [] });
        used.roles.forEach((whole, at) =>
          whole.rules.forEach((rule, which) => {
            const less = { ...rule, verbs: rule.verbs.slice(1) };
            const rules = whole.rules.map((other, index) => (index === which ? less : other));
            const manifests = used.roles.map((other, index) => (index === at ? { ...whole, rules } : other));
            expect(used.compare(manifests).missing.length).toBeGreaterThan(0);
          }),
        );
      }),
      { numRuns: runs(200) },
    );
  });
});
