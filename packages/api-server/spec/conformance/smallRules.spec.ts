import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const template = (labels?: object) => ({
  metadata: { labels },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
});

describe('small rules', () => {
  let server: TestApiServer;
  beforeAll(async () => {
    server = await startApiServer();
  });
  afterAll(() => server.close());
  const ask = (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    send(server, path, { method, headers, ...(body !== undefined && { body }) });

  it('a job without labels has those of its template, also the generated ones', async () => {
    const own = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'];
    const labelsOf = async (metadata: object, labels?: object): Promise<readonly string[]> => {
      const { json } = await ask('POST', `${jobs}?dryRun=All`, { metadata, spec: { template: template(labels) } });
      return Object.keys(json.metadata.labels as object).sort();
    };
    expect(await labelsOf({ name: 'a' }, { app: 'x' })).toEqual(['app', ...own]);
    expect(await labelsOf({ name: 'a' })).toEqual(own);
    expect(await labelsOf({ name: 'a', labels: { b: 'y' } }, { app: 'x' })).toEqual(['b']);
  });

  it('a condition on the field without a name is one on an unknown field', async () => {
    const { code, json } = await ask('GET', '/api/v1/limitranges?fieldSelector=%3Dx');
    expect([code, json.message]).toEqual([400, '"" is not a known field selector: only "metadata.name", "metadata.namespace"']);
  });

  it('options of a deletion that are no object have no kind', async () => {
    const { code, json } = await ask('DELETE', '/api/v1/namespaces/default/configmaps/a', []);
    expect([code, json.message]).toEqual([400, 'expected an object, got array']);
  });

  it('an apply that creates has a number as its resourceVersion', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: 'abc' } };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const { code, json } = await ask('PATCH', '/api/v1/namespaces/default/configmaps/a?fieldManager=m', body, headers);
    expect([code, json.message]).toEqual([500, 'resourceVersion: expected a number, got "abc"']);
  });

  it('a table has short access modes, and no fields of daemon sets in annotations', async () => {
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteMany', 'ReadWriteOnce'], hostPath: { path: '/x' } };
    await ask('POST', '/api/v1/persistentvolumes', { metadata: { name: 'v' }, spec });
    const volume = (await ask('GET', '/api/v1/persistentvolumes/v', undefined, { accept: table })).text;
    expect(volume).toContain('"RWO,RWX"');
    const set = {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    };
    const sets = '/apis/apps/v1/namespaces/default/daemonsets';
    await ask('POST', sets, { metadata: { name: 'd', annotations: { x: 'y' } }, spec: set });
    const shown = (await ask('GET', `${sets}/d`, undefined, { accept: table })).text;
    expect(shown).toContain('"annotations":{"x":"y"}');
    expect((await ask('GET', `${sets}/d`)).json.metadata.annotations).toHaveProperty(['deprecated.daemonset.template.generation'], '1');
  });
});
