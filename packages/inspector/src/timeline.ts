import type { ObjectEvent, ResourceChange } from 'rx-informer';
import type { Running, Drop } from 'rx-informer/internal';
import { type Difference, jsonShown } from './differences.js';
import type { Masking } from './masking.js';

/** A change in the timeline. */
export interface TimelineEntry {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The number of the collection. */
  readonly of: number;
  /** The type of the event; `list` for many changes at once; `dropped` for an event that went no further. */
  readonly type: string;
  /** The cause of the change; of what was dropped, why. */
  readonly cause: string;
  /** Absent for a list, which is a single entry. */
  readonly key?: string;
  /** For a list: the number of objects changed. */
  readonly count?: number;
  /** The differences; for a deletion, the whole object. */
  readonly differences: readonly Difference[];
}

/** What a timeline has kept, and what not. */
export interface TimelineFigures {
  readonly entries: number;
  readonly bytes: number;
  /** The oldest changes, dropped for lack of memory. */
  readonly dropped: number;
  /** Changes that arrived faster than they could be compared. */
  readonly skipped: number;
  readonly since: number | undefined;
}

/** A change that has not been compared yet. */
interface Raw {
  readonly at: number;
  readonly of: number;
  readonly cause: string;
  readonly event: ObjectEvent<unknown> | { readonly type: string; readonly count?: number; readonly key?: string };
  readonly masking: Masking;
}

/** Changes with more objects than this are a single entry. */
const longChange = 100;
/** The maximum number of changes that wait to be compared. */
const maxWaiting = 1_000;
/** The maximum number of changes compared at once for a reader. */
const few = 200;
/** The length of a slice of comparing in milliseconds; the pauses between slices keep it below 4 % of the time. */
const sliceMs = 2;
const apartMs = 50;
/** The estimated memory of an entry besides its JSON, in bytes. */
const overhead = 200;

type Passes = (entry: Omit<TimelineEntry, 'differences'>) => boolean;

interface Kept {
  readonly entry: Omit<TimelineEntry, 'differences'>;
  /** As a JSON string, which takes less memory than objects. */
  readonly differences: string;
  readonly bytes: number;
}

interface TimelineOptions {
  readonly maxBytes: number;
  readonly now: () => number;
}

/** The last changes of all collections, limited by memory. */
export class Timeline {
  private readonly options: TimelineOptions;
  private readonly kept: Kept[] = [];
  /** The number of entries at the front of `kept` that have been dropped. */
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

  /** Follows exactly these collections; new ones from now on. */
  follow(all: ReadonlyMap<Running, { readonly id: number; readonly masking: Masking }>): void {
    for (const [running, leave] of this.followed) {
      if (all.has(running)) continue;
      leave();
      this.followed.delete(running);
    }
    for (const [running, { id, masking }] of all) {
      const { cache } = running;
      if (cache === undefined || this.followed.has(running)) continue;
      const following = cache.follow(
        (change) => {
          this.take(id, change, masking);
          const { cause, events } = change;
          if (cause !== 'snapshot' && cause !== 'resync' && !cache.isHeard() && events.length > 0)
            this.takeDrop(id, { reason: 'nobody subscribed', keys: events.map(({ key }) => key) }, masking);
        },
        (drop) => this.takeDrop(id, drop, masking),
      );
      this.followed.set(running, following);
    }
  }

  stop(): void {
    for (const leave of this.followed.values()) leave();
    this.followed.clear();
    clearTimeout(this.timer as never);
  }

  figures(): TimelineFigures {
    const { bytes, lost, skipped } = this;
    return { entries: this.kept.length - this.first, bytes, dropped: lost, skipped, since: this.kept[this.first]?.entry.at };
  }

  /** The entries in order of time. */
  entries(passes: Passes = () => true): TimelineEntry[] {
    this.compareAll();
    const found: TimelineEntry[] = [];
    for (let at = this.first; at < this.kept.length; at += 1) {
      const { entry, differences } = this.kept[at] as Kept;
      if (passes(entry)) found.push({ ...entry, differences: JSON.parse(differences) as readonly Difference[] });
    }
    return found;
  }

  /** The last entries that pass, all by default, newest first, without their differences. Searches no further back than necessary. */
  last(passes: Passes | undefined, count: number): readonly Omit<TimelineEntry, 'differences'>[] {
    const entries: Omit<TimelineEntry, 'differences'>[] = [];
    for (let at = this.kept.length - 1; at >= this.first && entries.length < count; at -= 1) {
      const { entry } = this.kept[at] as Kept;
      if (passes?.(entry) !== false) entries.push(entry);
    }
    return entries;
  }

  /** The last entries that pass, all by default, newest first, and their total number. */
  newest(passes: Passes | undefined, from: number, count: number): { readonly total: number; readonly entries: readonly TimelineEntry[] } {
    for (let compared = 0; compared < few && this.waiting.length > 0; compared += 1) this.compareNext();
    const entries: TimelineEntry[] = [];
    let total = 0;
    for (let at = this.kept.length - 1; at >= this.first && (passes !== undefined || entries.length < count); at -= 1) {
      const { entry, differences } = this.kept[at] as Kept;
      if (passes?.(entry) === false) continue;
      if (total >= from && entries.length < count)
        entries.push({ ...entry, differences: JSON.parse(differences) as readonly Difference[] });
      total += 1;
    }
    return { total: passes === undefined ? this.kept.length - this.first : total, entries };
  }

  /** Adds an entry read from a file. */
  restore(entry: TimelineEntry): void {
    const { differences, ...rest } = entry;
    this.number = Math.max(this.number, entry.number);
    this.keep(rest, JSON.stringify(differences));
  }

  private take(of: number, change: ResourceChange<unknown>, masking: Masking): void {
    const { cause } = change;
    // The events of a snapshot are made when they are read: one for each object.
    if (cause === 'snapshot' || cause === 'resync') return;
    const { events } = change;
    const at = this.options.now();
    if (events.length > longChange) this.waiting.push({ at, of, cause, masking, event: { type: 'list', count: events.length } });
    else for (const event of events) this.waiting.push({ at, of, cause, masking, event });
    this.limit();
  }

  private takeDrop(of: number, { reason, by, keys }: Drop, masking: Masking): void {
    const raw = { at: this.options.now(), of, cause: by === undefined ? reason : `${reason} by ${by}`, masking };
    if (keys.length > longChange) this.waiting.push({ ...raw, event: { type: 'dropped', count: keys.length } });
    else for (const key of keys) this.waiting.push({ ...raw, event: { type: 'dropped', key } });
    this.limit();
  }

  private limit(): void {
    while (this.waiting.length > maxWaiting) {
      this.waiting.shift();
      this.skipped += 1;
    }
    this.compareLater();
  }

  private compareLater(): void {
    if (this.timer !== undefined || this.waiting.length === 0) return;
    // Real time: this limits the use of the program's processor time.
    const timer: unknown = setTimeout(() => {
      this.timer = undefined;
      this.compareSome();
      this.compareLater();
    }, apartMs);
    this.timer = timer as { unref?(): unknown };
    this.timer.unref?.();
  }

  /** Compares for one slice. */
  private compareSome(): void {
    const until = this.options.now() + sliceMs;
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
    if (!('object' in event)) {
      this.keep({ number, at, of, cause, ...event }, '[]');
      return;
    }
    const { type, key, object } = event;
    // The added object is in the cache: do not store it twice.
    const find = (): readonly Difference[] => {
      if (event.type === 'added') return [];
      return event.type === 'deleted' ? masking.differences(object, undefined) : masking.differences(event.oldObject, object);
    };
    this.keep(
      { number, at, of, cause, type, key },
      jsonShown(find, (reason) => [{ path: [], after: reason }]),
    );
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
