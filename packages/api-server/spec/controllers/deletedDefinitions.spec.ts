import { describe, expect, it } from '@jest/globals';
import { createApiServer } from '../../src/createApiServer.js';
import { createManualClock } from 'rx-informer/testing';
import { send } from '../support/httpClient.js';
import { definitionOf, versionOf } from '../support/definitionOf.js';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const one = `${path}/things.example.com`;
const definition = definitionOf('Thing', [versionOf({ type: 'object' })], { scope: 'Cluster' });

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

  it('lets no object be created while it goes', async () => {
    const server = await createApiServer();
    await send(server, path, { method: 'POST', body: definition });
    const things = '/apis/example.com/v1/things';
    const thing = (metadata: object) => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata });
    const held = { name: 'a', finalizers: ['example.com/held'] };
    expect((await send(server, things, { method: 'POST', body: thing(held) })).code).toBe(201);
    await send(server, one, { method: 'DELETE' });
    const refusal = 'create not allowed while custom resource definition is terminating';
    for (const [metadata, subject] of [
      [{ name: 'b' }, 'things.example.com "b"'],
      [{ name: 'a' }, 'things.example.com "a"'],
      [{ generateName: 'a-' }, 'things.example.com'],
    ] as const)
      expect(await send(server, things, { method: 'POST', body: thing(metadata) })).toMatchObject({
        code: 403,
        json: { reason: 'Forbidden', message: `${subject} is forbidden: ${refusal}` },
      });
    await server.close();
  });
});
