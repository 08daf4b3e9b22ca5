import type { RequestOptions } from 'node:https';
import type { CredentialSource, Credentials, TlsIdentity } from '../auth/credentials.js';
import { loadClientNode } from '../auth/loadClientNode.js';
import { execPlugin, type ExecPluginInit } from './execPlugin.js';
import type { FoundCluster } from './findCluster.js';
import { kubeconfigError, type KubeconfigEntry } from './kubeconfig.js';
import { kubeConfigCredentials } from './kubeConfigCredentials.js';
import { PluginProcesses } from './pluginProcess.js';
import { clusterTls, userCredentials } from './userCredentials.js';

/** The agent of client-node that goes through a proxy. */
async function proxyAgent(found: FoundCluster, proxyUrl: string, tls: TlsIdentity): Promise<unknown> {
  const { KubeConfig } = await loadClientNode();
  const kubeConfig = new KubeConfig();
  const skipTLSVerify = tls.rejectUnauthorized === false;
  kubeConfig.loadFromClusterAndUser({ name: 'cluster', server: found.server, proxyUrl, skipTLSVerify }, { name: 'user' });
  const options = { ...tls } as RequestOptions;
  await kubeConfig.applyToHTTPSOptions(options);
  return options.agent;
}

/** The ways to log in that only client-node knows: OpenID Connect and the ones of single clouds. */
async function authProvider(found: FoundCluster, user: KubeconfigEntry, tls: TlsIdentity): Promise<CredentialSource> {
  const { KubeConfig } = await loadClientNode();
  const kubeConfig = new KubeConfig();
  const cluster = { name: 'cluster', server: found.server, skipTLSVerify: tls.rejectUnauthorized === false };
  kubeConfig.loadFromClusterAndUser(cluster, { name: user.name, authProvider: user.fields['auth-provider'] });
  return kubeConfigCredentials(kubeConfig);
}

/** The credentials of one reading of the kubeconfig. */
function foundCredentials(found: FoundCluster, plugins: Omit<ExecPluginInit, 'user' | 'cluster'>): CredentialSource {
  const { cluster, user, proxyUrl } = found;
  const plugin = user?.fields['exec'] === undefined ? undefined : execPlugin({ user, cluster, ...plugins });
  let provider: Promise<CredentialSource> | undefined;
  return {
    async get(): Promise<Credentials> {
      const own = user === undefined ? { headers: {}, tls: {} } : await userCredentials(user, plugin);
      const tls = { ...own.tls, ...(await clusterTls(cluster)) };
      if (user?.fields['auth-provider'] !== undefined) provider ??= authProvider(found, user, tls);
      const provided = await (await provider)?.get();
      const proxy = proxyUrl === undefined ? undefined : { url: proxyUrl, agent: () => proxyAgent(found, proxyUrl, tls) };
      return { headers: { ...provided?.headers, ...own.headers }, tls, proxy };
    },
  };
}

/**
 * The credentials of a cluster found in kubeconfig files, or in the pod that this program runs in.
 *
 * Files of tokens and certificates are read before every request. Renewing reads the kubeconfig again, and stays in the same context.
 */
export function kubeconfigFileCredentials(
  first: FoundCluster,
  findAgain: () => Promise<FoundCluster>,
  now: () => number,
): CredentialSource {
  const processes = new PluginProcesses();
  const plugins = { now, processes, memory: {} };
  let current: CredentialSource | undefined = foundCredentials(first, plugins);

  async function reread(): Promise<CredentialSource> {
    const found = await findAgain();
    if (found.server !== first.server) {
      throw kubeconfigError(
        `The context ${String(first.context)} now leads to another server than ${first.server}; that needs another client`,
      );
    }
    return foundCredentials(found, plugins);
  }

  return {
    async get() {
      current ??= await reread();
      return current.get();
    },
    renew() {
      current = undefined;
    },
    close: () => processes.close(),
  };
}
