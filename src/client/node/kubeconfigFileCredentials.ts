import { isDeepStrictEqual } from 'node:util';
import { basic, bearer, type Credentials, type CredentialSource, impersonationHeaders, type TlsIdentity } from '../auth/credentials.js';
import type { LoginProvider } from '../clientOptions.js';
import { kubeconfigError, RequestError } from '../requests/requestError.js';
import { clientCertificate, type CertificateMemory } from './clientCertificate.js';
import { type ExecCredential, type ExecPlugin, execPlugin, type ExecPluginInit } from './execPlugin.js';
import type { FoundCluster } from './findCluster.js';
import { contentOf, type UserEntry } from './kubeconfig.js';
import { kubeConfigCredentials } from './kubeConfigCredentials.js';
import { PluginProcesses } from './pluginProcess.js';
import { clusterTls, systemTls } from './trust.js';

type Headers = Record<string, string | readonly string[]>;

/** The last valid content of the files of a kubeconfig, used while the files are being replaced. */
interface FileMemory extends CertificateMemory {
  token?: string;
  trust?: TlsIdentity;
}

/**
 * A token file is read each time, since it is rotated. While it is missing or empty, its last token is used, else the `token` beside it. An empty one without
 * both is no credential, a missing one an error.
 *
 * @see client-go's `transport.NewCachedFileTokenSource`
 */
async function authorization(user: UserEntry, given: ExecCredential | undefined, memory: FileMemory): Promise<string | undefined> {
  const { token, tokenFile, username, password } = user.fields;
  const origin = `the token of ${user.name} in the kubeconfig ${user.file}`;
  if (tokenFile !== '') {
    const kept = memory.token ?? token;
    const content = await contentOf(user, 'tokenFile', tokenFile).catch((error: unknown) => {
      if (kept === '') throw error;
      return kept;
    });
    memory.token = String(content).trim() || kept;
    return memory.token === '' ? undefined : bearer(memory.token, origin);
  }
  if (token !== '') return bearer(token, origin);
  if (given?.token !== undefined) return bearer(given.token, `the token of the plugin of ${user.name}`);
  return username === '' ? undefined : basic(username, password);
}

function impersonation({ fields }: UserEntry): Headers {
  const { as: user, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = fields;
  return user === '' ? {} : impersonationHeaders({ user, ...(uid !== '' && { uid }), groups, extra });
}

/** The credentials of a kubeconfig's user. All files are read again. */
async function userCredentials(user: UserEntry, plugin: ExecPlugin | undefined, memory: FileMemory): Promise<Credentials> {
  const given = await plugin?.();
  const authorized = await authorization(user, given, memory);
  const { cert, key } = given ?? {};
  const tls: TlsIdentity = cert === undefined ? await clientCertificate(user, memory) : { cert, key };
  return { headers: { ...(authorized !== undefined && { authorization: authorized }), ...impersonation(user) }, tls };
}

/** Whether a user has credentials beside its plugin: then the plugin does not run. A password alone is none. */
function hasOwn({ fields }: UserEntry): boolean {
  const certificate = fields['client-certificate'] !== '' || fields['client-certificate-data'].length > 0;
  return fields.token + fields.tokenFile + fields.username !== '' || certificate;
}

/** What all credentials of one client share. */
interface Shared extends Omit<ExecPluginInit, 'user' | 'cluster' | 'exec'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly provider: LoginProvider | undefined;
  /** The last login, by what the kubeconfig says of it. */
  readonly logins: Map<string, Promise<CredentialSource>>;
}

/**
 * The `auth-provider` logins, OpenID Connect and those of single clouds, which the caller's provider knows. One is kept while the kubeconfig says the same of it:
 * what it has renewed is in its memory only, and a refresh token may be good for one use.
 */
async function provided(found: FoundCluster, user: UserEntry, { provider, logins }: Shared): Promise<CredentialSource | undefined> {
  const login = user.fields['auth-provider'];
  if (login === undefined) return undefined;
  const { name, file } = user;
  if (provider === undefined) {
    throw kubeconfigError(
      `\`auth-provider\` of the user ${name} in the kubeconfig ${file} needs \`createClient({ credentials: clientNodeAuth() })\`, with clientNodeAuth of rx-informer/client-node`,
    );
  }
  const cluster = { server: found.server.url, skipTLSVerify: found.cluster.fields['insecure-skip-tls-verify'] };
  const key = JSON.stringify([cluster, name, login]);
  // A copy, since client-node writes into it.
  const source =
    logins.get(key) ?? Promise.resolve(provider.login(cluster, { name, authProvider: structuredClone(login) })).then(kubeConfigCredentials);
  logins.clear();
  logins.set(key, source);
  source.catch(() => logins.delete(key));
  return source;
}

/** The credentials of a kubeconfig that has been read. */
function foundCredentials(found: FoundCluster, shared: Shared, memory: FileMemory): () => Promise<Credentials> {
  const { cluster, user, proxyUrl, server } = found;
  const { url, authorization } = server;
  const proxy = proxyUrl === undefined ? undefined : { url: proxyUrl };
  const inUrl = authorization === undefined ? {} : { authorization };
  if (!url.startsWith('https:')) {
    // As in client-go: nothing that proves who the user is crosses an open connection.
    const headers = { ...(user !== undefined && impersonation(user)), ...inUrl };
    const tlsOf = (): Promise<TlsIdentity> => (/^https:/i.test(proxyUrl ?? '') ? systemTls(shared.env) : Promise.resolve({}));
    return async () => ({ headers, tls: await tlsOf(), proxy, server: url });
  }
  const exec = user === undefined || hasOwn(user) ? undefined : user.fields.exec;
  const plugin = user === undefined || exec === undefined ? undefined : execPlugin({ user, exec, cluster, ...shared });
  return async () => {
    memory.trust = await clusterTls(cluster, shared.env).catch((error: unknown) => {
      if (memory.trust === undefined) throw error;
      return memory.trust;
    });
    const own = user === undefined ? { headers: {}, tls: {} } : await userCredentials(user, plugin, memory);
    const tls = { ...own.tls, ...memory.trust };
    const login = user === undefined ? undefined : await (await provided(found, user, shared))?.get();
    return { headers: { ...login?.headers, ...own.headers, ...inUrl }, tls, proxy, server: url };
  };
}

/** How often kubeconfig files are looked at while requests fail. */
const lookEveryMs = 1_000;

/** The codes of a connection that ended while, or right after, the server looked at the client's certificate. */
const mayBeRefusal = /^(ERR_SSL_|ERR_HTTP2_|ECONNRESET$|EPIPE$)/;

/** The codes of a server that is not trusted, or does not trust the client: only other files, or another server, can change that. */
const isRefusal =
  /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERROR_IN_CERT_|INVALID_CA$|PATH_LENGTH_|HOSTNAME_MISMATCH$)/;

/** What is needed to find a cluster again, and to get credentials for it. */
export interface KubeconfigFileInit {
  readonly first: FoundCluster;
  /** Reads the kubeconfig again. */
  readonly findAgain: () => Promise<FoundCluster>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly provider?: LoginProvider | undefined;
  /** Wall clock time, in milliseconds. */
  readonly now?: () => number;
}

/**
 * The credentials of a cluster found in kubeconfig files, or in the pod that this program runs in.
 *
 * Token, certificate and authority files are read before every request. While they are being replaced, what they contained before is used. The kubeconfig itself
 * is read again, and keeps its context, when the server has refused the credentials (`renew`), and when a request got no answer (`failed`).
 */
export class KubeconfigFileCredentials implements CredentialSource {
  private readonly findAgain: () => Promise<FoundCluster>;
  private readonly shared: Shared;
  private found: FoundCluster;
  private memory: FileMemory = {};
  private current: (() => Promise<Credentials>) | undefined;
  private clusters = 0;
  private lookedAt = -Infinity;
  private looking: Promise<void> | undefined;

  constructor({ first, findAgain, env = process.env, provider, now = () => Date.now() }: KubeconfigFileInit) {
    this.findAgain = findAgain;
    this.shared = { now, processes: new PluginProcesses(), memory: {}, env, provider, logins: new Map() };
    this.found = first;
    this.current = foundCredentials(first, this.shared, this.memory);
  }

  async get(): Promise<Credentials> {
    this.current ??= await this.readAgain();
    const credentials = await this.current();
    return this.clusters === 0 ? credentials : { ...credentials, cluster: this.clusters };
  }

  renew(): void {
    this.current = undefined;
  }

  async failed(held: Credentials, error: RequestError): Promise<RequestError | undefined> {
    try {
      await this.look(held, error.code);
      if (!isDeepStrictEqual(await this.get(), held)) return undefined;
    } catch {
      // A kubeconfig that is broken now does not hide why the request failed.
    }
    if (!isRefusal.test(error.code)) return error;
    const { cluster, user } = this.found;
    const files = [...new Set([cluster.file, user?.file ?? cluster.file])].join(' and ');
    const message = `${error.message}; ${files}, and the files named there, are read again before each attempt`;
    return new RequestError({ code: error.code, message, request: error.request, cause: error.cause });
  }

  close(): void {
    this.shared.processes.close();
  }

  /** Many requests fail at once when a server goes: they look once. */
  private look(held: Credentials, code: string): Promise<void> {
    this.looking ??= this.lookNow(held, code).finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async lookNow({ tls }: Credentials, code: string): Promise<void> {
    const { now } = this.shared;
    if (Math.abs(now() - this.lookedAt) < lookEveryMs) return;
    this.lookedAt = now();
    // A plugin gives text, files give bytes.
    const isPlugins = typeof tls.cert === 'string';
    if (isPlugins && mayBeRefusal.test(code)) this.renew();
    else if (!isDeepStrictEqual(await this.findAgain(), this.found)) this.current = await this.readAgain();
  }

  private async readAgain(): Promise<() => Promise<Credentials>> {
    // One that is broken or gone says nothing against what it said before.
    const found = await this.findAgain().catch(() => this.found);
    if (found !== this.found) this.memory = {};
    const trust = ({ cluster: { fields } }: FoundCluster): unknown => [
      fields['certificate-authority'],
      fields['certificate-authority-data'],
    ];
    // A cluster that was created anew has another address or another authority.
    if (found.server.url !== this.found.server.url || !isDeepStrictEqual(trust(found), trust(this.found))) this.clusters += 1;
    this.found = found;
    return foundCredentials(found, this.shared, this.memory);
  }
}
