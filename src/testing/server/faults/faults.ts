import type { Cluster } from '../cluster.js';

/**
 * What can be made to go wrong on a server.
 */
export interface ApiServerFaults {
  /** Makes exact lists and continue tokens from before a resourceVersion (the newest, when absent) fail with 410, as a compaction of etcd does. */
  compact(resourceVersion?: string): void;
  /** Makes watches from before a resourceVersion (the newest, when absent) fail with 410, as a restart of the API server does. Open watches go on. */
  expireWatches(resourceVersion?: string): void;
  /** Ends all open watches in good order. */
  endWatches(): void;
}

function versionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new TypeError(`Expected \`resourceVersion\` to be a decimal number, got ${JSON.stringify(text)}`);
  return Number(text);
}

/** The faults of a server. */
export function createFaults({ store, watches }: Cluster): ApiServerFaults {
  return {
    compact: (resourceVersion) => store.compact(versionOf(resourceVersion)),
    expireWatches: (resourceVersion) => store.expireWatches(versionOf(resourceVersion)),
    endWatches: () => watches.endAll(),
  };
}
