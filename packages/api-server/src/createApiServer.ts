import { ActivityLog } from './activityLog.js';
import { completeOptions, isLoopback, type ApiServerOptions, type CompleteOptions } from './apiServerOptions.js';
import { AccessControl } from './auth/accessControl.js';
import { TokenIssuer } from './auth/tokenIssuer.js';
import { CertificateAuthority } from './auth/certificateAuthority.js';
import { systemClock, timestamp } from './clock.js';
import type { Cluster } from './cluster.js';
import { createControlHandler, type ControlHandler } from './control/controlHandler.js';
import { serveCustomResources } from './controllers/customResources.js';
import { GarbageCollector } from './controllers/garbageCollector.js';
import { expireEvents, finishGracefulDeletions } from './controllers/gracefulDeletion.js';
import { drainNamespaces } from './controllers/namespaceLifecycle.js';
import { endProtection } from './controllers/protection.js';
import { aggregateRoles } from './controllers/roleAggregation.js';
import { createFaults, faultHooks, missedFaults, type ApiServerFaults } from './faults/faults.js';
import { FaultSet } from './faults/faultSet.js';
import { composeHooks } from './hooks.js';
import type { Exchange } from './http/exchange.js';
import { listen } from './http/httpServer.js';
import { createRequestHandler } from './http/requestHandler.js';
import { bootstrapObjects } from './kinds/bootstrapObjects.js';
import type { StoredContent } from './store/storedObject.js';
import { KindRegistry } from './kinds/registry.js';
import { WrittenLogs } from './logs/writtenLogs.js';
import { ObjectAccess } from './objectAccess.js';
import { profiles } from './profile.js';
import { type RbacOptions, type UsedRights, usedRightsOf } from './rbac/usedRights.js';
import { createRandomSource } from './randomSource.js';
import { FileJournal, readSnapshot } from './store/fileJournal.js';
import { Store, type StoreSnapshot } from './store/store.js';
import { WatchHub } from './watch/watchHub.js';
import { createObject } from './write/createObject.js';

/**
 * A running API server, seen from the process that it runs in.
 */
export interface ApiServer {
  /** For example `http://127.0.0.1:37017`. */
  readonly url: string;
  readonly port: number;
  /** Reads and writes without HTTP. */
  readonly objects: ObjectAccess;
  /** The requests and writes so far, including the creation of the four initial namespaces. */
  readonly activity: ActivityLog;
  /** Failures to simulate. */
  readonly faults: ApiServerFaults;
  /** Issues certificates for clients; undefined without TLS. */
  readonly certificates: CertificateAuthority | undefined;
  /** The rights that clients have used, as the smallest roles. */
  rbac(options?: RbacOptions): UsedRights;
  /** The parts of the server, for tests of the server itself. */
  readonly cluster: Cluster;
  /** The current state. Takes constant time, and can be restored any number of times. */
  snapshot(): StoreSnapshot;
  /** Restores a state, including its resourceVersion, like a backup of etcd: watches end, histories are lost. */
  restore(snapshot: StoreSnapshot): void;
  /** Restores the initial state, under new resourceVersions: watches end, and the versions known to clients are expired. */
  reset(): void;
  /**
   * Ends all watches, cuts all connections and stops listening.
   *
   * @throws Error, after everything is closed, that names the faults that never struck and are not `optional`.
   */
  close(): Promise<void>;
}

const firstNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const https = { name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 };

/** The Service `kubernetes`, by which pods reach the server. */
const ownService = {
  metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: { type: 'ClusterIP', sessionAffinity: 'None', clusterIP: '10.0.0.1', ports: [https] },
};

/** Creates the initial objects of a cluster. */
function makeFirstObjects(cluster: Cluster): void {
  const [namespaces, services] = ['namespaces', 'services'].map((plural) => cluster.kinds.find('v1', plural));
  if (namespaces === undefined || services === undefined) return;
  const options = { dryRun: false, untyped: true };
  for (const name of firstNamespaces) createObject(cluster, namespaces, '', { metadata: { name } }, options);
  createObject(cluster, services, 'default', ownService, options);
}

/** The host in URLs for programs on this machine, by the address that the server listens on. */
function urlHostOf(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::') return '127.0.0.1';
  return bind.includes(':') ? `[${bind}]` : bind;
}

/** A server before it listens. */
interface Assembled {
  readonly cluster: Cluster;
  readonly faults: FaultSet;
}

function createCluster(options: ApiServerOptions, complete: CompleteOptions, stored: StoreSnapshot | undefined): Assembled {
  const { clock = systemClock, hooks } = options;
  const begun = timestamp(clock.now());
  const seed = (id: string): readonly StoredContent[] => bootstrapObjects(id, begun);
  const store = new Store({ historyLimit: complete.historyLimit, seed, now: () => clock.now() });
  const first = options.versionsFromClock === true ? { resourceVersion: Math.floor(clock.now()), roots: new Map() } : undefined;
  const initial = stored ?? first;
  if (initial !== undefined) store.replace(initial);
  // After a restart with the same seed, other uids must be drawn.
  const drawn = options.seed === undefined ? undefined : `${String(options.seed)}/${String(store.resourceVersion)}`;
  const random = createRandomSource(drawn);
  const faults = new FaultSet({ clock, random });
  const ownHooks = faultHooks(faults, { clock });
  const cluster = {
    store,
    kinds: new KindRegistry(options.runtimeConfig),
    watches: new WatchHub(store),
    clock,
    random,
    features: profiles[complete.profile],
    hooks: hooks === undefined ? ownHooks : composeHooks(hooks, ownHooks),
    access: new AccessControl(options.auth, store),
    logs: new WrittenLogs(),
    tokenIssuer: new TokenIssuer(),
    serviceAddress: options.serviceAddress,
    bookmarkIntervalMs: complete.bookmarkIntervalMs,
    managedFields: complete.managedFields,
    schema: complete.schema === 'full',
    shardedListAndWatch: options.shardedListAndWatch ?? false,
  };
  return { cluster, faults };
}

function startControllers(cluster: Cluster, { garbageCollection, gracefulDeletionMs }: CompleteOptions): void {
  serveCustomResources(cluster);
  drainNamespaces(cluster);
  endProtection(cluster);
  aggregateRoles(cluster);
  expireEvents(cluster);
  finishGracefulDeletions(cluster, gracefulDeletionMs);
  if (garbageCollection) new GarbageCollector(cluster);
}

/**
 * Starts an API server, on the loopback interface by default.
 *
 * @throws TypeError for a wrong option, and Error when the port is taken or the file cannot be read.
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const complete = completeOptions(options);
  // The file is locked before it is read, so that no other server changes it in between.
  const file: FileJournal | undefined = options.file === undefined ? undefined : new FileJournal(options.file);
  try {
    return await openApiServer(options, complete, file);
  } catch (error) {
    file?.close();
    throw error;
  }
}

async function openApiServer(options: ApiServerOptions, complete: CompleteOptions, file: FileJournal | undefined): Promise<ApiServer> {
  const stored = options.file === undefined ? undefined : readSnapshot(options.file);
  const { cluster, faults } = createCluster(options, complete, stored);
  const { store, watches } = cluster;
  const activity = new ActivityLog(cluster.access.used);
  activity.recordWrites(cluster);
  const parts = { onEnd: (exchange: Exchange) => activity.recordRequest(exchange), control: () => control };
  let control: ControlHandler | undefined;
  const certificates = options.tls === true ? new CertificateAuthority(Date.now()) : undefined;
  const { port, bind, allowedOrigins: origins } = complete;
  const tls = certificates && { ...certificates.issueServer(bind), ca: certificates.cert };
  const reach = { everywhere: !isLoopback(bind), origins, ownPages: options.cors ?? false };
  const listening = await listen({ port, bind, tls, ...reach }, createRequestHandler(cluster, parts));
  try {
    file?.begin(() => store.snapshot());
  } catch (error) {
    await listening.close();
    throw error;
  }
  if (file !== undefined) store.recordIn(file);
  startControllers(cluster, complete);
  if (stored === undefined) makeFirstObjects(cluster);
  const start = store.snapshot();
  const server: ApiServer = {
    url: `${tls === undefined ? 'http' : 'https'}://${urlHostOf(bind)}:${String(listening.port)}`,
    port: listening.port,
    objects: new ObjectAccess(cluster),
    activity,
    faults: createFaults(cluster, faults, listening.cutConnections),
    cluster,
    certificates,
    rbac: (rbacOptions) => usedRightsOf(cluster.access.used.list(), rbacOptions),
    snapshot: () => store.snapshot(),
    restore: (snapshot) => store.replace(snapshot),
    reset: () => store.replace(start, store.resourceVersion + 1),
    close: async () => {
      watches.endAll();
      await listening.close();
      file?.close();
      const missed = missedFaults(faults);
      if (missed !== undefined) {
        faults.clear(); // Each missed fault is reported once.
        throw missed;
      }
    },
  };
  if (options.control === true) control = createControlHandler(server);
  return server;
}
