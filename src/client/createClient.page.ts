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
    // What is left to renew of what a function gives is that the request is repeated.
    ...(typeof token === 'function' && { renew: () => undefined }),
  };
}

/** Kubeconfigs, certificates, agents and impersonation are for programs. */
export function createClient(options: ClientOptions = {}): KubeClient {
  checkOptions<ClientOptions>('createClient', options, fetchRules as never);
  if (options.server === undefined) throw new TypeError('Expected `server`: only in Node are there kubeconfigs');
  const server = options.server.replace(/\/+$/, '');
  const transport = fetchTransport({ server, credentials: credentialsOf(options), fetch: options.fetch ?? globalThis.fetch });
  const connection = { transport, defaultNamespace: 'default' };
  // Browsers take the first member of a compressed stream for the whole.
  return createKubeClient({ ...options, connect: () => Promise.resolve(connection), watchList: false });
}
