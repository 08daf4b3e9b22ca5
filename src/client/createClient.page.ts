import { checkOptions } from '../api/options.js';
import { bearer } from './auth/credentials.js';
import type { CredentialSource } from './auth/credentials.js';
import type { ClientOptions } from './clientOptions.js';
import { createKubeClient } from './createKubeClient.js';
import { fetchRules } from './fetchRules.js';
import type { KubeClient } from './kubeClient.js';
import { fetchTransport } from './requests/fetchTransport.js';

function credentialsOf({ token }: ClientOptions): CredentialSource {
  const current = async (): Promise<string> => bearer(typeof token === 'function' ? await token() : token, '`token`');
  return {
    get: async () => ({ headers: token === undefined ? {} : { authorization: await current() }, tls: {} }),
    // The function is called before every request anyway, so renewing only has to exist for the request to be repeated.
    ...(typeof token === 'function' && { renew: () => undefined }),
  };
}

/** A page's client: no kubeconfigs, certificates, agents or impersonation. */
export function createClient(options: ClientOptions = {}): KubeClient {
  checkOptions<ClientOptions>('createClient', options, fetchRules as never);
  if (options.server === undefined) throw new TypeError('Expected `server`: kubeconfigs are supported in Node only');
  const server = options.server.replace(/\/+$/, '');
  const transport = fetchTransport({ server, credentials: credentialsOf(options), fetch: options.fetch ?? globalThis.fetch });
  const connection = { transport, defaultNamespace: 'default' };
  // Browsers decode only the first member of a gzip stream with several members, so no watch may begin with a (compressed) list.
  return createKubeClient({ ...options, connect: () => Promise.resolve(connection), watchList: false });
}
