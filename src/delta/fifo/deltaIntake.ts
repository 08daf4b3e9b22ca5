import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { ListBoundary } from './deltaProcessor.js';
import type { DeltaQueue } from './deltaQueue.js';
import { failed } from '../index/objectIntake.js';
import { type HalfList, type Scope, Scopes } from '../index/scopes.js';
import { acceptSourceEvent, type IntakeTarget, type SourceChange } from '../index/acceptSourceEvent.js';

/** Turns source events into deltas. A list is queued in one step when it is complete: until then it is collected beside the queue. */
export class DeltaIntake<T> implements IntakeTarget<T, T, ListBoundary> {
  /** The newest version that was told, and all of whose changes have been queued. */
  resourceVersion = '';
  /** Whether a version was told since this was last set back, be it the same one: each scope has its own. */
  hasAdvanced = false;
  private readonly queue: DeltaQueue<T>;
  readonly keyOf: (object: T, told?: string) => string | undefined;
  private readonly scopes: Scopes<T>;
  /** The keys that were known at first, and of which nothing has been heard yet. */
  private readonly inherited: Set<string>;

  /** @param declared - the names of the scopes to wait for; by default those that have appeared. */
  constructor(queue: DeltaQueue<T>, keyOf: DeltaIntake<T>['keyOf'], declared: Iterable<string> | undefined) {
    this.queue = queue;
    this.keyOf = keyOf;
    this.inherited = new Set(queue.presentKeys());
    const cachedKeys = (): string[] => queue.presentKeys();
    this.scopes = new Scopes<T>({ declared, cachedKeys, inherited: this.inherited, transformed: false });
  }

  /** Queues what the event says; returns the end of the list that has become complete with it. */
  accept(event: SourceEvent<T>): ListBoundary | undefined {
    return acceptSourceEvent(event, this.scopes, this);
  }

  collect(half: HalfList<T>, key: string, object: T): void {
    half.values.set(key, object);
  }

  drop(half: HalfList<T>, key: string): void {
    half.values.delete(key);
  }

  reach(scope: Scope<T>, resourceVersion: string): undefined {
    if (resourceVersion === '' || !scope.ready || scope.half !== undefined) return;
    scope.resourceVersion = resourceVersion;
    this.resourceVersion = resourceVersion;
    this.hasAdvanced = true;
  }

  change(scope: Scope<T>, key: string, { type, object, resourceVersion, reason }: SourceChange<T>): undefined {
    this.reach(scope, resourceVersion);
    this.inherited.delete(key);
    if (type !== 'deleted') {
      scope.owned?.add(key);
      this.queue.push({ type: type === 'added' ? 'Added' : 'Updated', key, object });
      return;
    }
    const isHeldElsewhere = this.scopes.isHeldElsewhere(scope, key);
    scope.owned?.delete(key);
    if (isHeldElsewhere) return;
    if (reason === undefined) this.queue.pushDeletion({ type: 'Deleted', key, object, finalStateUnknown: false });
    else this.queue.pushDeletion({ type: 'Deleted', key, object: undefined, finalStateUnknown: true, reason });
  }

  publish(scope: Scope<T>, half: HalfList<T>, resourceVersion: string): ListBoundary {
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
}
