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
 * Nothing is read or sent before the first request. Then the cluster is found as kubectl finds it: in the files of `KUBECONFIG`, else in `~/.kube/config`,
 * else as the service account of the pod; `server` or `kubeConfig` override that. Credentials are read anew for every request, so tokens, certificates and
 * credential plugins may change at any time. After a 401 they are all read again, once, and the request is repeated.
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
  // Loaded when it is needed, so that a bundle for browsers can leave it out.
  const connect = usesFetch ? connectByFetch(options) : async () => (await import('./node/connectNode.js')).connectNode(options);
  // In a browser a `User-Agent` header would have to be allowed by CORS.
  const userAgent = options.userAgent ?? (hasNode() ? defaultUserAgent : undefined);
  return createKubeClient({ ...options, userAgent, connect, watchList: !usesFetch || asksForIdentity() });
}
