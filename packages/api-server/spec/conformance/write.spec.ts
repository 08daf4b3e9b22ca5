import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { itEmbedded, openTarget, status, type Target } from '../support/target.js';

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

describe('write', () => {
  let target: Target;
  let namespace: string;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    namespace = await target.namespace();
    path = `/api/v1/namespaces/${namespace}/secrets`;
  });
  afterAll(() => target.close());

  it('stores a created object under a uid and times of the server own making, whatever was sent (row 64)', async () => {
    const sent = {
      name: 'y',
      uid: 'mine',
      creationTimestamp: '2000-01-01T00:00:00Z',
      deletionTimestamp: '2000-01-01T00:00:00Z',
      selfLink: '/x',
    };
    const { code, json } = await target.request(path, { method: 'POST', body: { apiVersion: 'v1', kind: 'Secret', metadata: sent } });
    expect(code).toBe(201);
    expect(json).toMatchObject({ kind: 'Secret', apiVersion: 'v1', metadata: { name: 'y', namespace } });
    expect(json.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(json.metadata.creationTimestamp).toMatch(/^20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(json.metadata).not.toHaveProperty('deletionTimestamp');
    expect(json.metadata).not.toHaveProperty('selfLink');
  });

  it('takes a built-in kind without kind and apiVersion (row 62)', async () => {
    expect(await target.post(path, { metadata: { name: 'bare' } })).toMatchObject({ kind: 'Secret', apiVersion: 'v1' });
  });

  it('makes up a name of the base and five letters (row 63)', async () => {
    const { metadata } = await target.post(path, { metadata: { generateName: 'gen-' } });
    expect(metadata.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2-9]{5}$/);
    const long = await target.post(path, { metadata: { generateName: 'x'.repeat(70) } });
    expect(long.metadata.name).toMatch(/^x{58}[bcdfghjklmnpqrstvwxz2-9]{5}$/);
  });

  it('refuses a resourceVersion on a new object with 500 (row 65)', async () => {
    const { json } = await target.request(path, { method: 'POST', body: { metadata: { name: 'x', resourceVersion: '5' } } });
    expect(json).toMatchObject(status(500, '', 'resourceVersion should not be set on objects to be created'));
    expect(json.reason).toBeUndefined();
  });

  it('takes for no version what is no number of 64 bits', async () => {
    const over = { resourceVersion: String(2n ** 64n) };
    const post = (meta: object): Promise<{ code: number }> =>
      target.request(path, { method: 'POST', body: { metadata: { name: 'over', ...meta } } });
    expect(await post({ resourceVersion: String(2n ** 64n - 1n) })).toMatchObject({ code: 500 });
    expect(await post(over)).toMatchObject({ code: 201 });
    expect(await post(over)).toMatchObject({ code: 409, json: { reason: 'AlreadyExists' } });
    const put = await target.request(`${path}/over`, { method: 'PUT', body: { metadata: { name: 'over', ...over } } });
    expect(put).toMatchObject({ code: 500 });
  });

  it('refuses a name that is taken (row 66)', async () => {
    await target.post(path, { metadata: { name: 'a' } });
    const { json } = await target.request(path, { method: 'POST', body: { metadata: { name: 'a' } } });
    expect(json).toEqual({
      ...status(409, 'AlreadyExists', 'secrets "a" already exists', { details: { name: 'a', kind: 'secrets' } }),
      metadata: {},
    });
  });

  it('says when the name is taken by an object that is going away (row 66)', async () => {
    await target.post(path, { metadata: { name: 'fin', finalizers: ['example.com/f'] } });
    await target.delete(`${path}/fin`);
    const { json } = await target.request(path, { method: 'POST', body: { metadata: { name: 'fin' } } });
    expect(json).toMatchObject(status(409, 'AlreadyExists', 'object is being deleted: secrets "fin" already exists'));
    await target.merge(`${path}/fin`, { metadata: { finalizers: null } });
  });

  it.each([
    [
      'POST',
      '',
      { name: 'z', namespace: 'other' },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    ['PUT', '/a', { name: 'other' }, 'the name of the object (other) does not match the name on the URL (a)'],
    ['PUT', '/a', {}, 'the name of the object (a based on URL) was undeterminable: name must be provided'],
    [
      'PUT',
      '/a',
      { name: 'a', namespace: 'other' },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ])('refuses a %s whose metadata does not fit the URL: %s %j (row 67)', async (method, suffix, metadata, message) => {
    await target.post(path, { metadata: { name: 'a' } });
    const { json } = await target.request(path + suffix, { method, body: { metadata } });
    expect(json).toMatchObject(status(400, 'BadRequest', message.replace('NS', namespace)));
  });

  it('refuses to create in a namespace that does not exist (row 68)', async () => {
    const { json } = await target.request('/api/v1/namespaces/no-such/secrets', { method: 'POST', body: { metadata: { name: 'z' } } });
    expect(json).toMatchObject(
      status(404, 'NotFound', 'namespaces "no-such" not found', { details: { name: 'no-such', kind: 'namespaces' } }),
    );
  });

  it('refuses to create in a namespace that is going away (row 68)', async () => {
    await target.post(path, { metadata: { name: 'keeps', finalizers: ['example.com/f'] } });
    await target.delete(`/api/v1/namespaces/${namespace}`);
    const { json } = await target.request(path, { method: 'POST', body: { metadata: { name: 'x' } } });
    const message = `secrets "x" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`;
    expect(json).toMatchObject(status(403, 'Forbidden', message));
    expect(json['details']).toMatchObject({ causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] });
    await target.merge(`${path}/keeps`, { metadata: { finalizers: null } });
  });

  it('says in a Status what is missing (row 69)', async () => {
    const secret = await target.request(`${path}/nope`);
    expect(secret.json).toMatchObject(status(404, 'NotFound', 'secrets "nope" not found', { details: { name: 'nope', kind: 'secrets' } }));
    const deployment = await target.request(`/apis/apps/v1/namespaces/${namespace}/deployments/nope`);
    expect(deployment.json['details']).toEqual({ name: 'nope', group: 'apps', kind: 'deployments' });
  });

  it('refuses a PUT of an outdated object (row 30)', async () => {
    const old = await target.post(path, { metadata: { name: 'a' } });
    await target.merge(`${path}/a`, { metadata: { labels: { x: 'y' } } });
    const { json } = await target.request(`${path}/a`, { method: 'PUT', body: old });
    const message = `Operation cannot be fulfilled on secrets "a": ${modified}`;
    expect(json).toEqual({ ...status(409, 'Conflict', message, { details: { name: 'a', kind: 'secrets' } }), metadata: {} });
  });

  it('refuses a patch that names an outdated version (row 31)', async () => {
    const { metadata } = await target.post(path, { metadata: { name: 'a' } });
    await target.merge(`${path}/a`, { metadata: { labels: { x: 'y' } } });
    const init = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
    const body = { metadata: { resourceVersion: metadata.resourceVersion, labels: { x: 'z' } } };
    expect((await target.request(`${path}/a`, { ...init, body })).json).toMatchObject(
      status(409, 'Conflict', expect.stringContaining(modified)),
    );
  });

  it('overwrites without a version, except where kinds insist on one (row 32)', async () => {
    await target.post(path, { metadata: { name: 'a' } });
    expect(await target.put(`${path}/a`, { metadata: { name: 'a' }, data: { k: 'dg==' } })).toMatchObject({ data: { k: 'dg==' } });
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    await target.post(leases, { metadata: { name: 'l' }, spec: { holderIdentity: 'a' } });
    const { json } = await target.request(`${leases}/l`, {
      method: 'PUT',
      body: { metadata: { name: 'l' }, spec: { holderIdentity: 'b' } },
    });
    const detail = 'metadata.resourceVersion: Invalid value: 0: must be specified for an update';
    expect(json).toMatchObject(status(422, 'Invalid', `leases.coordination.k8s.io "l" is invalid: ${detail}`));
  });

  it('checks uid and version of a PUT (3.4)', async () => {
    const { metadata } = await target.post(path, { metadata: { name: 'a' } });
    const put = (name: string, meta: object): Promise<object> =>
      target.request(`${path}/${name}`, { method: 'PUT', body: { metadata: { name, ...meta } } });
    const storage = (name: string, actual: string): string =>
      `Operation cannot be fulfilled on secrets "${name}": StorageError: invalid object, Code: 4, Key: /registry/secrets/${namespace}/${name}, ` +
      `ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: bad, UID in object meta: ${actual}`;
    expect(await put('a', { uid: 'bad' })).toMatchObject({ json: status(409, 'Conflict', storage('a', metadata.uid)) });
    expect(await put('gone', { uid: 'bad' })).toMatchObject({ json: status(404, 'NotFound', 'secrets "gone" not found') });
    expect(await put('gone', {})).toMatchObject({ json: status(404, 'NotFound', 'secrets "gone" not found') });
    expect(await put('a', { resourceVersion: 'abc' })).toMatchObject({
      json: status(500, '', 'resourceVersion: expected a number, got "abc"'),
    });
  });

  it('creates by PUT the kinds that allow it (3.4)', async () => {
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`;
    const { code, json } = await target.request(`${roles}/r`, { method: 'PUT', body: { metadata: { name: 'r' }, rules: [] } });
    expect([code, json.metadata.name]).toEqual([201, 'r']);
  });

  it('keeps the version when a write changes nothing (row 23)', async () => {
    const created = await target.post(path, { metadata: { name: 'a', labels: { x: 'y' } } });
    const put = await target.put(`${path}/a`, created);
    const patched = await target.merge(`${path}/a`, { metadata: { labels: { x: 'y' } } });
    expect([put, patched].map(({ metadata }) => metadata.resourceVersion)).toEqual(Array(2).fill(created.metadata.resourceVersion));
  });

  it('keeps what the server owns through a PUT (3.2)', async () => {
    const { metadata } = await target.post(path, { metadata: { name: 'a' } });
    const changed = await target.put(`${path}/a`, {
      metadata: { name: 'a', creationTimestamp: '2000-01-01T00:00:00Z', labels: { x: 'y' } },
    });
    expect(changed.metadata).toMatchObject({ uid: metadata.uid, creationTimestamp: metadata.creationTimestamp, labels: { x: 'y' } });
    expect(changed.metadata).not.toHaveProperty('deletionTimestamp');
  });

  it('answers a dry run as if it had happened, and does nothing (row 24)', async () => {
    const { code, json } = await target.request(`${path}?dryRun=All`, { method: 'POST', body: { metadata: { name: 'dry' } } });
    expect(code).toBe(201);
    expect(json.metadata).toMatchObject({ name: 'dry', uid: expect.any(String) });
    expect(json.metadata).not.toHaveProperty('resourceVersion');
    expect((await target.request(`${path}/dry`)).code).toBe(404);
    // The storage refuses a wrong version, and a dry run does not reach it.
    const versioned = { metadata: { name: 'dry', resourceVersion: '1' } };
    expect((await target.request(`${path}?dryRun=All`, { method: 'POST', body: versioned })).code).toBe(201);
    const { metadata } = await target.post(path, { metadata: { name: 'a' } });
    const init = {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { labels: { x: 'y' } } },
    };
    expect((await target.request(`${path}/a?dryRun=All`, init)).json.metadata.labels).toEqual({ x: 'y' });
    expect((await target.must(`${path}/a`)).metadata).toEqual(metadata);
    expect((await target.request(`${path}/a?dryRun=All`, { method: 'DELETE' })).code).toBe(200);
    expect((await target.request(`${path}/a`)).code).toBe(200);
  });

  it('refuses another kind of dry run (row 24)', async () => {
    const { json } = await target.request(`${path}?dryRun=bogus`, { method: 'POST', body: { metadata: { name: 'dry' } } });
    expect(json.message).toMatch(
      /^CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: .*bogus.*: supported values: "All"$/,
    );
  });

  it('refuses names and labels that cannot be (1.1)', async () => {
    const unnamed = await target.request(path, { method: 'POST', body: { metadata: {} } });
    expect(unnamed.json).toMatchObject(
      status(422, 'Invalid', 'Secret "" is invalid: metadata.name: Required value: name or generateName is required'),
    );
    const name = await target.request(path, { method: 'POST', body: { metadata: { name: 'Bad_Name' } } });
    expect(name.json.message).toMatch(
      /^Secret "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must/,
    );
    const labels = await target.request(path, { method: 'POST', body: { metadata: { name: 'l', labels: { 'a b': 'x!' } } } });
    expect(labels.json).toMatchObject({
      reason: 'Invalid',
      details: { causes: [{ field: 'metadata.labels' }, { field: 'metadata.labels' }] },
    });
    expect(labels.json.message).toMatch(/^Secret "l" is invalid: \[metadata.labels: Invalid value: "a b": name part must/);
  });

  it('refuses another kind than the URL says (3.3)', async () => {
    for (const kind of ['ConfigMap', 'Nope']) {
      const { json } = await target.request(path, { method: 'POST', body: { apiVersion: 'v1', kind, metadata: { name: 'q' } } });
      expect(json).toMatchObject(
        status(400, 'BadRequest', expect.stringMatching(new RegExp(`^${kind} in version "v1" cannot be handled as a Secret`))),
      );
    }
  });

  it.each([
    ['hello', 'invalid JSON'],
    ['{"kind":"Secret",', 'invalid JSON'],
    ['', 'it ends early'],
  ])('refuses the body %j (3.3)', async (body, problem) => {
    const { json } = await target.request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(json).toMatchObject(status(400, 'BadRequest', expect.stringContaining(problem)));
  });
});

describe('write to subresources', () => {
  let target: Target;
  let path: string;
  const deployment = (spec: object = {}): object => ({
    metadata: { name: 'd', labels: { a: 'b' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...spec,
    },
    status: { replicas: 9 },
  });
  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    path = `/apis/apps/v1/namespaces/${await target.namespace()}/deployments`;
  });
  afterAll(() => target.close());

  it('takes the status under /status only, and there nothing else (row 82)', async () => {
    expect((await target.post(path, deployment())).status).not.toHaveProperty('replicas');
    expect((await target.merge(`${path}/d`, { status: { replicas: 5 } })).status).not.toHaveProperty('replicas');
    const changed = await target.merge(`${path}/d/status`, {
      metadata: { labels: { x: 'y' } },
      spec: { replicas: 7 },
      status: { replicas: 5 },
    });
    expect(changed).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 5 } });
    expect(changed.metadata.labels).toEqual({ a: 'b' });
    expect(await target.must(`${path}/d/status`)).toMatchObject({ kind: 'Deployment', status: { replicas: 5 } });
    expect((await target.request(`${path}/d/status`, { method: 'POST', body: {} })).json).toMatchObject({
      code: 405,
      reason: 'MethodNotAllowed',
    });
    expect((await target.request(`${path}/d/nope`)).json).toMatchObject({
      code: 404,
      message: 'the server could not find the requested resource',
    });
  });

  it('counts the generation up with the spec alone (row 83)', async () => {
    const generations = [(await target.post(path, deployment())).metadata.generation];
    for (const patch of [{ metadata: { labels: { x: 'y' } } }, { spec: { paused: true } }, { metadata: { generation: 77 } }]) {
      generations.push((await target.merge(`${path}/d`, patch)).metadata.generation);
    }
    generations.push((await target.merge(`${path}/d/status`, { status: { replicas: 5 } })).metadata.generation);
    expect(generations).toEqual([1, 1, 2, 2, 2]);
  });

  it('scales by a Scale (row 84)', async () => {
    const created = await target.post(path, deployment());
    await target.merge(`${path}/d/status`, { status: { replicas: 5 } });
    const scale = await target.must(`${path}/d/scale`);
    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 1 },
      status: { replicas: 5, selector: 'a=b' },
    });
    expect(scale.metadata).toMatchObject({ name: 'd', uid: created.metadata.uid });
    const patched = await target.merge(`${path}/d/scale`, { spec: { replicas: 7 } });
    expect(patched).toMatchObject({ kind: 'Scale', spec: { replicas: 7 } });
    const after = await target.must(`${path}/d`);
    expect(after).toMatchObject({ spec: { replicas: 7 }, metadata: { resourceVersion: patched.metadata.resourceVersion, generation: 2 } });
    expect(await target.put(`${path}/d/scale`, { ...patched, spec: { replicas: 3 } })).toMatchObject({ spec: { replicas: 3 } });
    const stale = await target.request(`${path}/d/scale`, { method: 'PUT', body: { ...patched, spec: { replicas: 4 } } });
    expect(stale.json).toMatchObject(status(409, 'Conflict', `Operation cannot be fulfilled on deployments.apps "d": ${modified}`));
    const init = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: { spec: { replicas: -1 } } };
    expect((await target.request(`${path}/d/scale`, init)).json).toMatchObject(
      status(422, 'Invalid', 'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'),
    );
  });
});

describe('patch', () => {
  let target: Target;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    path = `${await target.secrets()}/a`;
    await target.post(path.replace(/\/a$/, ''), { metadata: { name: 'a' }, data: { k: 'dg==' } });
  });
  afterAll(() => target.close());
  const patch = (type: string, body: unknown): ReturnType<Target['request']> =>
    target.request(path, { method: 'PATCH', headers: { 'content-type': `application/${type}` }, body });

  it('carries out the operations of a JSON patch, answered with 200 (rows 70, 74)', async () => {
    const operations = [
      { op: 'test', path: '/data/k', value: 'dg==' },
      { op: 'add', path: '/data/j', value: 'MQ==' },
      { op: 'copy', from: '/data/j', path: '/data/c~1d' },
      { op: 'move', from: '/data/k', path: '/data/m' },
      { op: 'replace', path: '/data/j', value: 'Mg==' },
      { op: 'remove', path: '/data/c~1d' },
    ];
    const { code, json } = await patch('json-patch+json', operations.slice(0, 2));
    expect([code, json.data]).toEqual([200, { k: 'dg==', j: 'MQ==' }]);
    const rest = await patch('json-patch+json', [operations[3], operations[4]]);
    expect(rest.json.data).toEqual({ m: 'dg==', j: 'Mg==' });
  });

  it.each([[{ op: 'test', path: '/data/k', value: 'other' }], [{ op: 'remove', path: '/data/nope' }], [{ op: 'bogus', path: '/data/k' }]])(
    'refuses the operation %j with 422 (row 70)',
    async (operation) => {
      const { json } = await patch('json-patch+json', [operation]);
      expect(json).toMatchObject(status(422, 'Invalid', 'the server rejected our request due to an error in our request', { details: {} }));
    },
  );

  it('lets replace make a name, and takes a name that is not there for null (row 70)', async () => {
    const { json } = await patch('json-patch+json', [
      { op: 'test', path: '/data/nope', value: null },
      { op: 'replace', path: '/data/nope', value: 'eA==' },
      { op: 'test', path: '/data/nope', value: 'eA==' },
    ]);
    expect(json.data['nope']).toBe('eA==');
  });

  it('refuses a JSON patch that is no list (row 70)', async () => {
    const { json } = await patch('json-patch+json', { a: 1 });
    expect(json).toMatchObject(status(400, 'BadRequest', 'error decoding patch: expected a list of operations, got object'));
  });

  it('merges objects, and removes what is null (row 71)', async () => {
    expect((await patch('merge-patch+json', { data: { m: 'MQ==' } })).json.data).toEqual({ k: 'dg==', m: 'MQ==' });
    expect((await patch('merge-patch+json; charset=utf-8', { data: { k: null } })).json.data).toEqual({ m: 'MQ==' });
  });

  it.each(['{', '"x"', '[]'])('refuses the merge patch %s with 400 (row 71)', async (body) => {
    expect((await patch('merge-patch+json', body)).json).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it('refuses to change the identity of an object (3.4)', async () => {
    expect((await patch('merge-patch+json', { metadata: { uid: 'bad' } })).json).toMatchObject(
      status(422, 'Invalid', 'Secret "a" is invalid: metadata.uid: Invalid value: "bad": field is immutable'),
    );
    expect((await patch('merge-patch+json', { metadata: { name: 'zzz' } })).json).toMatchObject(
      status(400, 'BadRequest', 'the name of the object (zzz) does not match the name on the URL (a)'),
    );
  });

  it('does not take a patch of an unknown type, or a forced one that is no apply (3.5)', async () => {
    expect((await patch('json', { data: {} })).json).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
    const init = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: {} };
    expect((await target.request(`${path}?force=true`, init)).json.message).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
  });

  itEmbedded('lets replace make a name in versions whose JSON patch did (9)', async () => {
    const old = await openTarget({ profile: '1.26' });
    const secrets = await old.secrets();
    await old.post(secrets, { metadata: { name: 'a' }, data: { k: 'dg==' } });
    const init = {
      method: 'PATCH',
      headers: { 'content-type': 'application/json-patch+json' },
      body: [{ op: 'replace', path: '/data/n', value: 'MQ==' }],
    };
    expect((await old.must(`${secrets}/a`, init)).data).toEqual({ k: 'dg==', n: 'MQ==' });
    const bad = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: '{' };
    expect((await old.request(`${secrets}/a`, bad)).json).toMatchObject(status(500, '', 'Invalid JSON Patch'));
    await old.close();
  });
});
