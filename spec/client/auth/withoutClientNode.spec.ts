import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ClientOptions } from '../../../src/client/clientOptions.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from '../node/temporaryFolder.js';
import { sendJson, startServer } from '../startServer.js';

// Loading client-node costs half a second and tens of megabytes: whoever does it here fails.
jest.unstable_mockModule('../../../src/client/auth/loadClientNode.js', () => ({
  loadClientNode: () => Promise.reject(new Error('client-node was loaded')),
}));
const { createClient } = await import('../../../src/client/createClient.js');

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
  ])('talks to a server by %s', async (_, options) => {
    const server = await startServer((_request, response) => sendJson(response, { major: '1' }));
    const client = createClient(options(server.url));
    await expect(client.getPath('/version')).resolves.toEqual({ major: '1' });
    client.close();
    await server.close();
  });

  it('needs it for a proxy', async () => {
    const client = createClient(inFile('http://localhost', { token: 't' }, { 'proxy-url': 'http://localhost:1' }));
    await expect(client.getPath('/version')).rejects.toThrow('client-node was loaded');
    client.close();
  });
});
