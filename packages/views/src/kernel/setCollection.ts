import { isObservable, Observable, type Subscriber } from 'rxjs';
import { metaNamespaceKey, type ResourceChange } from 'rx-informer';
import { Transitions, Trampoline } from 'rx-informer/internal';
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
  private pending = new Map<string, T | undefined>();
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
      const keys = this.keysOf(objects);
      this.pending.clear();
      for (const key of this.store.listKeys()) this.pending.set(key, undefined);
      this.set(objects, keys);
      this.complete = true;
    });
  }

  subscriptions(): number {
    return this.subscribers.size;
  }

  protected session(): Observable<ResourceChange<T>> {
    return new Observable((subscriber) => {
      this.subscribers.add(subscriber);
      // What an earlier session had may be outdated.
      if (this.contents$ !== undefined) this.complete = false;
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
          error: (error: unknown) => this.turns.run(() => subscriber.error(error)),
          complete: () => this.turns.run(() => subscriber.complete()),
        }),
      );
    });
  }

  private set(objects: readonly T[], keys = this.keysOf(objects)): void {
    for (const [at, object] of objects.entries()) this.pending.set(keys[at] as string, object);
  }

  /** Called before anything is changed: `key` may throw. */
  private keysOf(objects: readonly T[]): readonly string[] {
    return objects.map((object) => this.keyOf(object));
  }

  private change(cause: 'list' | 'watch', action: () => void): void {
    this.turns.run(() => {
      try {
        action();
        if (this.complete && this.subscribers.size > 0) this.emit(cause);
      } catch (error) {
        if (this.contents$ === undefined) throw error;
        for (const subscriber of this.subscribers) subscriber.error(error);
      }
    });
  }

  private emit(cause: 'list' | 'watch'): void {
    const initial = !this.hasSynced();
    const difference = new Transitions<T>({ initial, inferred: cause === 'list' && !initial });
    const { pending } = this;
    this.pending = new Map();
    // Everything that reads objects comes before the first write: it may throw.
    for (const [key, object] of pending) {
      const before = this.store.getByKey(key);
      if (this.isSame(before, object)) pending.delete(key);
      else difference.add(key, before, object);
    }
    for (const [key, object] of pending) {
      if (object === undefined) this.writes.remove(key);
      else this.writes.put(key, object);
    }
    const events = difference.events();
    if (events.length === 0 && cause === 'watch') return;
    if (initial) this.status.synced(true);
    for (const subscriber of this.subscribers) subscriber.next({ cause, events, synced: true });
  }

  private isSame(before: T | undefined, object: T | undefined): boolean {
    return before === object || (before !== undefined && object !== undefined && this.equals(before, object));
  }
}
