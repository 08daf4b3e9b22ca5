import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';
import { runs } from '../../../../spec/tier.js';
import { definitionOf, versionOf } from '../support/definitionOf.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const drop = { accept: 'application/json;drop=metadata.managedFields,application/json' };

interface Shown {
  readonly metadata: { readonly managedFields?: unknown; readonly name: string; readonly annotations?: object };
  readonly data?: object;
}

describe('drop=metadata.managedFields', () => {
  let server: TestApiServer;
  beforeEach(async () => {
    server = await startApiServer();
  });
  afterEach(() => server.close());

  const ask = async (path: string, headers: Record<string, string>, init: object = {}): Promise<unknown> =>
    JSON.parse((await send({ url: server.url }, path, { headers, ...init })).text) as unknown;

  it('leaves managed fields out of objects, lists, metadata and answers to writes, and nothing else', async () => {
    const body = { metadata: { name: 'a' }, data: { x: '1' } };
    const written = (await ask(configMaps, drop, { method: 'POST', body })) as Shown;
    expect(written).toMatchObject(body);
    expect(written.metadata).not.toHaveProperty('managedFields');
    const whole = (await ask(`${configMaps}/a`, {})) as Shown;
    const { managedFields, ...metadata } = whole.metadata;
    expect(managedFields).toHaveLength(1);
    expect(await ask(`${configMaps}/a`, drop)).toEqual({ ...whole, metadata });
    const list = (await ask(configMaps, drop)) as { readonly items: readonly Shown[] };
    expect(list.items[0]?.metadata).toEqual(metadata);
    const reduced = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1;drop=metadata.managedFields' };
    expect(await ask(`${configMaps}/a`, reduced)).toMatchObject({ kind: 'PartialObjectMetadata', metadata });
    expect(((await ask(`${configMaps}/a`, reduced)) as Shown).metadata).not.toHaveProperty('managedFields');
    expect(((await ask(`${configMaps}/a`, { accept: 'application/json;drop=spec' })) as Shown).metadata).toHaveProperty('managedFields');
  });

  it("passes over managed fields of a template in a custom resource, and an empty list of one's own", async () => {
    const embedded = { metadata: { name: 'inner', managedFields: [{ manager: 'x' }] } };
    server.objects.put([
      definitionOf('Thing', [versionOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })], { scope: 'Cluster' }),
      { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, template: embedded } as object,
    ]);
    const { template } = (await ask('/apis/example.com/v1/things/a', drop)) as { readonly template: object };
    expect(template).toEqual(embedded);
  });

  it('is heeded by watches', async () => {
    await ask(configMaps, {}, { method: 'POST', body: { metadata: { name: 'a' } } });
    const watch = await send({ url: server.url }, `${configMaps}?watch=1&timeoutSeconds=1`, { headers: drop });
    const events = watch.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: Shown });
    expect(events[0]).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    expect(watch.text).not.toContain('managedFields');
  });

  it('cuts the right bytes, whatever stands in metadata and data', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(',"managedFields":[', '"managedFields":[]', '\\",\\"managedFields', 'é"}]'),
    );
    let index = 0;
    await fc.assert(
      fc.asyncProperty(text, text, async (annotation, value) => {
        const name = `p${String((index += 1))}`;
        const body = { metadata: { name, annotations: { a: annotation } }, data: { managedFields: value } };
        await ask(configMaps, {}, { method: 'POST', body });
        const { metadata, data } = (await ask(`${configMaps}/${name}`, drop)) as Shown;
        expect({ metadata: { name: metadata.name, annotations: metadata.annotations }, data }).toEqual(body);
        expect(metadata).not.toHaveProperty('managedFields');
      }),
      { numRuns: runs(60) },
    );
  });
});
