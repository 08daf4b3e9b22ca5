import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../../src/apiserver/protobuf/wireReader.js';
import { startApiServer, type TestApiServer } from '../../../src/testing/startApiServer.js';
import { send, type Answer } from '../support/httpClient.js';

const schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { size: { type: 'integer', description: 'How large.' } } } },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
};

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

  it('has a document for each group and version in version 3 (row 53)', async () => {
    const { paths } = await document('/openapi/v3');
    expect(paths['apis/example.com/v1']).toMatchObject({
      serverRelativeURL: expect.stringMatching(/^\/openapi\/v3\/apis\/example.com\/v1\?hash=/) as unknown,
    });
    const { components } = await document('/openapi/v3/apis/apps/v1');
    expect(components.schemas['io.k8s.api.apps.v1.Deployment']?.properties?.['spec']).toEqual({
      $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec',
    });
    // What is referred to is there, to the last definition.
    const references = [...JSON.stringify(components).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
    expect(references.filter((name) => components.schemas[name] === undefined)).toEqual([]);
    expect((await get('/openapi/v3/apis/none/v1')).code).toBe(404);
  });

  it('is not sent again to those who have it, and changes with what is served', async () => {
    const { headers } = await get('/openapi/v2');
    const etag = String(headers.etag);
    expect((await get('/openapi/v2', { 'if-none-match': etag })).code).toBe(304);
    server.objects.put(JSON.stringify(definition).replaceAll('widgets', 'gadgets').replaceAll('Widget', 'Gadget'));
    expect((await get('/openapi/v2', { 'if-none-match': etag })).code).toBe(200);
  });
});
