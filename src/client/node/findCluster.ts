import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { similarTo } from '../../api/options.js';
import type { ClientOptions } from '../clientOptions.js';
import { type ServerUrl, serverUrl } from '../serverUrl.js';
import { kubeconfigError } from '../requests/requestError.js';
import { type ClusterEntry, type Kubeconfig, type KubeconfigEntry, readKubeconfig, type UserEntry } from './kubeconfig.js';
import { fieldsOf, kubeconfigKinds } from './kubeconfigFields.js';
import { proxyFor } from './proxyFor.js';
import { checkCluster, checkUser } from './usable.js';

/** A cluster and the credentials for it, as kubeconfig entries. */
export interface FoundCluster {
  /** The name of the context, to find the same one again; undefined for the pod's service account. */
  readonly context: string | undefined;
  readonly server: ServerUrl;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry | undefined;
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

function entry<F>(entries: ReadonlyMap<string, KubeconfigEntry<F>>, what: string, name: string, origin: string): KubeconfigEntry<F> {
  const found = entries.get(name);
  if (found !== undefined) return found;
  const known = entries.size === 0 ? `there is no ${what}` : `expected one of ${[...entries.keys()].join(', ')}`;
  throw kubeconfigError(`Found no ${what} ${JSON.stringify(name)} in ${origin}: ${known}${similarTo(name, entries.keys())}`);
}

function serverOf({ name, file, fields }: ClusterEntry): ServerUrl {
  const server = fields.server === '' ? undefined : serverUrl(fields.server);
  if (server !== undefined) return server;
  throw kubeconfigError(
    `Expected \`server\` of the cluster ${name} in the kubeconfig ${file} to be an http or https URL, got ${fields.server === '' ? 'none' : 'another text'}`,
  );
}

/** The token file and the server of the pod that this program runs in; undefined outside of pods, and without a service account. */
function podOf({ env, serviceAccount }: Surroundings) {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = env;
  const tokenFile = path.join(serviceAccount, 'token');
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return host !== '' && port !== '' && existsSync(tokenFile) ? { tokenFile, server } : undefined;
}

/** The context's namespace, else in a pod the pod's own, else `default`. */
async function namespaceOf(own: string, where: Surroundings): Promise<string> {
  const { env, serviceAccount } = where;
  if (own !== '') return own;
  if (podOf(where) === undefined) return 'default';
  const inPod = env['POD_NAMESPACE'] ?? '';
  const mounted = inPod !== '' ? inPod : await readFile(path.join(serviceAccount, 'namespace'), 'utf8').catch(() => '');
  return mounted.trim() || 'default';
}

const originOf = ({ files }: Kubeconfig): string => `the kubeconfig ${files.join(', ')}`;

async function inContext(config: Kubeconfig, name: string, where: Surroundings): Promise<FoundCluster> {
  const origin = originOf(config);
  const { fields } = entry(config.contexts, 'context', name, origin);
  const cluster = entry(config.clusters, 'cluster', fields.cluster, `${origin}, which the context ${name} names`);
  const user = fields.user === '' ? undefined : entry(config.users, 'user', fields.user, `${origin}, which the context ${name} names`);
  const server = serverOf(cluster);
  const isSecure = server.url.startsWith('https:');
  await checkCluster(cluster, isSecure);
  if (user !== undefined) await checkUser(user, isSecure);
  const proxyUrl = cluster.fields['proxy-url'] || proxyFor(server, where.env);
  return { context: name, server, cluster, user, namespace: await namespaceOf(fields.namespace, where), proxyUrl };
}

/** The service account of the pod that this program runs in. */
async function inCluster(where: Surroundings): Promise<FoundCluster | undefined> {
  const { env, serviceAccount } = where;
  const pod = podOf(where);
  if (pod === undefined) return undefined;
  const file = path.join(serviceAccount, 'namespace');
  const ca = path.join(serviceAccount, 'ca.crt');
  const fields = { server: pod.server, ...(existsSync(ca) && { 'certificate-authority': ca }) };
  const cluster = { name: 'in-cluster', file, fields: fieldsOf(kubeconfigKinds.clusters[1].cluster, fields) };
  const server = serverOf(cluster);
  return {
    context: undefined,
    server,
    cluster,
    user: { name: 'in-cluster', file, fields: fieldsOf(kubeconfigKinds.users[1].user, { tokenFile: pod.tokenFile }) },
    namespace: await namespaceOf('', where),
    proxyUrl: proxyFor(server, env),
  };
}

/**
 * Finds the cluster as kubectl does. Throws a RequestError that names the places that were searched.
 *
 * @param folder - where relative paths begin: a program that looks again may have changed its working directory.
 */
export async function findCluster(
  { kubeConfigFile, context: asked = '' }: Pick<ClientOptions, 'kubeConfigFile' | 'context'>,
  where: Surroundings,
  folder: string = process.cwd(),
): Promise<FoundCluster> {
  const { env, home } = where;
  const list = env['KUBECONFIG'] ?? '';
  const listed = list.split(path.delimiter).filter((file) => file !== '');
  const given = kubeConfigFile !== undefined ? [kubeConfigFile] : list !== '' ? listed : [path.join(home, '.kube', 'config')];
  const files = given.map((file) => (path.isAbsolute(file) ? file : path.join(folder, file)));
  const config = await readKubeconfig(files, kubeConfigFile !== undefined);
  const context = asked === '' ? (config?.currentContext ?? '') : asked;
  if (config !== undefined && context !== '') return inContext(config, context, where);
  // Like kubectl, in a pod whose kubeconfig names no context.
  const pod = asked === '' ? await inCluster(where) : undefined;
  if (pod !== undefined) return pod;
  if (config !== undefined && (config.contexts.size > 0 || kubeConfigFile !== undefined))
    throw kubeconfigError(
      `Expected a \`current-context\` in ${originOf(config)}, or \`context\` to name one of ${[...config.contexts.keys()].join(', ') || 'none at all'}`,
    );
  throw kubeconfigError(
    `Found no cluster to talk to: expected a kubeconfig at ${files.join(' or ') || 'no place'}${list === '' ? '' : ' (from KUBECONFIG)'} or a pod with a service account; \`npx @rx-informer/cli api-server\` starts a cluster for tests`,
  );
}
