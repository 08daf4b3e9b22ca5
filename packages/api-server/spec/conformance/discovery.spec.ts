import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineResource } from '../support/defineResource.js';
import { versionOf } from '../support/definitionOf.js';
import type { AnyJson } from '../support/httpClient.js';
import { openTarget, status, type Target } from '../support/target.js';

const notFound = status(404, 'NotFound', 'the server could not find the requested resource', { details: {} });
const notAllowed = status(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', { details: {} });
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('discovery', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it('says what the server is, slash at the end or not (rows 48, 49)', async () => {
    const version = await target.must('/version');
    expect(version).toMatchObject({
      major: expect.any(String),
      minor: expect.any(String),
      gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/),
      platform: expect.any(String),
    });
    expect(await target.must('/version/')).toEqual(version);
    for (const path of ['/api', '/apis', '/apis/apps', '/api/v1', '/apis/apps/v1', '/api/v1/namespaces', '/api/v1/namespaces/default']) {
      expect((await target.must(`${path}/`)).kind).toBe((await target.must(path)).kind);
    }
  });

  it('lists versions, groups and resources (row 49)', async () => {
    expect(await target.must('/api')).toMatchObject({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: expect.any(Array),
    });
    const groups = await target.must('/apis');
    expect(groups).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
    expect(groups['groups']).toContainEqual({
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
    expect(await target.must('/apis/apps')).toMatchObject({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'apps',
      preferredVersion: { version: 'v1' },
    });
    const apps = await target.must('/apis/apps/v1');
    expect(apps).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'apps/v1' });
    const deployments = {
      name: 'deployments',
      singularName: 'deployment',
      namespaced: true,
      kind: 'Deployment',
      shortNames: ['deploy'],
      categories: ['all'],
    };
    const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
    expect(apps['resources']).toContainEqual(expect.objectContaining({ ...deployments, verbs }));
    const scale = { name: 'deployments/scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] };
    expect(apps['resources']).toContainEqual(expect.objectContaining(scale));
    expect((await target.must('/api/v1'))['resources']).toContainEqual(expect.objectContaining({ name: 'pods/status', kind: 'Pod' }));
  });

  it('comes in one document to those that ask for it, unless they have it (row 50)', async () => {
    const accept = `${aggregated},application/json`;
    const { code, headers, json } = await target.request('/apis', { headers: { accept } });
    expect(code).toBe(200);
    expect(headers['content-type']).toBe(aggregated);
    expect(headers.vary).toContain('Accept');
    expect(headers.etag).toMatch(/^".+"$/);
    expect(json).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {} });
    const apps = json.items.find(({ metadata }) => metadata.name === 'apps');
    const [version] = apps?.['versions'] as [{ version: string; resources: AnyJson[] }];
    expect(version).toMatchObject({ version: 'v1', freshness: 'Current' });
    const deployments = version.resources.find(({ resource }) => resource === 'deployments');
    expect(deployments).toMatchObject({
      responseKind: { group: '', version: '', kind: 'Deployment' },
      scope: 'Namespaced',
      singularResource: 'deployment',
    });
    expect(deployments?.['subresources']).toContainEqual(
      expect.objectContaining({ subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } }),
    );
    const again = await target.request('/apis', { headers: { accept, 'if-none-match': headers.etag } });
    expect([again.code, again.text]).toEqual([304, '']);
    const core = await target.request('/api', { headers: { accept } });
    expect(core.json.items.map(({ metadata }) => metadata.name)).toEqual([undefined]);
  });

  it('names the group and version of custom resources in one document (row 50)', async () => {
    const subresources = { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } };
    const widgets = await defineResource(target, { versions: [versionOf({ type: 'object' }, { subresources })] });
    const { group } = widgets;
    const { json } = await target.request('/apis', { headers: { accept: aggregated } });
    const found = json.items.find(({ metadata }) => metadata.name === group);
    const responseKind = { group, version: 'v1', kind: 'Widget' };
    const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
    const parts = [
      { subresource: 'status', responseKind },
      { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
    ];
    expect(found?.['versions']).toMatchObject([{ resources: [{ resource: 'widgets', responseKind, verbs, subresources: parts }] }]);
    const core = await target.request('/api', { headers: { accept: aggregated } });
    expect(core.text).toMatch(/"responseKind":\{"group":"","version":"","kind":"PodExecOptions"\}/);
    await widgets.remove();
  });

  it('falls back when it does not know the document asked for (row 51)', async () => {
    const unknown = 'application/json;g=apidiscovery.k8s.io;v=v99;as=APIGroupDiscoveryList';
    expect((await target.request('/apis', { headers: { accept: `${unknown},application/json` } })).json.kind).toBe('APIGroupList');
    expect((await target.request('/apis', { headers: { accept: unknown } })).code).toBe(406);
  });

  it.each(['/healthz', '/livez', '/readyz', '/readyz/ping'])('is healthy by %s (row 54)', async (path) => {
    const { code, headers, text } = await target.request(path);
    expect([code, headers['content-type'], text]).toEqual([200, 'text/plain; charset=utf-8', 'ok']);
    expect((await target.request(path, { method: 'HEAD' })).code).toBe(200);
  });

  it('names its checks when asked to (row 54)', async () => {
    expect((await target.request('/readyz?verbose')).text).toMatch(/^\[\+\]ping ok\n/);
  });

  it.each([
    '/apis/apps/v9',
    '/apis/apps/v1/nopes',
    '/api/v1/nopes',
    '/api/v2',
    '/api/v1//namespaces',
    '/api/v1/namespaces/default/nodes',
    '/api/v1/nodes/x/y/z',
    '/api/v1/namespaces/default/pods/a%2Fb',
    '/api/v1/pods/a',
    '/api/v1/namespaces/default/configmaps/y/status',
  ])('knows nothing of %s (row 91)', async (path) => {
    expect((await target.request(path)).json).toMatchObject(notFound);
  });

  it.each(['/apis/nope', '/nope', '/healthz/', '/API/v1'])('knows nothing of %s, in other words (row 91)', async (path) => {
    expect((await target.request(path)).code).toBe(404);
  });

  it.each([
    ['POST', '/api/v1/namespaces/default/configmaps/a'],
    ['PUT', '/api/v1/namespaces/default/configmaps'],
    ['PATCH', '/api/v1/namespaces/default/configmaps'],
    ['POST', '/api/v1/configmaps'],
    ['OPTIONS', '/api/v1/namespaces/default/pods'],
    ['DELETE', '/api/v1/namespaces'],
    ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ])('allows no %s on %s (rows 91, 102)', async (method, path) => {
    const init = method === 'GET' || method === 'OPTIONS' ? { method } : { method, body: { metadata: { name: 'a' } } };
    expect((await target.request(path, init)).json).toMatchObject(notAllowed);
  });

  it.each(['/api', '/version', '/api/v1/namespaces/default', '/api/v1/namespaces/default/configmaps'])(
    'allows no HEAD on %s (row 102)',
    async (path) => {
      expect((await target.request(path, { method: 'HEAD' })).code).toBe(405);
    },
  );

  it('says that everything is allowed (row 95)', async () => {
    const review = { spec: { resourceAttributes: { verb: 'list', resource: 'pods' } } };
    const { code, json } = await target.request('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { method: 'POST', body: review });
    expect(code).toBe(201);
    expect(json).toMatchObject({
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      ...review,
      status: { allowed: true },
    });
  });
});

describe('paths that are not about objects', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it('lists built-in groups by their priority', async () => {
    const { groups } = await target.must('/apis');
    const names = (groups as readonly { readonly name: string }[]).map(({ name }) => name);
    const expected = [
      'apiregistration.k8s.io',
      'apps',
      'events.k8s.io',
      'authentication.k8s.io',
      'autoscaling',
      'batch',
      'policy',
      'storage.k8s.io',
      'node.k8s.io',
    ];
    expect(names.filter((name) => expected.includes(name))).toEqual(expected);
  });

  it('has OpenAPI documents for discovery, the version and the keys of tokens', async () => {
    const { paths } = await target.must('/openapi/v3');
    for (const path of ['api', 'apis', 'apis/apps', 'version', '.well-known/openid-configuration', 'openid/v1/jwks']) {
      expect(paths).toHaveProperty([path]);
      expect((await target.must(`/openapi/v3/${path}`))['paths']).toHaveProperty([`/${path}/`]);
    }
  });

  it.each([
    ['POST', '/openapi/v3/apis/apps/v1', 200],
    ['DELETE', '/openapi/v3', 200],
    ['GET', '/openapi/v3/', 404],
    ['GET', '/openapi/v3/none', 404],
    ['POST', '/openapi/v4', 404],
    ['POST', '/version/x', 404],
    ['POST', '/version/', 405],
    ['POST', '/api/v2', 404],
    ['DELETE', '/api/v1/watch/namespaces/default/pods', 405],
  ])('answers %s %s with %p', async (method, path, code) => {
    expect((await target.request(path, { method })).code).toBe(code);
  });

  it.each([
    ['/apis', 'application/*', 200],
    ['/apis/apps', 'application/*', 200],
    ['/apis/apps/v1', 'application/*', 406],
    ['/version', 'application/*', 406],
    ['/openapi/v3', 'text/html', 200],
    ['/openapi/v3/version', 'text/html', 406],
  ])('answers %s for a client that accepts %s with %p', async (path, accept, code) => {
    expect((await target.request(path, { headers: { accept } })).code).toBe(code);
  });

  it('connects nobody in a dry run', async () => {
    const answer = await target.request('/api/v1/namespaces/default/pods/none/exec?command=x&dryRun=All', { method: 'POST' });
    expect(answer.json).toMatchObject({ code: 400, message: 'dryRun is not supported' });
  });

  it('writes errors in the form that the client prefers', async () => {
    const { headers, text } = await target.request('/api/v2', { headers: { accept: 'application/yaml' } });
    expect(headers['content-type']).toBe('application/yaml');
    expect(text).toContain('code: 404\n');
  });

  it('warns of unknown fields of a review', async () => {
    const body = { spec: {}, other: 1 };
    const { headers } = await target.request('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { method: 'POST', body });
    expect(headers.warning).toContain('unknown field \\"other\\"');
  });
});

describe('custom resources', () => {
  let target: Target;
  const run = `x${String(Date.now())}`;
  const group = `${run}.example.com`;
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { size: { type: 'integer' } } },
                status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
        },
      ],
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  let path: string;

  async function until(condition: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if (await condition()) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('Expected the definition to take effect');
  }

  beforeAll(async () => {
    target = await openTarget();
    await target.post(definitions, definition);
    path = `/apis/${group}/v1/namespaces/${await target.namespace()}/widgets`;
    await until(async () => (await target.request(path)).code === 200);
  });
  afterAll(async () => {
    await target.delete(`${definitions}/widgets.${group}`);
    await target.close();
  });

  it('appear in discovery, established (row 96)', async () => {
    const list = await target.must(`/apis/${group}/v1`);
    expect(list['resources']).toContainEqual(
      expect.objectContaining({ name: 'widgets', singularName: 'widget', namespaced: true, kind: 'Widget', shortNames: ['wd'] }),
    );
    expect(list['resources']).toContainEqual(expect.objectContaining({ name: 'widgets/status' }));
    const { status: state } = await target.must(`${definitions}/widgets.${group}`);
    expect(state['conditions']).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
    expect((await target.must('/apis'))['groups']).toContainEqual(expect.objectContaining({ name: group }));
  });

  it('can be created, read, changed, watched and deleted (row 96)', async () => {
    const { metadata } = await target.must(path);
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
    expect(await target.post(path, widget)).toMatchObject({ ...widget, metadata: { name: 'w', generation: 1 } });
    expect(await target.merge(`${path}/w`, { spec: { size: 2 } })).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 } });
    expect(await target.merge(`${path}/w/status`, { status: { ok: true }, spec: { size: 9 } })).toMatchObject({
      metadata: { generation: 2 },
      spec: { size: 2 },
      status: { ok: true },
    });
    expect(await target.must(`${path}/w/scale`)).toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 0 } });
    const list = await target.must(path);
    expect(list).toMatchObject({ kind: 'WidgetList', apiVersion: `${group}/v1`, items: [{ kind: 'Widget', apiVersion: `${group}/v1` }] });
    expect(await target.delete(`${path}/w`)).toMatchObject({ status: 'Success', details: { name: 'w', group, kind: 'widgets' } });
    expect((await watch.take(4)).map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED']);
    watch.close();
  });

  it('insist on their kind, and on a version when they are replaced (rows 32, 72)', async () => {
    const none = await target.request(path, { method: 'POST', body: { metadata: { name: 'w2' } } });
    expect(none.json).toMatchObject(status(400, 'BadRequest', expect.stringContaining("Object 'Kind' is missing in '")));
    const other = await target.request(path, {
      method: 'POST',
      body: { apiVersion: `${group}/v1`, kind: 'Other', metadata: { name: 'w2' } },
    });
    expect(other.json.message).toMatch(/kind: Invalid value: "Other": must be Widget$/);
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w3' } };
    await target.post(path, widget);
    const put = await target.request(`${path}/w3`, { method: 'PUT', body: widget });
    expect(put.json).toMatchObject(
      status(
        422,
        'Invalid',
        `widgets.${group} "w3" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      ),
    );
    const versionless = [{ op: 'remove', path: '/metadata/resourceVersion' }];
    const removal = { method: 'PATCH', headers: { 'content-type': 'application/json-patch+json' }, body: versionless };
    expect((await target.request(`${path}/w3`, removal)).json).toMatchObject({ code: 422, reason: 'Invalid' });
    const strategic = { method: 'PATCH', headers: { 'content-type': 'application/strategic-merge-patch+json' }, body: {} };
    expect((await target.request(`${path}/w3`, strategic)).json).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
    expect((await target.request(`${path}?fieldSelector=spec.size%3D2`)).json).toMatchObject(
      status(400, 'BadRequest', 'field label not supported: spec.size'),
    );
  });

  it('go with their definition (row 96)', async () => {
    const other = `gone.${group}`;
    const names = { plural: 'gone', singular: 'gone', kind: 'Gone', listKind: 'GoneList' };
    await target.post(definitions, { ...definition, metadata: { name: other }, spec: { ...definition.spec, names } });
    const gone = path.replace(/widgets$/, 'gone');
    await until(async () => (await target.request(gone)).code === 200);
    const { metadata } = await target.post(gone, { apiVersion: `${group}/v1`, kind: 'Gone', metadata: { name: 'g' } });
    const watch = await target.watch(`${gone}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    await target.delete(`${definitions}/${other}`);
    expect((await watch.next()).type).toBe('DELETED');
    expect(await watch.ended).toBe(true);
    expect((await target.request(gone)).code).toBe(404);
  });
});
