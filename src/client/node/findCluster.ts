import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { similarTo } from '../../api/options.js';
import type { ClientOptions } from '../clientOptions.js';
import { kubeconfigError, readKubeconfig, supportedProxy, textField, type Kubeconfig, type KubeconfigEntry } from './kubeconfig.js';

type Environment = Readonly<Record<string, string | undefined>>;

function variable(env: Environment, name: string): string {
  return env[name] || env[name.toLowerCase()] || '';
}

function isInSubnet(host: string, subnet: string): boolean {
  const [network = '', bits = ''] = subnet.split('/');
  const family = net.isIPv6(network) ? 'ipv6' : 'ipv4';
  if (net.isIP(network) === 0 || net.isIP(host) !== net.isIP(network) || !/^\d+$/.test(bits)) return false;
  const subnets = new net.BlockList();
  subnets.addSubnet(network, Number(bits), family);
  return subnets.check(host, family);
}

/** Whether an entry of NO_PROXY matches this host: `*`, an address, a subnet, or a domain with its subdomains, optionally with a port. */
function excludes(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInSubnet(host, entry);
  const [, name = entry, only = ''] = /^(.*?|\[.*\]):(\d+)$/.exec(entry) ?? [];
  if (only !== '' && only !== port) return false;
  const domain = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return host.endsWith(`.${domain}`) || (host === domain && !entry.startsWith('.') && !entry.startsWith('*.'));
}

/**
 * The proxy that the environment sets for a server: `HTTPS_PROXY` or `HTTP_PROXY` by the server's protocol, unless `NO_PROXY` matches the server, or the server
 * is this machine. Upper case wins over lower case.
 *
 * @see Go's `golang.org/x/net/http/httpproxy`
 */
export function proxyFor(server: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variable(env, name);
  if (proxy === '') return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1' || (net.isIPv4(host) && host.startsWith('127.'))) return undefined;
  const entries = variable(env, 'NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/);
  const effectivePort = port !== '' ? port : protocol === 'https:' ? '443' : '80';
  if (entries.some((entry) => entry !== '' && excludes(entry, host, effectivePort))) return undefined;
  return supportedProxy(proxy.includes('://') ? proxy : `http://${proxy}`, `\`${name}\` of the environment`);
}

/** A cluster and the credentials for it, as kubeconfig entries. */
export interface FoundCluster {
  /** The name of the context, to find the same one again; undefined for the pod's service account. */
  readonly context: string | undefined;
  /** The server's URL, without a slash at its end. */
  readonly server: string;
  readonly cluster: KubeconfigEntry;
  readonly user: KubeconfigEntry | undefined;
  readonly namespace: string;
  /** `proxy-url` of the cluster, else of the environment. */
  readonly proxyUrl: string | undefined;
}

/** The environment in which kubeconfig files and a service account are searched. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder where Kubernetes mounts a pod's service account. */
  readonly serviceAccount: string;
}

/** The environment of this process. */
export function surroundings(): Surroundings {
  return { env: process.env, home: os.homedir(), serviceAccount: '/var/run/secrets/kubernetes.io/serviceaccount' };
}

function entry(entries: ReadonlyMap<string, KubeconfigEntry>, what: string, name: string, origin: string): KubeconfigEntry {
  const found = entries.get(name);
  if (found !== undefined) return found;
  const known = entries.size === 0 ? `there is no ${what}` : `expected one of ${[...entries.keys()].join(', ')}`;
  throw kubeconfigError(`Found no ${what} ${JSON.stringify(name)} in ${origin}: ${known}${similarTo(name, entries.keys())}`);
}

function serverOf(cluster: KubeconfigEntry): string {
  const server = textField(cluster, 'server');
  const parsed = server !== undefined && URL.canParse(server) ? new URL(server) : undefined;
  if (server === undefined || parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username + parsed.password !== '') {
    throw kubeconfigError(
      `Expected \`server\` of the cluster ${cluster.name} in the kubeconfig ${cluster.file} to be an http or https URL without a user, got ${server === undefined ? 'none' : 'another text'}`,
    );
  }
  return server.replace(/\/+$/, '');
}

function inContext(config: Kubeconfig, asked: string | undefined, env: Surroundings['env']): FoundCluster {
  const origin = `the kubeconfig ${config.files.join(', ')}`;
  const name = asked ?? config.currentContext;
  if (name === '') {
    throw kubeconfigError(
      `Expected a \`current-context\` in ${origin}, or \`context\` to name one of ${[...config.contexts.keys()].join(', ') || 'none at all'}`,
    );
  }
  const context = entry(config.contexts, 'context', name, origin);
  const cluster = entry(config.clusters, 'cluster', textField(context, 'cluster') ?? '', `${origin}, which the context ${name} names`);
  const userName = textField(context, 'user');
  const user = userName === undefined ? undefined : entry(config.users, 'user', userName, `${origin}, which the context ${name} names`);
  const server = serverOf(cluster);
  const own = textField(cluster, 'proxy-url');
  const proxyUrl =
    own === undefined
      ? proxyFor(server, env)
      : supportedProxy(own, `\`proxy-url\` of the cluster ${cluster.name} in the kubeconfig ${cluster.file}`);
  return { context: name, server, cluster, user, namespace: textField(context, 'namespace') ?? 'default', proxyUrl };
}

async function namespaceIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() === '' ? 'default' : text.trim();
}

/** The service account of the pod that this program runs in. */
async function inCluster({ env, serviceAccount }: Surroundings): Promise<FoundCluster | undefined> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = env;
  const token = path.join(serviceAccount, 'token');
  if (host === '' || port === '' || !existsSync(token)) return undefined;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const file = path.join(serviceAccount, 'namespace');
  const ca = path.join(serviceAccount, 'ca.crt');
  return {
    context: undefined,
    server,
    cluster: { name: 'in-cluster', file, fields: { server, ...(existsSync(ca) && { 'certificate-authority': ca }) } },
    user: { name: 'in-cluster', file, fields: { tokenFile: token } },
    namespace: await namespaceIn(file),
    proxyUrl: proxyFor(server, env),
  };
}

/** Finds the cluster as kubectl does. Throws a RequestError that names the places that were searched. */
export async function findCluster(
  { kubeConfigFile, context }: Pick<ClientOptions, 'kubeConfigFile' | 'context'>,
  where: Surroundings,
): Promise<FoundCluster> {
  const { env, home } = where;
  const listed = (env['KUBECONFIG'] ?? '').split(path.delimiter).filter((file) => file !== '');
  const files = kubeConfigFile !== undefined ? [kubeConfigFile] : listed.length > 0 ? listed : [path.join(home, '.kube', 'config')];
  const config = await readKubeconfig(files, kubeConfigFile !== undefined);
  // Like kubectl, treat an empty file as absent.
  const empty = config === undefined || (config.contexts.size === 0 && config.clusters.size === 0);
  if (config !== undefined && (!empty || context !== undefined || kubeConfigFile !== undefined)) return inContext(config, context, env);
  const pod = context === undefined ? await inCluster(where) : undefined;
  if (pod !== undefined) return pod;
  throw kubeconfigError(
    `Found no cluster to talk to: expected a kubeconfig at ${files.join(' or ')}${listed.length > 0 ? ' (from KUBECONFIG)' : ''}, or to run in a pod with a service account`,
  );
}
