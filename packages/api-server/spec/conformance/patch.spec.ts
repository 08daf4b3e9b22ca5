import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defineResource } from '../support/defineResource.js';
import { versionOf } from '../support/definitionOf.js';
import type { Answer, AnyJson } from '../support/httpClient.js';
import { openTarget, status, type Target } from '../support/target.js';

interface Template {
  readonly template: { readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] } };
}

function containersOf({ spec }: AnyJson): readonly string[] {
  return (spec as unknown as Template).template.spec.containers.map(({ name, image }) => `${name}=${image}`);
}

describe('strategic merge patch', () => {
  let target: Target;
  let namespace: string;
  let deployments: string;
  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    namespace = await target.namespace();
    deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await target.post(deployments, { metadata: { name: 'd' }, spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template } });
  });
  afterAll(() => target.close());

  const strategic = (path: string, body: unknown): Promise<Answer> =>
    target.request(path, { method: 'PATCH', headers: { 'content-type': 'application/strategic-merge-patch+json' }, body });

  it('merges containers by name, and puts new ones first (row 72)', async () => {
    const { code, json } = await strategic(`${deployments}/d`, {
      spec: { template: { spec: { containers: [{ name: 'side', image: 's' }] } } },
    });
    expect(code).toBe(200);
    expect(containersOf(json)).toEqual(['side=s', 'c=i']);
  });

  it('does what kubectl set image asks for (row 72)', async () => {
    const containers = [{ name: 'c', image: 'j' }];
    const { json } = await strategic(`${deployments}/d`, {
      spec: { template: { spec: { '$setElementOrder/containers': [{ name: 'c' }], containers } } },
    });
    expect(containersOf(json)).toEqual(['c=j']);
    expect(json.metadata.generation).toBe(2);
  });

  it('writes nothing when nothing changes (rows 72 and 23)', async () => {
    const before = await target.must(`${deployments}/d`);
    const { json } = await strategic(`${deployments}/d`, { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } } });
    expect(json.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('changes the status of its subresource by the key of conditions (row 72)', async () => {
    const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: null });
    await strategic(`${deployments}/d/status`, { status: { conditions: [condition('A'), condition('B')] } });
    const { json } = await strategic(`${deployments}/d/status`, {
      status: { conditions: [{ type: 'A', status: 'False' }] },
      spec: { replicas: 9 },
    });
    expect(json.status['conditions']).toMatchObject([
      { type: 'A', status: 'False' },
      { type: 'B', status: 'True' },
    ]);
    expect(json.spec['replicas']).toBe(0);
  });

  it('scales through the subresource (rows 72 and 84)', async () => {
    expect((await strategic(`${deployments}/d/scale`, { spec: { replicas: 3 } })).json).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 3 },
    });
  });

  it('refuses a body that is no object (row 72)', async () => {
    expect((await strategic(`${deployments}/d`, '{')).json).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect((await strategic(`${deployments}/d`, '[]')).json).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it.each<[string, object, string]>([
    ['a map that is none', { data: true, stringData: { a: {} } }, 'data: expected a map, got true'],
    ['bytes that are no text', { data: { a: {} } }, 'data.a: expected text in base64, got object'],
    ['bytes that are not encoded', { data: { a: '?' } }, 'data.a: expected text in base64, got "?"'],
    ['a time that is no text', { metadata: { creationTimestamp: 5 } }, 'metadata.creationTimestamp: expected a time as of RFC 3339, got 5'],
    ['a kind that is no text', { kind: 1 }, 'kind: expected a string, got 1'],
  ])('refuses %s (row 72)', async (_, patch, problem) => {
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await target.post(secrets, { metadata: { name: 's' }, data: { a: 'MQ==' } });
    const { json } = await strategic(`${secrets}/s`, patch);
    expect(json.message).toBe(` "" is invalid: patch: Invalid value: ${problem}`);
  });

  it('takes a list of numbers for bytes (row 72)', async () => {
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await target.post(secrets, { metadata: { name: 's' } });
    expect((await strategic(`${secrets}/s`, { data: { a: [2, null] } })).json.data).toEqual({ a: 'AgA=' });
  });

  it('warns of directives in what is new (row 72)', async () => {
    const containers = [{ name: 'e', image: 'e', '$setElementOrder/env': [], $retainKeys: ['x'] }];
    const { code, headers } = await strategic(`${deployments}/d`, { spec: { template: { spec: { containers } } } });
    expect(code).toBe(200);
    const place = 'spec.template.spec.containers[0].';
    const warnings = ['$retainKeys', '$setElementOrder/env'].map((name) => `299 - "unknown field \\"${place}${name}\\""`);
    expect(headers['warning']).toBe(warnings.join(', '));
  });

  it.each<[string, unknown, readonly string[]]>([
    ['owners', { ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'b', uid: '' }] }, ['ownerReferences.uid']],
    ['finalizers', { finalizers: ['orphan', 'foregroundDeletion'] }, ['finalizers']],
  ])('names wrong %s once for each validation (rows 72 and 84)', async (name, metadata, fields) => {
    await target.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'm' } });
    const counts = { owners: [3, 4], finalizers: [1, 2] }[name] ?? [];
    for (const [at, path] of [`${deployments}/d`, `/api/v1/namespaces/${namespace}/configmaps/m`].entries()) {
      const { json } = await strategic(path, { metadata });
      const { causes } = json['details'] as { causes: readonly { readonly field: string }[] };
      expect(causes.map(({ field }) => field)).toEqual(Array.from({ length: counts[at] ?? 0 }, () => `metadata.${fields[0] ?? ''}`));
    }
  });

  it.each([null, ''])('finds no name without an apiVersion: %j', async (apiVersion) => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { json } = await target.request(`${deployments}/d`, { method: 'PATCH', headers, body: { apiVersion } });
    const message = 'the name of the object (d based on URL) was undeterminable: name must be provided';
    expect(json).toMatchObject({ code: 400, message });
  });

  it('may set any generateName: it generates nothing any more', async () => {
    const { json } = await strategic(`${deployments}/d`, { metadata: { generateName: 'not a name' } });
    expect(json.metadata).toMatchObject({ generateName: 'not a name' });
  });

  it.each<[string, unknown, string]>([
    ['uid', 5, 'uid: expected a string, got 5'],
    ['', 'x', 'expected an object, got "x"'],
    ['selfLink', 0, 'selfLink: expected a string, got 0'],
    ['finalizers', {}, 'finalizers: expected a list, got object'],
    ['deletionTimestamp', 5, 'deletionTimestamp: expected a time as of RFC 3339, got 5'],
  ])('decodes the metadata of custom resources: %s', async (field, value, problem) => {
    const widgets = await defineResource(target, {
      versions: [versionOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })],
    });
    await target.post(widgets.path(namespace), { apiVersion: `${widgets.group}/v1`, kind: 'Widget', metadata: { name: 'w' } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { json } = await target.request(`${widgets.path(namespace)}/w`, {
      method: 'PATCH',
      headers,
      body: { metadata: field === '' ? value : { [field]: value } },
    });
    expect([json.code, json.message]).toEqual([422, expect.stringContaining(problem)]);
    await widgets.remove();
  });

  it('is refused for custom resources, with the list of what is accepted (row 72)', async () => {
    const widgets = await defineResource(target, {
      versions: [versionOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })],
    });
    const { json } = await strategic(`${widgets.path(namespace)}/w`, {});
    const accepted = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
    const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
    expect(json).toEqual({ ...status(415, 'UnsupportedMediaType', message), metadata: {} });
    await widgets.remove();
  });
});
