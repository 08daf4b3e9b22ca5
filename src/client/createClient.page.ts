import { checkOptions } from '../api/options.js';
import { serverCredentials } from './auth/credentials.js';
import { type ClientOptions, fetchRules } from './clientOptions.js';
import { createKubeClient } from './createKubeClient.js';
import type { KubeClient } from './kubeClient.js';
import { connectByFetch } from './requests/fetchTransport.js';

/** A page's client: no kubeconfigs, certificates, agents or impersonation. */
export function createClient(options: ClientOptions = {}): KubeClient {
  checkOptions<ClientOptions>('createClient', options, fetchRules as never);
  // Browsers decode only the first member of a gzip stream with several members, so no watch may begin with a (compressed) list.
  return createKubeClient({ ...options, connect: connectByFetch(options, serverCredentials(options)), watchList: false });
}
