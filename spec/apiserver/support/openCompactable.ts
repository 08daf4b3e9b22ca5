import { startRealApiServer } from '../../../src/testing/real/startRealApiServer.js';
import { againstCluster, openTarget, type Target } from './target.js';
import { targetOf } from './targetOf.js';

/** A server for a single case, whose history can be compacted, and whose caches can be dropped. */
export interface Compactable {
  readonly target: Target;
  /** Exact lists and continue tokens of before are too old afterwards. */
  readonly compact: () => Promise<void>;
  /** Watches of before are too old afterwards. */
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
      // Its cache answers from before until it is gone.
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
