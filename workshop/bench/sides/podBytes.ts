import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';
import { createClient, createInformer, resources, type SharedInformer } from 'rx-informer';

/** Marks the cached objects for a reader of the heap snapshot. */
class CachedObjects {
  readonly objects: readonly object[];

  constructor(objects: readonly object[]) {
    this.objects = objects;
  }
}

async function synced(url: string): Promise<SharedInformer<object>> {
  const informer = createInformer(createClient({ server: url }), resources.core.v1.pods, { onError: () => 'retry' });
  await informer.whenSynced();
  return informer;
}

function memory(): NodeJS.MemoryUsage {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage();
}

/**
 * Fills a cache, and writes a heap snapshot before and after, `before` and `after` in `folder`.
 */
export async function run({
  url,
  warmUpUrl,
  folder,
}: {
  readonly url: string;
  readonly warmUpUrl: string;
  readonly folder: string;
}): Promise<object> {
  // A first run compiles the code and allocates what all runs share, so that the second run measures the objects alone.
  await (await synced(warmUpUrl)).stop();
  const before = memory();
  writeHeapSnapshot(join(folder, 'before'));
  const informer = await synced(url);
  const after = memory();
  const cached = new CachedObjects(informer.indexer.list());
  writeHeapSnapshot(join(folder, 'after'));
  return {
    count: cached.objects.length,
    heapUsed: after.heapUsed - before.heapUsed,
    external: after.external - before.external,
    arrayBuffers: after.arrayBuffers - before.arrayBuffers,
  };
}
