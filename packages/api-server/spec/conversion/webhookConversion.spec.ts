import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTarget, status, type Target } from '../support/target.js';
import { serveWebhooks, type Review, type WebhookServer } from '../support/webhookServer.js';
import { definitionOf, versionOf } from '../support/definitionOf.js';

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
    const version = (name: string, field: string): object => {
      const spec = { type: 'object', properties: { [field]: { type: 'string' } } };
      const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      const rest = { name, storage: name === 'v1', subresources: { status: {} }, selectableFields: [{ jsonPath: `.spec.${field}` }] };
      return versionOf({ type: 'object', properties: { spec, status } }, rest);
    };
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: `${webhooks.url}/convert`, caBundle: webhooks.caBundle } };
    const versions = [version('v1', 'a'), version('v2', 'b')];
    target.server.objects.put(definitionOf('Widget', versions, { conversion: { strategy: 'Webhook', webhook } }));
  });
  afterEach(() => target.close());
  const create = (path: string, name: string, spec: object): Promise<unknown> =>
    target.post(path, { apiVersion: path === second ? 'example.com/v2' : 'example.com/v1', kind: 'Widget', metadata: { name }, spec });

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

  it('refuses to put what its webhook would have to convert, and writes nothing', async () => {
    const widget = { kind: 'Widget', metadata: { name: 'x' } };
    expect(() => target.server.objects.put({ apiVersion: 'example.com/v2', ...widget })).toThrow(
      'Expected a Widget of the stored version: only requests call its webhook',
    );
    expect((await target.request(`${first}/x`)).code).toBe(404);
    target.server.objects.put({ apiVersion: 'example.com/v1', ...widget, spec: { a: '1' } } as object);
    expect((await target.must(`${second}/x`)).spec).toEqual({ b: '1' });
  });

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

  /** Converts, with a `spec.b` that says something about the metadata. */
  const telling =
    (told: (metadata: Readonly<Record<string, unknown>>) => unknown) =>
    ({ request }: Review): object => ({
      result: { status: 'Success' },
      convertedObjects: (request['objects'] as readonly Widget[]).map((object) => ({
        ...object,
        apiVersion: 'example.com/v2',
        spec: { b: told(object.metadata as Readonly<Record<string, unknown>>) },
      })),
    });

  it('shows objects of one name and content in two namespaces as the webhook has converted each', async () => {
    await target.post('/api/v1/namespaces', { metadata: { name: 'other' } });
    webhooks.reply = telling(({ namespace }) => namespace);
    await create(first, 'x', { a: 'same' });
    await create(first.replace('default', 'other'), 'x', { a: 'same' });
    const { items } = await target.must('/apis/example.com/v2/widgets');
    expect(items.map(({ metadata, spec }) => [metadata.namespace, spec])).toEqual([
      ['default', { b: 'default' }],
      ['other', { b: 'other' }],
    ]);
  });

  it('shows an object that was deleted and created again as the webhook has converted the new one', async () => {
    webhooks.reply = telling(({ uid }) => uid);
    await create(first, 'x', { a: 'same' });
    const watch = await target.watch(`${second}?watch=1`);
    await watch.next();
    await target.delete(`${first}/x`);
    await create(first, 'x', { a: 'same' });
    const events = [await watch.next(), await watch.next()];
    watch.close();
    for (const { object } of events) expect((object as unknown as Widget).spec.b).toBe((object.metadata as { uid?: string }).uid);
  });

  it('shows what the webhook answers now, in every form and to selectors, although the object is the same', async () => {
    await create(first, 'x', { a: 'same' });
    const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    for (const answer of ['before', 'after']) {
      webhooks.reply = telling(() => answer);
      expect((await target.must(`${second}/x`)).spec).toEqual({ b: answer });
      expect((await target.must(second)).items.map(({ spec }) => spec)).toEqual([{ b: answer }]);
      const { rows } = (await target.must(`${second}?includeObject=Object`, { headers: table })) as unknown as { readonly rows: object };
      expect(rows).toMatchObject([{ object: { spec: { b: answer } } }]);
      expect((await target.must(`${second}?fieldSelector=spec.b=${answer}`)).items).toHaveLength(1);
    }
  });

  it('lists an older state in a version that nobody had asked for then', async () => {
    await create(first, 'x', { a: '1' });
    const { resourceVersion } = (await target.must(first)).metadata;
    await target.merge(`${first}/x`, { spec: { a: '2' } });
    const list = await target.must(`${second}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    expect(list.items.map(({ spec }) => spec)).toEqual([{ b: '1' }]);
  });

  it('shows and selects the labels of the webhook, also in metadata alone', async () => {
    await create(first, 'x', { a: 'one' });
    const labels = { of: 'v2' };
    webhooks.reply = ({ request }) => ({
      result: { status: 'Success' },
      convertedObjects: (request['objects'] as readonly Widget[]).map((object) => ({
        ...object,
        apiVersion: 'example.com/v2',
        metadata: { ...object.metadata, labels },
      })),
    });
    const { metadata } = await target.must(`${second}/x`);
    expect(metadata.labels).toEqual(labels);
    const reduced = (kind: string): object => ({ headers: { accept: `application/json;as=${kind};g=meta.k8s.io;v=v1` } });
    expect((await target.must(`${second}/x`, reduced('PartialObjectMetadata'))).metadata).toEqual(metadata);
    expect((await target.must(second, reduced('PartialObjectMetadataList'))).items).toMatchObject([{ metadata }]);
    expect((await target.must(`${second}?labelSelector=of=v2`)).items).toHaveLength(1);
    expect((await target.must(`${first}?labelSelector=of=v2`)).items).toHaveLength(0);
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
