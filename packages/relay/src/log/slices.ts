import type { SchedulerLike, Subscription } from 'rxjs';
import { Chunk } from './chunk.js';
import type { LogEntry, ScopeLog } from './scopeLog.js';

/** What slices are made from. */
export interface SlicesInit {
  readonly log: ScopeLog;
  readonly scheduler: SchedulerLike;
  /** The approximate length of a slice, in characters. */
  readonly length: number;
  readonly lengthOf: (entry: LogEntry) => number;
  readonly textOf: (entries: readonly LogEntry[]) => string;
}

/** A part of a log: the entries between two positions. */
export interface Slice {
  readonly to: number;
  /** Undefined when there is nothing to send. */
  readonly chunk: Chunk | undefined;
}

interface Shared extends Slice {
  readonly entries: readonly LogEntry[];
  /** The position of the log at which none of them had been replaced. */
  intactAt: number;
}

/**
 * How long slices are kept, in milliseconds: many pages may catch up at once, for example after a restart of the relay or of a proxy in
 * front of it.
 */
const keptMs = 1_000;
/** How many characters of them are kept, the last ones: a log may have more than fits into memory as text. */
const mostKept = 2 ** 23;

/** The slices of a log for readers that catch up. Slices of all groups are encoded once for all readers within a second. */
export class Slices {
  private readonly init: SlicesInit;
  private readonly shared = new Map<number, Shared>();
  private kept = 0;
  private forgetting: Subscription | undefined;

  constructor(init: SlicesInit) {
    this.init = init;
  }

  /** The entries after a position in the groups that `wants` selects; in all groups without it. */
  next(from: number, wants?: (group: string) => boolean): Slice {
    if (wants !== undefined) return this.sliceOf(from, wants);
    const known = this.shared.get(from);
    // New entries are appended at the head. A slice whose entries have been replaced keeps its end, so that readers stay at the same
    // positions.
    if (known !== undefined && this.isIntact(known)) return known;
    const slice = this.sliceOf(from, () => true, known?.to);
    // Not cached at the head, where later entries will follow.
    if (slice.to === from) return slice;
    this.drop(from);
    this.shared.set(from, slice);
    this.kept += slice.chunk?.text.length ?? 0;
    for (const at of this.shared.keys()) if (this.kept > mostKept) this.drop(at);
    this.forgetting ??= this.init.scheduler.schedule(() => this.forget(), keptMs);
    return slice;
  }

  /** Whether no entry has been replaced. If the log's position has not changed, none can have been. */
  private isIntact(slice: Shared): boolean {
    const { head } = this.init.log;
    if (slice.intactAt !== head && slice.entries.every(({ replaced }) => !replaced)) slice.intactAt = head;
    return slice.intactAt === head;
  }

  forget(): void {
    this.forgetting?.unsubscribe();
    this.forgetting = undefined;
    this.shared.clear();
    this.kept = 0;
  }

  private drop(from: number): void {
    this.kept -= this.shared.get(from)?.chunk?.text.length ?? 0;
    this.shared.delete(from);
  }

  private sliceOf(from: number, wants: (group: string) => boolean, end?: number): Shared {
    const { log, length: most, lengthOf, textOf } = this.init;
    const entries: LogEntry[] = [];
    let length = 0;
    for (const entry of log.since(from)) {
      if (end !== undefined && entry.seq > end) break;
      if (!wants(entry.group)) continue;
      entries.push(entry);
      length += lengthOf(entry);
      if (length >= most) break;
    }
    const to = length >= most ? entries.at(-1)?.seq : undefined;
    return { to: end ?? to ?? log.head, entries, intactAt: log.head, chunk: entries.length === 0 ? undefined : new Chunk(textOf(entries)) };
  }
}
