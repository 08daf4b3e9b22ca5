import { metaNamespaceKey, type SharedInformer, type V1Pod } from 'rx-informer';
import { createRateLimitingQueue, type RateLimitingQueue } from 'rx-informer/workqueue';

const maxRetries = 5;

/** Processes one pod, which may be missing. May fail. */
type Sync = (key: string, pod: V1Pod | undefined) => Promise<void>;

async function work(
  queue: RateLimitingQueue<string>,
  informer: SharedInformer<V1Pod>,
  sync: Sync,
  giveUp: (key: string, error: unknown) => void,
) {
  for (let taken = await queue.get(); !taken.shutdown; taken = await queue.get()) {
    const key = taken.item;
    try {
      // Reads the newest state here, since the event that queued the key may be out of date.
      await sync(key, informer.indexer.getByKey(key));
      queue.forget(key);
    } catch (error) {
      if (queue.numRequeues(key) < maxRetries) {
        queue.addRateLimited(key);
      } else {
        queue.forget(key);
        giveUp(key, error);
      }
    } finally {
      queue.done(key);
    }
  }
}

/**
 * Calls `sync` for every added, changed or deleted pod: at most one call per pod at a time; failed calls are repeated up to five times.
 *
 * The returned function ends it: the workers finish the queue, then the informer is stopped.
 */
export async function runPodPrinter(
  informer: SharedInformer<V1Pod>,
  { sync, giveUp, workers }: { readonly sync: Sync; readonly giveUp: (key: string, error: unknown) => void; readonly workers: number },
): Promise<() => Promise<void>> {
  const queue = createRateLimitingQueue<string>();
  const enqueue = (pod: V1Pod): void => queue.add(metaNamespaceKey(pod));
  informer.addEventHandler({ onAdd: enqueue, onUpdate: (_, pod) => enqueue(pod), onDelete: enqueue });

  // The workers start when the cache is complete: before that, a pod that is missing in the cache may exist.
  await informer.whenSynced();
  const running = Promise.all(Array.from({ length: workers }, () => work(queue, informer, sync, giveUp)));
  return async () => {
    queue.shutDown();
    await running;
    await informer.stop();
  };
}
