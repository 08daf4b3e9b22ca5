import { checkClientOptions } from './checkClientOptions.js';
import type { ClientOptions } from './clientOptions.js';
import type { Connection } from './requests/transport.js';
import { createKubeClient } from './createKubeClient.js';
import { asksForIdentity } from './requests/watchLimit.js';
import { fetchTransport } from './requests/fetchTransport.js';
import type { KubeClient } from './kubeClient.js';
import { impersonating, serverCredentials } from './auth/credentials.js';

const defaultUserAgent = 'rx-informer';

/** Whether this is Node, or something that has Node's modules. */
function hasNode(): boolean {
  return typeof (globalThis as { process?: { versions?: { node?: unknown } } }).process?.versions?.node === 'string';
}

function checkRepeatedHeaders({ impersonate }: ClientOptions): void {
  if (typeof impersonate !== 'object') return;
  const several = [impersonate.groups ?? [], ...Object.values(impersonate.extra ?? {})].some((values) => values.length > 1);
  if (several)
    throw new TypeError('Expected at most one group, and one value of each `extra`, in `impersonate`: fetch cannot repeat a header');
}

function connectByFetch(options: ClientOptions): () => Promise<Connection> {
  if (options.server === undefined) throw new TypeError('Expected `server`: only in Node are there kubeconfigs');
  checkRepeatedHeaders(options);
  const server = options.server.replace(/\/+$/, '');
  const credentials = impersonating(serverCredentials(options), options.impersonate);
  const transport = fetchTransport({ server, credentials, fetch: options.fetch ?? globalThis.fetch });
  return () => Promise.resolve({ transport, defaultNamespace: 'default' });
}

/**
 * Makes a client for one API server.
 *
 * Nothing happens before the first request. It finds the cluster as kubectl does: by the files of `KUBECONFIG`, else `~/.kube/config`, else the service
 * account of the pod it runs in. `server` or `kubeConfig` say it otherwise. Credentials are taken afresh for every request, so tokens, certificates and
 * credential plugins may renew them at any time; a 401 makes it read them all again, once, and repeat the request.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 *
 * const client = createClient({ context: 'kind-kind' });
 * const { items } = await client.list(resources.core.v1.pods, { namespace: 'default' });
 * console.log(items.length);
 * client.close();
 * ```
 *
 * @throws TypeError when an option is wrong or does not fit the others.
 * @see client-go's `clientcmd.BuildConfigFromFlags` and `kubernetes.NewForConfig`
 */
export function createClient(options: ClientOptions = {}): KubeClient {
  checkClientOptions(options);
  const usesFetch = options.fetch !== undefined || !hasNode();
  // Node's part is loaded when it is needed, so that a bundle for browsers can leave it out.
  const connect = usesFetch ? connectByFetch(options) : async () => (await import('./node/connectNode.js')).connectNode(options);
  // Browsers that ask other origins first would ask for this header, too.
  const userAgent = options.userAgent ?? (hasNode() ? defaultUserAgent : undefined);
  return createKubeClient({ ...options, userAgent, connect, watchList: !usesFetch || asksForIdentity() });
}
