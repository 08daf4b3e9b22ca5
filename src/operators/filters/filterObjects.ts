import { isObservable, type MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { ResourceChange, ObjectEvent } from '../../api/events/resourceChange.js';
import { rules } from '../../api/options/rules.js';
import { createCrossingFilter } from '../../delta/share/crossingFilter.js';
import { expectArgument } from '../../api/options/optionRule.js';
import { type EventMapper, mapEvents, mapChange } from '../changes/mapEvents.js';
import type { SyncedEvent } from '../../api/events/resourceEvent.js';
import { follow } from '../../rx/follow.js';
import { Trampoline } from '../../rx/trampoline.js';
import { type ChangeOrEvent, changeWith, eventsOf, isChange, type ObjectOf } from '../changes/changeOrEvent.js';

type Passes = (object: unknown) => boolean;
type Value = ChangeOrEvent<unknown>;

/** The objects of the source, and what of them the newest predicate shows. */
class Refilter {
  private readonly objects = new Map<string, unknown>();
  private passes: Passes | undefined;
  private synced: SyncedEvent | undefined;
  /** Whether the last change of the source left it complete; undefined while it has emitted no change. */
  private isWhole: boolean | undefined;
  private readonly cross = createCrossingFilter<unknown>((object) => this.passes?.(object) ?? false);

  /** What a value of the source means. */
  take(value: Value): readonly (Value | undefined)[] {
    for (const event of eventsOf(value)) {
      if (event.type === 'deleted') this.objects.delete(event.key);
      else this.objects.set(event.key, event.object);
    }
    if (isChange(value)) this.isWhole = value.synced;
    else if (value.type === 'synced') this.synced = value;
    if (this.passes === undefined) return [];
    return [isChange(value) ? mapChange(value, this.cross as EventMapper<unknown>) : this.cross(value)];
  }

  /** What another predicate means: each object is looked at again. */
  change(passes: Passes): readonly (Value | undefined)[] {
    expectArgument('filterObjects', 'predicate', passes, rules.function);
    const isFirst = this.passes === undefined;
    this.passes = passes;
    const deleted: ObjectEvent<unknown>[] = [];
    const added: ObjectEvent<unknown>[] = [];
    for (const [key, object] of this.objects) {
      const crossed = this.cross({ type: 'updated', key, object, oldObject: object, resync: false, inferred: true });
      if (crossed?.type === 'deleted') deleted.push(crossed);
      if (crossed?.type === 'added') added.push(isFirst ? { ...crossed, initial: true, inferred: false } : crossed);
    }
    const events = [...deleted, ...added];
    if (this.isWhole === undefined) return [...events, this.synced];
    return [changeWith({ cause: isFirst ? 'snapshot' : 'view', events, synced: this.isWhole }, events)];
  }
}

/** Filters by the newest of several predicates. Another one is a turn of its own, also when a subscriber emits it within a change. */
function refilterObjects<V extends Value>(predicates: Observable<Passes>): MonoTypeOperatorFunction<V> {
  return (source) =>
    new Observable((subscriber) => {
      const state = new Refilter();
      const turns = new Trampoline();
      const emit = (step: () => readonly (Value | undefined)[]): void => {
        turns.run(() => {
          if (subscriber.closed) return;
          try {
            for (const value of step()) if (value !== undefined) subscriber.next(value as V);
          } catch (error) {
            subscriber.error(error);
          }
        });
      };
      const error = (failure: unknown): void => turns.run(() => subscriber.error(failure));
      follow(predicates, subscriber, { next: (passes) => emit(() => state.change(passes)), error, complete: () => undefined });
      follow(source, subscriber, {
        next: (value) => emit(() => state.take(value)),
        error,
        complete: () => turns.run(() => subscriber.complete()),
      });
    });
}

/** A predicate of an object alone. */
export type ObjectPredicate<T> = (object: T) => boolean;

/**
 * Shows only the objects that pass, as if there were no others: an object that begins to pass is `added`, one that ceases to pass is `deleted`.
 *
 * ```text
 * source                        {+a(on) +b(off)}  {~b(on)}  {~a(off)}  {-a}  {-b}
 * filterObjects(o => o.on)      {+a}              {+b}      {-a}             {-b}
 * ```
 *
 * - It takes changes or events, and emits the same. A change of which nothing is left is dropped, unless it is a snapshot or a list.
 * - A `deleted` that follows from an update carries the last object that passed.
 * - Given an Observable of predicates, nothing is emitted before the first one, which brings a snapshot. Each later one is a change of its own, with
 *   the cause `'view'`; of events, it emits the differences with `inferred: true`, then `synced`. Completion of the predicates changes nothing.
 * - The result fails with what a predicate throws, and with an error of the predicates.
 *
 * @throws TypeError when `predicate` is neither a function nor an Observable.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, filterObjects, resources, toObjects } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const pending = pods.change$.pipe(filterObjects((pod) => pod.status?.phase === 'Pending'), toObjects());
 * pending.subscribe((list) => console.log(list.length, 'pods are pending'));
 * ```
 *
 * @see client-go: `FilteringResourceEventHandler`
 */
export function filterObjects<T = unknown, V extends ChangeOrEvent<T> = ResourceChange<T>>(
  predicate: ObjectPredicate<T & ObjectOf<V>> | Observable<ObjectPredicate<T & ObjectOf<V>>>,
): MonoTypeOperatorFunction<V> {
  if (isObservable(predicate)) return refilterObjects(predicate as Observable<ObjectPredicate<unknown>>);
  expectArgument('filterObjects', 'predicate', predicate, rules.either(rules.function, rules.observable));
  return mapEvents(() => createCrossingFilter(predicate as ObjectPredicate<unknown>) as EventMapper<unknown>);
}
