import { Observable, type OperatorFunction } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/**
 * Keeps a map of the objects and says when it is complete: after the first `synced`, then after each change, a relist counting as one.
 *
 * The events of a relist are `inferred` and followed by `synced`; until that comes, the map is half new and half old, and nobody may see it.
 */
export function foldEvents<T, R>(emit: (objects: ReadonlyMap<string, T>) => R): OperatorFunction<ResourceEvent<T>, R> {
  return (source) =>
    new Observable((subscriber) => {
      const objects = new Map<string, T>();
      let synced = false;
      subscriber.add(
        source.subscribe({
          next: (event) => {
            if (event.type === 'synced') synced = true;
            else if (event.type === 'deleted') objects.delete(event.key);
            else objects.set(event.key, event.object);
            if (synced && (event.type === 'synced' || !event.inferred)) subscriber.next(emit(objects));
          },
          error: (error: unknown) => {
            subscriber.error(error);
          },
          complete: () => {
            subscriber.complete();
          },
        }),
      );
    });
}
