import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, resources } from 'rx-informer';
import { writeTemporaryFile } from '../../src/temporaryFile.js';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';
import { status } from '../support/target.js';

const bearer = (token: string): { readonly headers: { readonly authorization: string } } => ({
  headers: { authorization: `Bearer ${token}` },
});

describe('a user whom a kubeconfig impersonates', () => {
  it.each([
    ['josé', 'jos%C3%A9'],
    ['日本', '(b)%'],
  ])('is known by name, with and without a body: %s', async (name, key) => {
    const auth = { tokens: { admin: { name: 'root', groups: ['system:masters'] } }, authorize: 'rbac' } as const;
    // Over plain HTTP, nothing of a kubeconfig's user is sent.
    const server = await startApiServer({ auth, tls: true });
    const whole = JSON.stringify({ as: name, 'as-groups': [name], 'as-user-extra': { [key.toLowerCase()]: [name] } });
    const file = await writeTemporaryFile(
      'kubeconfig',
      server.kubeconfig.replace('user: {', () => `user: ${whole.slice(0, -1)},`),
    );
    const client = createClient({ kubeConfigFile: file.path });
    const { status: found } = await client.create(resources.authentication.v1.selfsubjectreviews, {});
    await expect(client.list(resources.core.v1.pods)).rejects.toThrow(`User "${name}" cannot list resource "pods"`);
    client.close();
    await Promise.all([file.remove(), server.close()]);
    const extra = { [key.toLowerCase()]: [name] };
    expect(found?.userInfo).toEqual({ username: name, groups: [name, 'system:authenticated'], extra });
  });
});

describe('a server that asks for tokens', () => {
  let server: TestApiServer;
  beforeAll(async () => {
    server = await startApiServer({ auth: { tokens: { secret: 'jane', admin: { name: 'root', groups: ['system:masters'] } } } });
  });
  afterAll(() => server.close());

  it('refuses a wrong token with 401, and none at all with 403', async () => {
    expect((await send(server, '/api/v1/pods', bearer('wrong'))).json).toMatchObject(status(401, 'Unauthorized', 'Unauthorized'));
    const message = 'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope';
    expect((await send(server, '/api/v1/pods')).json).toMatchObject(status(403, 'Forbidden', message, { details: { kind: 'pods' } }));
    const one = await send(server, '/apis/apps/v1/namespaces/default/deployments/d/scale');
    expect(one.json.message).toBe(
      'deployments.apps "d" is forbidden: User "system:anonymous" cannot get resource "deployments/scale" in API group "apps" in the namespace "default"',
    );
    expect((await send(server, '/api')).json.message).toBe('forbidden: User "system:anonymous" cannot get path "/api"');
    expect((await send(server, '/healthz')).text).toBe('ok');
  });

  it('lets a known token in, and knows who it is', async () => {
    expect((await send(server, '/api/v1/pods', bearer('secret'))).code).toBe(200);
    const whoAmI = (headers: object): ReturnType<typeof send> =>
      send(server, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        method: 'POST',
        body: {},
        headers: { ...bearer('secret').headers, ...headers },
      });
    expect((await whoAmI({})).json.status).toEqual({ userInfo: { username: 'jane', groups: ['system:authenticated'] } });
    const impersonated = await whoAmI({ 'impersonate-user': 'joe', 'impersonate-group': 'devs' });
    expect(impersonated.json.status).toEqual({ userInfo: { username: 'joe', groups: ['devs', 'system:authenticated'] } });
  });

  it('counts tokens as they are at the moment', async () => {
    server.tokens.set('renewed', { name: 'jane', groups: [] });
    server.tokens.delete('secret');
    expect((await send(server, '/api/v1/pods', bearer('secret'))).code).toBe(401);
    expect((await send(server, '/api/v1/pods', bearer('renewed'))).code).toBe(200);
    server.tokens.set('secret', { name: 'jane', groups: [] });
  });

  it('gives its own client the first token', async () => {
    expect(server.kubeconfig).toContain('"token":"secret"');
    expect((await server.client.list(resources.core.v1.pods)).items).toEqual([]);
  });
});

describe('a server that knows nobody without credentials', () => {
  it('refuses those that show none with 401', async () => {
    const server = await startApiServer({ auth: { tokens: { t: 'jane' }, anonymous: false } });
    expect((await send(server, '/api/v1/pods')).code).toBe(401);
    expect((await send(server, '/api/v1/pods', { headers: { authorization: 'Basic eDp5' } })).code).toBe(401);
    expect((await send(server, '/api/v1/pods', bearer('t'))).code).toBe(200);
    await server.close();
  });
});

describe('a server with rules of access', () => {
  it('lets users act as others only where the rules allow it', async () => {
    const server = await startApiServer({
      auth: {
        tokens: { t: 'jane' },
        authorize: (_, { verb, resource, name }) => verb !== 'impersonate' || `${resource}/${name}` === 'users/joe',
      },
    });
    const as = (user: string, ...groups: string[]): ReturnType<typeof send> =>
      send(server, '/api/v1/pods', { headers: { ...bearer('t').headers, 'impersonate-user': user, 'impersonate-group': groups } });
    expect((await as('joe')).code).toBe(200);
    expect((await as('root')).json).toMatchObject(
      status(
        403,
        'Forbidden',
        'users "root" is forbidden: User "jane" cannot impersonate resource "users" in API group "" at the cluster scope',
      ),
    );
    expect((await as('joe', 'devs', 'ops')).json.message).toMatch(/^groups "devs" is forbidden: /);
    await server.close();
  });

  it('allows what they say, and answers reviews by them (row 95)', async () => {
    const server = await startApiServer({
      auth: {
        tokens: { t: 'jane' },
        authorize: ({ name }, { verb, resource, namespace }) =>
          name === 'jane' && resource !== 'secrets' && (verb !== 'delete' || namespace === 'own'),
      },
    });
    expect((await send(server, '/api/v1/pods', bearer('t'))).code).toBe(200);
    expect((await send(server, '/api/v1/secrets', bearer('t'))).code).toBe(403);
    const review = async (resourceAttributes: object): Promise<unknown> =>
      (
        await send(server, '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
          method: 'POST',
          body: { spec: { resourceAttributes } },
          ...bearer('t'),
        })
      ).json.status;
    expect(await review({ verb: 'delete', resource: 'pods', namespace: 'own' })).toEqual({ allowed: true });
    expect(await review({ verb: 'delete', resource: 'pods', namespace: 'other' })).toEqual({ allowed: false });
    await server.close();
  });
});

describe('a server with roles', () => {
  let server: TestApiServer;
  beforeAll(async () => {
    server = await startApiServer({
      auth: { tokens: { j: 'jane', admin: { name: 'root', groups: ['system:masters'] } }, authorize: 'rbac' },
    });
  });
  afterAll(() => server.close());
  const as = (token: string, headers: object = {}): { readonly headers: Readonly<Record<string, string>> } => ({
    headers: { ...bearer(token).headers, ...headers },
  });

  it('lets others read the health as the roles say: no single check, and nothing but reading', async () => {
    expect((await send(server, '/livez', as('j'))).code).toBe(200);
    expect((await send(server, '/livez/etcd', as('j'))).code).toBe(403);
    expect((await send(server, '/healthz', { method: 'DELETE', ...as('j') })).code).toBe(403);
    expect((await send(server, '/version/', as('j'))).code).toBe(200);
  });

  it('tells browsers not to guess the type of a refusal', async () => {
    for (const path of ['/api/v1/pods', '/apis/none/v1/things', '/metrics'])
      expect((await send(server, path, as('j'))).headers['x-content-type-options']).toBe('nosniff');
    expect((await send(server, '/api', as('j', { 'impersonate-user': 'x' }))).headers['x-content-type-options']).toBe('nosniff');
  });

  it('asks for the right to impersonate an account where its groups are chosen, too', async () => {
    const { json } = await send(server, '/api', as('j', { 'impersonate-user': 'system:serviceaccount:a:b', 'impersonate-group': 'g' }));
    expect(json.message).toBe(
      'serviceaccounts "b" is forbidden: User "jane" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "a"',
    );
  });

  it('gives an anonymous user the groups that are impersonated', async () => {
    const headers = as('admin', { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'system:masters' });
    expect((await send(server, '/api/v1/pods', headers)).code).toBe(200);
  });

  it('warns of space before a token', async () => {
    const { code, headers } = await send(server, '/livez', { headers: { authorization: 'Bearer  j' } });
    expect([code, headers.warning]).toEqual([
      200,
      '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
    ]);
  });

  it('decides about paths of old by the word that they begin with', async () => {
    const { json } = await send(server, '/api/v1/proxy/nodes/x', { method: 'DELETE', ...as('j') });
    expect(json.message).toBe('nodes "x" is forbidden: User "jane" cannot proxy resource "nodes" in API group "" at the cluster scope');
  });
});

describe('a server with TLS', () => {
  let server: TestApiServer;
  beforeAll(async () => {
    server = await startApiServer({ tls: true, auth: {} });
  });
  afterAll(() => server.close());

  it('has a certificate for this machine, signed by its own authority', async () => {
    const { ca = '' } = server.credentials;
    const seen = await new Promise<X509Certificate | undefined>((resolve, reject) => {
      const sent = request(`${server.url}/healthz`, { ca }, (message) => {
        resolve((message.socket as unknown as { getPeerX509Certificate(): X509Certificate }).getPeerX509Certificate());
        message.resume();
      });
      sent.once('error', reject).end();
    });
    expect(seen?.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(seen?.checkIssued(new X509Certificate(ca))).toBe(true);
    await expect(send(server, '/healthz')).rejects.toThrow(/certificate/);
  });

  it('knows users by their certificates', async () => {
    const who = async (credentials: { readonly clientCert?: string; readonly clientKey?: string }): Promise<unknown> => {
      const endpoint = {
        url: server.url,
        secure: (options: object): Promise<void> => {
          Object.assign(options, { ca: server.credentials.ca, cert: credentials.clientCert, key: credentials.clientKey, agent: false });
          return Promise.resolve();
        },
      };
      const { code, json } = await send(endpoint, '/apis/authentication.k8s.io/v1/selfsubjectreviews', { method: 'POST', body: {} });
      return code === 201 ? json.status['userInfo'] : code;
    };
    const extra = { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] };
    const groups = ['system:masters', 'system:authenticated'];
    expect(await who(server.credentials)).toEqual({ username: 'system:admin', groups, extra });
    const { cert, key } = server.issueCertificate({ name: 'jane', groups: ['devs', 'ops'] });
    expect(await who({ clientCert: cert, clientKey: key })).toEqual({
      username: 'jane',
      groups: ['devs', 'ops', 'system:authenticated'],
      extra,
    });
    const expired = server.issueCertificate({ name: 'jane', groups: [] }, Date.now() - 1_000);
    expect(await who({ clientCert: expired.cert, clientKey: expired.key })).toBe(401);
    expect(await who({})).toBe(403);
  });

  it('is reached by its own client, and by its kubeconfig', async () => {
    expect((await server.client.list(resources.core.v1.namespaces)).items).toHaveLength(4);
    const client = createClient({ kubeConfigFile: server.kubeconfigPath });
    expect((await client.list(resources.core.v1.namespaces)).items).toHaveLength(4);
    client.close();
  });
});
