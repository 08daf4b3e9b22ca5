import { valueOf, valuesBetween, withEntry, withoutEntry, type OrderedMap } from './orderedMap.js';
import { storedObjectOf, type StoredObject } from './storedObject.js';

/** The type of a write. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write, for watches and exact lists. */
export interface Change {
  readonly type: ChangeType;
  readonly resourceVersion: number;
  /** The object after the write; for a delete, its last state with the resourceVersion of the deletion. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
  /** All objects of the bucket after the write. */
  readonly root: OrderedMap<StoredObject>;
}

const departures = new WeakMap<Change, StoredObject>();

/** The DELETED object in a watch whose selector does not match any more: the last matching content with the new resourceVersion. */
export function departureOf(change: Change): StoredObject {
  if (change.previous === undefined || change.type === 'DELETED') return change.object;
  let departed = departures.get(change);
  if (departed === undefined) {
    departed = storedObjectOf(change.previous.content, change.resourceVersion);
    departures.set(change, departed);
  }
  return departed;
}

/** The size of the objects in all histories together, in bytes: each counts before and after its change. */
export interface HistorySize {
  bytes: number;
}

function bytesOf({ object, previous }: Pick<Change, 'object' | 'previous'>): number {
  return object.body.length + (previous?.body.length ?? 0);
}

/**
 * The objects of one resource, and a bounded history of their changes.
 *
 * The history serves watches (every change after a resourceVersion) and exact lists (all objects at a resourceVersion). Each has a floor of
 * its own: older versions have expired.
 */
export class Bucket {
  readonly id: string;
  root: OrderedMap<StoredObject>;
  private changes: (Change | undefined)[] = [];
  /** Position of `changes[0]`, counted from the first change ever. */
  private offset = 0;
  /** The number of dropped entries at the start of `changes`, which are undefined. */
  private gone = 0;
  private readonly limit: number;
  private readonly size: HistorySize;
  private baseRoot: OrderedMap<StoredObject>;
  private baseVersion: number;
  private watchFloorVersion: number;

  constructor(
    id: string,
    options: { readonly limit: number; readonly floor: number; readonly size: HistorySize; readonly root?: OrderedMap<StoredObject> },
  ) {
    this.id = id;
    this.size = options.size;
    this.root = options.root;
    this.baseRoot = options.root;
    this.limit = options.limit;
    this.baseVersion = options.floor;
    this.watchFloorVersion = options.floor;
  }

  get(key: string): StoredObject | undefined {
    return valueOf(this.root, key);
  }

  /** The oldest resourceVersion that a watch can start from. */
  get watchFloor(): number {
    return this.watchFloorVersion;
  }

  /** The oldest resourceVersion at which all objects are known. */
  get exactFloor(): number {
    return this.baseVersion;
  }

  /** The resourceVersion of the newest change, or of the initial state of the bucket. */
  get lastVersion(): number {
    return this.changes.at(-1)?.resourceVersion ?? this.baseVersion;
  }

  append(change: Omit<Change, 'root'>): Change {
    const { object } = change;
    this.root = change.type === 'DELETED' ? withoutEntry(this.root, object.key) : withEntry(this.root, object.key, object);
    const { type, resourceVersion, previous } = change;
    const appended = { type, resourceVersion, object, previous, root: this.root };
    this.changes.push(appended);
    this.size.bytes += bytesOf(change);
    while (this.changes.length - this.gone > Math.max(1, this.limit)) this.forgetOldest();
    return appended;
  }

  /** All objects at a resourceVersion; the caller has checked `exactFloor`. */
  rootAt(resourceVersion: number): OrderedMap<StoredObject> {
    const after = this.indexAfter(resourceVersion);
    return after === this.gone ? this.baseRoot : this.changes[after - 1]?.root;
  }

  /** The position of the first change after a resourceVersion. */
  positionAfter(resourceVersion: number): number {
    return this.offset + this.indexAfter(resourceVersion);
  }

  get endPosition(): number {
    return this.offset + this.changes.length;
  }

  /** Whether the history contains a position. */
  holds(position: number): boolean {
    return position >= this.offset + this.gone;
  }

  changeAt(position: number): Change | undefined {
    return this.changes[position - this.offset];
  }

  /** Expires watches from before a resourceVersion. */
  raiseWatchFloor(resourceVersion: number): void {
    this.watchFloorVersion = Math.max(this.watchFloorVersion, resourceVersion);
  }

  /** Takes the history out of the size of all: the resource is dropped. */
  release(): void {
    for (const change of this.changes) if (change !== undefined) this.size.bytes -= bytesOf(change);
  }

  private indexAfter(resourceVersion: number): number {
    let low = this.gone;
    let high = this.changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.changes[middle]?.resourceVersion ?? Infinity) <= resourceVersion) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The version of the oldest change that can be forgotten; infinite where only the newest is left. */
  get oldestVersion(): number {
    return this.changes.length - this.gone > 1 ? (this.changes[this.gone]?.resourceVersion ?? Infinity) : Infinity;
  }

  /** Forgets the oldest change: watches and exact lists from before it have expired. */
  forgetOldest(): void {
    const oldest = this.changes[this.gone];
    if (oldest === undefined) return;
    this.changes[this.gone] = undefined;
    this.gone += 1;
    this.size.bytes -= bytesOf(oldest);
    this.baseRoot = oldest.root;
    this.baseVersion = oldest.resourceVersion;
    this.raiseWatchFloor(oldest.resourceVersion);
    if (this.gone > Math.max(64, this.changes.length / 4)) {
      this.changes.splice(0, this.gone);
      this.offset += this.gone;
      this.gone = 0;
    }
  }
}

/** The objects of one namespace. */
export function objectsIn({ root }: Pick<Bucket, 'root'>, namespace: string): Iterable<StoredObject> {
  // '0' is the character after '/': the end of the keys of the namespace.
  return root === undefined ? [] : valuesBetween(root, `${namespace}/`, `${namespace}0`);
}
