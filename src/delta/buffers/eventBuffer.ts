import type { LeaveReason, ObjectEvent, ResourceEvent, SyncedEvent } from '../../api/events.js';
import type { Store } from '../../cache/store/store.js';
import { type OptionRules, rules } from '../../api/options.js';
import { Fifo } from '../../rx/trampoline.js';
import { deletionsFirst, mergePending, type PendingEvents, Transitions } from './pendingEvents.js';

/**
 * What happens to events while their consumer is busy.
 *
 * - `unbounded`: all of them are queued.
 * - `conflate`: they are queued, and merged per object. The queue never has more entries than the cache has objects.
 * - `catchUp`: they are queued; beyond `capacity` the queue is dropped, and the consumer gets the difference between what it has received and the cache
 *   (`inferred: true`), then `synced`.
 * - `error`: they are queued; beyond `capacity` the consumer ends with `ERR_OVERFLOW`.
 */
export type BufferPolicy = 'unbounded' | 'conflate' | 'catchUp' | 'error';

/** The buffer of a consumer. */
export interface BufferOptions {
  /** @defaultValue `'unbounded'`, as in client-go */
  readonly buffer?: BufferPolicy | undefined;
  /**
   * The longest queue of `catchUp` and `error`; events of the first snapshot do not count. With a `sliceMs`, a change of more than 1,000 events is queued as a
   * whole, so a list after an outage needs a capacity of its number of objects. @defaultValue 1024
   */
  readonly capacity?: number | undefined;
}

/** The rules of the options of a buffer. @internal */
export const bufferRules: OptionRules<BufferOptions> = {
  buffer: rules.oneOf('unbounded', 'conflate', 'catchUp', 'error'),
  capacity: rules.number({ integer: true, min: 1 }),
};

/** The part of the store that a buffer reads. */
export type StoreContent<T> = Pick<Store<T>, 'getByKey' | 'listKeys' | 'lastStoreSyncResourceVersion'>;

/** Holds the events of one consumer while it is busy. */
export interface EventBuffer<T> {
  /** Returns `false` when the buffer is full, and the consumer has to end. */
  push(event: ResourceEvent<T>): boolean;
  shift(): ResourceEvent<T> | undefined;
  size(): number;
  clear(): void;
  /** Whether the next event is computed from the store: do not call `shift` before every change of the store has been pushed. */
  readonly overflown?: boolean;
}

/** Whether an event counts against a buffer's capacity. Those of a snapshot do not: they arrive all at once, before the consumer could take any. */
export function takesRoom(event: ResourceEvent<unknown>): boolean {
  return event.type !== 'synced' && !(event.type === 'added' && event.initial);
}

/** A buffer that queues every event, up to a capacity. */
export class BoundedBuffer<T> implements EventBuffer<T> {
  protected readonly queue: Fifo<ResourceEvent<T>> = new Fifo<ResourceEvent<T>>();
  private readonly capacity: number;
  private taken = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  size(): number {
    return this.queue.size;
  }

  push(event: ResourceEvent<T>): boolean {
    if (takesRoom(event)) {
      if (this.taken >= this.capacity) return false;
      this.taken += 1;
    }
    this.queue.push(event);
    return true;
  }

  shift(): ResourceEvent<T> | undefined {
    const event = this.queue.shift();
    // Events of a difference did not count against the capacity.
    if (event !== undefined && takesRoom(event) && this.taken > 0) this.taken -= 1;
    return event;
  }

  clear(): void {
    this.queue.clear();
    this.taken = 0;
  }
}

/** The key of a queued `synced`: no object has an empty key. */
const boundaryKey = '';

/**
 * A buffer with at most one entry per object: later events are merged into the queued one, which keeps its position.
 *
 * An object added and deleted meanwhile is not emitted. `synced` keeps its position behind all events before it.
 */
export class ConflatingBuffer<T> implements EventBuffer<T> {
  private readonly waiting = new Map<string, PendingEvents<T> | SyncedEvent>();
  /** One iterator until the buffer is empty: a new one would walk over all deleted entries first. */
  private taking: IterableIterator<[string, PendingEvents<T> | SyncedEvent]> | undefined;
  /** The second event of the entry taken last. */
  private rest: ResourceEvent<T> | undefined;

  size(): number {
    return this.waiting.size + (this.rest === undefined ? 0 : 1);
  }

  push(event: ResourceEvent<T>): boolean {
    const { waiting } = this;
    const known = waiting.get(event.type === 'synced' ? boundaryKey : event.key);
    if (event.type === 'synced') {
      waiting.delete(boundaryKey);
      const { previousResourceVersion } = known !== undefined && 'type' in known ? known : event;
      waiting.set(boundaryKey, { ...event, previousResourceVersion });
      return true;
    }
    const entry: PendingEvents<T> = known === undefined || 'type' in known ? {} : known;
    if (!mergePending(entry, event)) waiting.delete(event.key);
    else if (entry !== known) waiting.set(event.key, entry);
    return true;
  }

  shift(): ResourceEvent<T> | undefined {
    const event = this.rest ?? this.take();
    if (event === this.rest) this.rest = undefined;
    return event;
  }

  clear(): void {
    this.waiting.clear();
    this.taking = undefined;
    this.rest = undefined;
  }

  private take(): ResourceEvent<T> | undefined {
    this.taking ??= this.waiting.entries();
    const next = this.taking.next();
    if (next.done === true) {
      this.taking = undefined;
      return undefined;
    }
    const [key, entry] = next.value;
    this.waiting.delete(key);
    if ('type' in entry) return entry;
    if (entry.deleted === undefined) return entry.upserted;
    this.rest = entry.upserted;
    return entry.deleted;
  }
}

/** The net effect of several changes: at most one event per object, or a deletion and then an addition. */
export class NetEvents<T> {
  private readonly buffer = new ConflatingBuffer<T>();

  add(events: Iterable<ObjectEvent<T>>): void {
    for (const event of events) this.buffer.push(event);
  }

  /** Removes and returns the events, deletions first. */
  take(): readonly ObjectEvent<T>[] {
    const events: ObjectEvent<T>[] = [];
    for (let event = this.buffer.shift(); event !== undefined; event = this.buffer.shift()) {
      if (event.type !== 'synced') events.push(event);
    }
    return deletionsFirst(events);
  }
}

/**
 * A buffer that drops everything when it is full, and then emits the difference between what its consumer has received and the store.
 *
 * It keeps references to the objects emitted last, so that the difference continues exactly from what the consumer has.
 */
export class CatchUpBuffer<T> extends BoundedBuffer<T> {
  overflown = false;
  private readonly store: StoreContent<T>;
  private readonly known = new Map<string, T>();
  /** How objects that the consumer has went, in events that were dropped from the queue. What is stored under the key of a deleted one is another object. */
  private readonly left = new Map<string, LeaveReason | 'deleted'>();
  /** Whether a `synced` has been pushed: only then does the difference end with `synced`. */
  private synced = false;
  private emittedVersion = '';

  constructor(capacity: number, store: StoreContent<T>) {
    super(capacity);
    this.store = store;
  }

  /** The size of a difference is not known before it is computed. */
  override size(): number {
    return this.overflown ? 1 : super.size();
  }

  override clear(): void {
    super.clear();
    this.overflown = false;
    this.left.clear();
  }

  override push(event: ResourceEvent<T>): boolean {
    if (event.type === 'synced') this.synced = true;
    if (!this.overflown && super.push(event)) return true;
    for (let dropped = super.shift(); dropped !== undefined; dropped = super.shift()) this.noteLeft(dropped);
    this.noteLeft(event);
    this.overflown = true;
    return true;
  }

  override shift(): ResourceEvent<T> | undefined {
    if (this.overflown) this.recover();
    const event = super.shift();
    if (event?.type === 'synced') this.emittedVersion = event.resourceVersion;
    else if (event?.type === 'deleted') this.known.delete(event.key);
    else if (event !== undefined) this.known.set(event.key, event.object);
    return event;
  }

  private noteLeft(event: ResourceEvent<T>): void {
    if (event.type === 'synced') return;
    const { known, left } = this;
    if (!known.has(event.key) || left.get(event.key) === 'deleted') return;
    if (event.type === 'deleted') left.set(event.key, event.reason ?? 'deleted');
    else left.delete(event.key);
  }

  private recover(): void {
    const { store, known, left, emittedVersion, queue } = this;
    this.overflown = false;
    const difference = new Transitions<T>({ initial: emittedVersion === '', inferred: true, finalStateUnknown: true });
    for (const [key, object] of known) {
      const how = left.get(key);
      if (how === 'deleted') difference.add(key, object, undefined);
      else if (store.getByKey(key) === undefined) difference.add(key, object, undefined, how);
    }
    for (const key of store.listKeys()) {
      const before = left.get(key) === 'deleted' ? undefined : known.get(key);
      const object = store.getByKey(key);
      if (before !== object) difference.add(key, before, object);
    }
    left.clear();
    for (const event of difference.events()) queue.push(event);
    if (!this.synced) return;
    queue.push({ type: 'synced', resourceVersion: store.lastStoreSyncResourceVersion(), previousResourceVersion: emittedVersion });
  }
}

const defaultCapacity = 1024;

/** The buffer of one consumer of the events of `store`. */
export function createEventBuffer<T>(
  { buffer = 'unbounded', capacity = defaultCapacity }: BufferOptions,
  store: StoreContent<T>,
): EventBuffer<T> {
  if (buffer === 'conflate') return new ConflatingBuffer();
  if (buffer === 'catchUp') return new CatchUpBuffer(capacity, store);
  return new BoundedBuffer(buffer === 'error' ? capacity : Infinity);
}
