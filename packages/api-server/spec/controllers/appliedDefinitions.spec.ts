import { describe, expect, it } from '@jest/globals';
import { createApiServer } from '../../src/createApiServer.js';
import { createManualClock } from 'rx-informer/testing';
import { send, type Answer } from '../support/httpClient.js';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        on: { type: 'boolean', default: true },
      },
    },
  },
};
const definitionOf = (at: number): { readonly metadata: { readonly name: string } } => {
  const names = { plural: `things${String(at)}`, kind: `Thing${String(at)}` };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } }];
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${names.plural}.example.com` },
    ...{ spec: { group: 'example.com', scope: 'Namespaced', names, versions } },
  };
};

describe('a definition that is applied again', () => {
  it.each([0, 1, 1_500, 90_000])('keeps its version, also while others are written, %d ms later', async (pauseMs) => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const server = await createApiServer({ clock });
    const apply = (at: number): Promise<Answer> => {
      return send(server, `${path}/${definitionOf(at).metadata.name}?fieldManager=spec`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: definitionOf(at),
      });
    };
    const all = Array.from({ length: 20 }, (_, at) => at);
    const versions = async (): Promise<readonly string[]> =>
      (await Promise.all(all.map(apply))).map(({ json }) => json.metadata.resourceVersion);
    // The answer to a create request has no status yet, as in a cluster.
    const answered = await versions();
    const named = await Promise.all(all.map((at) => send(server, `${path}/${definitionOf(at).metadata.name}`)));
    const settled = named.map(({ json }) => json.metadata.resourceVersion);
    // Each has been written once more, after itself and perhaps others.
    for (const [at, version] of settled.entries()) expect(Number(version)).toBeGreaterThan(Number(answered[at]));
    const written = [...answered, ...settled].map(Number).sort((a, b) => a - b);
    expect(written).toEqual(written.map((_, at) => (written[0] ?? 0) + at));
    clock.advanceBy(pauseMs);
    expect(await versions()).toEqual(settled);
    await server.close();
  });
});

describe('a definition that is changed to store another version', () => {
  it('remembers the version before, until its status says otherwise', async () => {
    const server = await createApiServer();
    const place = `${path}/${definitionOf(0).metadata.name}`;
    const patch = (target: string, versions: object): Promise<Answer> =>
      send(server, target, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: versions });
    const versions = [{ name: 'v1' }, { name: 'v2', storage: true }].map((one) => ({
      ...{ served: true, storage: false, schema: { openAPIV3Schema: schema } },
      ...one,
    }));
    await send(server, path, { method: 'POST', body: definitionOf(0) });
    const changed = await patch(place, { spec: { versions } });
    expect(changed.code).toBe(200);
    expect(changed.json).toMatchObject({ status: { storedVersions: ['v1', 'v2'] } });
    const [, second] = versions;
    const early = await patch(place, { spec: { versions: [second] } });
    expect(early.json.message).toMatch(/"v1": was a storage version, and must remain in spec.versions/);
    await patch(`${place}/status`, { status: { storedVersions: ['v2'] } });
    expect((await patch(place, { spec: { versions: [second] } })).json).toMatchObject({ status: { storedVersions: ['v2'] } });
    await server.close();
  });
});
