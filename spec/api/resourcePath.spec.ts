import { describe, expect, it } from '@jest/globals';
import { apiVersionOf, resourceName, resourcePath, type ResourcePathTarget } from '../../src/api/resource.js';
import { resources } from '../../src/api/resources.js';

const { pods, nodes, namespaces } = resources.core.v1;
const { deployments } = resources.apps.v1;
const { clusterroles } = resources.rbac.v1;

describe('resourcePath', () => {
  it.each<[string, { group: string; version: string; plural: string; namespaced: boolean }, ResourcePathTarget | undefined]>([
    ['/api/v1/pods', pods, undefined],
    ['/api/v1/pods', pods, { namespace: '' }],
    ['/api/v1/namespaces/default/pods', pods, { namespace: 'default' }],
    ['/api/v1/namespaces/default/pods/web', pods, { namespace: 'default', name: 'web' }],
    ['/api/v1/namespaces/default/pods/web/log', pods, { namespace: 'default', name: 'web', subresource: 'log' }],
    ['/api/v1/nodes', nodes, {}],
    ['/api/v1/nodes/a/status', nodes, { name: 'a', subresource: 'status' }],
    ['/api/v1/namespaces/kube-system/finalize', namespaces, { name: 'kube-system', subresource: 'finalize' }],
    ['/apis/apps/v1/deployments', deployments, {}],
    ['/apis/apps/v1/namespaces/a/deployments/b/scale', deployments, { namespace: 'a', name: 'b', subresource: 'scale' }],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode', clusterroles, { name: 'system:node' }],
  ])('is %s', (path, resource, target) => {
    expect(resourcePath(resource, target)).toBe(path);
  });

  it('escapes what has a meaning in a URL', () => {
    expect(resourcePath(nodes, { name: 'a?b#c d&é' })).toBe('/api/v1/nodes/a%3Fb%23c%20d%26%C3%A9');
  });

  it.each(['.', '..', 'a/b', '../secrets/x', 'a%2Fb', '\ud800'])('refuses %j as a name, a namespace and a subresource', (bad) => {
    const error = (field: string) => new TypeError(`Expected \`${field}\` to be a name that is valid in a URL, got ${JSON.stringify(bad)}`);
    expect(() => resourcePath(nodes, { name: bad })).toThrow(error('name'));
    expect(() => resourcePath(nodes, { name: 'a', subresource: bad })).toThrow(error('subresource'));
  });

  it.each([
    ['a,b', '; several namespaces are a list, ["a","b"]'],
    ['*', "; all namespaces are ''"],
    ...['.', 'a/b', 'a%2Fb', ' ', ' a', 'default/', 'Default', 'a\n', 'a.b', '-a', 'ä', 'a'.repeat(64)].map((name): [string, string] => [
      name,
      '',
    ]),
  ])('refuses %j as a namespace, where a server would find no objects', (namespace, hint) => {
    expect(() => resourcePath(pods, { namespace })).toThrow(
      new TypeError(`Expected \`namespace\` to be the name of a namespace, got ${JSON.stringify(namespace)}${hint}`),
    );
  });

  it('refuses an empty name, which would be the path of all objects', () => {
    expect(() => resourcePath(nodes, { name: '' })).toThrow(new TypeError('Expected `name` to be a name that is valid in a URL, got ""'));
  });

  it('refuses a resource whose names cannot stand in a URL', () => {
    expect(() => resourcePath({ ...pods, version: '..' })).toThrow(/`version`/);
    expect(() => resourcePath({ ...deployments, group: 'a/b' })).toThrow(/`group`/);
    expect(() => resourcePath({ ...pods, plural: 'pods/web' })).toThrow(/`plural`/);
  });

  it('refuses a namespace of a cluster-scoped resource', () => {
    expect(() => resourcePath(clusterroles, { namespace: 'default' })).toThrow(
      new TypeError('Expected no `namespace` for the cluster-scoped resource clusterroles.rbac.authorization.k8s.io, got "default"'),
    );
  });

  it('refuses one object of a namespaced resource without its namespace', () => {
    expect(() => resourcePath(deployments, { name: 'web' })).toThrow(
      new TypeError('Expected a `namespace` for "web" of the namespaced resource deployments.apps, got none'),
    );
  });

  it('refuses a subresource without the object', () => {
    expect(() => resourcePath(pods, { namespace: 'default', subresource: 'status' })).toThrow(
      new TypeError('Expected a `name` for the subresource "status" of pods, got none'),
    );
  });
});

describe('resourceName', () => {
  it('has the group behind it outside the core group', () => {
    expect([resourceName(pods), resourceName(clusterroles)]).toEqual(['pods', 'clusterroles.rbac.authorization.k8s.io']);
  });
});

describe('apiVersionOf', () => {
  it('has the group before it outside the core group', () => {
    expect([apiVersionOf(pods), apiVersionOf(deployments)]).toEqual(['v1', 'apps/v1']);
  });
});
