import { checkOptions, type OptionRules, rules } from 'rx-informer/internal';
import { createClient, type KubeClient } from 'rx-informer';
import { kubeconfigOf, type ServerCredentials } from './kubeconfigOf.js';
import type { RunningApiServer } from './runningApiServer.js';
import type { ActivityLog } from './activityLog.js';
import type { ApiServerOptions } from './apiServerOptions.js';
import type { AccessOptions } from './auth/accessControl.js';
import { administrator, type User } from './auth/user.js';
import type { ApiServer } from './createApiServer.js';
import type { ApiServerFaults } from './faults/faults.js';
import type { ObjectAccess } from './objectAccess.js';
import type { RbacOptions, UsedRights } from './rbac/usedRights.js';
import type { StoreSnapshot } from './store/store.js';
import { writeTemporaryFile } from './temporaryFile.js';

/** An embedded API server for tests and demos. */
export interface TestApiServer extends RunningApiServer {
  /** The valid bearer tokens, each with its user: tokens can be added and revoked. */
  readonly tokens: Map<string, User>;
  /** Failures to simulate. */
  readonly faults: ApiServerFaults;
  /** Reads and writes without HTTP: creates objects or YAML manifests, including their status. */
  readonly objects: ObjectAccess;
  /** The requests and writes so far. The first writes create the four namespaces of every cluster. */
  readonly activity: ActivityLog;
  /**
   * The rights that clients have used since the start or the last `activity.clear()`, as the smallest Role or ClusterRole: verbs, resources with subresources,
   * namespaces, and names if requests were limited to them. `expectGrantedBy` throws if manifests grant less or, with `exact`, more.
   *
   * @example
   * ```ts
   * import { createClient, resources } from 'rx-informer';
   * import { startApiServer } from '@rx-informer/api-server';
   *
   * const server = await startApiServer();
   * const client = createClient({ server: server.url, userAgent: 'my-operator' });
   * await client.list(resources.core.v1.pods);
   * const rights = server.rbac({ userAgent: 'my-operator', roleName: 'my-operator' });
   * console.log(rights.yaml);
   * rights.expectGrantedBy(rights.yaml); // in a test: the text of the program's manifests
   * client.close();
   * await server.close();
   * ```
   *
   * @throws TypeError for a wrong option, and when no client matches it.
   */
  rbac(options?: RbacOptions): UsedRights;
  /** The current state. Takes constant time, and can be restored any number of times. */
  snapshot(): StoreSnapshot;
  /** Restores a state, including its resourceVersion, like a backup of etcd: watches end, histories are lost. */
  restore(snapshot: StoreSnapshot): void;
  /**
   * Restores the initial state, under new resourceVersions: watches end, and the versions known to clients are expired. `activity` is kept, without
   * an entry for the reset; faults stay.
   */
  reset(): void;
}

/** The credentials of the server's own client: a certificate of an administrator with TLS, otherwise the first token. */
function credentialsOf({ certificates }: ApiServer, { auth }: ApiServerOptions): ServerCredentials {
  const [token] = Object.keys(auth?.tokens ?? {});
  if (certificates === undefined) return token === undefined ? {} : { token };
  const { cert, key } = certificates.issueClient(administrator);
  return { ca: certificates.cert, clientCert: cert, clientKey: key };
}

const serverRules: OptionRules<ApiServerOptions> = {
  port: rules.number({ integer: true, min: 0, max: 65_535 }),
  bind: rules.nonEmptyString,
  allowedOrigins: rules.listOf(rules.string, 'origins'),
  cors: rules.boolean,
  profile: rules.nonEmptyString,
  clock: rules.scheduler,
  seed: rules.either(rules.string, rules.number()),
  file: rules.nonEmptyString,
  versionsFromClock: rules.boolean,
  bookmarkIntervalMs: rules.durationMs,
  gracefulDeletionMs: rules.durationMs,
  garbageCollection: rules.boolean,
  historyLimit: rules.number({ min: 0, infinite: true }),
  managedFields: rules.boolean,
  schema: rules.oneOf('full', 'none'),
  shardedListAndWatch: rules.boolean,
  runtimeConfig: rules.object,
  control: rules.boolean,
  auth: rules.object,
  tls: rules.boolean,
  serviceAddress: rules.function,
  hooks: rules.object,
};

const authRules: OptionRules<AccessOptions> = {
  tokens: rules.object,
  anonymous: rules.boolean,
  authorize: rules.either(rules.oneOf('rbac'), rules.function),
};

/**
 * Starts an embedded Kubernetes API server on the loopback interface: every built-in kind and custom resources, over real HTTP.
 *
 * Servers are independent, so each test can have its own; starting one takes a few milliseconds.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const server = await startApiServer();
 * server.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
 * const { items } = await server.client.list(resources.core.v1.configmaps, { namespace: 'default' });
 * await server.close();
 * ```
 *
 * @throws TypeError for a wrong option, and Error when the port is taken, the file cannot be read, or the package `@marcbachmann/cel-js` is missing.
 *
 * @see startRealApiServer for a real one
 */
export async function startApiServer(options: ApiServerOptions = {}): Promise<TestApiServer> {
  checkOptions('startApiServer', options, serverRules);
  if (options.auth !== undefined) checkOptions('startApiServer', options.auth, authRules);
  // One after the other: Jest loads no two modules at once that share others.
  const { requireCel } = await import('./schema/rules/ruleEngine.js');
  const { createApiServer } = await import('./createApiServer.js');
  // Rules are in too many definitions to find out at the first of them.
  await requireCel();
  const server = await createApiServer(options);
  const credentials = credentialsOf(server, options);
  const kubeconfig = kubeconfigOf(server.url, credentials);
  const file = await writeTemporaryFile('kubeconfig', kubeconfig);
  let client: KubeClient | undefined;
  return {
    url: server.url,
    port: server.port,
    get client() {
      client ??= createClient({ server: server.url, ...credentials });
      return client;
    },
    kubeconfig,
    kubeconfigPath: file.path,
    credentials,
    tokens: server.cluster.access.tokens,
    issueCertificate: (user, validUntil) => {
      if (server.certificates === undefined) throw new TypeError('Expected `tls: true`: certificates need it');
      return server.certificates.issueClient(user, validUntil);
    },
    faults: server.faults,
    objects: server.objects,
    activity: server.activity,
    rbac: (rbacOptions) => server.rbac(rbacOptions),
    snapshot: () => server.snapshot(),
    restore: (snapshot) => server.restore(snapshot),
    reset: () => server.reset(),
    close: async () => {
      client?.close();
      try {
        await file.remove();
      } finally {
        await server.close();
      }
    },
  };
}
