import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';

const namespace = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const deployment = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};
const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

describe('mistakes', () => {
  let server: TestApiServer;
  beforeEach(async () => {
    const tokens = { root: { name: 'root', groups: ['system:masters'] }, bob: 'bob' };
    server = await startApiServer({ auth: { tokens, authorize: 'rbac' } });
  });
  afterEach(() => server.close());

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, token = 'root') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const init = { method, headers: { authorization: `Bearer ${token}`, ...headers }, ...(body !== undefined && { body: text }) };
    return send(server, path, init);
  };
  const patch = (type: keyof typeof types, body: unknown, query = '') =>
    ask('PATCH', `${deployments}/d?dryRun=All&fieldManager=m${query}`, body, { 'content-type': types[type] });

  it.each([
    ['merge', '{"spec":{"paused":true,"paused":false}}', /strict decoding error: duplicate field "spec.paused"$/],
    ['merge', { zzz: 1, spec: { bogus: 1 } }, /strict decoding error: unknown field "spec.bogus", unknown field "zzz"$/],
    ['json', [{ op: 'add', path: '/spec/replicas', value: 1, foo: 1 }], /error: json patch unknown field "\[0\].foo"$/],
    ['strategic', { spec: { bogus: 1 } }, /strict decoding error: unknown field "spec.bogus"$/],
  ] as const)('names what is wrong with names in a %s patch', async (type, body, message) => {
    await ask('POST', deployments, deployment);
    const answer = await patch(type, body, '&fieldValidation=Strict');
    expect(answer.code).toBe(422);
    expect(answer.json.message).toMatch(message);
  });

  it('reads names that stand twice in YAML', async () => {
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata:\n  a: "1"\n  a: "2"\n';
    const at = `${namespace}/configmaps/twice?fieldManager=m&dryRun=All`;
    const strict = await ask('PATCH', `${at}&fieldValidation=Strict`, yaml, { 'content-type': types.apply });
    expect(strict.json.message).toBe(
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key "a" already set in map',
    );
    const warned = await ask('PATCH', at, yaml, { 'content-type': types.apply });
    expect(warned.headers['warning']).toBe(String.raw`299 - "line 6: key \"a\" already set in map"`);
  });

  it('cannot make an object another kind', async () => {
    await ask('POST', deployments, deployment);
    expect((await patch('merge', { kind: 'Pod' })).code).toBe(422);
    expect(await patch('strategic', { kind: 'Pod' })).toMatchObject({ code: 200, json: { kind: 'Deployment' } });
  });

  it('refuses a job with the labels of another, and leaves the pods of one that is deleted', async () => {
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const podSpec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
    const job = (labels: object) => ({ metadata: { name: 'j' }, spec: { template: { metadata: { labels }, spec: podSpec } } });
    expect((await ask('POST', jobs, job({ 'job-name': 'other' }))).json.message).toMatch(
      /spec.template.metadata.labels\[job-name\]: Invalid value: .*: must be 'j'/,
    );
    await ask('POST', jobs, job({}));
    const deleted = await ask('DELETE', `${jobs}/j`);
    expect(deleted.json).toMatchObject({ kind: 'Job', metadata: { finalizers: ['orphan'] } });
    expect(deleted.headers['warning']).toMatch(/child pods are preserved by default/);
  });

  it.each([
    [
      'DELETE',
      `${namespace}/configmaps/a`,
      { gracePeriodSeconds: 'x' },
      400,
      /DeleteOptions.gracePeriodSeconds: expected a whole number, got string$/,
    ],
    [
      'POST',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      { spec: { resourceAttributes: {} } },
      422,
      /at least one of user or group/,
    ],
    ['POST', '/apis/networking.k8s.io/v1/ipaddresses', { metadata: { name: 'x' } }, 422, /must be a valid IP address/],
    [
      'POST',
      '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
      { metadata: { name: 'x' } },
      422,
      /spec.mutations: Required value/,
    ],
    ['GET', `${namespace}/pods?labelSelector=a%20in%20(b`, undefined, 400, /expected: ',' or '\)'$/],
  ])('%s %s', async (method, path, body, code, message) => {
    await ask('POST', `${namespace}/configmaps`, { metadata: { name: 'a' } });
    const answer = await ask(method, path, body, body === undefined ? {} : { 'content-type': 'application/json' });
    expect(answer.code).toBe(code);
    expect(answer.json.message).toMatch(message);
  });

  it('shows nobody what is not served, and lets nobody act as another', async () => {
    const unknown = await ask('GET', '/apis/bogus.example/v1/things', undefined, {}, 'bob');
    expect(unknown).toMatchObject({ code: 403, json: { message: expect.stringContaining('cannot list resource "things"') as unknown } });
    expect((await ask('GET', '/apis/bogus.example/v1/things')).code).toBe(404);
    const acting = await ask('GET', `${namespace}/pods`, undefined, { 'impersonate-user': 'eve' }, 'bob');
    expect(acting.json.message).toBe(
      'pods is forbidden: User "bob" cannot impersonate-on:user-info:list resource "pods" in API group "" in the namespace "default"',
    );
  });

  it('has the columns of kinds that administrators write', async () => {
    await ask('POST', '/apis/storage.k8s.io/v1/csidrivers', { metadata: { name: 'a.b' }, spec: {} });
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { json } = await ask('GET', '/apis/storage.k8s.io/v1/csidrivers/a.b', undefined, { accept: table });
    const rows = json['rows'] as readonly { readonly cells: readonly unknown[] }[];
    expect(rows[0]?.cells.slice(0, 7)).toEqual(['a.b', true, false, false, '<unset>', false, 'Persistent']);
  });
});
