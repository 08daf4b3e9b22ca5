import { compareResourceVersions } from '../../api/kubernetesObject.js';
import { addHash, entryHash } from '../wire/contentHash.js';
import type { Shaped } from '../wire/shape.js';

/** What one key stands for since a position of a log. */
export interface LogEntry {
  readonly key: string;
  /** Whose right it takes to see it. One key may stand in several groups: then it has left all of them but one. */
  readonly group: string;
  readonly seq: number;
  readonly version: string;
  /** Undefined: it is gone. */
  readonly value: unknown;
  readonly hash: number;
  /** What stood here when the log was last flushed, where that is another value: what a patch starts from. */
  base: { readonly value: unknown; readonly hash: number } | undefined;
  /** A later entry stands for the key. */
  replaced: boolean;
  /** The value as a row of a table, kept where it is short. */
  shaped?: Shaped;
}

/** One key of a change, as a log takes it. */
export interface LogChange {
  readonly key: string;
  readonly group: string;
  readonly value: unknown;
}

/** What changed between two flushes: the same for all who stood at `from`. */
export interface LogBatch {
  readonly from: number;
  readonly to: number;
  readonly entries: readonly LogEntry[];
}

/** The count and the checksum of what a group holds. */
export interface GroupSum {
  count: number;
  sum: number;
  tombstones: number;
}

const fewestTombstones = 1000;

/** Whether `a` is an older version than `b`, as far as that can be said. */
function isOlder(a: string, b: string): boolean {
  return (compareResourceVersions(a, b) ?? 0) < 0;
}

/**
 * All that readers of one scope may have to catch up with: the last entry of each key, in the order of their last change.
 *
 * A reader is a position in it. Whoever stands at `at` needs the entries behind it, whatever happened in between, so a reader that is slow costs nothing and
 * misses nothing. Deletions stay as entries without a value until there are too many; `floor` is the position below which some are missing.
 */
export class ScopeLog {
  readonly id: string;
  /** The position of the last change. */
  head = 0;
  /** The position of the last batch. */
  flushed = 0;
  /** A reader below it starts anew. */
  floor = 0;
  /** The resourceVersion of the last change, and the oldest one that entries reach back to; `''` where the scope has none. */
  version = '';
  reach = '';
  readonly groups: Map<string, GroupSum> = new Map<string, GroupSum>();
  /** Grows whenever a group comes or goes, or becomes empty. */
  groupsChanged = 0;
  private entries: LogEntry[] = [];
  /** The last entry of each key; gone ones too, until they are forgotten. */
  private readonly current = new Map<string, LogEntry>();
  private replaced = 0;
  private tombstones = 0;
  private live = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Takes in one change of the cache. What makes no difference is passed by. Returns whether anything did. */
  apply(changes: readonly LogChange[], version = ''): boolean {
    const before = this.head;
    if (version !== '') this.reachVersion(version);
    for (const change of changes) this.put(change);
    this.trim();
    return this.head > before;
  }

  /** The keys that are there. */
  *keys(): IterableIterator<string> {
    for (const [key, { value }] of this.current) if (value !== undefined) yield key;
  }

  /** The entries behind a position, in order. */
  *since(at: number): IterableIterator<LogEntry> {
    for (let index = this.indexAfter(at); index < this.entries.length; index += 1) {
      const entry = this.entries[index] as LogEntry;
      if (!entry.replaced) yield entry;
    }
  }

  /** The position up to which a version has seen everything; undefined when the log does not reach back to it. */
  positionOf(version: string): number | undefined {
    if (this.reach === '' || compareResourceVersions(this.reach, version) === undefined || isOlder(version, this.reach)) return undefined;
    let index = this.entries.length;
    while (index > 0 && isOlder(version, (this.entries[index - 1] as LogEntry).version)) index -= 1;
    const position = index === this.entries.length ? this.head : (this.entries[index] as LogEntry).seq - 1;
    return position < this.floor ? undefined : position;
  }

  /** Ends a batch: what has changed since the last one; undefined when nothing has. */
  flush(): LogBatch | undefined {
    if (this.flushed === this.head) return undefined;
    const batch = { from: this.flushed, to: this.head, entries: [...this.since(this.flushed)] };
    this.flushed = this.head;
    return batch;
  }

  private put({ key, group, value }: LogChange): void {
    const before = this.current.get(key);
    const wasThere = before?.value !== undefined;
    if (value === undefined) {
      if (wasThere) this.append({ key, group: before.group, value }, 0, before);
      return;
    }
    const hash = entryHash(key, value);
    if (wasThere && before.group === group && before.hash === hash) return;
    if (!wasThere || before.group === group) {
      this.append({ key, group, value }, hash, before);
      return;
    }
    this.append({ key, group: before.group, value: undefined }, 0, before);
    this.append({ key, group, value }, hash, undefined);
  }

  private append({ key, group, value }: LogChange, hash: number, before: LogEntry | undefined): void {
    this.head += 1;
    const base = before === undefined || before.seq > this.flushed ? before?.base : before;
    // What is gone from another group stays there as gone.
    if (before?.group === group) this.replace(before);
    const entry: LogEntry = {
      ...{ key, group, value, hash, seq: this.head, version: this.version, replaced: false },
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

  private count({ group, value, hash }: LogEntry, sign: 1 | -1): void {
    let sums = this.groups.get(group);
    if (sums === undefined) {
      this.groups.set(group, (sums = { count: 0, sum: 0, tombstones: 0 }));
      this.groupsChanged += 1;
    }
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

  /** A version that went back is that of a restored backup: what was said of versions before counts no more. */
  private reachVersion(version: string): void {
    if (this.reach === '' || isOlder(version, this.version)) this.reach = version;
    this.version = version;
  }

  private indexAfter(at: number): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.entries[middle] as LogEntry).seq <= at) low = middle + 1;
      else high = middle;
    }
    return low;
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
