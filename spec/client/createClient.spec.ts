import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type http from 'node:http';
import { inspect } from 'node:util';
import zlib from 'node:zlib';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { resources } from '../../src/api/resources.js';
import type { ClientOptions, KubeConfigLike } from '../../src/client/clientOptions.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { loadClientNode } from '../../src/clientNode/loadClientNode.js';
import { certificates, userOf } from './node/certificates.js';
import { startProxy } from './node/startProxy.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from './node/temporaryFolder.js';
import { sendJson, startServer, until, type Handler, type SpecServer } from './startServer.js';

const { nodes, pods } = resources.core.v1;
const pki = certificates();
const base64 = (text: string) => Buffer.from(text).toString('base64');

let folder: TemporaryFolder;
const cleanups: (() => unknown)[] = [];
const { KUBECONFIG } = process.env;
beforeEach(() => {
  folder = temporaryFolder();
  cleanups.push(() => folder.remove());
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  process.env['KUBECONFIG'] = KUBECONFIG;
  if (KUBECONFIG === undefined) delete process.env['KUBECONFIG'];
});

async function serve(handler: Handler, tls?: Parameters<typeof startServer>[1]): Promise<SpecServer> {
  const server = await startServer(handler, tls);
  cleanups.push(() => server.close());
  return server;
}

const serveTls = (handler: Handler) =>
  serve(handler, { cert: pki.server.cert, key: pki.server.key, ca: pki.ca, requestCert: true, rejectUnauthorized: false });

function client(options: ClientOptions): KubeClient {
  const made = createClient(options);
  cleanups.push(() => made.close());
  return made;
}

/** A client for a kubeconfig with one context. */
function clientOf(cluster: Record<string, unknown>, user?: Record<string, unknown>, context?: Record<string, unknown>): KubeClient {
  return client({ kubeConfigFile: folder.write('config', kubeconfigOf(cluster, user, context)) });
}

const clusterOf = ({ url }: SpecServer) => ({ server: url, 'certificate-authority-data': base64(pki.ca) });

const ok: Handler = (_, response) => sendJson(response, {});
const tokens = (server: SpecServer) => server.requests.map(({ headers }) => headers.authorization);

describe('createClient with kubeconfig files', () => {
  it('returns at once and reads them at the first request', async () => {
    const server = await serveTls(ok);
    process.env['KUBECONFIG'] = path.join(folder.path, 'config');
    const made = client({});
    await expect(made.get(nodes, 'a')).rejects.toMatchObject({ code: 'ERR_KUBECONFIG' });
    folder.write('config', kubeconfigOf(clusterOf(server), { token: 't' }, { namespace: 'team' }));
    await made.get(nodes, 'a');
    await expect(Promise.all([made.server(), made.defaultNamespace()])).resolves.toEqual([server.url, 'team']);
    expect(server.requests).toMatchObject([
      { url: '/api/v1/nodes/a', headers: { authorization: 'Bearer t', 'user-agent': 'rx-informer' } },
    ]);
  });

  it('says which contexts there are', async () => {
    process.env['KUBECONFIG'] = folder.write('config', kubeconfigOf({ server: 'https://localhost' }));
    await expect(client({ context: 'd' }).defaultNamespace()).rejects.toThrow(
      /^Found no context "d" in the kubeconfig .*config: expected one of c/,
    );
  });

  it('proves who it is with a client certificate', async () => {
    const server = await serveTls((request, response) => sendJson(response, { user: userOf(request) }));
    const user = { 'client-certificate-data': base64(pki.alice.cert), 'client-key-data': base64(pki.alice.key) };
    await expect(clientOf({ server: server.url, 'certificate-authority-data': base64(pki.ca) }, user).getPath('/')).resolves.toEqual({
      user: 'alice',
    });
    await expect(clientOf({ server: server.url }, user).getPath('/')).rejects.toMatchObject({ code: 'SELF_SIGNED_CERT_IN_CHAIN' });
  });

  it('sends the token that its file holds now', async () => {
    const server = await serveTls(ok);
    folder.write('token', 'one');
    const made = clientOf(clusterOf(server), { tokenFile: 'token' });
    await made.getPath('/');
    folder.write('token', 'two');
    await made.getPath('/');
    expect(tokens(server)).toEqual(['Bearer one', 'Bearer two']);
  });

  it('runs a credential plugin once for requests at the same time, and once a minute for those later', async () => {
    const server = await serveTls(ok);
    const script = folder.write(
      'plugin.mjs',
      `import { appendFileSync, readFileSync } from 'node:fs';
       appendFileSync(new URL('runs', import.meta.url), '.');
       const token = 't' + readFileSync(new URL('runs', import.meta.url)).length;
       const expirationTimestamp = new Date(Date.now() + 60_000);
       console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1beta1', status: { token, expirationTimestamp } }));`,
    );
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: process.execPath,
      args: [script],
      interactiveMode: 'Never',
    };
    const made = clientOf(clusterOf(server), { exec });
    await Promise.all([1, 2, 3, 4, 5].map(() => made.getPath('/')));
    await made.getPath('/');
    expect(readFileSync(path.join(folder.path, 'runs'), 'utf8')).toBe('.');
    const { now } = Date;
    cleanups.push(() => (Date.now = now));
    Date.now = () => now() + 56_000;
    await made.getPath('/');
    expect(tokens(server)).toEqual([...Array<string>(6).fill('Bearer t1'), 'Bearer t2']);
  });

  it('reads everything again after a 401, once, and repeats the request', async () => {
    const server = await serveTls((request, response) =>
      sendJson(response, {}, request.headers.authorization === 'Bearer new' ? 200 : 401),
    );
    const made = clientOf(clusterOf(server), { token: 'old' });
    await expect(made.getPath('/')).rejects.toMatchObject({ code: 401, message: 'GET / was answered with 401: {}' });
    expect(server.requests).toHaveLength(2);
    folder.write('config', kubeconfigOf(clusterOf(server), { token: 'new' }));
    await made.getPath('/');
    expect(tokens(server)).toEqual(['Bearer old', 'Bearer old', 'Bearer old', 'Bearer new']);
  });

  it('stays in its context when the current one changes', async () => {
    const server = await serveTls((request, response) =>
      sendJson(response, {}, request.headers.authorization === 'Bearer new' ? 200 : 401),
    );
    const kubeconfig = (current: string, token: string) => ({
      'current-context': current,
      contexts: ['a', 'b'].map((name) => ({ name, context: { cluster: name, user: name } })),
      clusters: [
        { name: 'a', cluster: clusterOf(server) },
        { name: 'b', cluster: { server: 'https://localhost:1' } },
      ],
      users: ['a', 'b'].map((name) => ({ name, user: { token } })),
    });
    const made = client({ kubeConfigFile: folder.write('config', kubeconfig('a', 'old')) });
    await made.server();
    folder.write('config', kubeconfig('b', 'new'));
    await made.getPath('/');
    expect(tokens(server)).toEqual(['Bearer old', 'Bearer new']);
  });

  it('acts as somebody else, as the kubeconfig or the caller says', async () => {
    const server = await serveTls(ok);
    const kubeConfigFile = folder.write(
      'config',
      kubeconfigOf(clusterOf(server), { token: 't', as: 'alice', 'as-uid': '7', 'as-groups': ['x'] }),
    );
    await client({ kubeConfigFile }).getPath('/');
    await client({ kubeConfigFile, impersonate: { user: 'bob', groups: ['a', 'b'], extra: { 'Team/One': ['v'] } } }).getPath('/');
    const seen = server.requests.map(({ headers }) => Object.entries(headers).filter(([name]) => name.startsWith('impersonate')));
    expect(seen).toEqual([
      [
        ['impersonate-user', 'alice'],
        ['impersonate-uid', '7'],
        ['impersonate-group', 'x'],
      ],
      // Node joins the values of two headers of the same name.
      [
        ['impersonate-user', 'bob'],
        ['impersonate-group', 'a, b'],
        ['impersonate-extra-team%2fone', 'v'],
      ],
    ]);
  });

  it('goes through the proxy of its cluster, over one tunnel', async () => {
    const server = await serveTls(ok);
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    const made = clientOf({ server: server.url, 'certificate-authority-data': base64(pki.ca), 'proxy-url': proxy.url }, { token: 't' });
    for (let turn = 0; turn < 3; turn += 1) await made.getPath('/');
    expect(proxy.tunnels).toEqual([server.url.replace('https://', '')]);
    expect(tokens(server)).toEqual(['Bearer t', 'Bearer t', 'Bearer t']);
  });
});

describe('createClient with a KubeConfig of client-node', () => {
  async function kubeConfigOf(cluster: Record<string, unknown>, user?: Record<string, unknown>, context?: Record<string, unknown>) {
    const { KubeConfig } = await loadClientNode();
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromString(JSON.stringify(kubeconfigOf(cluster, user, context)));
    // The object must have the type that createClient accepts.
    const like: KubeConfigLike = kubeConfig;
    return like;
  }

  it('speaks plain HTTP without skipping the verification of TLS', async () => {
    const server = await serve(ok);
    const made = client({ kubeConfig: await kubeConfigOf({ server: server.url }, { token: 't' }, { namespace: 'team' }) });
    await made.getPath('/');
    await expect(Promise.all([made.server(), made.defaultNamespace()])).resolves.toEqual([server.url, 'team']);
    expect(tokens(server)).toEqual(['Bearer t']);
  });

  it('keeps one connection for all requests', async () => {
    const server = await serveTls(ok);
    const user = { 'client-certificate-data': base64(pki.alice.cert), 'client-key-data': base64(pki.alice.key) };
    const made = client({ kubeConfig: await kubeConfigOf({ server: server.url, 'certificate-authority-data': base64(pki.ca) }, user) });
    for (let turn = 0; turn < 20; turn += 1) await made.getPath('/');
    expect([server.requests.length, server.connections]).toEqual([20, 1]);
  });

  it('trusts the authority of a context without a user', async () => {
    const server = await serveTls(ok);
    const made = client({ kubeConfig: await kubeConfigOf({ server: server.url, 'certificate-authority-data': base64(pki.ca) }) });
    await expect(made.getPath('/')).resolves.toEqual({});
  });

  it('reads the URL of its server as that of a kubeconfig', async () => {
    const server = await serve(ok);
    const to = async (url: string) => client({ kubeConfig: await kubeConfigOf({ server: url }, { token: 't' }) }).getPath('/a');
    await to(`${server.url.replace('http:', 'HTTP:')}/base/?query#fragment`);
    await to(server.url.replace('//', '//u:p@'));
    expect(server.requests.map(({ url }) => url)).toEqual(['/base/a', '/a']);
    expect(tokens(server)).toEqual(['Bearer t', `Basic ${base64('u:p')}`]);
    await expect(to(server.url.replace('http://', ''))).rejects.toThrow(
      "Cannot use `kubeConfig`: expected the server of the KubeConfig's cluster to be an http or https URL, got another text",
    );
  });

  it('logs in with a password', async () => {
    const server = await serve(ok);
    const made = client({ kubeConfig: await kubeConfigOf({ server: server.url }, { username: 'u', password: 'a:b' }) });
    await made.getPath('/');
    expect(tokens(server)).toEqual([`Basic ${base64('u:a:b')}`]);
  });

  it('asks it before every request, and again after a 401', async () => {
    const server = await serve((request, response) => sendJson(response, {}, request.headers.authorization === 'Bearer 2' ? 401 : 200));
    let asked = 0;
    const kubeConfig: KubeConfigLike = {
      getCurrentCluster: () => ({ server: server.url }),
      applyToHTTPSOptions: (options) => {
        asked += 1;
        Object.assign(options, { headers: { Authorization: `Bearer ${asked}` } });
        return Promise.resolve();
      },
    };
    const made = client({ kubeConfig });
    await made.getPath('/');
    await made.getPath('/');
    expect(tokens(server)).toEqual(['Bearer 1', 'Bearer 2', 'Bearer 3']);
  });

  it('does not follow it to another cluster', async () => {
    const server = await serve(ok);
    let current = server.url;
    const kubeConfig = { getCurrentCluster: () => ({ server: current }), applyToHTTPSOptions: () => Promise.resolve() };
    const made = client({ kubeConfig });
    await made.getPath('/');
    current = 'https://other.example.com';
    await expect(made.getPath('/')).rejects.toMatchObject({
      code: 'ERR_CREDENTIALS',
      message: expect.stringContaining('another one needs another client') as unknown,
    });
  });

  it('says that there is no current cluster', async () => {
    const { KubeConfig } = await loadClientNode();
    await expect(client({ kubeConfig: new KubeConfig() }).getPath('/')).rejects.toMatchObject({
      code: 'ERR_KUBECONFIG',
      message: 'Cannot use `kubeConfig`: expected the KubeConfig to have a current cluster, got none; was it loaded?',
    });
  });

  it('refuses a proxy of another protocol', async () => {
    const kubeConfig = await kubeConfigOf({ server: 'https://127.0.0.1:1', 'proxy-url': 'ftp://proxy' }, { token: 't' });
    await expect(client({ kubeConfig }).getPath('/')).rejects.toThrow(
      'Expected `proxyUrl` of the KubeConfig\'s cluster to be an http, https or socks5 URL, got "ftp://proxy"',
    );
  });

  it('goes through its proxy, over one tunnel', async () => {
    const server = await serveTls(ok);
    const proxy = await startProxy();
    cleanups.push(() => proxy.close());
    const cluster = { server: server.url, 'certificate-authority-data': base64(pki.ca), 'proxy-url': proxy.url };
    const made = client({ kubeConfig: await kubeConfigOf(cluster, { token: 't' }) });
    for (let turn = 0; turn < 3; turn += 1) await made.getPath('/');
    expect(proxy.tunnels).toHaveLength(1);
  });
});

describe('createClient with a server', () => {
  it('takes a function for a token, before every request and again after a 401', async () => {
    const server = await serve((request, response) => sendJson(response, {}, request.headers.authorization === 'Bearer t2' ? 401 : 200));
    let asked = 0;
    const made = client({ server: `${server.url}/`, token: () => Promise.resolve(`t${++asked}\n`) });
    await made.getPath('/');
    await made.getPath('/');
    expect(tokens(server)).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t3']);
  });

  it('does not repeat what is refused to a token that cannot change', async () => {
    const server = await serve((_, response) => sendJson(response, {}, 401));
    await expect(client({ server: server.url, token: 't' }).getPath('/')).rejects.toMatchObject({ code: 401 });
    expect(server.requests).toHaveLength(1);
  });

  it('uses the given certificates', async () => {
    const server = await serveTls((request, response) => sendJson(response, { user: userOf(request) }));
    const made = client({ server: server.url, ca: pki.ca, clientCert: pki.bob.cert, clientKey: pki.bob.key });
    await expect(made.getPath('/')).resolves.toEqual({ user: 'bob' });
    await expect(client({ server: server.url, insecureSkipTlsVerify: true }).getPath('/')).resolves.toEqual({});
  });

  it('finds a server behind a path', async () => {
    const server = await serve(ok);
    const made = client({ server: `${server.url}/k8s/clusters/c-1/` });
    await made.get(nodes, 'a');
    expect(server.requests.map(({ url }) => url)).toEqual(['/k8s/clusters/c-1/api/v1/nodes/a']);
  });

  it('sends with the given fetch', async () => {
    const server = await serve((_, response) => sendJson(response, { items: [{ metadata: { name: 'a' } }] }));
    const sent: unknown[] = [];
    const spy: typeof fetch = (input, init) => {
      sent.push(input);
      return fetch(input, init);
    };
    const made = client({ server: server.url, token: 't', fetch: spy, userAgent: 'spec/1', impersonate: { user: 'alice', groups: ['g'] } });
    await expect(made.list(pods)).resolves.toMatchObject({ items: [{ kind: 'Pod', metadata: { name: 'a' } }] });
    await expect(Promise.all([made.server(), made.defaultNamespace()])).resolves.toEqual([server.url, 'default']);
    expect(sent).toEqual([`${server.url}/api/v1/pods`]);
    const headers = {
      authorization: 'Bearer t',
      'user-agent': 'spec/1',
      'impersonate-user': 'alice',
      'impersonate-group': 'g',
      'accept-encoding': 'identity',
    };
    expect(server.requests).toMatchObject([{ headers }]);
  });

  it('refuses several groups with fetch, which cannot repeat a header', () => {
    const options: ClientOptions = { server: 'https://localhost', fetch, impersonate: { user: 'a', groups: ['b', 'c'] } };
    expect(() => createClient(options)).toThrow(
      'Expected at most one group, and one value of each `extra`, in `impersonate`: fetch cannot repeat a header',
    );
  });

  it('checks its options at the call', () => {
    expect(() => createClient({ server: 'localhost' })).toThrow(TypeError);
  });

  it('asks for gzip where told to, and understands it', async () => {
    const items = Array.from({ length: 2_000 }, (_, index) => ({ metadata: { name: `pod-${index}` } }));
    const server = await serve((request, response) => {
      if (request.headers['accept-encoding'] !== 'gzip') sendJson(response, { items });
      else
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(zlib.gzipSync(JSON.stringify({ items })));
    });
    const lists = await Promise.all([true, false].map((compression) => client({ server: server.url, compression }).list(nodes)));
    expect(lists[0]).toEqual(lists[1]);
    expect(lists[0]?.items).toHaveLength(2_000);
    expect(server.requests.map(({ headers }) => headers['accept-encoding']).sort()).toEqual(['gzip', 'identity']);
  });

  it('cuts a request by its timeout, and never a watch or a list (RT-06)', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(request.url?.includes('watch') === true ? '\n' : '{');
    });
    const made = client({ server: server.url, requestTimeoutMs: 50 });
    const open = [made.watch(pods, {}).subscribe(), made.listChunks(pods, {}).subscribe()];
    await until(() => server.requests.length === 2);
    await expect(made.get(nodes, 'a')).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      message: expect.stringMatching(/^GET \/api\/v1\/nodes\/a got no whole answer within \d+ ms$/) as unknown,
    });
    expect(open.map(({ closed }) => closed)).toEqual([false, false]);
    for (const subscription of open) subscription.unsubscribe();
    await until(() => server.openConnections() === 0);
  });

  it.each<[string, Partial<ClientOptions>]>([
    ['the rate limit', { qps: 0.001, burst: 1 }],
    ['a token that never comes', { token: () => new Promise<string>(() => undefined) }],
  ])('counts the wait for %s against a deadline of the caller', async (_, options) => {
    const server = await serve((_, response) => sendJson(response, { items: [] }));
    const made = client({ server: server.url, ...options });
    if (options.qps !== undefined) await made.list(nodes);
    const before = server.requests.length;
    const message = expect.stringMatching(/^GET \/api\/v1\/nodes(\/a)? got no whole answer within 50 ms$/) as unknown;
    await expect(made.get(nodes, 'a', { timeoutMs: 50 })).rejects.toMatchObject({ code: 'ERR_TIMEOUT', message });
    await expect(made.list(nodes, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'ERR_TIMEOUT', message });
    expect(server.requests).toHaveLength(before);
  });

  it('retries what the server asks to send again', async () => {
    const server = await serve((_, response) => {
      if (server.requests.length < 3)
        response.writeHead(429, { 'retry-after': '0', 'content-type': 'text/plain' }).end('Too many requests, please try again later.');
      else sendJson(response, { kind: 'Node' });
    });
    await expect(client({ server: server.url }).get(nodes, 'a')).resolves.toEqual({ kind: 'Node' });
    expect(server.requests).toHaveLength(3);
  });

  it('holds requests back to its rate', async () => {
    const server = await serve(ok);
    const made = client({ server: server.url, qps: 50, burst: 2 });
    const begun = Date.now();
    await Promise.all(Array.from({ length: 7 }, () => made.getPath('/')));
    // Five more than the burst: one every 20 ms.
    expect(Date.now() - begun).toBeGreaterThanOrEqual(95);
  });

  it('decodes a watch whose bytes come cut anywhere', async () => {
    const name = 'ü𝄞\u2028';
    const line = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`);
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      response.socket?.setNoDelay(true);
      let at = 0;
      const next = () => {
        if (at === line.length) response.end();
        else response.write(line.subarray(at, (at += 1)), () => setImmediate(next));
      };
      next();
    });
    const events: unknown[] = [];
    await client({ server: server.url })
      .watch(pods, {})
      .forEach((part) => events.push(...part));
    expect(events).toEqual([{ type: 'ADDED', object: { metadata: { name } } }]);
  });
});

describe('createClient and its secrets', () => {
  const secret = 'c2VjcmV0LXRva2Vu';

  const answers: Record<string, Handler> = {
    'a 401': (_, response) => sendJson(response, { kind: 'Status', message: 'Unauthorized', code: 401 }, 401),
    'a 401 that repeats the token': (request, response) =>
      response.writeHead(401, { 'content-type': 'text/plain' }).end(request.headers.authorization),
    'a 400 that repeats the header': (request, response) =>
      response.writeHead(400, { 'content-type': 'text/plain' }).end(`bad ${String(request.headers.authorization)}`),
    'a page of HTML': (request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end(`<p>${String(request.headers.authorization)}`),
    'a success that is no object': (request, response) => sendJson(response, request.headers.authorization),
    'a broken connection': (request) => request.socket.destroy(),
    'a success that is no JSON': (request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{${String(request.headers.authorization)}`),
  };

  const ways: Record<string, (server: string) => ClientOptions> = {
    'a token': (server) => ({ server, token: secret }),
    'a function': (server) => ({ server, token: () => secret }),
    'a token that cannot be sent': (server) => ({ server, token: () => `${secret}\n${secret}` }),
    'a function that fails': (server) => ({ server, token: () => Promise.reject(new Error(`Bearer ${secret}`)) }),
    fetch: (server) => ({ server, token: secret, fetch }),
    'fetch and a token that cannot be sent': (server) => ({ server, token: () => `${secret} ${secret}`, fetch }),
    'a kubeconfig': (server) => ({ kubeConfigFile: folder.write('config', kubeconfigOf({ server }, { token: secret })) }),
    'a kubeconfig with a bad token': (server) => ({
      kubeConfigFile: folder.write('config', kubeconfigOf({ server }, { token: `${secret}\n${secret}` })),
    }),
    'a kubeconfig that is no YAML': () => ({ kubeConfigFile: folder.write('config', `users: [{ user: { token: ${secret} }`) }),
    'a password': (server) => ({ kubeConfigFile: folder.write('config', kubeconfigOf({ server }, { username: 'u', password: secret })) }),
    'a plugin that prints it': (server) => ({
      kubeConfigFile: folder.write(
        'config',
        kubeconfigOf(
          { server },
          { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'echo', args: [secret], interactiveMode: 'Never' } },
        ),
      ),
    }),
    'a KubeConfig whose plugin prints it': (server) => ({
      kubeConfig: {
        getCurrentCluster: () => ({ server }),
        applyToHTTPSOptions: () => Promise.resolve().then(() => JSON.parse(secret) as never),
      },
    }),
  };

  it.each(Object.keys(answers).flatMap((answer) => Object.keys(ways).map((way) => [way, answer] as const)))(
    'shows none of them in an error: %s, %s',
    async (way, answer) => {
      const server = await serve(answers[answer] as Handler);
      const made = client((ways[way] as (url: string) => ClientOptions)(server.url));
      const attempts = [made.get(nodes, 'a'), made.list(nodes), made.watch(nodes, {}).forEach(() => undefined), made.delete(nodes, 'a')];
      const errors = (await Promise.allSettled(attempts)).map((result) =>
        result.status === 'rejected' ? (result.reason as unknown) : undefined,
      );
      expect(errors.filter((error) => error instanceof Error).length).toBeGreaterThan(0);
      const shown = errors.map((error) => inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).join('\n');
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(base64(`u:${secret}`));
    },
  );
});

describe('createClient, closing', () => {
  it('leaves no connection', async () => {
    const server = await serve((request: http.IncomingMessage, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{}\n'.slice(0, 1));
      if (request.url === '/') response.end('}');
    });
    const made = client({ server: server.url });
    await made.getPath('/');
    const failed = made.watch(pods, {}).forEach(() => undefined);
    await until(() => server.requests.length === 2);
    made.close();
    await expect(failed).rejects.toMatchObject({ code: 'ERR_CLOSED' });
    await until(() => server.openConnections() === 0);
  });
});
