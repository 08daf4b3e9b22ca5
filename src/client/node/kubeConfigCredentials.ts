import { readFile } from 'node:fs/promises';
import { basic, type Credentials, type CredentialSource, type TlsIdentity } from '../auth/credentials.js';
import type { KubeConfigLike } from '../clientOptions.js';
import { foreignText } from '../../api/errors/foreignText.js';
import { allProxies, type Environment, proxyFor, supportedProxy } from './proxyFor.js';
import { type ServerUrl, serverUrl } from '../serverUrl.js';
import { redactedMessage } from '../requests/requestError.js';

/** The options of `https.request` that `applyToHTTPSOptions` sets. */
interface AppliedOptions extends TlsIdentity {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly auth?: string;
}

type Cluster = NonNullable<ReturnType<KubeConfigLike['getCurrentCluster']>>;

/** The current cluster's server: throws an Error when the kubeconfig has no current cluster, or one that client-node cannot reach. */
export function serverOf(kubeConfig: KubeConfigLike): ServerUrl {
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster === null) throw new Error('expected the KubeConfig to have a current cluster, got none; was it loaded?');
  const server = /^https?:/i.test(cluster.server) ? serverUrl(cluster.server) : undefined;
  if (server === undefined) throw new Error("expected the server of the KubeConfig's cluster to be an http or https URL, got another text");
  return server;
}

/** client-node throws for plain HTTP unless TLS verification is off; it has set all other options by then. */
async function apply(kubeConfig: KubeConfigLike, server: string): Promise<AppliedOptions> {
  const options: AppliedOptions = {};
  try {
    await kubeConfig.applyToHTTPSOptions(options);
  } catch (error) {
    if (!server.startsWith('http:') || !redactedMessage(error).includes('skipTLSVerify')) throw error;
  }
  return options;
}

function headersOf({ headers = {}, auth }: AppliedOptions): Record<string, string | readonly string[]> {
  const result: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    const values = [value].flat().flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? [String(each).trim()] : []));
    if (values.length > 0) result[name.toLowerCase()] = values.length === 1 ? (values[0] ?? '') : values;
  }
  if (auth !== undefined && result['authorization'] === undefined) {
    const [username = '', ...password] = auth.split(':');
    result['authorization'] = basic(username, password.join(':'));
  }
  return result;
}

/** The cluster's TLS options; client-node ignores them when a context has no user. */
async function clusterTls({ caData = '', caFile = '', skipTLSVerify, tlsServerName }: Cluster): Promise<TlsIdentity> {
  const ca = caData !== '' ? Buffer.from(caData, 'base64') : caFile !== '' ? await readFile(caFile) : undefined;
  return { ca, servername: tlsServerName, ...(skipTLSVerify === true && { rejectUnauthorized: false }) };
}

async function tlsOf(options: AppliedOptions, cluster: Cluster): Promise<TlsIdentity> {
  const { cert, key, pfx, passphrase, ca, servername, rejectUnauthorized } = options;
  const complete = ca !== undefined || rejectUnauthorized !== undefined;
  const own = complete ? { ca, servername, rejectUnauthorized } : await clusterTls(cluster);
  return { ...own, cert, key, pfx, passphrase };
}

/** How long requests wait for one computation, which may hang. */
const sharedForMs = 60_000;

/** The credentials of a caller's KubeConfig, computed before every request, with the proxy that it or the environment names. */
export function kubeConfigCredentials(kubeConfig: KubeConfigLike, env: Environment = {}): CredentialSource {
  const server = serverOf(kubeConfig);
  const { url, authorization } = server;
  const compute = async (): Promise<Credentials> => {
    const cluster = kubeConfig.getCurrentCluster();
    // Credentials of another cluster must not be sent to this one.
    if (cluster === null || serverOf(kubeConfig).url !== url) {
      throw new Error(`expected the KubeConfig's current cluster to stay ${foreignText(url)}; another one needs another client`);
    }
    const options = await apply(kubeConfig, url);
    const tls = await tlsOf(options, cluster);
    const { proxyUrl = '' } = cluster;
    const proxy = proxyUrl === '' ? proxyFor(server, env) : supportedProxy(proxyUrl, "`proxyUrl` of the KubeConfig's cluster", allProxies);
    const headers = { ...headersOf(options), ...(authorization !== undefined && { authorization }) };
    return { headers, tls, ...(proxy !== undefined && { proxy: { url: proxy } }) };
  };
  let pending: Promise<Credentials> | undefined;
  let since = 0;
  return {
    // Requests of the same time share one: client-node would run a plugin, or use a refresh token, for each.
    get() {
      if (pending !== undefined && performance.now() - since < sharedForMs) return pending;
      since = performance.now();
      const mine = compute().finally(() => {
        if (pending === mine) pending = undefined;
      });
      return (pending = mine);
    },
    // The KubeConfig's plugins decide what to renew; this only has to exist for the request to be repeated.
    renew: () => undefined,
  };
}
