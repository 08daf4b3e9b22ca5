import type { QueuedItem } from './deltaQueue.js';
import type { KnownObjects } from './knownObjects.js';

/** What has been handed to a process that does not say what it knows. */
interface TakenObjects<T> extends KnownObjects<T> {
  note(item: QueuedItem<T>): void;
}

export function createTakenObjects<T>(): TakenObjects<T> {
  const objects = new Map<string, T>();
  return {
    listKeys: () => [...objects.keys()],
    getByKey: (key) => objects.get(key),
    note: ({ key, deltas }) => {
      const newest = deltas.at(-1);
      if (newest === undefined || newest.type === 'Deleted') objects.delete(key);
      else objects.set(key, newest.object);
    },
  };
}
