import { compareResourceVersions, entryOf, firstWhere, isEqualJson } from 'rx-informer/internal';
import { addHash, entryHash } from '../wire/contentHash.js';
import type { Shaped } from '../wire/shape.js';

/** The state of one key since a position of a log. */
export interface LogEntry {
  readonly key: string;
  /** The group whose permissions it needs. A key may have entries in several groups; it exists in at most one of them. */
  readonly group: string;
  readonly seq: number;
  readonly version: string;
  /** Undefined for a deleted key. */
  readonly value: unknown;
  readonly hash: number;
  readonly size: number;
  /** The value at the last flush, if it differs: the base of a patch. */
  base: { readonly value: unknown; readonly hash: number } | undefined;
  /** Whether a later entry has replaced this one. */
  replaced: boolean;
  /** The value as a row of a table; kept if it is short. */
  shaped?: Shaped;
}

/** The new state of one key. */
export interface LogChange {
  readonly key: string;
  readonly group: string;
  readonly value: unknown;
  /** The `entryHash` of key and value, if it is known. */
  readonly hash?: number;
  /** What the value holds beyond the cache's object, in bytes, approximately. */
  readonly size?: number;
}

/** The changes between two flushes: the same for all readers at `from`. */
export interface LogBatch {
  readonly from: number;
  readonly to: number;
  readonly entries: readonly LogEntry[];
}

/** The count and the checksum of a group's objects. */
export interface GroupSum {
  count: number;
  sum: number;
  tombstones: number;
}

const fewestTombstones = 1000;
/** What an entry holds beside its key and its value, in bytes (measured). */
const entryBytes = 600;

/** Whether `a` is an older version than `b`; false if they cannot be compared. */
function isOlder(a: string, b: string): boolean {
  return (compareResourceVersions(a, b) ?? 0) < 0;
}

/**
 * The content of one scope for readers: the last entry of each key, in order of the last change.
 *
 * A reader is a position in it. A reader at `at` needs only the entries after it, so a slow reader costs nothing and
 * misses nothing. Deletions stay as entries without a value until there are too many; below the position `floor` some have been dropped.
 */
export class ScopeLog {
  readonly id: string;
  /** The position of the last change. */
  head = 0;
  /** The position of the last batch. */
  flushed = 0;
  /** Readers below it must start from scratch. */
  floor = 0;
  /** The resourceVersion of the last change, and the oldest one from which a reader can resume; `''` where the scope has none. */
  version = '';
  reach = '';
  /** What it holds, in bytes, approximately. */
  bytes = 0;
  readonly groups: Map<string, GroupSum> = new Map<string, GroupSum>();
  /** Increases whenever a group appears, disappears or becomes empty. */
  groupsChanged = 0;
  private entries: LogEntry[] = [];
  /** The last entry of each key, including deletions that have not been dropped. */
  private readonly current = new Map<string, LogEntry>();
  private replaced = 0;
  private tombstones = 0;
  private live = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Applies a change of the cache, ignoring values that are equal. Returns whether anything changed. */
  apply(changes: readonly LogChange[], version = ''): boolean {
    const before = this.head;
    if (version !== '') this.reachVersion(version);
    for (const change of changes) this.put(change);
    this.trim();
    return this.head > before;
  }

  /** The existing keys. */
  *keys(): IterableIterator<string> {
    for (const [key, { value }] of this.current) if (value !== undefined) yield key;
  }

  /** The entries after a position, in order. */
  *since(at: number): IterableIterator<LogEntry> {
    for (let index = this.indexAfter(at); index < this.entries.length; index += 1) {
      const entry = this.entries[index] as LogEntry;
      if (!entry.replaced) yield entry;
    }
  }

  /** The position that corresponds to a version; undefined when the log does not reach back to it. */
  positionOf(version: string): number | undefined {
    if (this.reach === '' || compareResourceVersions(this.reach, version) === undefined || isOlder(version, this.reach)) return undefined;
    let index = this.entries.length;
    while (index > 0 && isOlder(version, (this.entries[index - 1] as LogEntry).version)) index -= 1;
    const position = index === this.entries.length ? this.head : (this.entries[index] as LogEntry).seq - 1;
    return position < this.floor ? undefined : position;
  }

  /** Begins the next batch here: nobody has been sent anything yet. */
  begin(): void {
    this.flushed = this.head;
  }

  /** Ends a batch. Returns the changes since the last one; undefined when there are none. */
  flush(): LogBatch | undefined {
    if (this.flushed === this.head) return undefined;
    const batch = { from: this.flushed, to: this.head, entries: [...this.since(this.flushed)] };
    this.flushed = this.head;
    return batch;
  }

  private put({ key, group, value, hash: known, size = 0 }: LogChange): void {
    const before = this.current.get(key);
    const wasThere = before?.value !== undefined;
    if (value === undefined) {
      if (wasThere) this.append({ key, group: before.group, value }, 0, before);
      return;
    }
    const hash = known ?? entryHash(key, value);
    // Different values may have one hash.
    if (wasThere && before.group === group && before.hash === hash && isEqualJson(before.value, value)) return;
    if (!wasThere || before.group === group) {
      this.append({ key, group, value, size }, hash, before);
      return;
    }
    this.append({ key, group: before.group, value: undefined }, 0, before);
    this.append({ key, group, value, size }, hash, undefined);
  }

  private append({ key, group, value, size = 0 }: LogChange, hash: number, before: LogEntry | undefined): void {
    this.head += 1;
    const base = before === undefined || before.seq > this.flushed ? before?.base : before;
    // A deletion in another group stays as an entry of that group.
    if (before?.group === group) this.replace(before);
    const entry: LogEntry = {
      ...{ key, group, value, hash, size, seq: this.head, version: this.version, replaced: false },
      base: base?.value === undefined || before?.group !== group ? undefined : { value: base.value, hash: base.hash },
    };
    this.entries.push(entry);
    this.current.set(key, entry);
    this.count(entry, 1);
  }

  private replace(entry: LogEntry): void {
    entry.replaced = true;
    entry.base = undefined;
    this.replaced += 1;
    this.count(entry, -1);
  }

  private count({ key, group, value, hash, size }: LogEntry, sign: 1 | -1): void {
    this.bytes += sign * (entryBytes + 2 * key.length + size);
    const sums = entryOf(this.groups, group, () => {
      this.groupsChanged += 1;
      return { count: 0, sum: 0, tombstones: 0 };
    });
    if (value === undefined) {
      sums.tombstones += sign;
      this.tombstones += sign;
    } else {
      if (sums.count === (sign === 1 ? 0 : 1)) this.groupsChanged += 1;
      sums.count += sign;
      this.live += sign;
      sums.sum = addHash(sums.sum, hash, sign);
    }
  }

  /** A lower version means that the server was restored from a backup: earlier positions of versions are invalid. */
  private reachVersion(version: string): void {
    if (this.reach === '' || isOlder(version, this.version)) this.reach = version;
    this.version = version;
  }

  private indexAfter(at: number): number {
    return firstWhere(this.entries.length, (index) => (this.entries[index] as LogEntry).seq > at);
  }

  private trim(): void {
    const most = Math.max(fewestTombstones, this.live);
    if (this.tombstones > most) this.forgetTombstones(this.tombstones - Math.floor(most / 2));
    if (this.replaced <= this.entries.length / 2 || this.replaced < 64) return;
    this.entries = this.entries.filter((entry) => !entry.replaced);
    this.replaced = 0;
  }

  private forgetTombstones(count: number): void {
    let left = count;
    for (const entry of this.entries) {
      if (left <= 0) break;
      if (entry.replaced || entry.value !== undefined) continue;
      left -= 1;
      this.forget(entry);
    }
  }

  private forget(entry: LogEntry): void {
    const { key, group, seq, version } = entry;
    this.replace(entry);
    this.floor = seq;
    if (isOlder(this.reach, version)) this.reach = version;
    if (this.current.get(key) === entry) this.current.delete(key);
    const sums = this.groups.get(group);
    if (sums?.count !== 0 || sums.tombstones !== 0) return;
    this.groups.delete(group);
    this.groupsChanged += 1;
  }
}
