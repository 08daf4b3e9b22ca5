import { defer, of } from 'rxjs';
import type { SnapshotStore } from '../../informer/warm/snapshotStore.js';
import { openSnapshot } from './openSnapshot.js';
import { saveSnapshot } from './saveSnapshot.js';

/**
 * Keeps the cache of one informer in a file, for the option `warmStart`.
 *
 * The file is replaced atomically, and only its owner can read it. It has a format version, the identity of the cache (server, resource, selection), the
 * version of the cache, and a checksum of each object: damaged data, or data with another identity, are reported (`ERR_SNAPSHOT`) and replaced by a list.
 * Opening it reads only the keys, so that a program can read single objects at once.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { snapshotFile } from 'rx-informer/manager';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods, { warmStart: { store: snapshotFile('/var/cache/web/pods.snapshot') } });
 * pods.start();
 * pods.health$.subscribe(({ state }) => console.log(state, pods.lister.get('default/web-0')?.status?.phase));
 * ```
 *
 * @param path - the path of the file. Its folder must exist, and must not be writable for others. Each informer needs a file of its own.
 * @throws TypeError when the path is not a non-empty string.
 */
export function snapshotFile(path: string): SnapshotStore {
  if (typeof path !== 'string' || path === '')
    throw new TypeError(`Expected \`path\` to be a non-empty string, got ${JSON.stringify(path)}`);
  return {
    open: (identity) => defer(() => of(openSnapshot(path, identity))),
    save: (snapshot) => saveSnapshot(path, snapshot),
  };
}
