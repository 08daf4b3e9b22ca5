import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectNode } from '../../src/client/node/connectNode.js';
import { clientNodeAuth } from '../../src/clientNode/clientNodeAuth.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from '../client/node/temporaryFolder.js';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('clientNodeAuth', () => {
  it('logs in with an auth provider', async () => {
    const idToken = `${encoded({})}.${encoded({ exp: 4_000_000_000 })}.sig`;
    const kubeConfigFile = folder.write(
      'config',
      kubeconfigOf({ server: 'https://example.com' }, { 'auth-provider': { name: 'oidc', config: { 'id-token': idToken } } }),
    );
    const { transport } = await connectNode({ kubeConfigFile, credentials: clientNodeAuth() });
    await expect(transport.credentials.get()).resolves.toMatchObject({ headers: { authorization: `Bearer ${idToken}` } });
    transport.close();
  });
});
