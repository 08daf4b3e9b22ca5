import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';
import { definitionOf, versionOf } from '../support/definitionOf.js';

let server: TestApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.close());

function define(properties: object): void {
  server.objects.put(definitionOf('Thing', [versionOf({ type: 'object', properties })], { scope: 'Cluster' }));
}

it('shows the defaults of now in objects that were written and read with those of before', async () => {
  const text = { type: 'string' };
  const things = '/apis/example.com/v1/things';
  const read = async (): Promise<unknown> => (await send({ url: server.url }, `${things}/one`)).json;
  define({ a: text, b: text });
  define({ a: { ...text, default: 'A' }, b: text });
  await send({ url: server.url }, things, {
    method: 'POST',
    body: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'one' } },
  });
  expect(await read()).toMatchObject({ a: 'A' });
  define({ a: text, b: { ...text, default: 'B' } });
  expect(await read()).toMatchObject({ a: 'A', b: 'B' });
});
