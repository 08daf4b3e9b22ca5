import { startRealApiServer } from '../../src/real/startRealApiServer.js';
import { againstCluster, openTarget, type Target } from './target.js';
import { targetOf } from './targetOf.js';

/** A server for a single case, whose history can be compacted, and whose caches can be dropped. */
export interface Compactable {
  readonly target: Target;
  /** Makes earlier versions and continue tokens too old for lists. */
  readonly compact: () => Promise<void>;
  /** Makes earlier versions too old for watches. */
  readonly forgetEvents: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens one; next to a cluster it is a real one of this machine. */
export async function openCompactable(): Promise<Compactable> {
  if (againstCluster) {
    const server = await startRealApiServer();
    const target = targetOf(server);
    return {
      target,
      // The cache has the old versions until it is dropped.
      compact: async () => {
        await server.compact();
        await server.restart('SIGKILL');
      },
      forgetEvents: () => server.restart('SIGKILL'),
      close: () => server.close(),
    };
  }
  const target = await openTarget();
  return {
    target,
    compact: () => {
      target.server.faults.compact();
      return Promise.resolve();
    },
    forgetEvents: () => {
      target.server.faults.expireWatches();
      return Promise.resolve();
    },
    close: () => target.close(),
  };
}
