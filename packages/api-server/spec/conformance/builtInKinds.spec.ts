import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, AnyJson, RequestInit } from '../support/httpClient.js';
import { itEmbedded, openTarget, type Target } from '../support/target.js';

const json = 'application/json';

describe('built-in kinds', () => {
  let target: Target;
  let namespace: string;
  beforeAll(async () => {
    target = await openTarget();
    namespace = await target.namespace();
  });
  afterAll(() => target.close());

  const at = (path: string): string => `/api/v1/namespaces/${namespace}/${path}`;
  const create = (plural: string, body: object, query = ''): Promise<Answer> =>
    target.request(at(`${plural}${query}`), { method: 'POST', body });
  const container = (rest: object = {}): object => ({ name: 'c', image: 'nginx:1', ...rest });
  const patch = (path: string, type: string, body: unknown): Promise<Answer> =>
    target.request(at(path), { method: 'PATCH', headers: { 'content-type': `application/${type}` }, body } satisfies RequestInit);

  it('refuse values of another type, by every way to write', async () => {
    expect((await create('configmaps', { metadata: { name: 'a' }, data: { debug: true } })).json).toMatchObject({
      code: 400,
      message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: data.debug: expected a string, got true',
    });
    await target.post(at('configmaps'), { metadata: { name: 'b' }, data: { a: '1' } });
    const codes = [
      await patch('configmaps/b', 'merge-patch+json', { data: { a: 1 } }),
      await patch('configmaps/b', 'json-patch+json', [{ op: 'replace', path: '/data', value: 'x' }]),
      await patch('configmaps/b', 'strategic-merge-patch+json', { data: { a: [] } }),
      await target.request(at('configmaps/b'), { method: 'PUT', body: { metadata: { name: 'b' }, data: 5 } }),
    ].map(({ code }) => code);
    expect(codes).toEqual([422, 422, 422, 400]);
    expect((await target.must(at('configmaps/b'))).data).toEqual({ a: '1' });
  });

  it('leave out fields that they do not have, with a warning in whatever words (row 106)', async () => {
    const { json: made, headers } = await create('configmaps', { metadata: { name: 'emoji' }, '\u{1F600} "x"\u007f': 1, 'tab\t': 1 });
    expect(Object.keys(made).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
    const warning = Buffer.from(String(headers['warning']), 'latin1').toString();
    expect(warning).toContain('299 - "unknown field \\"\u{1F600}');
  });

  it('send no more warnings than a header can hold', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`unknown-${String(index)}`, 1]));
    const { code, headers } = await create('configmaps', { metadata: { name: 'many' }, ...unknown });
    expect(code).toBe(201);
    expect(String(headers['warning']).length).toBeLessThan(12_000);
  });

  it('refuse names that stand twice where fields are checked strictly (row 106)', async () => {
    const body = '{"metadata":{"name":"twice"},"data":{"a":"1","a":"2"}}';
    const headers = { 'content-type': json };
    const strict = await target.request(at('configmaps?fieldValidation=Strict'), { method: 'POST', headers, body });
    expect(strict.json.message).toContain('strict decoding error: duplicate field "data.a"');
    const { code, headers: answered } = await target.request(at('configmaps'), { method: 'POST', headers, body });
    expect([code, answered['warning']]).toEqual([201, '299 - "duplicate field \\"data.a\\""']);
  });

  it('know how safe pods are from eviction', async () => {
    const qosClass = async (name: string, resources: object): Promise<unknown> =>
      (await target.post(at('pods'), { metadata: { name }, spec: { containers: [container({ resources })] } })).status['qosClass'];
    expect(await qosClass('best', {})).toBe('BestEffort');
    expect(await qosClass('burst', { requests: { cpu: '1' } })).toBe('Burstable');
    expect(await qosClass('limits', { limits: { cpu: '1', memory: '1Gi' } })).toBe('Guaranteed');
    expect(await qosClass('equal', { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } })).toBe(
      'Guaranteed',
    );
  });

  it('give services addresses that no other has, and keep them', async () => {
    const ports = [{ port: 80 }];
    const made: AnyJson[] = [];
    for (const name of ['one', 'two'])
      made.push(await target.post(at('services'), { metadata: { name }, spec: { ports, type: 'NodePort' } }));
    const addresses = made.map(({ spec }) => spec['clusterIP']);
    const nodePorts = made.flatMap(({ spec }) =>
      (spec['ports'] as readonly { readonly nodePort: number }[]).map(({ nodePort }) => nodePort),
    );
    expect([new Set(addresses).size, new Set(nodePorts).size]).toEqual([2, 2]);
    const headless = await target.post(at('services'), { metadata: { name: 'headless' }, spec: { ports, clusterIP: 'None' } });
    expect(headless.spec).toMatchObject({ clusterIP: 'None', clusterIPs: ['None'] });
    const resourceVersion = made[0]?.metadata.resourceVersion;
    const replaced = await target.put(at('services/one'), { metadata: { name: 'one', resourceVersion }, spec: { ports } });
    expect(replaced.spec['clusterIP']).toBe(addresses[0]);
  });

  it('keep the node port of a port by its name, and lose it with the type', async () => {
    const port = { name: 'http', port: 80 };
    const portsOf = ({ spec }: AnyJson): readonly { readonly nodePort?: number }[] => spec['ports'] as never;
    const made = await target.post(at('services'), { metadata: { name: 'moved' }, spec: { type: 'NodePort', ports: [port] } });
    const moved = await target.merge(at('services/moved'), { spec: { ports: [{ ...port, port: 8080 }] } });
    const [kept] = portsOf(moved);
    expect(kept).toMatchObject({ port: 8080, nodePort: portsOf(made)[0]?.nodePort });
    const inner = await target.merge(at('services/moved'), { spec: { type: 'ClusterIP', ports: [{ ...kept, name: 'other', port: 81 }] } });
    expect(portsOf(inner)).toEqual([{ name: 'other', port: 81, protocol: 'TCP', targetPort: 8080 }]);
  });

  it('forget how a service is reached from outside when it is no more', async () => {
    const spec = { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] };
    const made = await target.post(at('services'), { metadata: { name: 'outside' }, spec });
    expect(made.spec['externalTrafficPolicy']).toBe('Cluster');
    expect((await target.merge(at('services/outside'), { spec: { externalIPs: null } })).spec).not.toHaveProperty('externalTrafficPolicy');
  });

  it('give a headless service without a selector both families of addresses', async () => {
    const spec = { clusterIP: 'None', ports: [{ port: 80 }] };
    const both = await target.post(at('services'), { metadata: { name: 'both' }, spec });
    expect(both.spec).toMatchObject({ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' });
    const selecting = await target.post(at('services'), { metadata: { name: 'selecting' }, spec: { ...spec, selector: { a: 'b' } } });
    expect(selecting.spec).toMatchObject({ ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  });

  it('give a load balancer whose addresses are virtual the mode of such', async () => {
    await target.post(at('services'), { metadata: { name: 'balanced' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
    const ingress = [{ ip: '1.2.3.4' }, { hostname: 'a.example' }, { ip: '1.2.3.5', ipMode: 'Proxy' }];
    expect(await target.merge(at('services/balanced/status'), { status: { loadBalancer: { ingress } } })).toMatchObject({
      status: {
        loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }, { hostname: 'a.example' }, { ip: '1.2.3.5', ipMode: 'Proxy' }] },
      },
    });
  });

  it('reach the server by a service as others are', async () => {
    const { spec } = await target.must('/api/v1/namespaces/default/services/kubernetes');
    expect(spec).toMatchObject({ type: 'ClusterIP', sessionAffinity: 'None', clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] });
  });

  it('let the ranges of a node agree with its first one', async () => {
    const [one, many] = ['10.1.0.0/24', ['10.2.0.0/24', 'fd00::/64']];
    const name = (suffix: string): object => ({ metadata: { name: `${namespace}-${suffix}` } });
    expect((await target.post('/api/v1/nodes', { ...name('one'), spec: { podCIDR: one } })).spec['podCIDRs']).toEqual([one]);
    expect((await target.post('/api/v1/nodes', { ...name('many'), spec: { podCIDRs: many } })).spec['podCIDR']).toBe(many[0]);
  });

  it('write the selector of a Scale as Go does (row 84)', async () => {
    const labels = { a: 'x', k: 'b' };
    const matchExpressions = [
      { key: 'k', operator: 'In', values: ['c', 'b'] },
      { key: 'j', operator: 'NotIn', values: ['q'] },
      { key: 'i', operator: 'DoesNotExist' },
      { key: 'a', operator: 'Exists' },
    ];
    const spec = { selector: { matchExpressions }, template: { metadata: { labels }, spec: { containers: [container()] } } };
    const sets = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
    await target.post(sets, { metadata: { name: 'r' }, spec });
    expect((await target.must(`${sets}/r/scale`)).status['selector']).toBe('a,!i,j notin (q),k in (b,c)');
  });

  it('tell the pods of a job from all others', async () => {
    const spec = { template: { spec: { restartPolicy: 'Never', containers: [container()] } } };
    const { metadata, spec: made } = await target.post(`/apis/batch/v1/namespaces/${namespace}/jobs`, { metadata: { name: 'j' }, spec });
    expect(made).toMatchObject({
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid } },
      template: { metadata: { labels: { 'batch.kubernetes.io/controller-uid': metadata.uid, 'job-name': 'j' } } },
    });
  });

  it('are no larger than etcd takes', async () => {
    const data = { a: 'x'.repeat(1_100_000) };
    expect((await create('configmaps', { metadata: { name: 'large' }, data })).json).toMatchObject({ code: 422, reason: 'Invalid' });
    const annotations = { note: 'x' };
    const args = ['y'.repeat(1_700_000)];
    const { json: refused } = await create('pods', {
      metadata: { name: 'large', annotations },
      spec: { containers: [container({ args })] },
    });
    expect(refused).toMatchObject({ code: 500, message: 'etcdserver: request is too large' });
  });

  it('count a change of annotations as a new generation of a deployment', async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const labels = { app: 'g' };
    const template = { metadata: { labels }, spec: { containers: [container()] } };
    await target.post(path, { metadata: { name: 'g' }, spec: { selector: { matchLabels: labels }, template } });
    const { metadata } = await target.merge(`${path}/g`, { metadata: { annotations: { a: '1' } } });
    expect(metadata.generation).toBe(2);
    expect((await target.merge(`${path}/g`, { metadata: { labels: { a: '1' } } })).metadata.generation).toBe(2);
  });

  it('show a Scale as a Table and as its metadata alone (row 84)', async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/g/scale`;
    const form = (kind: string): string => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
    const { json: table } = await target.request(path, { headers: { accept: form('Table') } });
    const { json: scale } = await target.request(path);
    expect(table['columnDefinitions']).toMatchObject([
      { name: 'Name' },
      { name: 'Desired', type: 'integer' },
      { name: 'Available', type: 'integer' },
      { name: 'Age' },
    ]);
    const { spec, status: now, metadata } = scale;
    expect(table['rows']).toMatchObject([{ cells: ['g', spec['replicas'], now['replicas'], expect.any(String)], object: { metadata } }]);
    const sent = {
      method: 'PATCH',
      headers: { accept: form('PartialObjectMetadata'), 'content-type': 'application/merge-patch+json' },
      body: {},
    };
    expect((await target.request(path, sent)).json).toEqual({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
    expect((await target.request(path, { headers: { accept: form('PartialObjectMetadataList') } })).code).toBe(406);
  });

  it('scale by a patch that names the kind of the object', async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/g/scale`;
    const init = { method: 'PATCH', headers: { 'content-type': 'application/strategic-merge-patch+json' } };
    const { code, json: scaled } = await target.request(path, {
      ...init,
      body: { kind: 'Deployment', apiVersion: 'apps/v1', spec: { replicas: 5 } },
    });
    expect([code, scaled.kind, scaled.spec['replicas']]).toEqual([200, 'Scale', 5]);
    // Go omits a 0.
    expect((await target.merge(path, { spec: { replicas: 0 } })).spec).toEqual({});
  });

  it('scale by a Scale that is applied, and say whose the number is (rows 84 and 73)', async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/g`;
    const apply = (manager: string, replicas: number, query = ''): Promise<Answer> =>
      target.request(`${path}/scale?fieldManager=${manager}${query}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'g' }, spec: { replicas } },
      });
    expect((await apply('me', 7, '&force=true')).json).toMatchObject({ kind: 'Scale', spec: { replicas: 7 } });
    expect((await apply('you', 8)).code).toBe(409);
    const { spec, metadata } = await target.must(path);
    expect(spec['replicas']).toBe(7);
    expect((metadata as { readonly managedFields?: readonly object[] }).managedFields).toContainEqual(
      expect.objectContaining({ manager: 'me', operation: 'Apply', subresource: 'scale', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }),
    );
    expect((await apply('you', 8, '&force=true')).json.spec['replicas']).toBe(8);
  });

  it('take a service whose target port Go writes as 0', async () => {
    const ports = [{ port: 80, targetPort: 0 }];
    expect((await create('services', { metadata: { name: 'zero' }, spec: { ports } })).json.spec['ports']).toMatchObject([
      { targetPort: 80 },
    ]);
  });

  it('are not deleted by an update', async () => {
    const { json: refused } = await patch('configmaps/b', 'merge-patch+json', { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } });
    expect(refused).toMatchObject({ code: 422, message: expect.stringContaining('metadata.deletionTimestamp: Invalid value') as unknown });
  });

  itEmbedded('are taken as they are sent where nobody asks for more', async () => {
    const lenient = await openTarget({ schema: 'none' });
    const path = `/api/v1/namespaces/${await lenient.namespace()}/configmaps`;
    const made = await lenient.post(path, { metadata: { name: 'a' }, data: { debug: true }, extra: 1 });
    expect(made).toMatchObject({ data: { debug: true }, extra: 1 });
    await lenient.close();
  });
});
