import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';
import { definitionOf, versionOf } from '../support/definitionOf.js';

const spec = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels: { a: 'b' } }, spec };
const workload = { selector: { matchLabels: { a: 'b' } }, template };
const request = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from('x').toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

/** An object of each kind, by the path of its collection. */
const objects: Readonly<Record<string, object>> = {
  '/apis/apps/v1/namespaces/default/deployments': { spec: workload },
  '/apis/apps/v1/namespaces/default/statefulsets': { spec: { ...workload, serviceName: 's' } },
  '/apis/apps/v1/namespaces/default/daemonsets': { spec: workload },
  '/apis/batch/v1/namespaces/default/jobs': { spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } },
  '/apis/policy/v1/namespaces/default/poddisruptionbudgets': { spec: { minAvailable: 1, selector: {} } },
  '/api/v1/namespaces/default/pods': { spec },
  '/api/v1/nodes': {},
  '/apis/certificates.k8s.io/v1/certificatesigningrequests': {
    spec: { request: Buffer.from(request).toString('base64'), signerName: 'a.io/b', usages: ['client auth'] },
  },
};

describe('a changed status', () => {
  let server: TestApiServer;
  const ask = (method: string, path: string, body?: object, type = 'application/json') =>
    send(server, path, { method, headers: { 'content-type': type }, ...(body !== undefined && { body }) });
  beforeAll(async () => {
    server = await startApiServer();
    for (const [path, object] of Object.entries(objects)) await ask('POST', path, { metadata: { name: 'x' }, ...object });
  });
  afterAll(() => server.close());

  it.each([
    ['deployments', { collisionCount: -1 }, 'status.collisionCount: Invalid value: -1: must be greater than or equal to 0'],
    ['statefulsets', { observedGeneration: -1 }, 'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0'],
    ['daemonsets', { numberReady: -1 }, 'status.numberReady: Invalid value: -1: must be greater than or equal to 0'],
    ['jobs', { ready: -1 }, 'status.ready: Invalid value: -1: must be greater than or equal to 0'],
  ])('of %s such as %j is refused', async (plural: string, status: object, problem) => {
    const path = Object.keys(objects).find((one) => one.endsWith(`/${plural}`)) ?? '';
    const { code, json } = await ask('PATCH', `${path}/x/status?dryRun=All`, { status }, 'application/merge-patch+json');
    expect([code, json.message.replace(/^.* is invalid: /, '')]).toEqual([422, problem]);
  });

  it('keeps the decision about a certificate', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval';
    const decide = (...types: readonly string[]) =>
      ask('PATCH', path, { status: { conditions: types.map((type) => ({ type, status: 'True' })) } }, 'application/merge-patch+json');
    expect((await decide('Approved', 'Denied')).json.message).toContain('Approved and Denied conditions are mutually exclusive');
    expect((await decide('Approved')).code).toBe(200);
    expect((await decide('Other')).json.message).toContain('updates may not remove a condition of type "Approved"');
  });

  it('names the fields of a custom resource without a prefix', async () => {
    const properties = { status: { type: 'object', properties: { ok: { type: 'boolean' } } } };
    const version = versionOf({ type: 'object', properties }, { subresources: { status: {} } });
    server.objects.put(definitionOf('Thing', [version], { group: 'e.io', scope: 'Cluster' }));
    await ask('POST', '/apis/e.io/v1/things', { apiVersion: 'e.io/v1', kind: 'Thing', metadata: { name: 't' } });
    const { json } = await ask('PATCH', '/apis/e.io/v1/things/t/status', { status: { ok: 'x' } }, 'application/merge-patch+json');
    expect(json.message).toContain('status.ok: Invalid value: "string": ok in body must be of type boolean');
    const other = await ask('PATCH', '/apis/e.io/v1/things/t', {}, 'application/json');
    expect([other.code, other.json.message]).toEqual([415, expect.stringContaining('the body of the request was in an unknown format')]);
  });
});

describe('what needs a kubelet', () => {
  let server: TestApiServer;
  beforeAll(async () => {
    server = await startApiServer();
    const ports = [{ port: 80 }];
    const made = [
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports } },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [...spec.containers, { name: 'd', image: 'i' }] } },
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } },
    ];
    server.objects.put(made);
  });
  afterAll(() => server.close());
  const inNamespace = '/api/v1/namespaces/default';

  it.each([
    [`${inNamespace}/services/s/proxy/a/b`, 503, 'no endpoints available for service "s"'],
    [`${inNamespace}/services/https:s:80/proxy`, 503, 'no endpoints available for service "https:s:80"'],
    [`${inNamespace}/services/ftp:s:80/proxy`, 400, 'invalid service request "ftp:s:80"'],
    [`${inNamespace}/services/gone/proxy`, 404, 'services "gone" not found'],
    [`${inNamespace}/pods/p:80/proxy/x`, 400, 'address not allowed'],
    [`${inNamespace}/pods/p/attach`, 400, 'a container name must be specified for pod p, choose one of: [c d]'],
    [`${inNamespace}/pods/gone/log?tailLines=x`, 400, '"x" is no whole number'],
    ['/api/v1/nodes/n/proxy/pods', 500, 'no preferred addresses found; known addresses: []'],
  ])('is answered without one: %s', async (path, code, message) => {
    const answer = await send(server, path);
    expect([answer.code, answer.json.message]).toEqual([code, message]);
  });

  it('does not answer HEAD for a subresource that is not there', async () => {
    const head = async (path: string) => (await send(server, `${inNamespace}${path}`, { method: 'HEAD' })).code;
    expect([await head('/services/s/scale'), await head('/services/s/status'), await head('/services/s/proxy')]).toEqual([404, 405, 503]);
  });
});
