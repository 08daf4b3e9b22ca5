import { type Masking, maskPart } from '../api/running/masking.js';
import type { CacheEvent, Running } from '../api/running/registry.js';
import { type Difference, differencesOf } from './differences.js';

/** One change, as the timeline keeps it. */
export interface TimelineEntry {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The collection, by its number. */
  readonly of: number;
  readonly type: string;
  readonly cause: string;
  /** Absent for a list, which is one entry. */
  readonly key?: string;
  /** Of a list: how many objects it has changed. */
  readonly count?: number;
  /** What has changed; of what was deleted, all of it. */
  readonly differences: readonly Difference[];
}

/** A change that has not been compared yet. */
interface Raw {
  readonly at: number;
  readonly of: number;
  readonly cause: string;
  readonly event: CacheEvent | { readonly type: string; readonly count: number };
  readonly masking: Masking;
}

/** Changes of more objects than this are one entry. */
const longChange = 100;
/** How many changes may wait to be compared. */
const mostWaiting = 1_000;
/** How many are compared at once when somebody asks. */
const few = 200;
/** How long a stretch of comparing takes, in milliseconds, and how far two are apart: at most 4 % of the time. */
const stretchMs = 4;
const apartMs = 100;
/** What an entry takes beside its JSON, in bytes, about. */
const overhead = 200;

interface Kept {
  readonly entry: Omit<TimelineEntry, 'differences'>;
  /** As JSON: a string takes less memory than what it says. */
  readonly differences: string;
  readonly bytes: number;
}

/** To mask whole objects takes longer than to compare them: where that can be, what has changed is masked alone. */
function compared(before: unknown, after: unknown, { isOpen, shown }: Masking): readonly Difference[] {
  if (!isOpen) return differencesOf(shown(before), shown(after));
  return differencesOf(before, after).map(({ path, ...values }) => ({
    path,
    ...('before' in values && { before: maskPart(path, values.before) }),
    ...('after' in values && { after: maskPart(path, values.after) }),
  }));
}

interface TimelineOptions {
  readonly maxBytes: number;
  readonly now: () => number;
}

/** The last changes of all collections, as many as a number of bytes allows. */
export class Timeline {
  private readonly options: TimelineOptions;
  private readonly kept: Kept[] = [];
  /** How many at the front of `kept` have been dropped already. */
  private first = 0;
  private readonly waiting: Raw[] = [];
  private readonly followed = new Map<Running, () => void>();
  private number = 0;
  private bytes = 0;
  private timer: { unref?(): unknown } | undefined;
  private lost = 0;
  private skipped = 0;

  constructor(options: TimelineOptions) {
    this.options = options;
  }

  /** Follows these collections, each from now on, and leaves all others. */
  follow(all: ReadonlyMap<Running, { readonly id: number; readonly masking: Masking }>): void {
    for (const [running, leave] of this.followed) {
      if (all.has(running)) continue;
      leave();
      this.followed.delete(running);
    }
    for (const [running, { id, masking }] of all) {
      if (running.cache === undefined || this.followed.has(running)) continue;
      const following = running.cache.follow(({ cause, events }) => this.take(id, cause, events, masking));
      this.followed.set(running, following);
    }
  }

  stop(): void {
    for (const leave of this.followed.values()) leave();
    this.followed.clear();
    clearTimeout(this.timer as never);
  }

  /** What was dropped: the oldest for want of room, and what came faster than it could be compared. */
  figures(): {
    readonly entries: number;
    readonly bytes: number;
    readonly dropped: number;
    readonly skipped: number;
    readonly since: number | undefined;
  } {
    const { bytes, lost, skipped } = this;
    return { entries: this.kept.length - this.first, bytes, dropped: lost, skipped, since: this.kept[this.first]?.entry.at };
  }

  /** Entries in the order in which they came. */
  entries(passes: (entry: Omit<TimelineEntry, 'differences'>) => boolean = () => true): TimelineEntry[] {
    this.compareAll();
    const found: TimelineEntry[] = [];
    for (let at = this.first; at < this.kept.length; at += 1) {
      const { entry, differences } = this.kept[at] as Kept;
      if (passes(entry)) found.push({ ...entry, differences: JSON.parse(differences) as readonly Difference[] });
    }
    return found;
  }

  /** The last entries that pass, newest first, without what has changed: no further back than it must. */
  last(passes: (entry: Omit<TimelineEntry, 'differences'>) => boolean, count: number): readonly Omit<TimelineEntry, 'differences'>[] {
    const entries: Omit<TimelineEntry, 'differences'>[] = [];
    for (let at = this.kept.length - 1; at >= this.first && entries.length < count; at -= 1) {
      const { entry } = this.kept[at] as Kept;
      if (passes(entry)) entries.push(entry);
    }
    return entries;
  }

  /** The last entries that pass, newest first, and how many there are. */
  newest(
    passes: (entry: Omit<TimelineEntry, 'differences'>) => boolean,
    from: number,
    count: number,
  ): { readonly total: number; readonly entries: readonly TimelineEntry[] } {
    if (this.waiting.length <= few) this.compareAll();
    else this.compareSome();
    const entries: TimelineEntry[] = [];
    let total = 0;
    for (let at = this.kept.length - 1; at >= this.first; at -= 1) {
      const { entry, differences } = this.kept[at] as Kept;
      if (!passes(entry)) continue;
      if (total >= from && entries.length < count)
        entries.push({ ...entry, differences: JSON.parse(differences) as readonly Difference[] });
      total += 1;
    }
    return { total, entries };
  }

  /** Puts in what was read from a file. */
  restore(entry: TimelineEntry): void {
    const { differences, ...rest } = entry;
    this.number = Math.max(this.number, entry.number);
    this.keep(rest, JSON.stringify(differences));
  }

  private take(of: number, cause: string, events: readonly CacheEvent[], masking: Masking): void {
    const at = this.options.now();
    if (cause === 'snapshot' || cause === 'resync') return;
    if (events.length > longChange) this.waiting.push({ at, of, cause, masking, event: { type: 'list', count: events.length } });
    else for (const event of events) this.waiting.push({ at, of, cause, masking, event });
    while (this.waiting.length > mostWaiting) {
      this.waiting.shift();
      this.skipped += 1;
    }
    this.compareLater();
  }

  private compareLater(): void {
    if (this.timer !== undefined || this.waiting.length === 0) return;
    // Real time: it is the program's time that is saved.
    const timer: unknown = setTimeout(() => {
      this.timer = undefined;
      this.compareSome();
      this.compareLater();
    }, apartMs);
    this.timer = timer as { unref?(): unknown };
    this.timer.unref?.();
  }

  /** For one stretch. */
  private compareSome(): void {
    const until = this.options.now() + stretchMs;
    while (this.waiting.length > 0 && this.options.now() < until) this.compareNext();
  }

  private compareAll(): void {
    while (this.waiting.length > 0) this.compareNext();
  }

  private compareNext(): void {
    const raw = this.waiting.shift();
    if (raw === undefined) return;
    const { at, of, cause, event, masking } = raw;
    this.number += 1;
    const { number } = this;
    if ('count' in event) {
      this.keep({ number, at, of, cause, type: event.type, count: event.count }, '[]');
      return;
    }
    const { type, key, object, oldObject } = event;
    // What was added is in the cache: it need not be kept twice.
    const differences =
      type === 'added' ? [] : compared(type === 'deleted' ? object : oldObject, type === 'deleted' ? undefined : object, masking);
    this.keep({ number, at, of, cause, type, key }, JSON.stringify(differences));
  }

  private keep(entry: Omit<TimelineEntry, 'differences'>, differences: string): void {
    const bytes = differences.length * 2 + overhead;
    this.kept.push({ entry, differences, bytes });
    this.bytes += bytes;
    while (this.bytes > this.options.maxBytes) {
      this.bytes -= this.kept[this.first]?.bytes ?? 0;
      this.kept[this.first] = undefined as never;
      this.first += 1;
      this.lost += 1;
    }
    if (this.first > 1_000 && this.first * 2 > this.kept.length) {
      this.kept.splice(0, this.first);
      this.first = 0;
    }
  }
}
