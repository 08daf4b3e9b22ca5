import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { resources } from '../../../src/api/resources.js';
import type { ClientOptions } from '../../../src/client/clientOptions.js';
import { createClient } from '../../../src/client/createClient.js';
import type { KubeClient } from '../../../src/client/kubeClient.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { sendJson, startServer, until, type Handler, type SpecServer } from '../startServer.js';
import { certificates, userOf } from './certificates.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from './temporaryFolder.js';

// What changes on disk while a client runs.

const [pki, other] = [certificates(), certificates()];
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const { pods } = resources.core.v1;

let folder: TemporaryFolder;
const cleanups: (() => unknown)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  cleanups.push(() => folder.remove());
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Lists of one pod and watches without an event. */
function podsAnswer(name: string, resourceVersion: string): Handler {
  return ({ url = '' }, response) => {
    if (url.includes('sendInitialEvents')) sendJson(response, { kind: 'Status', code: 422, message: 'no' }, 422);
    else if (url.includes('watch=')) response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    else {
      const items = [{ metadata: { name, namespace: 'default', uid: name, resourceVersion } }];
      sendJson(response, { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion }, items });
    }
  };
}

async function serve(handler: Handler, { server, ca } = pki): Promise<SpecServer> {
  const started = await startServer(handler, { cert: server.cert, key: server.key, ca, requestCert: true, rejectUnauthorized: false });
  cleanups.push(() => started.close());
  return started;
}

/** A server that resets connections of users that it does not know, as a proxy in front of a cluster does in the handshake. */
async function serveOnly(users: ReadonlySet<string>, handler: Handler): Promise<SpecServer> {
  return serve((request, response, seen) => {
    if (users.has(userOf(request) ?? '')) handler(request, response, seen);
    else request.socket.destroy();
  });
}

const clusterOf = ({ url }: SpecServer, { ca } = pki) => ({ server: url, 'certificate-authority-data': base64(ca) });
const write = (cluster: Record<string, unknown>, user: Record<string, unknown> = { token: 't' }): string =>
  folder.write('config', kubeconfigOf(cluster, user));

function clientOf(kubeConfigFile: string, options: ClientOptions = {}): KubeClient {
  const client = createClient({ kubeConfigFile, ...options });
  cleanups.push(() => client.close());
  return client;
}

const certificateOf = ({ cert, key }: { readonly cert: string; readonly key: string }): Record<string, unknown> => ({
  'client-certificate-data': base64(cert),
  'client-key-data': base64(key),
});

describe('a client whose kubeconfig is replaced', () => {
  it.each([false, true])('follows it to a server that it had not trusted, with http2: %s', async (http2) => {
    const server = await serve((_, response) => sendJson(response, {}), other);
    const client = clientOf(write(clusterOf(server)), { http2 });
    await expect(client.getPath('/')).rejects.toMatchObject({ code: 'CERT_SIGNATURE_FAILURE' });
    const before = Date.now;
    cleanups.push(() => (Date.now = before));
    Date.now = () => before() + 2_000;
    write(clusterOf(server, other));
    await expect(client.getPath('/')).resolves.toEqual({});
  });

  it('says which files it waits for', async () => {
    const server = await serve((_, response) => sendJson(response, {}), other);
    const file = write(clusterOf(server));
    const error: unknown = await clientOf(file)
      .getPath('/')
      .catch((caught: unknown) => caught);
    expect(String(error)).toMatch(/; \S+config, and the files named there, are read again before each attempt$/);
    expect(String(error)).toContain(file);
  });

  it('follows it to another server', async () => {
    const [first, second] = [
      await serve((_, response) => sendJson(response, { n: 1 })),
      await serve((_, response) => sendJson(response, { n: 2 })),
    ];
    const client = clientOf(write(clusterOf(first)));
    await client.getPath('/');
    write(clusterOf(second));
    await first.close();
    await expect(client.getPath('/')).resolves.toEqual({ n: 2 });
    await expect(client.server()).resolves.toBe(second.url);
  });

  it('follows one with a relative path when the program has changed its working directory', async () => {
    const [first, second] = [
      await serve((request, response) => sendJson(response, { n: 1, by: request.headers.authorization })),
      await serve((request, response) => sendJson(response, { n: 2, by: request.headers.authorization })),
    ];
    folder.write('token', 'one');
    write(clusterOf(first), { tokenFile: 'token' });
    const before = process.cwd();
    cleanups.push(() => process.chdir(before));
    process.chdir(folder.path);
    const client = clientOf('config');
    await expect(client.getPath('/')).resolves.toEqual({ n: 1, by: 'Bearer one' });
    process.chdir(before);
    folder.write('token', 'two');
    await expect(client.getPath('/')).resolves.toEqual({ n: 1, by: 'Bearer two' });
    write(clusterOf(second), { tokenFile: 'token' });
    await first.close();
    await expect(client.getPath('/')).resolves.toEqual({ n: 2, by: 'Bearer two' });
  });

  it('follows it to a certificate that the server takes', async () => {
    const server = await serveOnly(new Set(['bob']), (_, response) => sendJson(response, {}));
    const file = write(clusterOf(server), certificateOf(pki.alice));
    const client = clientOf(file);
    await client.server();
    write(clusterOf(server), certificateOf(pki.bob));
    await expect(client.getPath('/')).resolves.toEqual({});
  });

  it('does not repeat what may have been done', async () => {
    const server = await serveOnly(new Set(['bob']), (_, response) => sendJson(response, {}));
    const client = clientOf(write(clusterOf(server), certificateOf(pki.alice)));
    await client.server();
    write(clusterOf(server), certificateOf(pki.bob));
    await expect(client.create(pods, { metadata: { name: 'a', namespace: 'default' } })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(server.requests.map(({ method }) => method)).toEqual(['POST']);
  });

  it('goes on when the new one is broken, until that is mended', async () => {
    const server = await serve((_, response) => sendJson(response, {}));
    const client = clientOf(write(clusterOf(server)));
    await client.getPath('/');
    writeFileSync(path.join(folder.path, 'config'), 'a: [');
    await expect(client.getPath('/')).resolves.toEqual({});
  });

  it.each([
    ['gone', () => rmSync(path.join(folder.path, 'config'))],
    ['broken', () => writeFileSync(path.join(folder.path, 'config'), 'a: [')],
  ])('goes on with what it said when it is %s at a refusal', async (_, spoil) => {
    let status = 200;
    const server = await serve((_, response) => {
      sendJson(response, {}, status);
      status = 200;
    });
    const client = clientOf(write(clusterOf(server)));
    await client.getPath('/');
    spoil();
    status = 401;
    await expect(client.getPath('/')).resolves.toEqual({});
  });
});

describe('an informer whose cluster is created anew', () => {
  it('lists the new one, whose versions say nothing of those before', async () => {
    const first = await serve(podsAnswer('old', '5'));
    const second = await serve(podsAnswer('new', '3'), other);
    const client = clientOf(write(clusterOf(first)));
    const informer = createInformer(client, pods, { backoff: { initialMs: 1, maxMs: 1 }, logger: { warn: () => undefined } });
    cleanups.push(() => informer.stop());
    await informer.whenSynced();
    await until(() => first.requests.some(({ url }) => url.includes('resourceVersion=5')));
    write(clusterOf(second, other));
    await first.close();
    await until(() => informer.lister.get('default/new') !== undefined);
    expect(informer.lister.list().map(({ metadata }) => metadata?.name)).toEqual(['new']);
    expect(second.requests.filter(({ url }) => url.includes('resourceVersion=5'))).toEqual([]);
  });

  it('goes on where it was when only its certificate is replaced', async () => {
    const server = await serve(podsAnswer('one', '5'));
    const files = { cert: folder.write('cert.pem', pki.alice.cert), key: folder.write('key.pem', pki.alice.key) };
    const client = clientOf(write(clusterOf(server), { 'client-certificate': 'cert.pem', 'client-key': 'key.pem' }));
    const informer = createInformer(client, pods, { backoff: { initialMs: 1, maxMs: 1 }, logger: { warn: () => undefined } });
    cleanups.push(() => informer.stop());
    await informer.whenSynced();
    const watches = (): number => server.requests.filter(({ url }) => url.includes('resourceVersion=5')).length;
    await until(() => watches() === 1);
    writeFileSync(files.cert, pki.bob.cert);
    writeFileSync(files.key, pki.bob.key);
    // Any request notices it, and the open watch goes on over a connection of the new certificate.
    await client.list(pods);
    await until(() => watches() === 2);
    // However many of the new one there are.
    await until(() => [...server.sockets].every((socket) => userOf({ socket }) === 'bob'));
    expect(informer.lister.list()).toHaveLength(1);
  });
});

describe('a plugin whose certificate is refused in the handshake', () => {
  it('runs again, once', async () => {
    const known = new Set(['alice']);
    const server = await serveOnly(known, (_, response) => sendJson(response, {}));
    for (const name of ['alice', 'bob'] as const) {
      const status = { clientCertificateData: pki[name].cert, clientKeyData: pki[name].key };
      folder.write(name, { kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status });
    }
    const script = `require('fs').appendFileSync('${folder.path}/runs', '.'); console.log(require('fs').readFileSync('${folder.path}/' + require('fs').readFileSync('${folder.path}/user', 'utf8'), 'utf8'));`;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      interactiveMode: 'Never',
      command: process.execPath,
      args: ['-e', script],
    };
    folder.write('user', 'alice');
    const client = clientOf(write(clusterOf(server), { exec }));
    await expect(client.getPath('/')).resolves.toEqual({});
    folder.write('user', 'bob');
    known.clear();
    known.add('bob');
    await expect(client.getPath('/')).resolves.toEqual({});
    known.clear();
    for (let turn = 0; turn < 3; turn += 1) await expect(client.getPath('/')).rejects.toMatchObject({ code: 'ECONNRESET' });
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(path.join(folder.path, 'runs'), 'utf8').length).toBeLessThanOrEqual(3);
  });
});
