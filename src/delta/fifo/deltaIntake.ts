import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { ListBoundary } from './deltaProcessor.js';
import type { DeltaQueue } from './deltaQueue.js';
import { failed } from '../index/objectIntake.js';
import { createScopes, type HalfList, type Scope, type Scopes } from '../index/scopes.js';

type ChangeEvent<T> = Extract<SourceEvent<T>, { readonly type: 'added' | 'modified' | 'deleted' }>;

/**
 * What an intake has to know of its surroundings.
 */
export interface DeltaIntakeOptions<T> {
  readonly queue: DeltaQueue<T>;
  /** The key of an object; undefined, after a report, for one that has none. */
  readonly keyOf: (object: T) => string | undefined;
  /** The names of the scopes to wait for; by default those that have appeared. */
  readonly scopes: Iterable<string> | undefined;
}

/**
 * Turns source events into deltas. A list is queued in one step when it is complete: until then it is collected beside the queue.
 */
export class DeltaIntake<T> {
  /** The newest version that was told, and all of whose changes have been queued. */
  resourceVersion = '';
  private readonly queue: DeltaQueue<T>;
  private readonly keyOf: (object: T) => string | undefined;
  private readonly scopes: Scopes<T>;
  /** The keys that were known at first, and of which nothing has been heard yet. */
  private readonly inherited: Set<string>;

  constructor({ queue, keyOf, scopes }: DeltaIntakeOptions<T>) {
    this.queue = queue;
    this.keyOf = keyOf;
    this.inherited = new Set(queue.presentKeys());
    this.scopes = createScopes<T>({ declared: scopes, cachedKeys: () => queue.presentKeys(), inherited: this.inherited });
  }

  /** Queues what the event says; returns the end of the list that has become complete with it. */
  accept(event: SourceEvent<T>): ListBoundary | undefined {
    if (event.type === 'status') return undefined;
    const scope = this.scopes.of(event.scope ?? '');
    switch (event.type) {
      case 'init':
        this.scopes.begin(scope, event.previousResourceVersion);
        return undefined;
      case 'page': {
        const half = scope.half ?? this.scopes.begin(scope, '');
        for (const object of event.items) this.collect(half, object);
        return undefined;
      }
      case 'ready':
        return scope.half === undefined ? undefined : this.publish(scope, scope.half, event.resourceVersion);
      case 'bookmark':
        if (scope.ready && scope.half === undefined) this.reach(scope, event.resourceVersion);
        return undefined;
      default:
        this.change(scope, event);
        return undefined;
    }
  }

  private collect(half: HalfList<T>, object: T): void {
    const key = this.keyOf(object);
    if (key !== undefined) half.values.set(key, object);
  }

  private change(scope: Scope<T>, event: ChangeEvent<T>): void {
    const half = scope.half ?? (scope.ready ? undefined : this.scopes.begin(scope, ''));
    if (half === undefined) {
      this.reach(scope, event.resourceVersion);
      const key = this.keyOf(event.object);
      if (key !== undefined) this.enqueue(scope, key, event);
    } else if (event.type === 'deleted') {
      const key = this.keyOf(event.object);
      if (key !== undefined) half.values.delete(key);
    } else {
      this.collect(half, event.object);
    }
  }

  private enqueue(scope: Scope<T>, key: string, { type, object }: ChangeEvent<T>): void {
    this.inherited.delete(key);
    if (type !== 'deleted') {
      scope.owned?.add(key);
      this.queue.push({ type: type === 'added' ? 'Added' : 'Updated', key, object });
      return;
    }
    const isHeldElsewhere = this.scopes.isHeldElsewhere(scope, key);
    scope.owned?.delete(key);
    if (!isHeldElsewhere) this.queue.pushDeletion({ type: 'Deleted', key, object, finalStateUnknown: false });
  }

  private publish(scope: Scope<T>, half: HalfList<T>, resourceVersion: string): ListBoundary {
    const { queue, scopes, inherited } = this;
    const previousResourceVersion = half.previousResourceVersion || scope.resourceVersion;
    const vanished = scopes.vanished(scope, half);
    for (const [key, object] of half.values) {
      inherited.delete(key);
      if (object !== failed) queue.push({ type: 'Replaced', key, object });
    }
    for (const key of vanished) {
      inherited.delete(key);
      queue.pushVanished(key);
    }
    scopes.settle(scope, half, resourceVersion);
    this.reach(scope, resourceVersion);
    return { scope: scope.name, resourceVersion, previousResourceVersion, synced: scopes.allReady() };
  }

  private reach(scope: Scope<T>, resourceVersion: string): void {
    if (resourceVersion === '') return;
    scope.resourceVersion = resourceVersion;
    this.resourceVersion = resourceVersion;
  }
}
