import type { ClientOptions, KubeConfigLike } from '../clientOptions.js';
import type { Connection } from '../requests/transport.js';
import { type Credentials, impersonating, serverCredentials } from '../auth/credentials.js';
import { kubeconfigError, redactedMessage } from '../requests/requestError.js';
import { serverUrl } from '../serverUrl.js';
import { findCluster, surroundings, type Surroundings } from './findCluster.js';
import { kubeConfigCredentials, serverOf } from './kubeConfigCredentials.js';
import { nodeTransport } from './nodeTransport.js';
import { proxyFor } from './proxyFor.js';
import { KubeconfigFileCredentials } from './kubeconfigFileCredentials.js';

function fromKubeConfig(kubeConfig: KubeConfigLike, { env }: Surroundings) {
  try {
    const context = kubeConfig.getCurrentContext?.();
    const namespace = context === undefined ? undefined : kubeConfig.getContextObject?.(context)?.namespace;
    return { server: serverOf(kubeConfig).url, credentials: kubeConfigCredentials(kubeConfig, env), namespace };
  } catch (error) {
    throw kubeconfigError(`Cannot use \`kubeConfig\`: ${redactedMessage(error)}`);
  }
}

function fromOptions(options: ClientOptions, text: string, { env }: Surroundings) {
  const server = serverUrl(text);
  const { ca, clientCert: cert, clientKey: key, insecureSkipTlsVerify } = options;
  const tls = { ca, cert, key, ...(insecureSkipTlsVerify === true && { rejectUnauthorized: false }) };
  const source = serverCredentials(options, tls);
  const url = server && proxyFor(server, env);
  const get = async (): Promise<Credentials> => ({ ...(await source.get()), ...(url !== undefined && { proxy: { url } }) });
  return { server: server?.url ?? text, credentials: { ...source, get }, namespace: undefined };
}

async function fromFiles(options: ClientOptions, where: Surroundings) {
  const folder = process.cwd();
  const found = await findCluster(options, where, folder);
  // The current context may have changed when the files are read again: stay with the first one.
  const pinned = { ...options, ...(found.context !== undefined && { context: found.context }) };
  const findAgain = () => findCluster(pinned, where, folder);
  const credentials = new KubeconfigFileCredentials({ first: found, findAgain, env: where.env, provider: options.credentials });
  return { server: found.server.url, namespace: found.namespace, credentials };
}

/** The server, the source of its credentials, and the namespace that the context names. */
function find(options: ClientOptions, where: Surroundings) {
  const { server, kubeConfig } = options;
  if (server !== undefined) return fromOptions(options, server, where);
  return kubeConfig === undefined ? fromFiles(options, where) : fromKubeConfig(kubeConfig, where);
}

/** Finds the cluster that a client's options name, and connects to it with Node's own HTTP. */
export async function connectNode(options: ClientOptions, where: Surroundings = surroundings()): Promise<Connection> {
  const { server, credentials, namespace } = await find(options, where);
  const { http2 = false, impersonate } = options;
  const transport = nodeTransport({ server, credentials: impersonating(credentials, impersonate), http2 });
  return { transport, defaultNamespace: namespace ?? 'default' };
}
