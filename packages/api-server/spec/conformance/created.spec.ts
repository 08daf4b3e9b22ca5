import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineResource, versionOf, type DefinedResource } from '../support/defineResource.js';
import type { Answer } from '../support/httpClient.js';
import { openTarget, type Target } from '../support/target.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

describe('what is created, and what is not', () => {
  let target: Target;
  let namespace: string;
  beforeAll(async () => {
    target = await openTarget();
    namespace = await target.namespace();
  });
  afterAll(() => target.close());

  const post = (path: string, body: unknown): Promise<Answer> => target.request(path, { method: 'POST', body });
  const configMaps = (): string => `/api/v1/namespaces/${namespace}/configmaps`;

  it('takes a version for nothing in a PUT that creates, and refuses one that is no number', async () => {
    const put = async (name: string, resourceVersion: string): Promise<Answer> => {
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, resourceVersion }, spec: {} };
      return target.request(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`, { method: 'PUT', body: lease });
    };
    expect([(await put('numbered', '5')).code, (await put('worded', 'abc')).code]).toEqual([201, 500]);
  });

  it.each([
    ['a version that is no number', { resourceVersion: 'abc' }, [201, 409]],
    ['a version', { resourceVersion: '5' }, [500, 500]],
    ['version 0', { resourceVersion: '0' }, [201, 409]],
  ])('answers a POST with %s', async (name, metadata, codes) => {
    const create = async (): Promise<number> =>
      (await post(configMaps(), { metadata: { name: name.replaceAll(' ', '-').toLowerCase(), ...metadata } })).code;
    expect([await create(), await create()]).toEqual(codes);
  });

  it('says that it found no free name whenever a prefix was sent, too', async () => {
    const create = (): Promise<Answer> => post(configMaps(), { metadata: { name: 'named', generateName: 'named-' } });
    expect((await create()).code).toBe(201);
    expect((await create()).json).toMatchObject({ code: 409, details: { name: 'named', retryAfterSeconds: 1 } });
  });

  it.each([
    [254, 201],
    [255, 422],
  ])('takes a prefix for names of %d characters that ends with a hyphen: %d', async (length, code) => {
    const { code: found } = await post(`${configMaps()}?dryRun=All`, { metadata: { generateName: `${'a'.repeat(length - 1)}-` } });
    expect(found).toBe(code);
  });

  it('warns of formats that no value is checked for, once each, and of new ones later', async () => {
    const group = `${namespace}.example.com`;
    const property = (type: string, format: string): object => ({ type, format });
    const properties = (format: string): object => ({
      a: property('string', format),
      b: property('string', format),
      c: property('integer', 'int32'),
      d: property('number', 'int32'),
      e: { type: 'array', items: property('string', 'date-time') },
      f: property('string', 'password'),
      g: { type: 'object', additionalProperties: { type: 'string', anyOf: [{ format: 'odd' }] } },
    });
    const version = (format: string): object =>
      versionOf({ type: 'object', properties: { spec: { type: 'object', properties: properties(format) } } });
    const names = { plural: 'formats', singular: 'format', kind: 'Format', listKind: 'FormatList' };
    const spec = { group, scope: 'Cluster', names, versions: [version('foo')] };
    const metadata = { name: `formats.${group}` };
    const warningsOf = ({ headers }: Answer): readonly string[] => [headers['warning'] ?? []].flat().join(', ').split(', ').sort();
    const created = await post(definitions, { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec });
    expect(warningsOf(created)).toEqual(['foo', 'int32', 'odd'].map((format) => `299 - "unrecognized format \\"${format}\\""`));
    const place = `${definitions}/${metadata.name}`;
    const merge = (body: unknown): Promise<Answer> =>
      target.request(place, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body });
    expect(warningsOf(await merge({ metadata: { labels: { a: 'b' } } }))).toEqual(['']);
    expect(warningsOf(await merge({ spec: { versions: [version('newer')] } }))).toEqual(['299 - "unrecognized format \\"newer\\""']);
    await target.delete(place);
  });

  describe('in a group of custom resources', () => {
    let defined: DefinedResource;
    beforeAll(async () => {
      defined = await defineResource(target, { versions: [versionOf({ type: 'object' })] });
    });
    afterAll(() => defined.remove());

    it.each(['v1/nonsense', 'v1/namespaces/default/nonsense/x', 'v9/widgets', 'v9', 'v1/watch/nonsense'])(
      'has a page, and no Status, for the unknown path %s',
      async (path) => {
        const { code, text, headers } = await target.request(`/apis/${defined.group}/${path}`);
        expect([code, text.trim(), headers['content-type']]).toEqual([404, '404 page not found', 'text/plain; charset=utf-8']);
      },
    );

    it('misses the object before what is below it', async () => {
      const { json } = await target.request(`${defined.path('default')}/x/a/b`);
      expect(json).toMatchObject({ code: 404, details: { name: 'x', kind: 'widgets' } });
    });
  });
});
