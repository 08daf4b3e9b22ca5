import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { RequestOptions } from 'node:https';
import { readFile } from 'node:fs/promises';
import { basic, bearer, type Credentials, type CredentialSource, impersonationHeaders, type TlsIdentity } from '../auth/credentials.js';
import { loadClientNode } from '../auth/loadClientNode.js';
import type { FoundCluster } from './findCluster.js';
import { kubeconfigError, type KubeconfigEntry, pathField, textField } from './kubeconfig.js';
import { isSocks, kubeConfigCredentials } from './kubeConfigCredentials.js';
import { PluginProcesses } from './pluginProcess.js';
import { systemCode, redactedMessage } from '../requests/requestError.js';
import { isRecord } from '../decode/parseObject.js';
import path from 'node:path';
import { foreignText } from '../../api/errors/foreignText.js';
import { rememberSecret } from '../../api/errors/sentSecrets.js';

/** The credential that a plugin returned. */
interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Returns the credential of a kubeconfig user's plugin. Runs the plugin, unless its last credential is still valid. */
type ExecPlugin = () => Promise<ExecCredential>;

/** What a plugin is run with. */
interface ExecPluginInit {
  readonly user: KubeconfigEntry;
  readonly cluster: KubeconfigEntry;
  /** Wall clock time, in milliseconds. */
  readonly now: () => number;
  readonly processes: PluginProcesses;
  /** Survives the plugin object, which is rebuilt when its credential was refused. */
  readonly memory: PluginMemory;
}

/** The last credential, when and by which command it was returned, and whether it replaced one that the server had refused. */
interface PluginMemory {
  last?: { readonly held: ExecCredential; readonly command: string; readonly at: number; readonly afterRefusal: boolean };
}

type Command = ReturnType<typeof commandOf>;

/** A credential is renewed this long before it expires, since requests take time. */
const earlierMs = 5_000;

/** Deadline of a plugin that is not interactive. client-go has none; a plugin that hangs would stop every informer. */
const timeoutMs = 60_000;

/** The fields of a cluster that are passed to a plugin (`provideClusterInfo`), under the same names. */
const clusterInfoFields = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'certificate-authority-data',
  'proxy-url',
  'disable-compression',
];

/** The name of the cluster extension that is meant for plugins. */
const configExtension = 'client.authentication.k8s.io/exec';

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** The `exec` section of a user. */
function commandOf(user: KubeconfigEntry) {
  const exec = user.fields['exec'];
  const section: KubeconfigEntry = { name: `exec of ${user.name}`, file: user.file, fields: isRecord(exec) ? exec : {} };
  const command = textField(section, 'command');
  const apiVersion = textField(section, 'apiVersion');
  if (command === undefined || apiVersion === undefined) {
    throw kubeconfigError(
      `Expected \`exec\` of the user ${user.name} in the kubeconfig ${user.file} to have a \`command\` and an \`apiVersion\``,
    );
  }
  const { args, env, interactiveMode, provideClusterInfo } = section.fields;
  const pairs = Array.isArray(env) ? env.filter(isRecord).map(({ name, value }): [string, string] => [String(name), String(value)]) : [];
  return {
    // A command with a slash is a path relative to the kubeconfig's folder; any other is searched in PATH.
    command: /[/\\]/.test(command) ? path.resolve(path.dirname(user.file), command) : command,
    args: textsOf(args),
    env: Object.fromEntries(pairs),
    apiVersion,
    interactive: interactiveMode !== 'Never' && process.stdin.isTTY,
    provideClusterInfo: provideClusterInfo === true,
    installHint: textField(section, 'installHint'),
  };
}

async function clusterInfo(cluster: KubeconfigEntry): Promise<object> {
  const { fields } = cluster;
  const info = Object.fromEntries(clusterInfoFields.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]));
  const caFile = pathField(cluster, 'certificate-authority');
  if (caFile !== undefined) info['certificate-authority-data'] ??= await readFile(caFile, 'base64');
  const extensions = Array.isArray(fields['extensions']) ? fields['extensions'].filter(isRecord) : [];
  const config = extensions.find(({ name }) => name === configExtension)?.['extension'];
  return { ...info, ...(config !== undefined && { config }) };
}

async function execInfo({ apiVersion, interactive, provideClusterInfo }: Command, cluster: KubeconfigEntry): Promise<string> {
  const spec = { interactive, ...(provideClusterInfo && { cluster: await clusterInfo(cluster) }) };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}

function lastLine(text: string): string {
  return foreignText(text.trim().split('\n').at(-1) ?? '');
}

/** The names of options and variables whose values are secrets. */
const secretNames = /(token|password|passwd|secret|[_-]key)$/i;

/** Registers the secrets that a command is given: it may quote them when it fails. */
function rememberGiven({ args, env }: Pick<Command, 'args' | 'env'>): void {
  for (const [name, value] of Object.entries(env)) if (secretNames.test(name)) rememberSecret(value);
  args.forEach((arg, at) => {
    const [, name = arg, value = args[at + 1] ?? ''] = /^(.*?)=(.*)$/.exec(arg) ?? [];
    if (name.startsWith('-') && secretNames.test(name)) rememberSecret(value);
  });
}

/** Runs a command to its end and returns what it printed. */
async function run(command: Command, cluster: KubeconfigEntry, processes: PluginProcesses): Promise<string> {
  const { args, interactive, installHint } = command;
  rememberGiven(command);
  const env = { ...process.env, ...command.env, KUBERNETES_EXEC_INFO: await execInfo(command, cluster) };
  const exit = await processes.run({ command: command.command, args, env, interactive, timeoutMs }).catch((error: unknown) => {
    const hint = installHint === undefined ? '' : `: ${foreignText(installHint)}`;
    throw new Error(`cannot run ${command.command} (${systemCode(error) ?? redactedMessage(error)})${hint}`);
  });
  const { stdout, stderr, code, signal, timedOut } = exit;
  if (timedOut) throw new Error(`${command.command} gave no credentials within ${timeoutMs / 1_000} s and was ended`);
  if (code === 0) return stdout;
  const end = code === null ? `was ended by ${String(signal)}` : `ended with exit code ${code}`;
  throw new Error(`${command.command} ${end}${stderr.trim() === '' ? '' : `: ${lastLine(stderr)}`}`);
}

/**
 * How long a plugin is not run again when the credential that replaced a refused one is refused as well, or has expired already. Otherwise a hundred informers
 * that retry every few seconds would each run it.
 */
const pauseMs = 10_000;

interface Held extends ExecCredential {
  readonly until: number;
}

function parseCredential(output: string, { command, apiVersion }: Command): Held {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw new Error(`expected ${command} to print an ExecCredential as JSON, got something else`);
  }
  if (!isRecord(answer) || answer['kind'] !== 'ExecCredential' || answer['apiVersion'] !== apiVersion || !isRecord(answer['status'])) {
    throw new Error(`expected ${command} to print an ExecCredential of ${apiVersion} with a \`status\`, got another object`);
  }
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer['status'];
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const held = { token: text(token), cert: text(clientCertificateData), key: text(clientKeyData) };
  if (held.token === undefined && (held.cert === undefined || held.key === undefined)) {
    throw new Error(`expected ${command} to give a token, or a certificate with its key, got neither`);
  }
  const until = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) - earlierMs : Infinity;
  return { ...held, until: Number.isNaN(until) ? Infinity : until };
}

/**
 * Runs a kubeconfig user's credential plugin when its last credential has expired, and at once when the server has refused it. If the replacement is
 * refused, too, the plugin runs again after ten seconds.
 *
 * @see client-go's `plugin/pkg/client/auth/exec`
 */
function execPlugin({ user, cluster, now, processes, memory }: ExecPluginInit): ExecPlugin {
  const command = commandOf(user);
  const name = JSON.stringify(command);
  let held: Held | undefined;
  return async () => {
    const { last } = memory;
    const afterRefusal = held === undefined && last?.command === name;
    if (afterRefusal && last.afterRefusal && Math.abs(now() - last.at) < pauseMs) return last.held;
    if (held === undefined || now() >= held.until) {
      const given = parseCredential(await run(command, cluster, processes), command);
      const at = now();
      // A credential that is already expired on arrival means that a clock is wrong; another one would be expired, too.
      held = { ...given, until: given.until > at ? given.until : at + pauseMs };
      memory.last = { held, command: name, at, afterRefusal };
    }
    return held;
  };
}

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

/** The last valid content of a user's files, used while the files are being replaced. */
interface FileMemory {
  token?: string;
  identity?: { readonly cert: Buffer; readonly key: Buffer };
}

function fits(cert: Buffer, key: Buffer): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** A certificate and its key are two files. While one is missing or does not match the other, the last matching pair is used. */
async function identityOf(user: KubeconfigEntry, memory: FileMemory): Promise<TlsIdentity> {
  const { identity } = memory;
  try {
    const [cert, key] = [await dataOrFile(user, 'client-certificate'), await dataOrFile(user, 'client-key')];
    if (cert === undefined || key === undefined) return { cert, key };
    if (identity?.cert.equals(cert) === true && identity.key.equals(key)) return identity;
    if (fits(cert, key)) return (memory.identity = { cert, key });
    return identity ?? { cert, key };
  } catch (error) {
    if (identity === undefined) throw error;
    return identity;
  }
}

/** The TLS options by which a kubeconfig's cluster is verified. */
async function clusterTls(cluster: KubeconfigEntry): Promise<TlsIdentity> {
  return {
    ca: await dataOrFile(cluster, 'certificate-authority'),
    servername: textField(cluster, 'tls-server-name'),
    ...(cluster.fields['insecure-skip-tls-verify'] === true && { rejectUnauthorized: false }),
  };
}

/**
 * A token file is read each time, since it is rotated. While it is missing or empty, its last token is used, else the `token` beside it.
 *
 * @see client-go's `transport.NewCachedFileTokenSource`
 */
async function authorization(user: KubeconfigEntry, given: ExecCredential | undefined, memory: FileMemory): Promise<string | undefined> {
  const token = textField(user, 'token');
  const origin = `the token of ${user.name} in the kubeconfig ${user.file}`;
  if (textField(user, 'tokenFile') !== undefined) {
    try {
      return (memory.token = bearer(String(await contentOf(user, 'tokenFile')), origin));
    } catch (error) {
      if (memory.token !== undefined) return memory.token;
      if (token === undefined) throw error;
    }
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
  const { 'as-groups': groups, 'as-user-extra': extra } = user.fields;
  const uid = textField(user, 'as-uid');
  if (name === undefined) {
    // Without the headers, the request would have the rights of the user itself.
    if ((uid ?? groups ?? extra ?? undefined) === undefined) return {};
    throw kubeconfigError(
      `Expected \`as\` of ${user.name} in the kubeconfig ${user.file} to name whom the user acts as, got only \`as-uid\`, \`as-groups\` or \`as-user-extra\``,
    );
  }
  return impersonationHeaders({
    user: name,
    ...(uid !== undefined && { uid }),
    groups: Array.isArray(groups) ? groups.map(String) : [],
    extra: listsOf(extra),
  });
}

/** The credentials of a kubeconfig's user. All files are read again. */
async function userCredentials(user: KubeconfigEntry, plugin: ExecPlugin | undefined, memory: FileMemory): Promise<Credentials> {
  const given = await plugin?.();
  const authorized = await authorization(user, given, memory);
  const { cert, key } = given ?? {};
  const tls = cert === undefined || key === undefined ? await identityOf(user, memory) : { cert, key };
  return { headers: { ...(authorized !== undefined && { authorization: authorized }), ...impersonation(user) }, tls };
}

/** Loads client-node, an optional dependency, for features that only it supports. */
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
  const { exec = null, 'auth-provider': login = null } = user?.fields ?? {};
  const plugin = user === undefined || exec === null ? undefined : execPlugin({ user, cluster, ...plugins });
  const memory: FileMemory = {};
  let provider: Promise<CredentialSource> | undefined;
  return {
    async get(): Promise<Credentials> {
      const own = user === undefined ? { headers: {}, tls: {} } : await userCredentials(user, plugin, memory);
      const tls = { ...own.tls, ...(await clusterTls(cluster)) };
      if (user !== undefined && login !== null) provider ??= authProvider(found, user, tls);
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
 * Token and certificate files are read before every request. While they are being replaced, what they contained before is used. `renew` reads the kubeconfig again, and keeps its context.
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
