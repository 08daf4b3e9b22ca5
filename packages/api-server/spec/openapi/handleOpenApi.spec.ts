import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KindRegistry } from '../../src/kinds/registry.js';
import type { ServedResource } from '../../src/kinds/servedResource.js';
import { openApiV2 } from '../../src/openapi/openApiV2.js';
import { fieldsOf } from '../../src/protobuf/wireReader.js';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send, type Answer } from '../support/httpClient.js';
import { definitionOf, versionOf } from '../support/definitionOf.js';

const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', description: 'How large.' } } } },
};
const definition = definitionOf('Widget', [versionOf(schema)]);

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly [name: string]: unknown;
}

interface Document {
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly { readonly name: string }[] }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The names in a repeated field of named values. */
function namesIn(bytes: Buffer, field: number): readonly string[] {
  return [...fieldsOf(bytes)]
    .filter(({ number }) => number === field)
    .map(({ value }) => String([...fieldsOf(value as Buffer)].find(({ number }) => number === 1)?.value));
}

describe('OpenAPI', () => {
  let server: TestApiServer;
  beforeAll(async () => {
    server = await startApiServer();
    server.objects.put(definition);
  });
  afterAll(() => server.close());

  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send({ url: server.url }, path, { headers });
  const document = async (path: string): Promise<Document> => (await get(path)).json as unknown as Document;

  it('has built-in kinds and custom resources in version 2 (row 52)', async () => {
    const { definitions, paths } = await document('/openapi/v2');
    expect(definitions['io.k8s.api.core.v1.Pod']?.properties?.['spec']).toEqual({ $ref: '#/definitions/io.k8s.api.core.v1.PodSpec' });
    expect(definitions['com.example.v1.Widget']).toMatchObject({
      properties: { apiVersion: { type: 'string' }, spec: { properties: { size: { type: 'integer', description: 'How large.' } } } },
      'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Widget', version: 'v1' }],
    });
    const patch = paths['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}']?.['patch'];
    expect(patch?.parameters?.map(({ name }) => name)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
    expect(paths['/api/v1/nodes/{name}']).toHaveProperty('patch');
  });

  it('says the same in protobuf to Go clients (row 52)', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const answer = await get('/openapi/v2', { accept });
    expect(answer.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    const fields = new Map([...fieldsOf(answer.bytes)].map(({ number, value }) => [number, value as Buffer]));
    const { definitions, paths } = await document('/openapi/v2');
    expect(String(fields.get(1))).toBe('2.0');
    expect(namesIn(fields.get(8) ?? Buffer.alloc(0), 2)).toEqual(Object.keys(paths));
    expect(namesIn(fields.get(9) ?? Buffer.alloc(0), 1)).toEqual(Object.keys(definitions));
  });

  describe('of custom resources', () => {
    const put = (plural: string, kind: string, openAPIV3Schema: object, more: object = {}): void => {
      const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more };
      const named = { ...definition, metadata: { name: `${plural}.example.com` } };
      const made = {
        ...named,
        spec: { ...definition.spec, names: { plural, kind }, versions: [version] },
      };
      server.objects.put(made);
    };
    const inV2 = async (kind: string): Promise<Schema | undefined> => (await document('/openapi/v2')).definitions[`com.example.v1.${kind}`];
    const inV3 = async (kind: string): Promise<Schema | undefined> =>
      (await document('/openapi/v3/apis/example.com/v1')).components.schemas[`com.example.v1.${kind}`];

    it.each(['v2', 'v3'])('describes what every object has, in %s', async (version) => {
      const found = await (version === 'v2' ? inV2('Widget') : inV3('Widget'));
      const starts = (text: string): object => ({ description: expect.stringMatching(new RegExp(`^${text}`)) as unknown });
      expect(found?.properties).toMatchObject({
        apiVersion: starts('APIVersion defines'),
        kind: starts('Kind '),
        metadata: starts("Standard object's metadata"),
      });
      const whole = await document(version === 'v2' ? '/openapi/v2' : '/openapi/v3/apis/example.com/v1');
      const meta = (version === 'v2' ? whole.definitions : whole.components.schemas)['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'];
      expect(meta?.properties?.['creationTimestamp']).toMatchObject(starts('CreationTimestamp is a timestamp'));
    });

    it('names no fields in version 2 where the root keeps unknown ones, and does in version 3', async () => {
      put('opens', 'Open', { ...schema, 'x-kubernetes-preserve-unknown-fields': true });
      expect(await inV2('Open')).toEqual({
        type: 'object',
        'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Open', version: 'v1' }],
      });
      expect((await inV3('Open'))?.properties).toHaveProperty('spec');
    });

    it('leaves out of version 2 what it has no words for', async () => {
      const list = { type: 'array', items: { type: 'string' } };
      const inner = {
        combined: { type: 'string', anyOf: [{ pattern: 'a' }], not: { enum: ['b'] }, default: 'c', pattern: 'd' },
        nullable: { ...list, nullable: true },
        kept: { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-preserve-unknown-fields': true },
        either: { 'x-kubernetes-int-or-string': true },
      };
      const spec = { type: 'object', required: ['nullable', 'combined'], properties: inner };
      put('words', 'Word', { type: 'object', properties: { spec } });
      const two = (await inV2('Word'))?.properties?.['spec'];
      expect(two).toEqual({
        type: 'object',
        required: ['combined'],
        properties: {
          combined: { type: 'string', pattern: 'd' },
          nullable: {},
          kept: { 'x-kubernetes-preserve-unknown-fields': true },
          either: { 'x-kubernetes-int-or-string': true },
        },
      });
      const three = (await inV3('Word'))?.properties?.['spec'];
      expect(three?.properties).toEqual({
        ...inner,
        either: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      });
      expect(three?.['required']).toEqual(['nullable', 'combined']);
    });

    it('says what it says of a reference around it in version 3', async () => {
      const meta = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
      expect((await inV3('Widget'))?.properties?.['metadata']).toEqual({ description: expect.any(String) as unknown, allOf: [meta] });
    });

    it('gives whole objects in other objects what every object has', async () => {
      const template = { type: 'object', properties: {}, 'x-kubernetes-embedded-resource': true };
      put('wholes', 'Whole', { type: 'object', properties: { template } });
      expect((await inV2('Whole'))?.properties?.['template']).toMatchObject({
        properties: { apiVersion: { type: 'string' }, metadata: { $ref: expect.stringContaining('ObjectMeta') as unknown } },
        required: ['kind', 'apiVersion'],
      });
    });

    it('has their lists, and the fields that they can be selected by', async () => {
      put('picks', 'Pick', schema, { selectableFields: [{ jsonPath: '.spec.size' }] });
      const fields = { 'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.size' }] };
      expect(await inV2('Pick')).toMatchObject(fields);
      expect(await inV3('PickList')).toMatchObject({
        required: ['items'],
        properties: { items: { items: { $ref: '#/components/schemas/com.example.v1.Pick' } } },
        ...fields,
      });
    });

    it.each([false, true])('are written once, however often others come and go (in protobuf: %p)', (inProtobuf) => {
      let written = 0;
      const kinds = new KindRegistry();
      const resourceOf = (kind: string): ServedResource => ({
        ...(kinds.find('apps/v1', 'deployments') as ServedResource),
        ...{
          group: 'example.com',
          version: 'v1',
          groupVersion: 'example.com/v1',
          plural: kind.toLowerCase(),
          kind,
          listKind: `${kind}List`,
        },
        get custom(): never {
          written += 1;
          return { schema, preserveUnknownFields: false } as never;
        },
      });
      const [first, second] = [resourceOf('First'), resourceOf('Second')];
      kinds.setCustom([first]);
      openApiV2(kinds, {}, inProtobuf);
      const forOne = written;
      kinds.setCustom([first, second]);
      const both = openApiV2(kinds, {}, inProtobuf);
      expect(written).toBe(2 * forOne);
      expect(['example.v1.First', 'example.v1.Second'].filter((name) => both.includes(name))).toHaveLength(2);
    });
  });

  it('has a document for each group and version in version 3 (row 53)', async () => {
    const { paths } = await document('/openapi/v3');
    expect(paths['apis/example.com/v1']).toMatchObject({
      serverRelativeURL: expect.stringMatching(/^\/openapi\/v3\/apis\/example.com\/v1\?hash=/) as unknown,
    });
    const { components } = await document('/openapi/v3/apis/apps/v1');
    expect(components.schemas['io.k8s.api.apps.v1.Deployment']?.properties?.['spec']).toEqual({
      $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec',
    });
    // Every definition that is referred to exists.
    const references = [...JSON.stringify(components).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(references.filter((name) => components.schemas[name] === undefined)).toEqual([]);
    expect((await get('/openapi/v3/apis/none/v1')).code).toBe(404);
  });

  it('is not sent again to those who have it, and changes with what is served', async () => {
    const { headers } = await get('/openapi/v2');
    const etag = String(headers.etag);
    expect((await get('/openapi/v2', { 'if-none-match': etag })).code).toBe(304);
    server.objects.put(definitionOf('Gadget', [versionOf(schema)]));
    expect((await get('/openapi/v2', { 'if-none-match': etag })).code).toBe(200);
  });
});
