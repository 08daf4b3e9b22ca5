import type { Cluster } from '../cluster.js';
import type { ServerHooks } from '../hooks.js';
import { strikeBody } from './bodyFaults.js';
import { checkFault } from './checkFault.js';
import type { Fault } from './fault.js';
import type { FaultSet, InjectedFault } from './faultSet.js';
import { strikeRequest } from './requestFaults.js';
import { faultySink } from './watchFaults.js';

/**
 * The faults of a server.
 */
export interface ApiServerFaults {
  /**
   * Injects a fault into requests, answers or events from now on, including open watches. Closing the server fails if the fault has never
   * struck, unless it is `optional`.
   *
   * @throws TypeError for an invalid fault, or one that no request can match.
   */
  inject(fault: Fault): InjectedFault;
  /** The current faults. */
  readonly injected: readonly InjectedFault[];
  /** Removes all faults, including those that never struck. */
  clear(): void;
  /** Makes everything from before a resourceVersion (the newest, when absent) fail with 410: watches, exact lists and continue tokens. */
  expire(resourceVersion?: string): void;
  /** Makes exact lists and continue tokens from before a resourceVersion (the newest, when absent) fail with 410, as a compaction of etcd does. */
  compact(resourceVersion?: string): void;
  /**
   * Makes watches from before a resourceVersion (the newest, when absent) fail with 410, as a restart of the API server does. Open watches
   * continue.
   */
  expireWatches(resourceVersion?: string): void;
  /**
   * Starts anew with an empty watch cache, and nothing compacted: cuts every connection and makes watches from before the newest resourceVersion fail with 410,
   * whereas exact lists and continue tokens from before are answered.
   */
  restart(): void;
  /** Ends all open watches normally. */
  endWatches(): void;
  /** Cuts every connection. */
  cutConnections(): void;
  /**
   * Stops serving a kind, as if its API had been removed: its paths answer 404, and its watches end. The returned function serves it again.
   */
  removeKind(kind: { readonly group: string; readonly plural: string }): () => void;
}

function versionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new TypeError(`Expected \`resourceVersion\` to be a decimal number, got ${JSON.stringify(text)}`);
  return Number(text);
}

/** The hooks that apply injected faults. */
export function faultHooks(faults: FaultSet, { clock }: Pick<Cluster, 'clock'>): ServerHooks {
  return {
    beforeRequest: (request) => !faults.isEmpty && strikeRequest(faults, clock, request),
    wrapBody: (request) => (faults.isEmpty ? undefined : strikeBody(faults, clock, request)),
    staleState: (request) => faults.strike(request, 'stale')?.snapshot,
    compressesWatch: (request) => faults.strike(request, 'compress') !== undefined,
    wrapWatch: (request, sink) => faultySink(faults, clock, request, sink),
  };
}

/** The faults of a server. */
export function createFaults({ store, watches, kinds }: Cluster, faults: FaultSet, cutConnections: () => void): ApiServerFaults {
  return {
    inject: (fault) => {
      checkFault(fault, kinds.all());
      return faults.inject(fault);
    },
    get injected() {
      return faults.all;
    },
    clear: () => faults.clear(),
    expire: (resourceVersion) => {
      store.compact(versionOf(resourceVersion));
      store.expireWatches(versionOf(resourceVersion));
    },
    compact: (resourceVersion) => store.compact(versionOf(resourceVersion)),
    expireWatches: (resourceVersion) => store.expireWatches(versionOf(resourceVersion)),
    restart: () => {
      store.expireWatches();
      cutConnections();
    },
    endWatches: () => watches.endAll(),
    cutConnections,
    removeKind: ({ group, plural }) => {
      const resource = kinds.all().find((served) => served.group === group && served.plural === plural);
      if (resource === undefined) throw new TypeError(`Expected a kind that is served, got ${JSON.stringify({ group, plural })}`);
      const restore = kinds.hide(group, plural);
      watches.endAll(store.bucket(resource.bucketId));
      return restore;
    },
  };
}

/** An error that names the required faults that were never injected; undefined when there are none. */
export function missedFaults(faults: FaultSet): Error | undefined {
  const { missed } = faults;
  if (missed.length === 0) return undefined;
  const shown = missed.map((fault) => JSON.stringify(fault, (_, value: unknown) => (value instanceof RegExp ? String(value) : value)));
  const which = missed.length === 1 ? 'A fault' : `${String(missed.length)} faults`;
  return new Error(
    `${which} never struck, so that nothing was tested by it: ${shown.join(', ')}. Mark it \`optional: true\` where that may happen.`,
  );
}
