import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTarget, status, type Target } from '../support/target.js';
import { serveWebhooks, type Review, type WebhookServer } from '../support/webhookServer.js';

const [first, second] = ['v1', 'v2'].map((version) => `/apis/example.com/${version}/namespaces/default/widgets`) as [string, string];

interface Widget {
  readonly apiVersion: string;
  readonly metadata: object;
  readonly spec: { readonly a?: string; readonly b?: string };
}

/** What is `spec.a` in v1 is `spec.b` in v2. */
function convert({ request }: Review): object {
  const { desiredAPIVersion, objects } = request as unknown as { readonly desiredAPIVersion: string; readonly objects: readonly Widget[] };
  const convertedObjects = objects.map(({ spec: { a, b, ...rest }, ...object }) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: { ...rest, [desiredAPIVersion.endsWith('v1') ? 'a' : 'b']: a ?? b },
  }));
  return { result: { status: 'Success' }, convertedObjects };
}

describe('webhookConversion', () => {
  let webhooks: WebhookServer;
  let target: Target;
  beforeAll(async () => {
    webhooks = await serveWebhooks();
  });
  afterAll(() => webhooks.close());
  beforeEach(async () => {
    webhooks.reviews.length = 0;
    webhooks.reply = convert;
    target = await openTarget();
    const version = (name: string, field: string): object => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { [field]: { type: 'string' } } },
            status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
      subresources: { status: {} },
      selectableFields: [{ jsonPath: `.spec.${field}` }],
    });
    target.server.objects.put({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [version('v1', 'a'), version('v2', 'b')],
        conversion: {
          strategy: 'Webhook',
          webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: `${webhooks.url}/convert`, caBundle: webhooks.caBundle } },
        },
      },
    } as object);
  });
  afterEach(() => target.close());
  const create = (path: string, name: string, spec: object): Promise<unknown> =>
    target.post(path, { apiVersion: path === first ? 'example.com/v1' : 'example.com/v2', kind: 'Widget', metadata: { name }, spec });

  it('shows stored objects in the version that is asked for', async () => {
    await create(first, 'x', { a: 'hello' });
    expect(webhooks.reviews).toEqual([]);
    expect(await target.must(`${second}/x`)).toMatchObject({ apiVersion: 'example.com/v2', spec: { b: 'hello' } });
    expect(webhooks.reviews).toMatchObject([
      {
        path: '/convert?timeout=30s',
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        request: {
          desiredAPIVersion: 'example.com/v2',
          objects: [{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' }, spec: { a: 'hello' } }],
        },
      },
    ]);
    await create(first, 'y', { a: 'two' });
    expect((await target.must(second)).items.map(({ spec }) => spec)).toEqual([{ b: 'hello' }, { b: 'two' }]);
  });

  it('stores what is written in another version in the one that is stored', async () => {
    await create(second, 'x', { b: 'one', a: 'is pruned' });
    expect((await target.must(`${first}/x`)).spec).toEqual({ a: 'one' });
    expect((await target.merge(`${second}/x`, { spec: { b: 'two' } })).metadata.generation).toBe(2);
    await target.merge(`${second}/x/status`, { status: { ok: true } });
    expect(await target.must(`${first}/x`)).toMatchObject({ spec: { a: 'two' }, status: { ok: true } });
    const { resourceVersion } = (await target.must(`${first}/x`)).metadata;
    expect((await target.merge(`${second}/x`, { spec: { b: 'two' } })).metadata.resourceVersion).toBe(resourceVersion);
  });

  it('watches in every version, whatever version was written', async () => {
    await create(first, 'x', { a: '1' });
    const watches = await Promise.all([first, second].map((path) => target.watch(`${path}?watch=1`)));
    await target.merge(`${second}/x`, { spec: { b: '2' } });
    await target.merge(`${first}/x`, { spec: { a: '3' }, metadata: { finalizers: ['example.com/wait'] } });
    await target.delete(`${first}/x`);
    await target.merge(`${first}/x`, { metadata: { finalizers: null } });
    for (const [at, field] of ['a', 'b'].entries()) {
      const events = [];
      for (let count = 0; count < 5; count += 1) events.push(await watches[at]?.next());
      expect(events.map((event) => [event?.type, (event?.object as unknown as Widget).spec])).toEqual([
        ['ADDED', { [field]: '1' }],
        ['MODIFIED', { [field]: '2' }],
        ['MODIFIED', { [field]: '3' }],
        ['MODIFIED', { [field]: '3' }],
        ['DELETED', { [field]: '3' }],
      ]);
      watches[at]?.close();
    }
  });

  const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com';
  const jsonPatch = (path: string, ...body: readonly object[]): Promise<unknown> =>
    target.must(path, { method: 'PATCH', body, headers: { 'content-type': 'application/json-patch+json' } });

  it('drops fields that the version does not declare', async () => {
    await create(first, 'x', { a: 'one' });
    webhooks.reply = (review) => JSON.parse(JSON.stringify(convert(review)).replaceAll('"b":', '"more":1,"b":')) as object;
    expect((await target.must(`${second}/x`)).spec).toEqual({ b: 'one' });
  });

  it('ends the watches when the definition of the conversion changes, such as by a new certificate', async () => {
    await create(first, 'x', { a: '1' });
    const watch = await target.watch(`${second}?watch=1`);
    expect((await watch.next()).type).toBe('ADDED');
    const url = `${webhooks.url}/other`;
    await target.merge(definition, { spec: { conversion: { webhook: { clientConfig: { url } } } } });
    await target.merge(`${first}/x`, { spec: { a: '2' } });
    await expect(watch.next()).rejects.toThrow('ended');
    expect((await target.must(`${second}/x`)).spec).toEqual({ b: '2' });
  });

  it('shows what was stored before another version became the stored one, and the only one', async () => {
    await create(first, 'x', { a: '1' });
    const storage = (at: number, value: boolean): object => ({ op: 'replace', path: `/spec/versions/${String(at)}/storage`, value });
    await jsonPatch(definition, storage(0, false), storage(1, true));
    await target.merge(`${definition}/status`, { status: { storedVersions: ['v2'] } });
    await jsonPatch(definition, { op: 'remove', path: '/spec/versions/0' });
    expect((await target.must(`${second}/x`)).spec).toEqual({ b: '1' });
  });

  it('selects by the fields of the version that is asked for', async () => {
    await create(first, 'x', { a: 'red' });
    await create(second, 'y', { b: 'blue' });
    const watches = await Promise.all(
      [`${first}?watch=1&fieldSelector=spec.a=red`, `${second}?watch=1&fieldSelector=spec.b=red`].map((path) => target.watch(path)),
    );
    const names = async (path: string): Promise<readonly string[]> => (await target.must(path)).items.map(({ metadata }) => metadata.name);
    expect(await names(`${second}?fieldSelector=spec.b=red`)).toEqual(['x']);
    expect(await names(`${first}?fieldSelector=spec.a=blue`)).toEqual(['y']);
    await target.merge(`${second}/y`, { spec: { b: 'red' } });
    await target.merge(`${first}/x`, { spec: { a: 'green' } });
    await target.request(`${second}?fieldSelector=spec.b=red`, { method: 'DELETE' });
    expect(await names(first)).toEqual(['x']);
    for (const watch of watches) {
      const events = [];
      for (let count = 0; count < 4; count += 1) events.push(await watch.next());
      expect(events.map((event) => [event.type, event.object.metadata.name])).toEqual([
        ['ADDED', 'x'],
        ['ADDED', 'y'],
        ['DELETED', 'x'],
        ['DELETED', 'y'],
      ]);
      watch.close();
    }
  });

  it.each([
    ['a failure', () => ({ result: { status: 'Failure', message: 'cannot' } }), 'failed: cannot'],
    ['no objects', () => ({ result: { status: 'Success' }, convertedObjects: [] }), 'returned 0 objects, expected 1'],
    [
      'another version',
      ({ request }: Review) => ({ result: { status: 'Success' }, convertedObjects: request['objects'] }),
      'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)',
    ],
    ['another uid', (review: Review) => ({ ...convert(review), uid: 'x' }), '", got "x"'],
    ['an error', () => ({ code: 500, text: 'oops' }), 'failed: an error on the server ("oops") has prevented the request from succeeding'],
  ])('fails when the answer is %s', async (_, reply, problem) => {
    await create(first, 'x', { a: 'hello' });
    webhooks.reply = reply;
    const message: unknown = expect.stringContaining(problem);
    expect((await target.request(`${second}/x`)).json).toMatchObject(status(500, '', message));
    expect((await target.request(`${second}/x`)).json.message).toMatch(
      /^conversion webhook for example\.com\/v1, Kind=Widget (failed|returned)/,
    );
    expect((await target.request(`${first}/x`)).code).toBe(200);
  });

  it('shows webhooks of admission the version that they ask for', async () => {
    const clientConfig = { url: `${webhooks.url}/v`, caBundle: webhooks.caBundle };
    const rules = [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] }];
    const patch = Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec/a', value: 'patched' }])).toString('base64');
    webhooks.reply = (review) => (review.kind === 'ConversionReview' ? convert(review) : { allowed: true, patchType: 'JSONPatch', patch });
    await target.post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
      metadata: { name: 'm' },
      webhooks: [{ name: 'm.example.com', admissionReviewVersions: ['v1'], sideEffects: 'None', clientConfig, rules }],
    });
    await create(second, 'x', { b: 'one' });
    const asked = webhooks.reviews.find(({ kind }) => kind === 'AdmissionReview');
    expect(asked?.request).toMatchObject({ kind: { version: 'v1' }, requestKind: { version: 'v2' }, object: { spec: { a: 'one' } } });
    expect((await target.must(`${second}/x`)).spec).toEqual({ b: 'patched' });
  });
});
