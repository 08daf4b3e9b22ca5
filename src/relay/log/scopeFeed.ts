import { map, type SchedulerLike, Subscription } from 'rxjs';
import type { InformerHealth, ObjectEvent, ResourceChange } from '../../api/events.js';
import { entryOf } from '../../api/entryOf.js';
import { messageOf } from '../../api/errors/informerError.js';
import { namespaceOfKey } from '../../api/kubernetesObject.js';
import { parseLabelSelector } from '../../api/selectors.js';
import type { Collection } from '../../informer/collection.js';
import { inTurns } from '../../rx/inTurns.js';
import { derive } from '../../views/derive.js';
import { labelsOfObjectsIn, untyped, viewPortOf } from '../../views/kernel/viewPort.js';
import { topObjects } from '../../views/topObjects.js';
import { addHash, textId } from '../wire/contentHash.js';
import { differenceOf } from '../wire/difference.js';
import { frameText, type Scope, scopeId, type RelayWindow } from '../wire/frames.js';
import { isLongerThan, type Shaped, shapeOf, tableText } from '../wire/shape.js';
import { Chunk } from './chunk.js';
import { type Groups, includes } from './cursor.js';
import type { SourceGroups } from './groups.js';
import type { RelaySources } from './relaySources.js';
import { partsOfPath, projectionOf, valueAt } from './projection.js';
import { Slices } from './slices.js';
import { type LogBatch, type LogChange, type LogEntry, ScopeLog } from './scopeLog.js';

/** The dependencies and settings of a feed. */
export interface ScopeFeedInit {
  readonly sources: RelaySources;
  readonly groups: SourceGroups;
  readonly scope: Scope;
  readonly logId: string;
  /** Its name in frames: short, and unique in the process. */
  readonly channel: string;
  readonly scheduler: SchedulerLike;
  readonly batchMs: number;
  /** How many readers get a batch in one turn of the event loop. */
  readonly readersAtOnce: number;
  /** The approximate length of one write to a page that is catching up, in characters. */
  readonly sliceLength: number;
}

/** Called when there is something new for a reader: a batch, or another completeness or health of the feed. */
export type FeedReader = () => void;

/** A change since the last batch. */
interface PendingChange {
  readonly changes: readonly LogChange[];
  readonly version: string | undefined;
  /** Whether keys that are missing in it were deleted. */
  readonly isWhole: boolean;
}

/** How many objects are processed per task while no reader has been sent anything. */
const sliceSize = 250;
/** Longer rows, in characters, are not kept, but serialized again for each reader that lags behind. */
const longestKeptText = 1_000;
/** The fewest objects of one shape that are sent as a table. */
const fewestOfShape = 3;
const maxShapes = 1_000;

function ordering({ orderBy, descending = false }: RelayWindow): (a: unknown, b: unknown) => number {
  const parts = partsOfPath(orderBy);
  return (a, b) => {
    const [left, right] = [valueAt(a, parts), valueAt(b, parts)] as [string | number | undefined, string | number | undefined];
    if (left === right) return 0;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right === descending ? 1 : -1;
  };
}

/** One scope of a relay: the log of a collection with its batches, for all pages that follow it. */
export class ScopeFeed {
  readonly log: ScopeLog;
  readonly channel: string;
  readonly scope: Scope;
  readonly groups: SourceGroups;
  /** What is sent to readers that catch up. */
  readonly slices: Slices;
  /** Whether the log has the complete content. */
  isReady = false;
  private readonly init: ScopeFeedInit;
  private readonly collection: Collection<unknown>;
  private readonly stopWindow: () => void;
  private readonly readers = new Set<FeedReader>();
  private readonly inputVersions = new Map<string, string>();
  private readonly wholeId: string;
  private readonly project: (object: unknown) => unknown;
  /** Whether an object has the selected labels. */
  private readonly isSelected: (object: unknown) => boolean;
  private running: Subscription | undefined;
  private flushing: Subscription | undefined;
  private flushedAt = -Infinity;
  private shared = new Map<string, Chunk>();
  /** The batch being sent to readers, with its commit. */
  private sending: { readonly batch: LogBatch; readonly end: string } | undefined;
  private sendTurns: Subscription | undefined;
  /**
   * The changes since the last batch. The log takes them with the next batch, so that a reader that catches up in between is at the start
   * of that batch, and gets the bytes encoded for all readers.
   */
  private pending: PendingChange[] = [];
  /** The versions that the log contains. */
  private contained = '';
  private committed: { readonly at: number; readonly chunk: Chunk } | undefined;
  private hasOneScope = true;
  private hasWarned = false;
  private readonly shapes = new Map<string, string>();
  private readonly waiting: ResourceChange<unknown>[] = [];
  private slicing: Subscription | undefined;

  constructor(init: ScopeFeedInit) {
    const { sources, scope, logId, channel, groups } = init;
    this.init = init;
    this.log = new ScopeLog(logId);
    this.channel = channel;
    this.scope = scope;
    this.groups = groups;
    this.project = projectionOf(scope.fields);
    this.wholeId = textId(scopeId(scope));
    const { collection } = sources[scope.kind ?? scope.view ?? ''] as RelaySources[string];
    const labelsOf = labelsOfObjectsIn(collection);
    const selector = parseLabelSelector(scope.labelSelector ?? '');
    this.isSelected = scope.labelSelector === undefined ? () => true : (object) => selector.matches(labelsOf(object));
    const { collection: windowed, stop } = this.windowOf(collection);
    this.collection = windowed;
    this.stopWindow = stop;
    this.slices = new Slices({
      ...{ log: this.log, scheduler: init.scheduler, length: init.sliceLength },
      lengthOf: (entry) => (entry.value === undefined ? entry.key.length : this.shapedOf(entry).length),
      textOf: (entries) => this.rows(entries, false),
    });
  }

  /** Adds a reader until the subscription ends; the first one starts the collection. */
  add(reader: FeedReader): Subscription {
    this.readers.add(reader);
    if (this.running === undefined) this.start();
    return new Subscription(() => void this.readers.delete(reader));
  }

  readerCount(): number {
    return this.readers.size;
  }

  stop(): void {
    this.running?.unsubscribe();
    this.running = undefined;
    this.slicing?.unsubscribe();
    this.flushing?.unsubscribe();
    this.sendTurns?.unsubscribe();
    this.slices.forget();
    this.stopWindow();
  }

  health(): InformerHealth {
    return this.collection.health();
  }

  /** The version sent with a commit: that of the last change or, for a view, of the last change of each of its kinds. */
  version(): string {
    if (this.scope.kind !== undefined && this.scope.window === undefined) return this.hasOneScope ? this.log.version : '';
    return this.groups.kinds.map((kind) => this.inputVersions.get(kind) ?? '').join(',');
  }

  /** The versions reached, to compare with a token's; unlike `version`, they include bookmarks. */
  reached(): string {
    return this.pending.length > 0 ? this.contained : this.upstream();
  }

  /** The batch being sent to readers. */
  batch(): LogBatch | undefined {
    return this.sending?.batch;
  }

  private upstream(): string {
    if (this.scope.kind !== undefined && this.scope.window === undefined) return this.hasOneScope ? this.health().resourceVersion : '';
    return this.groups.kinds.map((kind) => this.init.sources[kind]?.collection.health().resourceVersion ?? '').join(',');
  }

  /** Ends the current batch: sends it to some readers in each turn of the event loop, so that other work runs in between. */
  private flush(): void {
    this.flushing = undefined;
    for (const { changes, version, isWhole } of this.pending.splice(0)) this.put(changes, version, isWhole);
    this.contained = this.upstream();
    const batch = this.log.flush();
    if (batch === undefined) return;
    const { scheduler, readersAtOnce } = this.init;
    this.flushedAt = scheduler.now();
    this.sending = { batch, end: this.commit().text };
    this.sendTurns = inTurns({
      ...{ items: [...this.readers], perTurn: readersAtOnce, scheduler },
      each: (reader) => this.readers.has(reader) && reader(),
      done: () => {
        for (const entry of batch.entries) entry.base = undefined;
        this.shared = new Map<string, Chunk>();
        this.sending = undefined;
        this.flushSoon();
      },
    });
  }

  /** The encoded batch for readers of one group or of all, with the commit behind it if it is the `last` part; made once. */
  batchOf({ entries }: LogBatch, group: string | undefined, last: boolean): Chunk {
    return entryOf(this.shared, `${last ? 'last' : ''}\n${group ?? ''}`, () => {
      const chosen = group === undefined ? entries : entries.filter((entry) => entry.group === group);
      const rows = this.rows(chosen, true);
      return new Chunk(last ? rows + (this.sending?.end ?? '') : rows);
    });
  }

  /** Entries as frames, one per group. With `patched`, they are sent as patches of the values at the last batch where that is shorter. */
  private rows(entries: readonly LogEntry[], patched: boolean): string {
    const groups = new Map<string, LogEntry[]>();
    for (const entry of entries) entryOf(groups, entry.group, () => []).push(entry);
    return [...groups].map(([group, members]) => this.groupText(group, members, patched)).join('');
  }

  /** An object as a row of a table. */
  shapedOf(entry: LogEntry): Shaped {
    if (entry.shaped !== undefined) return entry.shaped;
    const { shape, row, length } = shapeOf(entry.key, entry.value);
    // Entries of one shape share its string.
    const known = this.shapes.get(shape) ?? shape;
    if (this.shapes.size < maxShapes) this.shapes.set(known, known);
    const shaped = { shape: known, row, length };
    if (length <= longestKeptText) entry.shaped = shaped;
    return shaped;
  }

  private groupText(group: string, members: readonly LogEntry[], patched: boolean): string {
    const [set, like, patch, del]: [string[], string[], string[], string[]] = [[], [], [], []];
    const tables = new Map<string, LogEntry[]>();
    for (const entry of members) {
      const { key, value, base } = entry;
      if (value === undefined) {
        del.push(JSON.stringify(key));
        continue;
      }
      const edits = patched && base !== undefined ? JSON.stringify([key, base.hash, differenceOf(base.value, value)]) : undefined;
      if (edits !== undefined && (edits.length < 200 || isLongerThan(edits.length, value))) patch.push(edits);
      else entryOf(tables, this.shapedOf(entry).shape, () => []).push(entry);
    }
    for (const [shape, rows] of tables) {
      if (rows.length < fewestOfShape) set.push(...rows.map(({ key, value }) => JSON.stringify([key, value])));
      else
        like.push(
          tableText(
            shape,
            rows.map((entry) => this.shapedOf(entry).row),
          ),
        );
    }
    const parts = Object.entries({ set, like, patch, del }).filter(([, rows]) => rows.length > 0);
    return `data: {"c":"${this.channel}","g":${JSON.stringify(group)},${parts.map(([name, rows]) => `"${name}":[${rows.join(',')}]`).join(',')}}\n\n`;
  }

  /** The commit at the head: the same for all readers there, made once per batch. */
  commit(): Chunk {
    const { head, id } = this.log;
    if (this.committed?.at !== head) {
      this.committed = { at: head, chunk: new Chunk(frameText({ c: this.channel, at: head, log: id, version: this.version() })) };
    }
    return this.committed.chunk;
  }

  /** Identifies scope, projection and permissions in a token. */
  rightsId(groups: Groups): string {
    if (groups === 'all') return this.wholeId;
    return textId(JSON.stringify([this.wholeId, [...groups].filter((group) => (this.log.groups.get(group)?.count ?? 0) > 0).sort()]));
  }

  /** The count and the checksum of the objects in some groups. */
  sumOf(groups: Groups): { readonly count: number; readonly sum: number } {
    let [count, sum] = [0, 0];
    for (const [group, held] of this.log.groups) {
      if (!includes(groups, group)) continue;
      count += held.count;
      sum = addHash(sum, held.sum);
    }
    return { count, sum };
  }

  private start(): void {
    const running = new Subscription();
    this.running = running;
    // Record the versions of a view's inputs before the view changes.
    if (this.scope.view !== undefined || this.scope.window !== undefined) {
      for (const kind of this.groups.kinds) running.add(this.followVersions(kind));
    }
    const ended = (): void => this.notice();
    running.add(this.collection.change$.subscribe({ next: (change) => this.take(change), error: ended, complete: ended }));
    running.add(viewPortOf(untyped(this.collection))?.renewal$.subscribe((keys) => this.take(this.renewalOf(keys))));
    running.add(this.collection.health$.pipe(map(({ state }) => state)).subscribe({ next: ended, error: ended }));
  }

  /** Values that have not changed, but need something else: they move to other groups. */
  private renewalOf(keys: readonly string[]): ResourceChange<unknown> {
    const events = keys.flatMap((key): ObjectEvent<unknown>[] => {
      const object = this.collection.indexer.getByKey(key);
      return object === undefined ? [] : [{ type: 'updated', key, object, oldObject: object, resync: false, inferred: false }];
    });
    return { cause: 'view', events, synced: true };
  }

  private followVersions(kind: string): Subscription | undefined {
    return this.init.sources[kind]?.collection.change$.subscribe({
      next: ({ resourceVersion }) => {
        if (resourceVersion !== undefined && resourceVersion !== '') this.inputVersions.set(kind, resourceVersion);
      },
      // The view reports the same error.
      error: () => undefined,
    });
  }

  /** Applies a change. The first content of a large collection is applied in slices; later changes wait for it. */
  private take(change: ResourceChange<unknown>): void {
    this.waiting.push(change);
    if (this.slicing === undefined) this.takeWaiting();
  }

  private takeWaiting(): void {
    this.slicing = undefined;
    for (let change = this.waiting.shift(); change !== undefined; change = this.waiting.shift()) {
      const isSliced = !this.isReady && (this.log.head === 0 || change.cause !== 'snapshot');
      const isLast = !isSliced || change.events.length <= sliceSize;
      this.apply(isLast ? change : { ...change, events: change.events.slice(0, sliceSize), synced: false });
      if (isLast) continue;
      this.waiting.unshift({ ...change, cause: 'list', events: change.events.slice(sliceSize) });
      this.slicing = this.init.scheduler.schedule(() => this.takeWaiting(), 0);
      return;
    }
  }

  private apply(change: ResourceChange<unknown>): void {
    if (change.scope !== undefined && change.scope !== '') this.hasOneScope = false;
    const changes = change.events
      .filter(({ key }) => this.isHere(key))
      .map(({ type, key, object }) => {
        const value = type === 'deleted' ? undefined : this.shown(key, object);
        return { key, group: value === undefined ? '' : this.groups.groupOf(key), value };
      });
    const version = this.hasOneScope && this.scope.kind !== undefined ? change.resourceVersion : '';
    // The collection was restarted: keys missing now are deleted.
    const isWhole = change.cause === 'snapshot';
    if (this.isReady) {
      this.pending.push({ changes, version, isWhole });
      this.flushSoon();
      return;
    }
    this.put(changes, version, isWhole);
    // Waiting changes are outdated: the groups of their keys may be those of later values. No reader has been sent anything yet, so patches are useless.
    if (!change.synced || this.waiting.length > 0) return;
    this.isReady = true;
    this.log.flush();
    this.contained = this.upstream();
    this.notice();
  }

  /** What pages get of an object; undefined if it has not the selected labels, or cannot be sent. */
  private shown(key: string, object: unknown): unknown {
    try {
      return this.scope.window === undefined && !this.isSelected(object) ? undefined : this.project(object);
    } catch (error) {
      if (!this.hasWarned) console.warn(`rx-informer: the relay leaves out ${key} of ${this.collection.name}: ${messageOf(error)}`);
      this.hasWarned = true;
      return undefined;
    }
  }

  private put(changes: readonly LogChange[], version: string | undefined, isWhole: boolean): void {
    const kept = new Set(isWhole ? changes.map(({ key }) => key) : []);
    const missing = isWhole ? [...this.log.keys()].filter((key) => !kept.has(key)) : [];
    this.log.apply([...missing.map((key) => ({ key, group: '', value: undefined })), ...changes], version);
  }

  private isHere(key: string): boolean {
    const { namespace = '', name } = this.scope;
    if (name !== undefined) return key === (namespace === '' ? name : `${namespace}/${name}`);
    return namespace === '' || namespaceOfKey(key) === namespace;
  }

  private flushSoon(): void {
    if (this.flushing !== undefined || this.sending !== undefined || this.pending.length === 0) return;
    const { scheduler, batchMs } = this.init;
    this.flushing = scheduler.schedule(() => this.flush(), Math.max(0, this.flushedAt + batchMs - scheduler.now()));
  }

  private notice(): void {
    for (const reader of [...this.readers]) reader();
  }

  private windowOf(collection: Collection<unknown>): { readonly collection: Collection<unknown>; readonly stop: () => void } {
    const { namespace = '', labelSelector = '', window } = this.scope;
    if (window === undefined) return { collection, stop: () => undefined };
    const isHere = (object: unknown): boolean => (namespace === '' || isIn(object, namespace)) && this.isSelected(object);
    const isWhole = namespace === '' && labelSelector === '';
    const within = isWhole ? undefined : derive(collection, (object) => (isHere(object) ? (object as object) : undefined));
    const first = topObjects(within ?? collection, ordering(window), { limit: window.limit });
    return {
      collection: first,
      stop: () => {
        void first.stop();
        void within?.stop();
      },
    };
  }
}

function isIn(object: unknown, namespace: string): boolean {
  return (object as { readonly metadata?: { readonly namespace?: string } } | undefined)?.metadata?.namespace === namespace;
}
