import { isObservable, Observable, type Subscriber } from 'rxjs';
import type { ResourceChange } from '../../api/events.js';
import { metaNamespaceKey } from '../../cache/keys.js';
import { Transitions } from '../../delta/buffers/pendingEvents.js';
import { Trampoline } from '../../rx/trampoline.js';
import { ViewBase, type ViewBaseOptions } from './viewBase.js';

/** The options of a set collection. */
interface SetCollectionOptions<T> extends ViewBaseOptions<T> {
  readonly key?: ((object: T) => string) | undefined;
  /** Whether an object is unchanged. @defaultValue identity */
  readonly equals?: ((before: T, after: T) => boolean) | undefined;
  readonly synced?: boolean | undefined;
}

/**
 * A collection whose content is set by calls, or by an Observable of whole contents. It behaves like an informer.
 */
export class SetCollection<T> extends ViewBase<T> {
  private readonly keyOf: (object: T) => string;
  /** Changes that are not in the store yet: objects by key, undefined for deletions. */
  private readonly pending = new Map<string, T | undefined>();
  private readonly equals: (before: T, after: T) => boolean;
  private readonly contents$: Observable<readonly T[]> | undefined;
  private complete: boolean;
  private readonly subscribers = new Set<Subscriber<ResourceChange<T>>>();

  constructor(source: Iterable<T> | Observable<readonly T[]>, options: SetCollectionOptions<T>) {
    const { key = metaNamespaceKey as unknown as (object: T) => string, equals = Object.is, synced = true, ...others } = options;
    super(others, new Trampoline());
    this.keyOf = key;
    this.equals = equals;
    this.contents$ = isObservable(source) ? source : undefined;
    this.complete = this.contents$ === undefined && synced;
    if (!isObservable(source)) this.set([...source]);
  }

  put(...objects: readonly T[]): void {
    this.change('watch', () => this.set(objects));
  }

  remove(...keys: readonly string[]): void {
    this.change('watch', () => {
      for (const key of keys) this.pending.set(key, undefined);
    });
  }

  replace(objects: readonly T[]): void {
    this.change('list', () => {
      this.pending.clear();
      this.set(objects);
      for (const key of this.store.listKeys()) if (!this.pending.has(key)) this.pending.set(key, undefined);
      this.complete = true;
    });
  }

  subscriptions(): number {
    return this.subscribers.size;
  }

  protected session(): Observable<ResourceChange<T>> {
    return new Observable((subscriber) => {
      this.subscribers.add(subscriber);
      this.status.begin();
      subscriber.add(() => {
        this.subscribers.delete(subscriber);
        this.status.end('idle');
      });
      this.turns.enter(() => {
        if (this.complete) this.emit('list');
      });
      if (this.contents$ === undefined || subscriber.closed) return;
      subscriber.add(
        this.contents$.subscribe({
          next: (objects) => this.replace(objects),
          error: (error: unknown) => subscriber.error(error),
          complete: () => this.turns.run(() => subscriber.complete()),
        }),
      );
    });
  }

  private set(objects: readonly T[]): void {
    for (const object of objects) this.pending.set(this.keyOf(object), object);
  }

  private change(cause: 'list' | 'watch', action: () => void): void {
    this.turns.run(() => {
      try {
        action();
        if (this.complete && this.subscribers.size > 0) this.emit(cause);
      } catch (error) {
        this.pending.clear();
        if (this.contents$ === undefined) throw error;
        for (const subscriber of this.subscribers) subscriber.error(error);
      }
    });
  }

  private emit(cause: 'list' | 'watch'): void {
    const initial = !this.hasSynced();
    const difference = new Transitions<T>({ initial, inferred: cause === 'list' && !initial });
    // Compared before the first write: the comparison may throw.
    for (const [key, object] of this.pending) if (this.isSame(this.store.getByKey(key), object)) this.pending.delete(key);
    for (const [key, object] of this.pending) {
      const before = this.store.getByKey(key);
      if (object === undefined) this.writes.delete(key);
      else this.writes.update(key, object);
      difference.add(key, before, object);
    }
    this.pending.clear();
    const events = difference.events();
    if (events.length === 0 && cause === 'watch') return;
    if (initial) this.status.synced(true);
    for (const subscriber of this.subscribers) subscriber.next({ cause, events, synced: true });
  }

  private isSame(before: T | undefined, object: T | undefined): boolean {
    return before === object || (before !== undefined && object !== undefined && this.equals(before, object));
  }
}
