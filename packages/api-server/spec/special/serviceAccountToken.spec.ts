import { createPublicKey, verify } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';

const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';

describe('tokens of service accounts', () => {
  let server: TestApiServer;
  afterEach(() => server.close());

  it('are signed with the published key', async () => {
    server = await startApiServer();
    server.objects.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
    const { code, json } = await send({ url: server.url }, path, { method: 'POST', body: { spec: { audiences: ['vault'] } } });
    expect(code).toBe(201);
    const [head = '', claims = '', signature = ''] = String(json.status['token']).split('.');
    const { keys } = (await send({ url: server.url }, '/openid/v1/jwks')).json as unknown as { readonly keys: readonly object[] };
    const key = createPublicKey({ key: keys[0] as never, format: 'jwk' });
    const signed = Buffer.from(`${head}.${claims}`);
    expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: ['vault'],
      sub: 'system:serviceaccount:default:robot',
    });
  });

  it('let their holder in until they expire', async () => {
    const clock = createManualClock(Date.UTC(2030, 0, 1));
    server = await startApiServer({ clock, auth: { tokens: { root: 'root' }, anonymous: false } });
    server.objects.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
    const asked = { method: 'POST', headers: { authorization: 'Bearer root' }, body: { spec: { expirationSeconds: 600 } } };
    const { json } = await send({ url: server.url }, path, asked);
    const codeOf = async (): Promise<number> =>
      (await send({ url: server.url }, '/api/v1/pods', { headers: { authorization: `Bearer ${String(json.status['token'])}` } })).code;
    expect(await codeOf()).toBe(200);
    clock.advanceBy(601_000);
    expect(await codeOf()).toBe(401);
  });

  it.each([
    ['account', 'serviceaccounts/robot'],
    ['pod', 'pods/p?gracePeriodSeconds=0'],
  ])('are refused once the %s is gone that they were given for', async (_, place) => {
    server = await startApiServer({ auth: { tokens: { root: 'root' }, anonymous: false } });
    const spec = { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] };
    server.objects.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
    server.objects.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'other' } });
    server.objects.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec } as object);
    const headers = { authorization: 'Bearer root' };
    const body = { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } } };
    const { json } = await send({ url: server.url }, path, { method: 'POST', headers, body });
    const codeOf = async (): Promise<number> =>
      (await send({ url: server.url }, '/api/v1/pods', { headers: { authorization: `Bearer ${String(json.status['token'])}` } })).code;
    const remove = (what: string): Promise<unknown> =>
      send({ url: server.url }, `/api/v1/namespaces/default/${what}`, { method: 'DELETE', headers });
    await remove('serviceaccounts/other');
    expect(await codeOf()).toBe(200);
    await remove(place);
    expect(await codeOf()).toBe(401);
  });

  it('are given for accounts only that there are', async () => {
    server = await startApiServer();
    expect((await send({ url: server.url }, path, { method: 'POST', body: { spec: {} } })).code).toBe(404);
  });
});
