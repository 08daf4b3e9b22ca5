import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { ListBoundary } from './deltaProcessor.js';
import type { DeltaQueue } from './deltaQueue.js';
import { failed } from '../index/objectIntake.js';
import { type HalfList, type Scope, Scopes } from '../index/scopes.js';
import { type IntakeTarget, type SourceChange, SourceIntake } from '../index/sourceIntake.js';

/** What an intake has to know of its surroundings. */
interface DeltaIntakeOptions<T> {
  readonly queue: DeltaQueue<T>;
  /** The key of an object; undefined, after a report, for one that has none. */
  readonly keyOf: (object: T) => string | undefined;
  /** The names of the scopes to wait for; by default those that have appeared. */
  readonly scopes: Iterable<string> | undefined;
}

/** Turns source events into deltas. A list is queued in one step when it is complete: until then it is collected beside the queue. */
export class DeltaIntake<T> implements IntakeTarget<T, T, ListBoundary> {
  /** The newest version that was told, and all of whose changes have been queued. */
  resourceVersion = '';
  private readonly queue: DeltaQueue<T>;
  readonly keyOf: (object: T) => string | undefined;
  private readonly intake: SourceIntake<T, T, ListBoundary>;
  private readonly scopes: Scopes<T>;
  /** The keys that were known at first, and of which nothing has been heard yet. */
  private readonly inherited: Set<string>;

  constructor({ queue, keyOf, scopes }: DeltaIntakeOptions<T>) {
    this.queue = queue;
    this.keyOf = keyOf;
    this.inherited = new Set(queue.presentKeys());
    this.scopes = new Scopes<T>({
      declared: scopes,
      cachedKeys: () => queue.presentKeys(),
      inherited: this.inherited,
      transformed: false,
    });
    this.intake = new SourceIntake(this.scopes, this);
  }

  /** Queues what the event says; returns the end of the list that has become complete with it. */
  accept(event: SourceEvent<T>): ListBoundary | undefined {
    return this.intake.accept(event);
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
  }

  change(scope: Scope<T>, key: string, { type, object, resourceVersion }: SourceChange<T>): undefined {
    this.reach(scope, resourceVersion);
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
