import { getEventListeners } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { Observable, take } from 'rxjs';
import { ApiError } from '../../src/api/errors/apiError.js';
import { customResource } from '../../src/api/resource.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { resources } from '../../src/api/resources.js';
import { createKubeClient } from '../../src/client/createKubeClient.js';
import type { KubeClientInit } from '../../src/client/requests/requester.js';
import type { ClientWrite, KubeClient, PatchType } from '../../src/client/kubeClient.js';
import { RequestError } from '../../src/client/requests/requestError.js';
import type { TransportEvent } from '../../src/client/requests/transport.js';
import { collect } from './collect.js';
import { fakeTransport, type FakeAnswer, type FakeTransport } from './fakeTransport.js';
import { until } from './startServer.js';

const { configmaps, nodes, pods } = resources.core.v1;
const { deployments } = resources.apps.v1;

interface WebSite extends KubernetesObject {
  readonly spec?: { readonly host: string };
}
const websites = customResource<WebSite>({ group: 'example.com', version: 'v1', plural: 'websites', kind: 'WebSite', namespaced: true });

type Respond = Parameters<typeof fakeTransport>[0] | FakeAnswer;

function clientWith(respond: Respond = {}, init: Partial<KubeClientInit> = {}): { client: KubeClient; transport: FakeTransport } {
  const transport = fakeTransport(typeof respond === 'function' ? respond : () => ({ body: {}, ...respond }));
  const client = createKubeClient({ connect: () => Promise.resolve({ transport, defaultNamespace: 'team' }), ...init });
  return { client, transport };
}

/** What was sent: method and path, and the body. */
function sent({ requests }: FakeTransport): unknown[] {
  return requests.map(({ method, path, body }) => (body === undefined ? `${method} ${path}` : [`${method} ${path}`, JSON.parse(body)]));
}

const refusalOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('Expected a rejection')),
    (error: unknown) => error,
  );

describe('createKubeClient', () => {
  it('connects at the first need, once, and again after a failure', async () => {
    let calls = 0;
    const transport = fakeTransport(() => ({ body: {} }));
    const connect = () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('no kubeconfig')) : Promise.resolve({ transport, defaultNamespace: 'team' });
    };
    const client = createKubeClient({ connect });
    expect(calls).toBe(0);
    await expect(client.getPath('/version')).rejects.toThrow('no kubeconfig');
    await Promise.all([client.getPath('/version'), client.server(), client.defaultNamespace()]);
    expect(calls).toBe(2);
    await expect(Promise.all([client.server(), client.defaultNamespace()])).resolves.toEqual(['https://fake', 'team']);
  });

  it('sends its user agent, asks for JSON, and bounds requests by its timeout', async () => {
    const { client, transport } = clientWith({}, { userAgent: 'spec/1', requestTimeoutMs: 500_000 });
    await client.get(nodes, 'a');
    await client.get(nodes, 'a', { timeoutMs: 70_000 });
    await client.get(nodes, 'a', { timeoutMs: 0 });
    expect(transport.requests[0]?.headers).toEqual({ accept: 'application/json', 'user-agent': 'spec/1', 'accept-encoding': 'identity' });
    expect(transport.requests.map(({ timeoutMs }) => Math.ceil((timeoutMs ?? 0) / 100_000))).toEqual([5, 1, 0]);
  });
});

describe('get', () => {
  it('asks for one object, its name escaped', async () => {
    const { client, transport } = clientWith({ body: { kind: 'Pod', metadata: { name: 'a', managedFields: [] } } });
    await expect(client.get(pods, 'a', { namespace: 'n', resourceVersion: '0' })).resolves.toEqual({
      kind: 'Pod',
      metadata: { name: 'a', managedFields: [] },
    });
    await client.get(nodes, 'ü ?');
    expect(sent(transport)).toEqual(['GET /api/v1/namespaces/n/pods/a?resourceVersion=0', 'GET /api/v1/nodes/%C3%BC%20%3F']);
  });

  it.each([
    ['no namespace', (client: KubeClient) => client.get(pods, 'a'), 'Expected a `namespace` for pods, got none'],
    [
      'no name',
      (client: KubeClient) => client.get(deployments, '', { namespace: 'n' }),
      'Expected the `name` of one of deployments.apps, got ""',
    ],
    [
      'an object in place of its name',
      (client: KubeClient) => client.get(pods, { data: { password: 'aHVudGVy' } } as never, { namespace: 'n' }),
      'Expected the `name` of one of pods, got an object',
    ],
    [
      'a namespace too many',
      (client: KubeClient) => client.get(nodes, 'a', { namespace: 'n' }),
      'Expected no `namespace` for the cluster-scoped resource nodes',
    ],
    ['a name that is a path', (client: KubeClient) => client.get(nodes, '../a'), 'Expected `name` to be a name that is valid in a URL'],
  ])('refuses %s without asking the server', async (_, call, message) => {
    const { client, transport } = clientWith();
    const error = await refusalOf(call(client));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
    expect(transport.requests).toEqual([]);
  });
});

describe('list', () => {
  const body = {
    kind: 'PodList',
    metadata: { resourceVersion: '7', continue: 'c' },
    items: [{ metadata: { name: 'a', managedFields: [] } }],
  };

  it('gives one whole answer, with the types that items lack', async () => {
    const { client, transport } = clientWith({ body });
    const list = await client.list(pods, {
      namespace: 'n',
      labelSelector: { matchLabels: { app: 'web' } },
      fieldSelector: 'status.phase=Running',
      limit: 5,
    });
    expect(list).toEqual({ ...body, items: [{ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a', managedFields: [] } }] });
    expect(sent(transport)).toEqual(['GET /api/v1/namespaces/n/pods?labelSelector=app%3Dweb&fieldSelector=status.phase%3DRunning&limit=5']);
  });

  it('lists all namespaces, and passes on which version is wanted', async () => {
    const { client, transport } = clientWith({ body });
    await client.list(deployments, {
      labelSelector: 'a in (b,c)',
      limit: 0,
      resourceVersion: '5',
      resourceVersionMatch: 'NotOlderThan',
      continue: '',
    });
    expect(sent(transport)).toEqual([
      'GET /apis/apps/v1/deployments?labelSelector=a+in+%28b%2Cc%29&resourceVersion=5&resourceVersionMatch=NotOlderThan',
    ]);
  });

  it('has no bound but the given one', async () => {
    const { client, transport } = clientWith({ body }, { requestTimeoutMs: 500 });
    await client.list(pods);
    await client.list(pods, { timeoutMs: 70_000 });
    expect(transport.requests.map(({ timeoutMs }) => timeoutMs !== undefined && timeoutMs > 0)).toEqual([false, true]);
  });

  it('keeps no item of an attempt that was refused', async () => {
    const { client } = clientWith((_, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '0' } } : { body }));
    await expect(client.list(pods)).resolves.toMatchObject({ items: [{ metadata: { name: 'a' } }] });
  });
});

describe('writes', () => {
  const object = { metadata: { name: 'a', namespace: 'n' }, data: { k: 'v' } };
  const typed = { apiVersion: 'v1', kind: 'ConfigMap', ...object };

  it('creates an object in its own namespace or the given one, with its type filled in', async () => {
    const { client, transport } = clientWith({ status: 201, body: { ...typed, metadata: { ...object.metadata, uid: 'u' } } });
    const created = await client.create(configmaps, object, { fieldManager: 'm', fieldValidation: 'Strict', dryRun: true });
    await client.create(configmaps, { metadata: { generateName: 'a-' } }, { namespace: 'n' });
    expect(created.metadata?.uid).toBe('u');
    expect(sent(transport)).toEqual([
      ['POST /api/v1/namespaces/n/configmaps?dryRun=All&fieldManager=m&fieldValidation=Strict', typed],
      ['POST /api/v1/namespaces/n/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } }],
    ]);
    expect(transport.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('replaces an object', async () => {
    const { client, transport } = clientWith();
    await client.replace(configmaps, object);
    await client.replace(nodes, { metadata: { name: 'x' } });
    expect(sent(transport)).toEqual([
      ['PUT /api/v1/namespaces/n/configmaps/a', typed],
      ['PUT /api/v1/nodes/x', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'x' } }],
    ]);
  });

  it.each([
    ['json', [{ op: 'remove', path: '/data' }], 'application/json-patch+json', [{ op: 'remove', path: '/data' }]],
    ['merge', { data: null }, 'application/merge-patch+json', { data: null }],
    ['strategic', { data: {} }, 'application/strategic-merge-patch+json', { data: {} }],
    ['apply', { data: {} }, 'application/apply-patch+yaml', { apiVersion: 'v1', kind: 'ConfigMap', data: {}, metadata: { name: 'a' } }],
  ] as const)('sends a %s patch as what it is', async (type, patch, contentType, body) => {
    const { client, transport } = clientWith();
    await client.patch(configmaps, 'a', type, patch, { namespace: 'n', fieldManager: 'm' });
    expect(sent(transport)).toEqual([['PATCH /api/v1/namespaces/n/configmaps/a?fieldManager=m', body]]);
    expect(transport.requests[0]?.headers).toMatchObject({ 'content-type': contentType });
  });

  it('takes an apply patch as YAML, and forces where told to', async () => {
    const { client, transport } = clientWith();
    await client.patch(configmaps, 'a', 'apply', 'data: {}', { namespace: 'n', fieldManager: 'm', force: true });
    expect(transport.requests).toMatchObject([{ path: '/api/v1/namespaces/n/configmaps/a?fieldManager=m&force=true', body: 'data: {}' }]);
  });

  it('deletes with the given options, and with no body without any', async () => {
    const { client, transport } = clientWith();
    await client.delete(configmaps, 'a', { namespace: 'n' });
    await client.delete(configmaps, 'a', {
      namespace: 'n',
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
      dryRun: true,
    });
    const options = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u' },
      dryRun: ['All'],
    };
    expect(sent(transport)).toEqual(['DELETE /api/v1/namespaces/n/configmaps/a', ['DELETE /api/v1/namespaces/n/configmaps/a', options]]);
  });

  it('deletes what a selector selects', async () => {
    const { client, transport } = clientWith({ body: { items: [] } });
    await client.deleteCollection(configmaps, { namespace: 'n', labelSelector: 'a=b', propagationPolicy: 'Orphan' });
    expect(sent(transport)).toEqual([
      [
        'DELETE /api/v1/namespaces/n/configmaps?labelSelector=a%3Db',
        { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' },
      ],
    ]);
  });

  const subresourceOptions = { namespace: 'n' };
  it('reads and writes the status and the scale of an object', async () => {
    const { client, transport } = clientWith();
    await client.status.get(deployments, 'a', subresourceOptions);
    await client.status.replace(deployments, { metadata: { name: 'a', namespace: 'n' } });
    await client.status.patch(deployments, 'a', 'merge', { status: {} }, subresourceOptions);
    await client.scale.get(deployments, 'a', subresourceOptions);
    await client.scale.replace(deployments, { metadata: { name: 'a' }, spec: { replicas: 3 } }, subresourceOptions);
    await client.scale.patch(deployments, 'a', 'merge', { spec: { replicas: 3 } }, subresourceOptions);
    const path = '/apis/apps/v1/namespaces/n/deployments/a';
    expect(sent(transport)).toEqual([
      `GET ${path}/status`,
      [`PUT ${path}/status`, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'n' } }],
      [`PATCH ${path}/status`, { status: {} }],
      `GET ${path}/scale`,
      [`PUT ${path}/scale`, { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 3 } }],
      [`PATCH ${path}/scale`, { spec: { replicas: 3 } }],
    ]);
  });

  const patch = (type: PatchType, body: unknown, options: object) => (client: KubeClient) =>
    client.patch(configmaps, 'a', type, body, { namespace: 'n', ...options });
  const example = "for example client.patch(resource, name, 'merge', { spec: { replicas: 2 } })";
  it.each<[string, (client: KubeClient) => Promise<unknown>, string]>([
    [
      'an object without a name',
      (client) => client.create(configmaps, {}, { namespace: 'n' }),
      'Expected the `name` of one of configmaps, got none',
    ],
    [
      'an object without a namespace',
      (client) => client.create(configmaps, { metadata: { name: 'a' } }),
      'Expected a `namespace` for configmaps, got none',
    ],
    [
      'two namespaces',
      (client) => client.replace(configmaps, object, { namespace: 'm' }),
      'Expected the object\'s namespace to be the option\'s "m", got "n"',
    ],
    [
      'another kind',
      (client) => client.create(configmaps, { ...object, kind: 'Secret' }),
      'Expected the object\'s `kind` to be "ConfigMap", got "Secret"',
    ],
    [
      'another version',
      (client) => client.create(websites, { ...object, apiVersion: 'example.com/v2' }),
      'Expected the object\'s `apiVersion` to be "example.com/v1", got "example.com/v2"',
    ],
    [
      'an apply without its owner',
      patch('apply', {}, {}),
      "Expected a `fieldManager` for a patch of type 'apply': the name under which this program owns fields, got none",
    ],
    [
      'force where it means nothing',
      patch('merge', {}, { force: true }),
      "Expected `force` only for a patch of type 'apply', got it for 'merge'",
    ],
    ['a JSON patch that is no array', patch('json', {}, {}), "Expected a patch of type 'json' to be an array of operations, got object"],
    ['a merge patch that is no object', patch('merge', [], {}), "Expected a patch of type 'merge' to be an object, got an array"],
    [
      'an unknown type of patch',
      patch('xml' as PatchType, {}, {}),
      "Expected the type of a patch to stand before it, 'json', 'merge', 'strategic' or 'apply', got \"xml\"; " + example,
    ],
    [
      'a misspelt type of patch',
      patch('megre' as PatchType, {}, {}),
      "Expected the type of a patch to stand before it, 'json', 'merge', 'strategic' or 'apply', got \"megre\"; did you mean `merge`? " +
        example,
    ],
    [
      'a patch without its type',
      (client) => client.patch(pods, 'a', { data: { password: 'hunter2' } } as never, undefined),
      "Expected the type of a patch to stand before it, 'json', 'merge', 'strategic' or 'apply', got an object; " + example,
    ],
    [
      'a misspelt option of a deletion',
      (client) => client.delete(pods, 'a', { dryrun: ['All'] } as never),
      'Unknown option `dryrun` of `client.delete`; did you mean `dryRun`?',
    ],
    [
      'a dry run as the API writes it',
      (client) => client.delete(pods, 'a', { dryRun: ['All'] } as never),
      'Expected `dryRun` of `client.delete` to be a boolean, got a list of 1',
    ],
    [
      'a misspelt precondition',
      (client) => client.delete(pods, 'a', { preconditions: { UID: '1' } } as never),
      'Unknown option `UID` of `client.delete.preconditions`; did you mean `uid`?',
    ],
    [
      'a resource that there is not',
      (client) => client.get(undefined as never, 'a'),
      'Expected `resource` to be a resource, got undefined',
    ],
    [
      'a resource without its verbs',
      (client) => client.create({ group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true } as never, {}),
      'Expected `resource` to be a resource, got {"group":"","version":"v1","plural":"pods","kind":"Pod","namespaced":true}; customResource makes one from its names',
    ],
    ['a path without its slash', (client) => client.getPath('version'), 'Expected `path` to begin with "/", got "version"'],
  ])('refuses %s without asking the server', async (_, call, message) => {
    const { client, transport } = clientWith();
    await expect(refusalOf(call(client))).resolves.toEqual(new TypeError(message));
    expect(transport.requests).toEqual([]);
  });
});

describe('writes$', () => {
  const answer = { metadata: { name: 'a', namespace: 'n', resourceVersion: '5', uid: 'u' } };

  async function writesOf(act: (client: KubeClient) => Promise<unknown>, respond: Respond): Promise<ClientWrite[]> {
    const { client } = clientWith(respond);
    const seen: ClientWrite[] = [];
    const collecting = client.writes$.forEach((write) => seen.push(write));
    await act(client).catch(() => undefined);
    client.close();
    await collecting;
    return seen;
  }

  it('tells of every write with what the server made of it', async () => {
    const written = await writesOf(
      async (client) => {
        await client.create(pods, { metadata: { generateName: 'a' } }, { namespace: 'n' });
        await client.replace(pods, { metadata: { name: 'a', namespace: 'n' } });
        await client.patch(pods, 'a', 'merge', {}, { namespace: 'n' });
        await client.status.patch(pods, 'a', 'merge', {}, { namespace: 'n' });
        await client.delete(pods, 'a', { namespace: 'n' });
      },
      { body: answer },
    );
    const common = { resource: pods, namespace: 'n', name: 'a', object: answer };
    expect(written).toEqual([
      { verb: 'create', ...common },
      { verb: 'replace', ...common },
      { verb: 'patch', ...common },
      { verb: 'patch', subresource: 'status', ...common },
      { verb: 'delete', ...common, uid: 'u' },
    ]);
  });

  it('has no object for a scale, nor for a delete that was answered with a Status', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Success', details: { uid: 'u' } };
    const written = await writesOf(
      async (client) => {
        await client.scale.patch(deployments, 'a', 'merge', {}, { namespace: 'n' });
        await client.delete(pods, 'a', { namespace: 'n' });
      },
      { body: status },
    );
    expect(written).toEqual([
      { verb: 'patch', subresource: 'scale', resource: deployments, namespace: 'n', name: 'a' },
      { verb: 'delete', resource: pods, namespace: 'n', name: 'a', uid: 'u' },
    ]);
  });

  it('tells of each object of a collection that was deleted', async () => {
    const written = await writesOf((client) => client.deleteCollection(pods, { namespace: 'n' }), {
      body: { kind: 'PodList', items: [answer, answer] },
    });
    expect(written).toEqual([1, 2].map(() => ({ verb: 'delete', resource: pods, namespace: 'n', name: 'a', object: answer, uid: 'u' })));
  });

  it('tells of no object where the list of the deleted ones is null', async () => {
    const { client } = clientWith({ body: { kind: 'PodList', items: null } });
    await expect(client.deleteCollection(pods, { namespace: 'n' })).resolves.toEqual({ kind: 'PodList', items: null });
  });

  it.each([
    {},
    { kind: 'Status', metadata: {}, status: 'Success' },
    { kind: 'Pod', metadata: null },
    { metadata: { name: 5, namespace: 'n' } },
    { metadata: { name: 'a', namespace: 7 } },
    { kind: 'PodList', metadata: { resourceVersion: '9' }, items: [] },
  ])('believes no answer that is not an object with a name: %j', async (body) => {
    const place = { namespace: 'n' };
    const written = await writesOf(
      async (client) => {
        await client.create(pods, { metadata: { name: 'a', ...place } });
        await client.replace(pods, { metadata: { name: 'a', ...place } });
        await client.patch(pods, 'a', 'merge', {}, place);
        await client.delete(pods, 'a', place);
      },
      { body },
    );
    const common = { resource: pods, name: 'a', ...place };
    expect(written).toEqual((['replace', 'patch', 'delete'] as const).map((verb) => ({ verb, ...common })));
    const collection = await writesOf((client) => client.deleteCollection(pods, place), {
      body: { kind: 'PodList', items: [body, null, 5, answer] },
    });
    expect(collection).toEqual([{ verb: 'delete', ...common, object: answer, uid: 'u' }]);
  });

  it('does not take the answer with another object for the written one', async () => {
    const written = await writesOf((client) => client.patch(pods, 'b', 'merge', {}, { namespace: 'n' }), { body: answer });
    expect(written).toEqual([{ verb: 'patch', resource: pods, namespace: 'n', name: 'b' }]);
  });

  it('says nothing of dry runs and of failures', async () => {
    const dry = await writesOf((client) => client.delete(pods, 'a', { namespace: 'n', dryRun: true }), { body: answer });
    const failed = await writesOf((client) => client.delete(pods, 'a', { namespace: 'n' }), { status: 404, body: answer });
    expect([dry, failed]).toEqual([[], []]);
  });

  it('has told of a write when its promise resolves', async () => {
    const { client } = clientWith({ body: answer });
    const order: string[] = [];
    const collecting = client.writes$.forEach(() => order.push('writes$'));
    await client.replace(pods, answer).then(() => order.push('promise'));
    client.close();
    await collecting;
    expect(order).toEqual(['writes$', 'promise']);
  });

  it('completes when the client is closed', async () => {
    const { client } = clientWith();
    const completed = collect(client.writes$);
    client.close();
    await expect(completed).resolves.toEqual([]);
  });
});

describe('refusals', () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: 'pods "a" not found',
    reason: 'NotFound',
    details: { name: 'a' },
    code: 404,
  };

  it('are ApiErrors with what the Status says', async () => {
    const { client } = clientWith({ status: 404, body: status });
    const error = await refusalOf(client.get(nodes, 'a'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 404, reason: 'NotFound', message: 'pods "a" not found', request: 'GET /api/v1/nodes/a', status });
  });

  it('are retried ten times where the server says when (RT-03)', async () => {
    const { client, transport } = clientWith({ status: 429, headers: { 'retry-after': '0' }, body: 'slow down' });
    await expect(client.replace(nodes, { metadata: { name: 'a' } })).rejects.toMatchObject({ code: 429, retryAfterMs: 0 });
    expect(transport.requests).toHaveLength(11);
    expect(new Set(transport.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('are not retried beyond the timeout', async () => {
    const { client, transport } = clientWith({ status: 503, headers: { 'retry-after': '60' } });
    await expect(client.get(nodes, 'a')).rejects.toMatchObject({ code: 503, retryAfterMs: 60_000 });
    expect(transport.requests).toHaveLength(1);
  });

  it.each([
    ['a page of HTML', { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>Login</html>' }],
    ['another type', { headers: { 'content-type': 'application/xml' }, body: '<a/>' }],
  ])('of a success that is %s are clear', async (_, answer) => {
    const { client } = clientWith(answer);
    const type = answer.headers['content-type'].split(';')[0];
    const message = `GET /api/v1/nodes/a was answered with "${type}", expected application/json; is the server's URL that of an API server?`;
    await expect(client.get(nodes, 'a')).rejects.toMatchObject({ code: 'ERR_CONTENT_TYPE', message });
    await expect(client.list(nodes)).rejects.toMatchObject({ code: 'ERR_CONTENT_TYPE' });
    await expect(collect(client.watch(nodes, {}))).rejects.toMatchObject({ code: 'ERR_CONTENT_TYPE' });
  });

  it('of JSON that is none quote nothing', async () => {
    const { client } = clientWith({ body: '{"data":c2VjcmV0}' });
    await expect(client.get(nodes, 'a')).rejects.toMatchObject({
      code: 'ERR_DECODE',
      message: 'Expected the answer to GET /api/v1/nodes/a to be JSON, got something malformed at byte 0 of the body',
    });
  });
});

describe('an answer without end', () => {
  const mebibyte = new Uint8Array(1024 * 1024).fill(0x61);
  /** A server that sends without end, and the amount that was read. */
  function endless(status: number): { client: KubeClient; taken: () => number } {
    let taken = 0;
    const credentials = { get: () => Promise.resolve({ headers: {}, tls: {} }) };
    const send = () =>
      new Observable<TransportEvent>((subscriber) => {
        subscriber.next({ type: 'head', status, headers: { 'content-type': 'application/json' } });
        for (taken = 0; !subscriber.closed && taken < 1_000; taken += 1) subscriber.next({ type: 'data', chunk: mebibyte });
      });
    const transport = { server: 'https://fake', credentials, send, close: () => undefined };
    return { client: createKubeClient({ connect: () => Promise.resolve({ transport, defaultNamespace: 'a' }) }), taken: () => taken };
  }

  it.each<[string, number, (client: KubeClient) => Promise<unknown>]>([
    ['an object', 16, (client) => client.get(nodes, 'a')],
    ['what a write is answered with', 16, (client) => client.create(nodes, { metadata: { name: 'a' } })],
    ['a path', 128, (client) => client.getPath('/a')],
    ['what was deleted', 128, (client) => client.deleteCollection(nodes)],
  ])('is read up to a limit: %s', async (_, most, call) => {
    const { client, taken } = endless(200);
    await expect(call(client)).rejects.toMatchObject({
      code: 'ERR_DECODE',
      message: expect.stringContaining(`to have at most ${most * 1024 * 1024} bytes, got more`),
    });
    expect(taken()).toBe(most + 1);
  });

  it('that is an error says what it can', async () => {
    const { client, taken } = endless(500);
    await expect(client.get(nodes, 'a')).rejects.toMatchObject({
      code: 500,
      message: expect.stringContaining('was answered with 500: aaa'),
    });
    expect(taken()).toBe(2);
  });
});

describe('an answer that is no object', () => {
  it('is an error if it is the Status of a failure, whatever its code', async () => {
    const { client } = clientWith({
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message: 'gone' },
    });
    await expect(client.get(nodes, 'a')).rejects.toMatchObject({ name: 'ApiError', code: 404, reason: 'NotFound', message: 'gone' });
  });

  it.each([['0'], ['[]'], ['null']])('%s is refused', async (body) => {
    const { client } = clientWith({ body });
    const message = 'Expected the answer to GET /api/v1/nodes/a to be a JSON object, got another value';
    await expect(client.get(nodes, 'a')).rejects.toMatchObject({ code: 'ERR_DECODE', message });
  });
});

describe('getPath', () => {
  it('gives JSON as a value, and plain text as text', async () => {
    const { client } = clientWith(({ path }) =>
      path === '/healthz' ? { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' } : { body: { major: '1' } },
    );
    await expect(client.getPath('/healthz')).resolves.toBe('ok');
    await expect(client.getPath('/version')).resolves.toEqual({ major: '1' });
  });
});

describe('listChunks', () => {
  it('gives a sign of life for the headers, then what has come, without managedFields', async () => {
    const item = { metadata: { name: 'a', managedFields: [] } };
    const { client, transport } = clientWith({ body: { kind: 'PodList', metadata: { resourceVersion: '7' }, items: [item] } });
    const parts = await collect(client.listChunks(pods, { limit: 500 }));
    expect(parts).toEqual([
      { items: [] },
      { kind: 'PodList', metadata: { resourceVersion: '7' }, items: [{ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } }] },
    ]);
    expect(transport.requests).toMatchObject([{ path: '/api/v1/pods?limit=500' }]);
    expect(transport.requests[0]).not.toHaveProperty('timeoutMs');
  });

  it('gives a sign of life for bytes that complete nothing', async () => {
    const { client } = clientWith({ body: '{"items":[{"metadata"', open: true });
    await expect(collect(client.listChunks(pods, {}).pipe(take(2)))).resolves.toEqual([{ items: [] }, { items: [] }]);
  });

  it.each([
    [{}, 'application/json;drop=metadata.managedFields,application/json'],
    [{ managedFields: 'drop' }, 'application/json;drop=metadata.managedFields,application/json'],
    [{ managedFields: 'keep' }, 'application/json'],
    [{ managedFields: 'keep', metadataOnly: true }, 'application/json;as=Partial;g=meta.k8s.io;v=v1,application/json'],
  ] as const)(
    'asks the server to leave managed fields out where they are dropped, and is content with one that does not: %j',
    async (options, accept) => {
      const { client, transport } = clientWith({ body: { items: [] } });
      await collect(client.listChunks(pods, options));
      await collect(client.watch(pods, options));
      const sentAccept = transport.requests.map(({ headers }) => headers?.['accept']?.replace(/PartialObjectMetadata(List)?/, 'Partial'));
      expect(sentAccept).toEqual([accept, accept]);
    },
  );

  it('asks for metadata alone where told to', async () => {
    const { client, transport } = clientWith({
      body: { kind: 'PartialObjectMetadataList', items: [{ kind: 'PartialObjectMetadata', metadata: {} }] },
    });
    await collect(client.listChunks(pods, { metadataOnly: true }));
    expect(transport.requests[0]?.headers?.['accept']).toBe(
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1;drop=metadata.managedFields,application/json',
    );
  });

  it('leaves retries to its subscriber', async () => {
    const { client, transport } = clientWith({ status: 429, headers: { 'retry-after': '0' }, body: '' });
    await expect(collect(client.listChunks(pods, {}))).rejects.toMatchObject({ code: 429, retryAfterMs: 0 });
    expect(transport.requests).toHaveLength(1);
  });

  it('aborts its request when it is unsubscribed', async () => {
    const { client, transport } = clientWith({ body: '{"items":[', open: true });
    await collect(client.listChunks(pods, {}).pipe(take(1)));
    expect([transport.requests.length, transport.active]).toEqual([1, 0]);
  });
});

describe('watch', () => {
  const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;

  it('gives a sign of life for the headers, then the events that come together, then completes', async () => {
    const object = { kind: 'Pod', metadata: { name: 'a' } };
    const error = { kind: 'Status', code: 410, reason: 'Expired' };
    const { client, transport } = clientWith({ body: event('ADDED', object) + event('ERROR', error) });
    const request = { namespace: 'n', resourceVersion: '5', allowWatchBookmarks: true, timeoutSeconds: 300, labelSelector: 'a=b' };
    await expect(collect(client.watch(pods, request))).resolves.toEqual([
      [],
      [
        { type: 'ADDED', object },
        { type: 'ERROR', object: error },
      ],
    ]);
    expect(sent(transport)).toEqual([
      'GET /api/v1/namespaces/n/pods?watch=true&labelSelector=a%3Db&resourceVersion=5&allowWatchBookmarks=true&timeoutSeconds=300',
    ]);
  });

  it('asks for a WatchList as the API words it, and for no bookmarks unless told to', async () => {
    const { client, transport } = clientWith({ body: '' });
    await collect(client.watch(pods, { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: false }));
    await collect(client.watch(pods, { sendInitialEvents: false, metadataOnly: true }));
    expect(sent(transport)).toEqual([
      'GET /api/v1/pods?watch=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true',
      'GET /api/v1/pods?watch=true&sendInitialEvents=false',
    ]);
    expect(transport.requests[1]?.headers?.['accept']).toBe(
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1;drop=metadata.managedFields,application/json',
    );
  });

  it('gives a sign of life for bytes that complete no event', async () => {
    const { client } = clientWith({ body: '{"type":', open: true });
    await expect(collect(client.watch(pods, {}).pipe(take(2)))).resolves.toEqual([[], []]);
  });

  it('is never bounded by a timeout, and never compressed (RT-06)', async () => {
    const { client, transport } = clientWith({ body: '' }, { requestTimeoutMs: 10, compression: true });
    await collect(client.watch(pods, {}));
    await collect(client.listChunks(pods, {})).catch(() => undefined);
    expect(transport.requests.map(({ timeoutMs, headers }) => [timeoutMs, headers?.['accept-encoding']])).toEqual([
      [undefined, 'identity'],
      [undefined, 'gzip'],
    ]);
  });

  it.each([201, 204, 302, 410, 500])('starts with status 200 only, not with %i (RT-02)', async (code) => {
    const { client } = clientWith({ status: code, body: event('ADDED', {}) });
    const events: unknown[] = [];
    const failed = new Promise((resolve) => client.watch(pods, {}).subscribe({ next: (each) => events.push(each), error: resolve }));
    await expect(failed).resolves.toBeInstanceOf(ApiError);
    await expect(failed).resolves.toMatchObject({ code });
    expect(events).toEqual([]);
  });

  it('fails at an event that it cannot decode, after those before it, and has aborted its request (LW-03)', async () => {
    const { client, transport } = clientWith({ body: `${event('ADDED', {})}nonsense\n`, open: true });
    const events: unknown[] = [];
    const failed = new Promise((resolve) => client.watch(pods, {}).subscribe({ next: (each) => events.push(each), error: resolve }));
    await expect(failed).resolves.toMatchObject({ code: 'ERR_DECODE' });
    expect([events.length, transport.active]).toEqual([2, 0]);
  });

  it('is cold: two subscriptions are two requests', async () => {
    const { client, transport } = clientWith({ body: event('ADDED', {}) });
    const watch = client.watch(pods, {});
    expect(transport.requests).toHaveLength(0);
    await Promise.all([collect(watch), collect(watch)]);
    expect(transport.requests).toHaveLength(2);
  });
});

describe('close', () => {
  it('fails what is under way and what comes later, and names it', async () => {
    const { client, transport } = clientWith({ open: true });
    const underWay = refusalOf(client.get(nodes, 'a'));
    const watched = new Promise((resolve) => client.watch(nodes, {}).subscribe({ error: resolve }));
    await until(() => transport.active === 2);
    client.close();
    for (const error of [await underWay, await watched, await refusalOf(client.get(nodes, 'a'))]) {
      expect(error).toBeInstanceOf(RequestError);
      expect(error).toMatchObject({
        code: 'ERR_CLOSED',
        message: expect.stringMatching(/^GET \/api\/v1\/nodes(\/a)? failed: the client is closed$/) as unknown,
      });
    }
    await client.server();
    expect([transport.active, transport.closed]).toEqual([0, true]);
  });

  it('fails what waits for the rate limit, or until the time that a server named', async () => {
    const slow = clientWith({ status: 429, headers: { 'retry-after': '20' }, body: { kind: 'Status', code: 429 } });
    const limited = clientWith({ body: { items: [] } }, { qps: 0.001, burst: 1 });
    await limited.client.list(nodes);
    const refused = [slow, limited].map(({ client }) => refusalOf(client.get(nodes, 'a')));
    await until(() => slow.transport.requests.length === 1 && slow.transport.active === 0);
    for (const { client } of [slow, limited]) client.close();
    for (const each of refused) await expect(each).resolves.toMatchObject({ code: 'ERR_CLOSED' });
    expect([slow, limited].map(({ transport }) => transport.requests.length)).toEqual([1, 1]);
  });
});

describe('signal', () => {
  it('aborts a request, with its own reason', async () => {
    const { client, transport } = clientWith({ open: true });
    const abort = new AbortController();
    const refused = refusalOf(client.get(nodes, 'a', { signal: abort.signal }));
    await until(() => transport.active === 1);
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(refused).resolves.toBe(reason);
    expect(transport.active).toBe(0);
  });

  it('is listened to once, however many requests have it', async () => {
    const { client, transport } = clientWith({ open: true });
    const abort = new AbortController();
    const refused = Array.from({ length: 20 }, () => refusalOf(client.get(nodes, 'a', { signal: abort.signal })));
    await until(() => transport.active === 20);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort('enough');
    expect(new Set(await Promise.all(refused))).toEqual(new Set(['enough']));
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  it('sends nothing when it is aborted before', async () => {
    const { client, transport } = clientWith();
    await expect(client.list(nodes, { signal: AbortSignal.abort('never') })).rejects.toBe('never');
    expect(transport.requests).toEqual([]);
  });
});

describe('qps', () => {
  it('holds requests back, and lets watches pass (RT-01)', async () => {
    const { client, transport } = clientWith({ body: { items: [] } }, { qps: 0.001, burst: 1 });
    await client.get(nodes, 'a');
    const abort = new AbortController();
    const waiting = [client.get(nodes, 'b', { signal: abort.signal }), client.list(nodes, { signal: abort.signal })].map(refusalOf);
    await collect(client.watch(nodes, {}).pipe(take(1)));
    expect(sent(transport)).toEqual(['GET /api/v1/nodes/a', 'GET /api/v1/nodes?watch=true']);
    abort.abort('enough');
    await expect(Promise.all(waiting)).resolves.toEqual(['enough', 'enough']);
  });

  it('does not count the wait for a turn as silence of a list', async () => {
    jest.useFakeTimers();
    try {
      const { client } = clientWith((_, at) => (at === 1 ? { open: true } : { body: { items: [] } }), { qps: 0.01, burst: 1 });
      await client.list(nodes);
      const silent = refusalOf(client.list(nodes));
      const late = client.list(nodes);
      await jest.advanceTimersByTimeAsync(200_000);
      await expect(silent).resolves.toMatchObject({ code: 'ERR_TIMEOUT', message: 'GET /api/v1/nodes failed: nothing came for 60000 ms' });
      await expect(late).resolves.toEqual({ items: [] });
    } finally {
      jest.useRealTimers();
    }
  });
});
