import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ClientOptions } from '../../../src/client/clientOptions.js';
import { startProxy } from '../node/startProxy.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from '../node/temporaryFolder.js';
import { sendJson, startServer } from '../startServer.js';

// Loading client-node takes half a second and tens of megabytes, and it is optional: here loading it fails as if it were not installed.
jest.unstable_mockModule('../../../src/clientNode/loadClientNode.js', () => ({
  loadClientNode: () => Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })),
}));
const { createClient } = await import('../../../src/client/createClient.js');
const { clientNodeAuth } = await import('../../../src/clientNode/clientNodeAuth.js');

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
  interactiveMode: 'Never',
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

  it.each<[string, ClientOptions, RegExp]>([
    [
      'which function serves it',
      {},
      /^`auth-provider` of the user u in the kubeconfig \S+ needs `createClient\(\{ credentials: clientNodeAuth\(\) \}\)`, with clientNodeAuth of rx-informer\/client-node$/,
    ],
    [
      'what that function needs',
      { credentials: clientNodeAuth() },
      /^An `auth-provider` of a kubeconfig needs the package @kubernetes\/client-node \(\^1\.4 \|\| \^2\), which is not installed: npm install @kubernetes\/client-node$/,
    ],
  ])('says of an authentication provider %s', async (_, options, message) => {
    const client = createClient({ ...inFile('https://localhost', { 'auth-provider': { name: 'oidc' } }), ...options });
    await expect(client.getPath('/version')).rejects.toMatchObject({
      code: 'ERR_KUBECONFIG',
      message: expect.stringMatching(message) as unknown,
    });
    client.close();
  });
});
