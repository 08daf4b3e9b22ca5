import type { RequestOptions } from 'node:https';
import { readFile } from 'node:fs/promises';
import { basic, bearer, type Credentials, type CredentialSource, impersonationHeaders, type TlsIdentity } from '../auth/credentials.js';
import { loadClientNode } from '../auth/loadClientNode.js';
import { execPlugin, type ExecPluginInit, type ExecCredential, type ExecPlugin } from './execPlugin.js';
import type { FoundCluster } from './findCluster.js';
import { kubeconfigError, type KubeconfigEntry, pathField, textField } from './kubeconfig.js';
import { isSocks, kubeConfigCredentials } from './kubeConfigCredentials.js';
import { PluginProcesses } from './pluginProcess.js';
import { systemCode } from '../requests/requestError.js';
import { isRecord } from '../decode/parseObject.js';

type Headers = Record<string, string | readonly string[]>;

async function contentOf(entry: KubeconfigEntry, field: string): Promise<Buffer | undefined> {
  const file = pathField(entry, field);
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (error) {
    const got = String((error as NodeJS.ErrnoException).code);
    throw kubeconfigError(
      `Expected \`${field}\` of ${entry.name} in the kubeconfig ${entry.file} to be a readable file, got ${got} for ${file}`,
    );
  }
}

/** As in client-go, `-data` in the kubeconfig wins over the path of a file. */
async function dataOrFile(entry: KubeconfigEntry, field: string): Promise<Buffer | undefined> {
  const data = textField(entry, `${field}-data`);
  return data === undefined ? contentOf(entry, field) : Buffer.from(data, 'base64');
}

/** The TLS options by which a kubeconfig's cluster is verified. */
async function clusterTls(cluster: KubeconfigEntry): Promise<TlsIdentity> {
  return {
    ca: await dataOrFile(cluster, 'certificate-authority'),
    servername: textField(cluster, 'tls-server-name'),
    ...(cluster.fields['insecure-skip-tls-verify'] === true && { rejectUnauthorized: false }),
  };
}

/** A token file is read each time, since it is rotated; the `token` beside it is used when the file is missing. */
async function authorization(user: KubeconfigEntry, given: ExecCredential | undefined): Promise<string | undefined> {
  const token = textField(user, 'token');
  const origin = `the token of ${user.name} in the kubeconfig ${user.file}`;
  if (textField(user, 'tokenFile') !== undefined) {
    const content = token === undefined ? await contentOf(user, 'tokenFile') : await contentOf(user, 'tokenFile').catch(() => undefined);
    if (content !== undefined) return bearer(content.toString('utf8'), origin);
  }
  if (token !== undefined) return bearer(token, origin);
  if (given?.token !== undefined) return bearer(given.token, `the token of the plugin of ${user.name}`);
  const username = textField(user, 'username');
  return username === undefined ? undefined : basic(username, textField(user, 'password') ?? '');
}

function listsOf(value: unknown): Record<string, string[]> {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, list]) => [key, Array.isArray(list) ? list.map(String) : []]))
    : {};
}

function impersonation(user: KubeconfigEntry): Headers {
  const name = textField(user, 'as');
  if (name === undefined) return {};
  const { 'as-groups': groups, 'as-user-extra': extra } = user.fields;
  const uid = textField(user, 'as-uid');
  return impersonationHeaders({
    user: name,
    ...(uid !== undefined && { uid }),
    groups: Array.isArray(groups) ? groups.map(String) : [],
    extra: listsOf(extra),
  });
}

/** The credentials of a kubeconfig's user. All files are read anew. */
async function userCredentials(user: KubeconfigEntry, plugin: ExecPlugin | undefined): Promise<Credentials> {
  const given = await plugin?.();
  const authorized = await authorization(user, given);
  const cert = given?.cert ?? (await dataOrFile(user, 'client-certificate'));
  const key = given?.key ?? (await dataOrFile(user, 'client-key'));
  return { headers: { ...(authorized !== undefined && { authorization: authorized }), ...impersonation(user) }, tls: { cert, key } };
}

/** Loads client-node for what only it supports; it need not be installed. */
async function clientNodeFor(what: string): Promise<Awaited<ReturnType<typeof loadClientNode>>> {
  try {
    return await loadClientNode();
  } catch (error) {
    if (systemCode(error) !== 'ERR_MODULE_NOT_FOUND' && systemCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw kubeconfigError(
      `${what} needs the package @kubernetes/client-node (^1.4 || ^2), which is not installed: npm install @kubernetes/client-node`,
    );
  }
}

/** An agent by client-node that connects through a SOCKS proxy. */
async function socksAgent(found: FoundCluster, proxyUrl: string, tls: TlsIdentity): Promise<unknown> {
  const { KubeConfig } = await clientNodeFor(
    `The SOCKS proxy of the cluster ${found.cluster.name} in the kubeconfig ${found.cluster.file}`,
  );
  const kubeConfig = new KubeConfig();
  const skipTLSVerify = tls.rejectUnauthorized === false;
  kubeConfig.loadFromClusterAndUser({ name: 'cluster', server: found.server, proxyUrl, skipTLSVerify }, { name: 'user' });
  const options = { ...tls } as RequestOptions;
  await kubeConfig.applyToHTTPSOptions(options);
  return options.agent;
}

/** The `auth-provider` logins that only client-node supports: OpenID Connect, and those of single clouds. */
async function authProvider(found: FoundCluster, user: KubeconfigEntry, tls: TlsIdentity): Promise<CredentialSource> {
  const { KubeConfig } = await clientNodeFor(`\`auth-provider\` of the user ${user.name} in the kubeconfig ${user.file}`);
  const kubeConfig = new KubeConfig();
  const cluster = { name: 'cluster', server: found.server, skipTLSVerify: tls.rejectUnauthorized === false };
  kubeConfig.loadFromClusterAndUser(cluster, { name: user.name, authProvider: user.fields['auth-provider'] });
  return kubeConfigCredentials(kubeConfig);
}

/** The credentials of a kubeconfig that has been read. */
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
      const socks = proxyUrl !== undefined && isSocks(proxyUrl) ? { agent: () => socksAgent(found, proxyUrl, tls) } : {};
      const proxy = proxyUrl === undefined ? undefined : { url: proxyUrl, ...socks };
      return { headers: { ...provided?.headers, ...own.headers }, tls, proxy };
    },
  };
}

/**
 * The credentials of a cluster found in kubeconfig files, or in the pod that this program runs in.
 *
 * Token and certificate files are read before every request. `renew` reads the kubeconfig again, and keeps its context.
 */
export function kubeconfigFileCredentials(
  first: FoundCluster,
  findAgain: () => Promise<FoundCluster>,
  now: () => number = () => Date.now(),
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
