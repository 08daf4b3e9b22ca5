import { ActivityLog } from './activityLog.js';
import { completeOptions, type ApiServerOptions, type CompleteOptions } from './apiServerOptions.js';
import { systemClock } from './clock.js';
import type { Cluster } from './cluster.js';
import { serveCustomResources } from './controllers/customResources.js';
import { GarbageCollector } from './controllers/garbageCollector.js';
import { finishGracefulDeletions } from './controllers/gracefulDeletion.js';
import { drainNamespaces } from './controllers/namespaceLifecycle.js';
import { listen } from './http/httpServer.js';
import { createRequestHandler } from './http/requestHandler.js';
import { KindRegistry } from './kinds/registry.js';
import { ObjectAccess } from './objectAccess.js';
import { profiles } from './profile.js';
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
  /** The requests and writes so far. */
  readonly activity: ActivityLog;
  /** The parts of the server, for faults and tests of the server itself. */
  readonly cluster: Cluster;
  /** The state of now. Takes no time, and can be restored as often as wanted. */
  snapshot(): StoreSnapshot;
  /** Goes back to a state, its resourceVersion included, as after restoring a backup of etcd: watches end, histories are lost. */
  restore(snapshot: StoreSnapshot): void;
  /** Goes back to the state of the start, under new resourceVersions: watches end, and what clients know is expired. */
  reset(): void;
  /** Ends all watches, cuts all connections and stops listening. */
  close(): Promise<void>;
}

const firstNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function makeFirstNamespaces(cluster: Cluster): void {
  const resource = cluster.kinds.find('v1', 'namespaces');
  if (resource === undefined) return;
  for (const name of firstNamespaces) createObject(cluster, resource, '', { metadata: { name } }, { dryRun: false });
}

function createCluster(options: ApiServerOptions, complete: CompleteOptions, stored: StoreSnapshot | undefined): Cluster {
  const store = new Store({ historyLimit: complete.historyLimit });
  if (stored !== undefined) store.replace(stored);
  // A restart with the same seed must not draw the same uids again.
  const seed = options.seed === undefined ? undefined : `${String(options.seed)}/${String(store.resourceVersion)}`;
  const { clock = systemClock, hooks = {} } = options;
  return {
    store,
    kinds: new KindRegistry(),
    watches: new WatchHub(store),
    clock,
    random: createRandomSource(seed),
    features: profiles[complete.profile],
    hooks,
    bookmarkIntervalMs: complete.bookmarkIntervalMs,
    managedFields: complete.managedFields,
  };
}

function startControllers(cluster: Cluster, { garbageCollection, gracefulDeletionMs }: CompleteOptions): void {
  serveCustomResources(cluster);
  drainNamespaces(cluster);
  finishGracefulDeletions(cluster, gracefulDeletionMs);
  if (garbageCollection) new GarbageCollector(cluster);
}

/**
 * Starts an API server on the loopback interface.
 *
 * @throws TypeError for a wrong option, and Error when the port is taken or the file cannot be read.
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const complete = completeOptions(options);
  const stored = options.file === undefined ? undefined : readSnapshot(options.file);
  const cluster = createCluster(options, complete, stored);
  const { store, watches } = cluster;
  const activity = new ActivityLog();
  activity.recordWrites(cluster);
  const file = options.file === undefined ? undefined : new FileJournal(options.file);
  const listening = await listen(complete.port, createRequestHandler(cluster, (exchange) => activity.recordRequest(exchange)));
  if (file !== undefined) {
    file.replace(store.snapshot());
    store.recordIn(file);
  }
  startControllers(cluster, complete);
  if (stored === undefined) makeFirstNamespaces(cluster);
  const start = store.snapshot();
  return {
    url: `http://127.0.0.1:${String(listening.port)}`,
    port: listening.port,
    objects: new ObjectAccess(cluster),
    activity,
    cluster,
    snapshot: () => store.snapshot(),
    restore: (snapshot) => store.replace(snapshot),
    reset: () => store.replace(start, store.resourceVersion + 1),
    close: async () => {
      watches.endAll();
      await listening.close();
      file?.close();
    },
  };
}
