import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { defineResource } from '../support/defineResource.js';
import { versionOf } from '../support/definitionOf.js';
import { openTarget, status, type Target } from '../support/target.js';
import { serveWebhooks, type Review, type WebhookServer } from '../support/webhookServer.js';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const anything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' };
const patchOf = (...operations: readonly object[]): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const webhookOf = ({ path }: Review): string => path.replace(/^\/|\?.*$/g, '');

describe('admission', () => {
  let webhooks: WebhookServer;
  let clock: ReturnType<typeof createManualClock>;
  let target: Target;
  /** The addresses of services. */
  const addresses = new Map<string, string>();
  beforeAll(async () => {
    webhooks = await serveWebhooks();
  });
  afterAll(() => webhooks.close());
  beforeEach(async () => {
    clock = createManualClock(Date.UTC(2026, 0, 1));
    webhooks.reviews.length = 0;
    webhooks.reply = () => ({ allowed: true });
    addresses.clear();
    addresses.set('hooks', `127.0.0.1:${String(webhooks.port)}`);
    target = await openTarget({ clock, serviceAddress: ({ name }) => addresses.get(name) });
  });
  afterEach(() => target.close());

  const webhook = (name: string, rest: object = {}): object => ({
    name: `${name}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: `${webhooks.url}/${name}`, caBundle: webhooks.caBundle },
    rules: [
      { ...anything, resources: ['configmaps', 'namespaces', 'deployments', 'deployments/scale', 'pods/*', 'horizontalpodautoscalers'] },
    ],
    ...rest,
  });
  const install = (kind: 'mutating' | 'validating', name: string, ...configured: readonly object[]): Promise<unknown> =>
    target.post(`${registration}/${kind}webhookconfigurations`, { metadata: { name }, webhooks: configured });
  const create = (name: string, query = ''): ReturnType<Target['request']> =>
    target.request(`${configMaps}${query}`, { method: 'POST', body: { metadata: { name }, data: { k: 'v' } } });
  const operations = (): readonly unknown[] =>
    webhooks.reviews.map(({ request }) => [request['operation'], request['name'], request['subResource'] ?? '']);

  it('reaches webhooks by their own certificate, and with paths joined', async () => {
    const clientConfig = { url: `${webhooks.url}//v/`, caBundle: webhooks.ownBundle };
    await install('validating', 'v', webhook('v', { clientConfig }));
    expect((await create('a')).code).toBe(201);
    expect(webhooks.reviews.map(({ path }) => path)).toEqual(['/v?timeout=10s']);
  });

  it('asks about every write, with what a real server sends', async () => {
    await install('validating', 'v', webhook('v'));
    await target.post(`${configMaps}?fieldManager=me`, { metadata: { name: 'a' }, data: { k: 'v' } });
    await target.put(`${configMaps}/a`, { metadata: { name: 'a' }, data: { k: 'w' } });
    await target.merge(`${configMaps}/a?dryRun=All`, { data: { k: 'x' } });
    await target.delete(`${configMaps}/a`, { gracePeriodSeconds: 0 });
    expect(operations()).toEqual([
      ['CREATE', 'a', ''],
      ['UPDATE', 'a', ''],
      ['UPDATE', 'a', ''],
      ['DELETE', 'a', ''],
    ]);
    const [created, updated, dry, deleted] = webhooks.reviews.map(({ request }) => request);
    expect(webhooks.reviews[0]).toMatchObject({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', path: '/v?timeout=10s' });
    expect(created).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      namespace: 'default',
      userInfo: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] },
      object: { kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' },
    });
    expect(updated).toMatchObject({ object: { data: { k: 'w' } }, oldObject: { data: { k: 'v' } }, options: { kind: 'UpdateOptions' } });
    expect(dry).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } });
    expect(deleted).toMatchObject({
      object: null,
      oldObject: { data: { k: 'w' } },
      options: { kind: 'DeleteOptions', gracePeriodSeconds: 0 },
    });
  });

  it('asks about subresources, a scale as the Scale that it is', async () => {
    target.server.objects.put({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [] } },
      },
    } as object);
    target.server.objects.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [] } } as object);
    await install('mutating', 'm', webhook('m'));
    webhooks.reply = ({ request }) =>
      request['subResource'] === 'scale' ? patchOf({ op: 'replace', path: '/spec/replicas', value: 7 }) : { allowed: true };
    const scaled = await target.merge('/apis/apps/v1/namespaces/default/deployments/d/scale', { spec: { replicas: 3 } });
    await target.merge('/api/v1/namespaces/default/pods/p/status', { status: { phase: 'Running' } });
    await target.post('/api/v1/namespaces/default/pods/p/eviction', { metadata: { name: 'p' } });
    expect(operations()).toEqual([
      ['UPDATE', 'd', 'scale'],
      ['UPDATE', 'p', 'status'],
      ['CREATE', 'p', 'eviction'],
    ]);
    expect(webhooks.reviews[0]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      requestSubResource: 'scale',
      object: { spec: { replicas: 3 } },
      oldObject: { spec: { replicas: 1 } },
    });
    expect(scaled.spec).toEqual({ replicas: 7 });
  });

  it('asks about connections to pods before it says that there are none', async () => {
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    target.server.objects.put({ apiVersion: 'v1', kind: 'Pod', ...pod });
    await install('validating', 'v', webhook('v'));
    await install('mutating', 'm', webhook('m'));
    const exec = (query: string): ReturnType<Target['request']> => target.request(`/api/v1/namespaces/default/pods/${query}`);
    const unreachable = await exec('p/exec?command=ls&command=-l&container=c&stdin=true&tty=0');
    expect(unreachable.json.message).toBe('pod p does not have a host assigned');
    expect(webhookOf(webhooks.reviews[0] as Review)).toBe('m');
    expect(webhooks.reviews.at(-1)?.request).toMatchObject({
      operation: 'CONNECT',
      kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      subResource: 'exec',
      name: 'p',
      namespace: 'default',
      object: { kind: 'PodExecOptions', apiVersion: 'v1', stdin: true, container: 'c', command: ['ls', '-l'] },
      oldObject: null,
      dryRun: false,
      options: null,
    });
    webhooks.reply = () => ({ allowed: false, status: { message: 'not here' } });
    expect((await exec('p/attach')).json.message).toBe('admission webhook "m.example.com" denied the request: not here');
    expect((await exec('p/portforward?ports=80')).code).toBe(400);
    expect(webhooks.reviews.at(-1)?.request['object']).toEqual({ kind: 'PodPortForwardOptions', apiVersion: 'v1', ports: [80] });
    await exec('p/proxy');
    expect(webhooks.reviews.at(-1)?.request['object']).toMatchObject({ kind: 'PodProxyOptions', apiVersion: 'v1' });
  });

  it('stores what mutating webhooks make of an object, and passes their warnings on', async () => {
    await install('mutating', 'm', webhook('m'));
    webhooks.reply = () => ({
      ...patchOf({ op: 'add', path: '/metadata/labels', value: { injected: 'yes' } }),
      warnings: ['careful', 'careful'],
    });
    const { json, headers, code } = await create('a');
    expect([code, headers['warning']]).toEqual([201, '299 - "careful"']);
    expect(json).toMatchObject({ metadata: { name: 'a', labels: { injected: 'yes' } }, data: { k: 'v' } });
    expect(webhooks.reviews[0]?.request['object']).not.toHaveProperty('metadata.uid');
    const updated = await target.merge(`${configMaps}/a`, { metadata: { labels: null } });
    expect(updated.metadata.labels).toEqual({ injected: 'yes' });
  });

  it('keeps the owners of fields where neither a patch nor a webhook touches metadata', async () => {
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const widgets = await defineResource(target, { versions: [versionOf(schema)] });
    const path = widgets.path('default');
    const rules = [{ ...anything, apiGroups: [widgets.group], resources: ['widgets'] }];
    await install('mutating', 'm', webhook('m', { rules }));
    let by = 'first';
    webhooks.reply = () => patchOf({ op: 'replace', path: '/spec/by', value: by });
    const body = { apiVersion: `${widgets.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { by: 'me', size: 1 } };
    const created = await target.post(path, body);
    by = 'second';
    const changed = await target.merge(`${path}/a`, { spec: { size: 1 } });
    expect(changed).toMatchObject({ metadata: { generation: 2 }, spec: { by: 'second', size: 1 } });
    const ownersOf = ({ metadata }: object & { readonly metadata: object }): unknown => ({ managedFields: [], ...metadata }).managedFields;
    expect(ownersOf(created)).toHaveLength(1);
    expect(ownersOf(changed)).toEqual(ownersOf(created));
  });

  it('calls mutating webhooks in the order of their configurations, and those again that others come after', async () => {
    const again = { reinvocationPolicy: 'IfNeeded' };
    await install('mutating', 'b', webhook('b1', again), webhook('b2'));
    await install('mutating', 'a', webhook('a1', again));
    let count = 0;
    webhooks.reply = (review) => patchOf({ op: 'add', path: `/data/${webhookOf(review)}`, value: String((count += 1)) });
    expect((await create('a')).json.data).toEqual({ k: 'v', a1: '4', b1: '5', b2: '3' });
    expect(webhooks.reviews.map(webhookOf)).toEqual(['a1', 'b1', 'b2', 'a1', 'b1']);
  });

  it('checks what webhooks have made of an object', async () => {
    await install('mutating', 'm', webhook('m'));
    webhooks.reply = () => patchOf({ op: 'add', path: '/metadata/labels', value: { 'bad label!': 'x' } });
    expect((await create('a')).json).toMatchObject({ code: 422, reason: 'Invalid', details: { causes: [{ field: 'metadata.labels' }] } });
    webhooks.reply = () => patchOf({ op: 'add', path: '/data/x', value: 5 });
    expect((await create('a')).json.message).toBe('Internal error occurred: data.x: expected a string, got 5');
    webhooks.reply = () => patchOf({ op: 'remove', path: '/data/missing' });
    expect((await create('a')).json.message).toBe('Internal error occurred: remove operation does not apply: /data/missing');
  });

  it.each([
    ['nothing more', {}, 400, undefined, 'denied the request without explanation'],
    ['a message', { message: 'because' }, 400, undefined, 'denied the request: because'],
    ['a reason', { reason: 'NotFound' }, 400, 'NotFound', 'denied the request: NotFound'],
    ['a code', { code: 409, reason: 'Conflict', message: 'm' }, 409, 'Conflict', 'denied the request: m'],
  ])('refuses with %s of a webhook', async (_, said, code, reason, text) => {
    await install('validating', 'v', webhook('v'));
    const details = { causes: [{ reason: 'R', message: 'cm', field: 'spec.x' }] };
    webhooks.reply = () => ({ allowed: false, status: { ...said, details } });
    const { json } = await create('a');
    expect(json).toMatchObject(status(code, reason ?? '', `admission webhook "v.example.com" ${text}`, { details }));
    expect((await target.request(`${configMaps}/a`)).code).toBe(404);
  });

  it.each([
    ['broken JSON', { code: 200, text: '{"kind":' }, 'failed to call webhook: invalid JSON: it ends early'],
    [
      'an error',
      { code: 500, text: 'oops' },
      'failed to call webhook: an error on the server ("oops") has prevented the request from succeeding',
    ],
    [
      'no response',
      { code: 200, text: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}' },
      'received invalid webhook response: webhook response was absent',
    ],
    [
      'a patch without a type',
      { allowed: true, patch: 'W10=' },
      'received invalid webhook response: webhook returned response.patch but not response.patchType',
    ],
  ])('fails when the answer is %s, unless that is ignored', async (_, reply, problem) => {
    webhooks.reply = () => reply;
    await install('mutating', 'm', webhook('m'));
    const message = `Internal error occurred: failed calling webhook "m.example.com": ${problem}`;
    expect((await create('a')).json).toMatchObject(status(500, 'InternalError', message));
    await target.merge(`${registration}/mutatingwebhookconfigurations/m`, { webhooks: [webhook('m', { failurePolicy: 'Ignore' })] });
    expect((await create('a')).code).toBe(201);
  });

  it('waits for a webhook as long as it may take', async () => {
    webhooks.reply = () => {
      // The clock advances when the webhook has been called.
      setImmediate(() => clock.advanceBy(3_000));
      return 'nothing';
    };
    await install('validating', 'v', webhook('v', { timeoutSeconds: 3 }));
    const { json } = await create('a');
    expect(json.message).toBe(
      `Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: Post "${webhooks.url}/v?timeout=3s": context deadline exceeded`,
    );
  });

  it('checks the certificate of a webhook', async () => {
    await install('validating', 'v', webhook('v', { clientConfig: { url: `${webhooks.url}/v` } }));
    expect((await create('a')).json.message).toContain('tls: failed to verify certificate: x509: certificate signed by unknown authority');
    expect(webhooks.reviews).toEqual([]);
  });

  it('reaches services by the option, by their Endpoints, or not at all', async () => {
    const service = (name: string): object =>
      webhook('v', { clientConfig: { service: { namespace: 'default', name, path: '/x' }, caBundle: webhooks.caBundle } });
    await install('validating', 'v', service('missing'));
    expect((await create('a')).json.message).toBe(
      'Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: Post "https://missing.default.svc:443/x?timeout=10s": service "missing" not found',
    );
    await target.merge(`${registration}/validatingwebhookconfigurations/v`, { webhooks: [service('hooks')] });
    expect((await create('a')).code).toBe(201);
    expect(webhooks.reviews.map(({ path }) => path)).toEqual(['/x?timeout=10s']);
    // A certificate for another name is refused.
    const address = `127.0.0.1:${String(webhooks.port)}`;
    addresses.set('other', address);
    await target.merge(`${registration}/validatingwebhookconfigurations/v`, { webhooks: [service('other')] });
    expect((await create('b')).json.message).toContain('tls: failed to verify certificate');
    target.server.objects.put([
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'own' }, spec: { ports: [{ name: 'h', port: 443 }] } } as object,
      {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'own' },
        subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ name: 'h', port: 1 }] }],
      } as object,
    ]);
    await target.merge(`${registration}/validatingwebhookconfigurations/v`, { webhooks: [service('own')] });
    expect((await create('b')).json.message).toContain('dial tcp 127.0.0.1:1: connect: connection refused');
  });

  it('asks those whose selectors match, the old labels or the new', async () => {
    await install('validating', 'o', webhook('o', { objectSelector: { matchLabels: { pick: 'me' } } }));
    await install('validating', 'n', webhook('n', { namespaceSelector: { matchLabels: { team: 'x' } } }));
    await create('a');
    await target.merge(`${configMaps}/a`, { metadata: { labels: { pick: 'me' } } });
    await target.merge(`${configMaps}/a`, { metadata: { labels: null } });
    await target.delete(`${configMaps}/a`);
    expect(webhooks.reviews.map(webhookOf)).toEqual(['o', 'o']);
    await target.merge('/api/v1/namespaces/default', { metadata: { labels: { team: 'x' } } });
    await create('b');
    expect(webhooks.reviews.slice(2).map(webhookOf)).toEqual(['n', 'n']);
  });

  it('shows objects in the version that the rules name, unless they are to match exactly', async () => {
    const rules = [{ ...anything, apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] }];
    await install('validating', 'v', webhook('v', { rules }));
    await install('validating', 'w', webhook('w', { rules, matchPolicy: 'Exact' }));
    const metric = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } };
    const spec = { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3, metrics: [metric] };
    await target.post('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', { metadata: { name: 'h' }, spec });
    expect(webhooks.reviews.map(webhookOf)).toEqual(['v']);
    expect(webhooks.reviews[0]?.request).toMatchObject({
      kind: { version: 'v1' },
      requestKind: { version: 'v2' },
      object: { apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 70 } },
    });
  });

  it('asks those whose conditions are true, and refuses where one fails', async () => {
    const expression = "request.userInfo.username == 'nobody' || object.metadata.name.startsWith('yes')";
    await install('validating', 'v', webhook('v', { matchConditions: [{ name: 'c', expression }] }));
    await create('yes');
    await create('no');
    expect(operations()).toEqual([['CREATE', 'yes', '']]);
    const failing = webhook('v', { matchConditions: [{ name: 'c', expression: 'object.metadata.nope.x == 1' }] });
    await target.merge(`${registration}/validatingwebhookconfigurations/v`, { webhooks: [failing] });
    const message = `configmaps "x" is forbidden: expression 'object.metadata.nope.x == 1' resulted in error: no such key: nope`;
    expect((await create('x')).json).toMatchObject(status(403, 'Forbidden', message));
  });

  it('never asks about the configurations themselves', async () => {
    webhooks.reply = () => ({ allowed: false });
    await install('validating', 'v', webhook('v', { rules: [{ ...anything, resources: ['*'] }] }));
    await target.delete(`${registration}/validatingwebhookconfigurations/v`);
    expect(webhooks.reviews).toEqual([]);
    expect((await create('a')).code).toBe(201);
  });

  it('works an update out again when others have written while webhooks were asked', async () => {
    await create('a');
    await install('validating', 'v', webhook('v'));
    webhooks.reply = ({ request }) => {
      const [first] = webhooks.reviews;
      if (first?.request.uid === request.uid)
        target.server.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { other: '1' } } as object);
      return { allowed: true };
    };
    const { data } = await target.merge(`${configMaps}/a`, { data: { own: '2' } });
    expect(data).toEqual({ other: '1', own: '2' });
    expect(webhooks.reviews).toHaveLength(2);
  });

  it('refuses configurations that cannot work', async () => {
    const { json } = await target.request(`${registration}/validatingwebhookconfigurations`, {
      method: 'POST',
      body: { metadata: { name: 'bad' }, webhooks: [{ name: 'a', clientConfig: {} }] },
    });
    const { causes } = json['details'] as { readonly causes: readonly { readonly field: string }[] };
    const fields = ['admissionReviewVersions', 'clientConfig', 'name', 'sideEffects'];
    expect(causes.map(({ field }) => field).sort()).toEqual(fields.map((field) => `webhooks[0].${field}`));
  });
});
