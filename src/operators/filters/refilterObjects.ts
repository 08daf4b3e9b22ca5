import { defer, map, merge, mergeMap, type MonoTypeOperatorFunction, type Observable, Subject, takeUntil, tap } from 'rxjs';
import type { ResourceEvent, SyncedEvent } from '../../api/events/resourceEvent.js';
import { createCrossingFilter } from '../../delta/share/crossingFilter.js';
import { trampoline } from '../../delta/index/trampoline.js';

/** The objects of the source, and what of them the newest predicate lets its subscriber know. */
class Refilter<T> {
  private readonly objects = new Map<string, T>();
  private passes: ((object: T) => boolean) | undefined;
  private synced: SyncedEvent | undefined;
  private readonly cross = createCrossingFilter<T>((object) => this.passes?.(object) ?? false);

  /** What an event of the source means. */
  event(event: ResourceEvent<T>): ResourceEvent<T>[] {
    if (event.type === 'synced') this.synced = event;
    else if (event.type === 'deleted') this.objects.delete(event.key);
    else this.objects.set(event.key, event.object);
    const crossed = this.passes === undefined ? undefined : this.cross(event);
    return crossed === undefined ? [] : [crossed];
  }

  /** What another predicate means: each object is looked at again. */
  predicate(passes: (object: T) => boolean): ResourceEvent<T>[] {
    const isFirst = this.passes === undefined;
    this.passes = passes;
    const deleted: ResourceEvent<T>[] = [];
    const added: ResourceEvent<T>[] = [];
    for (const [key, object] of this.objects) {
      const crossed = this.cross({ type: 'updated', key, object, oldObject: object, resync: false, inferred: true });
      if (crossed?.type === 'deleted') deleted.push(crossed);
      if (crossed?.type === 'added') added.push(isFirst ? { ...crossed, initial: true, inferred: false } : crossed);
    }
    return [...deleted, ...added, ...(this.synced === undefined ? [] : [this.synced])];
  }
}

/**
 * Filters objects by the newest of several predicates; `filterObjects` is its front.
 */
export function refilterObjects<T>(predicates: Observable<(object: T) => boolean>): MonoTypeOperatorFunction<ResourceEvent<T>> {
  return (source) =>
    defer(() => {
      const state = new Refilter<T>();
      const end = new Subject<void>();
      const changes = predicates.pipe(
        map((passes) => () => state.predicate(passes)),
        takeUntil(end),
      );
      const events = source.pipe(
        tap({ complete: () => end.next() }),
        map((event) => () => state.event(event)),
      );
      // A subscriber may change the predicate while it is being told what the last one changed.
      return merge(changes, events).pipe(
        trampoline(),
        mergeMap((step) => step()),
      );
    });
}
