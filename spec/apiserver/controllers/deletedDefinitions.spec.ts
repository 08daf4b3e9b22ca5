import { describe, expect, it } from '@jest/globals';
import { createApiServer } from '../../../src/apiserver/createApiServer.js';
import { createManualClock } from '../../../src/testing/fakes/manualClock.js';
import { send } from '../support/httpClient.js';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const one = `${path}/things.example.com`;
const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
const definition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'things.example.com' },
  spec: { group: 'example.com', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions },
};

describe('a deleted definition', () => {
  it('stays for a moment, also in a copy of the server, and goes then', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const server = await createApiServer({ clock });
    await send(server, path, { method: 'POST', body: definition });
    await send(server, one, { method: 'DELETE' });
    clock.advanceBy(49);
    expect((await send(server, one)).code).toBe(200);
    const copy = server.snapshot();
    clock.advanceBy(1);
    expect((await send(server, one)).code).toBe(404);
    server.restore(copy);
    expect((await send(server, one)).code).toBe(200);
    clock.advanceBy(50);
    expect((await send(server, one)).code).toBe(404);
    await server.close();
  });
});
