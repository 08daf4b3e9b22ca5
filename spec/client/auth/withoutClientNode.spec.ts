import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ClientOptions } from '../../../src/client/clientOptions.js';
import { startProxy } from '../node/startProxy.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from '../node/temporaryFolder.js';
import { sendJson, startServer } from '../startServer.js';

// Loading client-node takes half a second and tens of megabytes, and it is optional: here loading it fails as if it were not installed.
jest.unstable_mockModule('../../../src/client/auth/loadClientNode.js', () => ({
  loadClientNode: () => Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })),
}));
const { createClient } = await import('../../../src/client/createClient.js');

const proxy = await startProxy();
afterAll(() => proxy.close());

let folder: TemporaryFolder | undefined;
afterEach(() => folder?.remove());

function inFile(server: string, user?: Record<string, unknown>, cluster: Record<string, unknown> = {}): ClientOptions {
  folder = temporaryFolder();
  return { kubeConfigFile: folder.write('config', kubeconfigOf({ server, ...cluster }, user)) };
}

const exec = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: process.execPath,
  args: [
    '-e',
    'console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: "t" } }))',
  ],
};

describe('createClient without @kubernetes/client-node', () => {
  it.each<[string, (server: string) => ClientOptions]>([
    ['a server and a token', (server) => ({ server, token: 't' })],
    ['fetch', (server) => ({ server, token: 't', fetch })],
    ['a kubeconfig with a token', (server) => inFile(server, { token: 't' })],
    ['a kubeconfig with a credential plugin', (server) => inFile(server, { exec })],
    ['a kubeconfig with a password', (server) => inFile(server, { username: 'u', password: 'p' })],
    ['a kubeconfig without a user', (server) => inFile(server)],
    ['a proxy', (server) => inFile(server, { token: 't' }, { 'proxy-url': proxy.url })],
  ])('talks to a server by %s', async (_, options) => {
    const server = await startServer((_request, response) => sendJson(response, { major: '1' }));
    const client = createClient(options(server.url));
    await expect(client.getPath('/version')).resolves.toEqual({ major: '1' });
    client.close();
    await server.close();
  });

  it.each<[string, string, () => ClientOptions]>([
    [
      'a proxy of SOCKS',
      'The SOCKS proxy of the cluster k in the kubeconfig FILE',
      () => inFile('http://localhost', {}, { 'proxy-url': 'socks5://localhost:1' }),
    ],
    [
      'an authentication provider',
      '`auth-provider` of the user u in the kubeconfig FILE',
      () => inFile('http://localhost', { 'auth-provider': { name: 'oidc' } }),
    ],
  ])('says that it needs it for %s', async (_, what, options) => {
    const client = createClient(options());
    const error: unknown = await client.getPath('/version').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'ERR_KUBECONFIG' });
    expect(String(error).replace(/kubeconfig \S+ needs/, 'kubeconfig FILE needs')).toBe(
      `RequestError: ${what} needs the package @kubernetes/client-node (^1.4 || ^2), which is not installed: npm install @kubernetes/client-node`,
    );
    client.close();
  });
});
