import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const ruleOf = (resource: string): object => ({ apiGroups: ['example.com'], resources: [resource], verbs: ['get'] });
const role = (name: string, rules: readonly object[], labels = {}): object => ({ metadata: { name, labels }, rules });
const gathering = (name: string, ...labels: readonly object[]): object => ({
  ...role(name, [], { level: name }),
  aggregationRule: { clusterRoleSelectors: labels.map((matchLabels) => ({ matchLabels })) },
});

describe('the aggregation of ClusterRoles', () => {
  let server: TestApiServer;
  const ask = (method: string, path: string, body?: object) => send(server, path, { method, ...(body !== undefined && { body }) });
  const rulesOf = async (name: string): Promise<unknown> => (await ask('GET', `${roles}/${name}`)).json['rules'];
  beforeEach(async () => {
    server = await startApiServer();
  });
  afterEach(() => server.close());

  it('has filled the roles that every cluster has from the start', async () => {
    const [admin, edit, view] = await Promise.all(['admin', 'edit', 'view'].map(rulesOf));
    expect(view).toEqual(await rulesOf('system:aggregate-to-view'));
    expect(edit).toEqual([...((await rulesOf('system:aggregate-to-edit')) as unknown[]), ...(view as unknown[])]);
    expect(admin).toEqual([...(edit as unknown[]), ...((await rulesOf('system:aggregate-to-admin')) as unknown[])]);
  });

  it('gathers what the selectors match, selector by selector and role by role, each rule once', async () => {
    await ask('POST', roles, role('b', [ruleOf('b'), ruleOf('shared')], { first: 'yes', second: 'yes' }));
    await ask('POST', roles, role('a', [ruleOf('shared'), ruleOf('a')], { second: 'yes' }));
    await ask('POST', roles, role('other', [ruleOf('other')]));
    await ask('POST', roles, gathering('all', { first: 'yes' }, { second: 'yes' }));
    expect(await rulesOf('all')).toEqual([ruleOf('b'), ruleOf('shared'), ruleOf('a')]);
  });

  it('follows changes, through roles that gather themselves', async () => {
    await ask('POST', roles, gathering('upper', { level: 'lower' }));
    await ask('POST', roles, gathering('lower', { to: 'lower' }));
    await ask('POST', roles, role('part', [ruleOf('first')], { to: 'lower' }));
    await expect(rulesOf('lower')).resolves.toEqual([ruleOf('first')]);
    await expect(rulesOf('upper')).resolves.toEqual([ruleOf('first')]);
    await ask('PUT', `${roles}/part`, role('part', [ruleOf('second')], { to: 'lower' }));
    await expect(rulesOf('upper')).resolves.toEqual([ruleOf('second')]);
    await ask('DELETE', `${roles}/part`);
    await expect(rulesOf('lower')).resolves.toBeNull();
    await expect(rulesOf('upper')).resolves.toBeNull();
  });

  it('overwrites what others write there, as its controller', async () => {
    await ask('POST', roles, role('part', [ruleOf('mine')], { to: 'all' }));
    await ask('POST', roles, gathering('all', { to: 'all' }));
    const { json } = await ask('GET', `${roles}/all`);
    expect((json.metadata as { managedFields?: unknown }).managedFields).toContainEqual(
      expect.objectContaining({ manager: 'clusterrole-aggregation-controller', operation: 'Apply', fieldsV1: { 'f:rules': {} } }),
    );
    await ask('PUT', `${roles}/all`, { ...gathering('all', { to: 'all' }), rules: [ruleOf('theirs')] });
    expect(await rulesOf('all')).toEqual([ruleOf('mine')]);
  });

  it('comes to an end where roles gather from each other in a circle', async () => {
    for (const [name, from] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ] as const)
      await ask('POST', roles, { ...gathering(name, { level: from }), rules: [ruleOf(name)] });
    const version = async (): Promise<unknown> => (await ask('GET', roles)).json.metadata.resourceVersion;
    const before = await version();
    expect(await version()).toBe(before);
  });

  it('goes on after the content was replaced', async () => {
    const empty = server.snapshot();
    await ask('POST', roles, role('addition', [ruleOf('more')], { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }));
    const filled = server.snapshot();
    server.restore(empty);
    expect(await rulesOf('admin')).not.toContainEqual(ruleOf('more'));
    server.restore(filled);
    expect(await rulesOf('admin')).toContainEqual(ruleOf('more'));
  });
});
