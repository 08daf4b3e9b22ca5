import { bareError } from '../status/statusErrors.js';
import { Bucket, type Change, type ChangeType, type HistorySize } from './bucket.js';
import { withEntry, type OrderedMap } from './orderedMap.js';
import { storedObjectOf, type StoredContent, type StoredObject } from './storedObject.js';

/** etcd's limit for the size of an object. */
const largestObject = 1.5 * 1024 * 1024;

/** The limit for the objects in the histories of all resources, in bytes: each counts before and after its change. */
const maxHistoryBytes = 64 * 1024 * 1024;

/** The period of an API server's compactions of etcd: each one compacts up to the version at the previous one. */
const compactionIntervalMs = 5 * 60_000;

/** Called after every write. */
export type ChangeListener = (bucket: Bucket, change: Change) => void;

/** An immutable state of a store; takes constant time. */
export interface StoreSnapshot {
  readonly resourceVersion: number;
  /** The objects of each bucket. @internal */
  readonly roots: ReadonlyMap<string, OrderedMap<StoredObject>>;
}

/**
 * Persists writes. Called before a write becomes visible.
 */
export interface StoreJournal {
  record(bucketId: string, type: ChangeType, object: StoredObject): void;
  replace(snapshot: StoreSnapshot): void;
}

/**
 * All objects of a server under one counter of resourceVersions, with one bucket per resource.
 */
export class Store {
  private version = 0;
  /** All histories begin at this version at the earliest. */
  private floor = 0;
  /** Watches of buckets that do not exist yet start here at the earliest. */
  private watchFloor = 0;
  /** The version at which a resource was dropped, by its bucket. */
  private readonly dropped = new Map<string, number>();
  private compacted = 0;
  /** The version and the time of the last compaction; the next one compacts up to this version. */
  private marked = 0;
  private markedAt: number;
  private buckets = new Map<string, Bucket>();
  private size: HistorySize = { bytes: 0 };
  private readonly historyLimit: number;
  private readonly now: () => number;
  private readonly seed: (id: string) => readonly StoredContent[];
  private changeListeners: readonly ChangeListener[] = [];
  private readonly replaceListeners = new Set<() => void>();
  private journal: StoreJournal | undefined;

  /** `seed` returns the initial objects of a resource; called at its first access. Without a clock, there is no compaction by time. */
  constructor(options: {
    readonly historyLimit: number;
    readonly seed?: (id: string) => readonly StoredContent[];
    readonly now?: () => number;
  }) {
    this.historyLimit = options.historyLimit;
    this.now = options.now ?? (() => 0);
    this.markedAt = this.now();
    this.seed = options.seed ?? (() => []);
  }

  /** The resourceVersion of the newest write. */
  get resourceVersion(): number {
    return this.version;
  }

  bucket(id: string): Bucket {
    let bucket = this.buckets.get(id);
    if (bucket === undefined) {
      bucket = this.opened(id, this.seedOf(id), this.dropped.get(id) ?? this.floor);
      bucket.raiseWatchFloor(this.watchFloor);
      this.buckets.set(id, bucket);
    }
    return bucket;
  }

  private opened(id: string, root: OrderedMap<StoredObject>, floor: number): Bucket {
    return new Bucket(id, { limit: this.historyLimit, floor, size: this.size, ...(root !== undefined && { root }) });
  }

  private seedOf(id: string): OrderedMap<StoredObject> {
    const objects = this.seed(id).map((content) => storedObjectOf(content, 1));
    return objects.reduce<OrderedMap<StoredObject>>((root, object) => withEntry(root, object.key, object), undefined);
  }

  /** Drops a resource and its history. If it comes back, versions from before are too old. */
  dropBucket(id: string): void {
    this.buckets.get(id)?.release();
    if (this.buckets.delete(id)) this.dropped.set(id, this.version);
  }

  allBuckets(): Iterable<Bucket> {
    return this.buckets.values();
  }

  /** Carries out one write under the next resourceVersion, and notifies the listeners. */
  commit(bucketId: string, type: ChangeType, content: StoredContent): StoredObject {
    const bucket = this.bucket(bucketId);
    const object = storedObjectOf(content, this.version + 1);
    if (type !== 'DELETED' && object.body.length > largestObject) throw bareError('etcdserver: request is too large');
    this.journal?.record(bucketId, type, object);
    this.compactByTime();
    this.version += 1;
    const change = bucket.append({ type, resourceVersion: this.version, object, previous: bucket.get(object.key) });
    this.boundHistory();
    for (const listener of this.changeListeners) listener(bucket, change);
    return object;
  }

  /** Forgets the oldest changes of any resource while all together take too much. */
  private boundHistory(): void {
    while (this.size.bytes > maxHistoryBytes) {
      let oldest: Bucket | undefined;
      for (const bucket of this.buckets.values()) if (bucket.oldestVersion < (oldest?.oldestVersion ?? Infinity)) oldest = bucket;
      if (oldest === undefined) return;
      oldest.forgetOldest();
    }
  }

  /** The oldest resourceVersion at which an exact list of a bucket is possible. */
  exactFloor(bucket: Bucket): number {
    this.compactByTime();
    return Math.max(this.compacted, bucket.exactFloor);
  }

  /** Compacts: exact lists and continue tokens from before a resourceVersion fail from now on. */
  compact(resourceVersion: number = this.version): void {
    this.compacted = Math.max(this.compacted, Math.min(resourceVersion, this.version));
  }

  /** Makes up for the compactions of the intervals since the last one. Called before each write, so no timer is needed. */
  private compactByTime(): void {
    const intervals = Math.floor((this.now() - this.markedAt) / compactionIntervalMs);
    if (intervals < 1) return;
    this.compact(intervals === 1 ? this.marked : this.version);
    this.marked = this.version;
    this.markedAt += intervals * compactionIntervalMs;
  }

  /** Watches from before a resourceVersion fail from now on, as after a restart of the API server. */
  expireWatches(resourceVersion: number = this.version, bucketId?: string): void {
    const version = Math.min(resourceVersion, this.version);
    if (bucketId !== undefined) {
      this.bucket(bucketId).raiseWatchFloor(version);
      return;
    }
    this.watchFloor = Math.max(this.watchFloor, version);
    for (const bucket of this.buckets.values()) bucket.raiseWatchFloor(version);
  }

  snapshot(): StoreSnapshot {
    return { resourceVersion: this.version, roots: new Map([...this.buckets].map(([id, bucket]) => [id, bucket.root])) };
  }

  /** Replaces the whole content. The history is lost; the counter continues from the given version. */
  replace(snapshot: StoreSnapshot, resourceVersion: number = snapshot.resourceVersion): void {
    this.journal?.replace({ ...snapshot, resourceVersion });
    this.version = resourceVersion;
    this.floor = resourceVersion;
    this.watchFloor = resourceVersion;
    this.compacted = 0;
    this.marked = 0;
    this.dropped.clear();
    const ids = new Set([...this.buckets.keys(), ...snapshot.roots.keys()]);
    const rootOf = (id: string): OrderedMap<StoredObject> => (snapshot.roots.has(id) ? snapshot.roots.get(id) : this.seedOf(id));
    this.size = { bytes: 0 };
    this.buckets = new Map([...ids].map((id) => [id, this.opened(id, rootOf(id), resourceVersion)]));
    for (const listener of [...this.replaceListeners]) listener();
  }

  /** Records every write in the journal from now on, before it becomes visible. */
  recordIn(journal: StoreJournal): void {
    this.journal = journal;
  }

  /** Calls a function after every write, in order. */
  onChange(listener: ChangeListener): () => void {
    this.changeListeners = [...this.changeListeners, listener];
    return () => {
      this.changeListeners = this.changeListeners.filter((other) => other !== listener);
    };
  }

  /** Calls a function after the content was replaced: buckets obtained before are invalid. */
  onReplace(listener: () => void): () => void {
    this.replaceListeners.add(listener);
    return () => this.replaceListeners.delete(listener);
  }
}
