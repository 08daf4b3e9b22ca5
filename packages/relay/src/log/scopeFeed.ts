import { auditTime, distinctUntilChanged, map, type SchedulerLike, Subscription } from 'rxjs';
import type { Collection, InformerHealth, ObjectEvent, ResourceChange } from 'rx-informer';
import { collectionPort, entryOf, messageOf, namespaceOfKey } from 'rx-informer/internal';
import { parseLabelSelector } from 'rx-informer/pipeline';
import { labelsOfObjectsIn, untyped, viewPortOf } from '@rx-informer/views/internal';
import { addHash, textId } from '../wire/contentHash.js';
import { frameText, type Scope, scopeId } from '../wire/frames.js';
import { lengthLeft } from '../wire/shape.js';
import { Chunk } from './chunk.js';
import { type Groups, includes } from './cursor.js';
import type { SourceGroups } from './groups.js';
import { inTurns } from './inTurns.js';
import { InputVersions } from './inputVersions.js';
import type { RelaySources } from './relaySources.js';
import type { HeldOrder, Orders } from './orders.js';
import { projectionOf } from './projection.js';
import { Slices } from './slices.js';
import type { Pace } from './pace.js';
import { RowTexts } from './rowTexts.js';
import { type IntakePart, ScopeIntake } from './scopeIntake.js';
import { type LogBatch, type LogChange, ScopeLog } from './scopeLog.js';

/** The dependencies and settings of a feed. */
export interface ScopeFeedInit {
  readonly sources: RelaySources;
  readonly groups: SourceGroups;
  readonly orders: Orders;
  readonly scope: Scope;
  readonly logId: string;
  /** Its name in frames: short, and unique in the process. */
  readonly channel: string;
  readonly scheduler: SchedulerLike;
  readonly pace: Pace;
  readonly batchMs: number;
  /** How many readers get a batch in one turn of the event loop. */
  readonly readersAtOnce: number;
  /** The approximate length of one write to a page that is catching up, in characters. */
  readonly sliceLength: number;
  /** Called when the log holds more than before. */
  readonly grown: () => void;
}

/** Called when there is something new for a reader: a batch, or another completeness or health of the feed. */
export type FeedReader = () => void;

/** A change since the last batch. */
interface PendingChange {
  readonly changes: readonly LogChange[];
  readonly version: string | undefined;
  /** The keys of the whole content, if it replaces it. */
  readonly whole: ReadonlySet<string> | undefined;
}

/** Larger batches, in changes or in characters, are sent like the content to pages that catch up, in slices. */
const mostInBatch = 500;
const longestBatch = 262_144;

/** Whether a batch is short enough to be sent as one text. */
function isShort({ entries }: LogBatch): boolean {
  if (entries.length > mostInBatch) return false;
  let left = longestBatch;
  // A change of a known object is a patch, which is short as a rule.
  for (const { value, base } of entries) left = base === undefined ? lengthLeft(left, value) : left - 300;
  return left >= 0;
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
  /** The order that its window is a part of. */
  private readonly held: HeldOrder | undefined;
  private readonly readers = new Set<FeedReader>();
  private readonly inputs: InputVersions;
  private readonly wholeId: string;
  private readonly project: (object: unknown) => unknown;
  /** Whether an object has the selected labels. */
  private readonly isSelected: (object: unknown) => boolean;
  private running: Subscription | undefined;
  private flushing: Subscription | undefined;
  private flushedAt = -Infinity;
  private shared = new Map<string, Chunk>();
  /** The batch being sent to readers, with its commit. */
  private sending: { readonly batch: LogBatch; readonly isShort: boolean; readonly end: string } | undefined;
  private sendTurns: Subscription | undefined;
  /**
   * The changes since the last batch. The log takes them with the next batch, so that a reader that catches up in between is at the start
   * of that batch, and gets the bytes encoded for all readers.
   */
  private pending: PendingChange[] = [];
  /** The part of a batch that the log has not taken yet. */
  private taking: readonly PendingChange[] = [];
  /** Whether readers may have waited for it. */
  private hasWaited = false;
  private readonly takeMore = (): void => this.takeStep();
  /** The versions that the log contains. */
  private contained = '';
  /** Those that it will contain with the batch. */
  private taken = '';
  private committed: { readonly at: number; readonly chunk: Chunk } | undefined;
  private hasOneScope = true;
  private hasWarned = false;
  private readonly texts: RowTexts;
  private readonly intake: ScopeIntake;
  private readonly begin = (): void => this.start();

  constructor(init: ScopeFeedInit) {
    const { sources, scope, logId, channel, groups } = init;
    this.init = init;
    this.log = new ScopeLog(logId);
    this.channel = channel;
    this.scope = scope;
    this.groups = groups;
    this.inputs = new InputVersions(sources, groups.kinds);
    this.wholeId = textId(scopeId(scope));
    const source = sources[scope.kind ?? scope.view ?? ''] as RelaySources[string];
    const { collection, fields: allowed } = source;
    const isSecrets = 'resource' in source && source.resource.group === '' && source.resource.plural === 'secrets';
    this.project = projectionOf(scope.fields, { allowed, kind: isSecrets ? 'Secret' : undefined }, scope.window?.orderBy);
    const labelsOf = labelsOfObjectsIn(collection);
    const selector = parseLabelSelector(scope.labelSelector ?? '');
    this.isSelected = scope.labelSelector === undefined ? () => true : (object) => selector.matches(labelsOf(object));
    this.held = this.orderOf(collection);
    const { limit = 1, offset } = scope.window ?? {};
    this.collection = this.held === undefined ? collection : this.held.order.window({ limit, offset });
    this.texts = new RowTexts(channel);
    this.slices = new Slices({
      ...{ log: this.log, scheduler: init.scheduler, length: init.sliceLength },
      lengthOf: (entry) => this.texts.lengthOf(entry),
      textOf: (entries) => this.texts.framesOf(entries, false),
    });
    this.intake = new ScopeIntake({
      pace: init.pace,
      isHere: (key) => this.isHere(key),
      shown: (key, object) => this.shown(key, object),
      groupOf: groups.groupOf,
      take: (part) => this.apply(part),
      settled: () => this.flushSoon(),
    });
  }

  /** Adds a reader until the subscription ends; the first one starts the collection. */
  add(reader: FeedReader): Subscription {
    this.readers.add(reader);
    if (this.running === undefined) this.init.pace.begin(this.begin);
    return new Subscription(() => void this.readers.delete(reader));
  }

  readerCount(): number {
    return this.readers.size;
  }

  stop(): void {
    for (const step of [this.begin, this.takeMore]) this.init.pace.remove(step);
    this.running?.unsubscribe();
    this.running = undefined;
    this.intake.stop();
    this.flushing?.unsubscribe();
    this.sendTurns?.unsubscribe();
    this.slices.forget();
    this.held?.release();
  }

  health(): InformerHealth {
    return this.collection.health();
  }

  /** How many objects the order of its window has; undefined without one. */
  total(): number | undefined {
    return this.held?.order.total();
  }

  /** The version sent with a commit: that of the last change or, for a view, of the last change of each of its kinds. */
  version(): string {
    if (this.scope.kind !== undefined && this.scope.window === undefined) return this.hasOneScope ? this.log.version : '';
    return this.inputs.changed();
  }

  /** Whether it lacks something that a page with this version has. */
  lacks(version: string): boolean {
    const hasAll = this.pending.length === 0 && !this.isTaking() && !this.intake.isBusy();
    return this.inputs.lacks(version, hasAll ? this.upstream() : this.contained, hasAll);
  }

  /** Whether the log has a batch in part, which is no state of the cache: nothing is sent then. */
  isTaking(): boolean {
    return this.taking.length > 0;
  }

  /** The batch being sent to readers as one text. */
  batch(): LogBatch | undefined {
    return this.sending?.isShort === true ? this.sending.batch : undefined;
  }

  private upstream(): string {
    if (this.scope.kind !== undefined && this.scope.window === undefined) return this.hasOneScope ? this.health().resourceVersion : '';
    return this.inputs.reached();
  }

  /** Ends the current batch. */
  private flush(): void {
    this.flushing = undefined;
    // A change that has been taken in part is no state of the cache.
    if (this.intake.isBusy()) return;
    this.taken = this.upstream();
    this.taking = this.pending.splice(0);
    this.takeStep();
  }

  /** Puts the batch into the log, a large one in several turns of the event loop. */
  private takeStep(): void {
    const { pace } = this.init;
    const isOver = pace.step();
    let count = 0;
    do this.put(this.taking[count++] as PendingChange);
    while (count < this.taking.length && !isOver());
    this.taking = this.taking.slice(count);
    if (this.isTaking()) {
      this.hasWaited = true;
      pace.add(this.takeMore);
      return;
    }
    this.contained = this.taken;
    this.send();
  }

  /** Sends a batch to some readers in each turn of the event loop, so that other work runs in between. */
  private send(): void {
    const batch = this.log.flush();
    const { hasWaited } = this;
    this.hasWaited = false;
    if (batch === undefined) {
      if (hasWaited) this.notice();
      this.flushSoon();
      return;
    }
    const { scheduler, readersAtOnce } = this.init;
    this.flushedAt = scheduler.now();
    this.sending = { batch, isShort: isShort(batch), end: this.commit().text };
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
      const rows = this.texts.framesOf(chosen, true);
      return new Chunk(last ? rows + (this.sending?.end ?? '') : rows);
    });
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
    if (this.running !== undefined) return;
    const running = new Subscription();
    this.running = running;
    // Record the versions of a view's inputs before the view changes.
    if (this.scope.view !== undefined || this.scope.window !== undefined) running.add(this.inputs.follow());
    const ended = (): void => this.notice();
    running.add(this.collection.change$.subscribe({ next: (change) => this.intake.take(change), error: ended, complete: ended }));
    running.add(
      viewPortOf(untyped(this.collection))?.renewal$.subscribe({ next: (keys) => this.intake.take(this.renewalOf(keys)), error: ended }),
    );
    running.add(
      this.held?.order[collectionPort].settled$
        .pipe(
          map(() => this.total()),
          distinctUntilChanged(),
          auditTime(this.init.batchMs, this.init.scheduler),
        )
        .subscribe({ next: ended, error: ended }),
    );
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

  private apply({ changes, change, whole, isLast }: IntakePart): void {
    if (change.scope !== undefined && change.scope !== '') this.hasOneScope = false;
    const version = this.hasOneScope && this.scope.kind !== undefined ? change.resourceVersion : '';
    if (this.isReady) {
      this.pending.push({ changes, version, whole });
      return;
    }
    this.put({ changes, version, whole });
    // Waiting changes are outdated: the groups of their keys may be those of later values. No reader has been sent anything yet, so patches are useless.
    if (!isLast || !change.synced || this.intake.isBusy()) return;
    this.isReady = true;
    this.log.begin();
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

  private put({ changes, version, whole }: PendingChange): void {
    const missing = whole === undefined ? [] : [...this.log.keys()].filter((key) => !whole.has(key));
    const { bytes } = this.log;
    this.log.apply([...missing.map((key) => ({ key, group: '', value: undefined })), ...changes], version);
    if (this.log.bytes > bytes) this.init.grown();
  }

  private isHere(key: string): boolean {
    const { kind, namespace = '', name } = this.scope;
    const place = kind === undefined ? namespaceOfKey(key) : this.groups.groupOf(key);
    if (namespace !== '' && place !== namespace) return false;
    return name === undefined || key === (namespace === '' ? name : `${namespace}/${name}`);
  }

  private flushSoon(): void {
    if (this.flushing !== undefined || this.sending !== undefined || this.isTaking() || this.intake.isBusy() || this.pending.length === 0)
      return;
    const { scheduler, batchMs } = this.init;
    this.flushing = scheduler.schedule(() => this.flush(), Math.max(0, this.flushedAt + batchMs - scheduler.now()));
  }

  private notice(): void {
    for (const reader of [...this.readers]) reader();
  }

  private orderOf(collection: Collection<unknown>): HeldOrder | undefined {
    const { namespace = '', labelSelector = '', window } = this.scope;
    if (window === undefined) return undefined;
    const isHere = (object: unknown): boolean => (namespace === '' || isIn(object, namespace)) && this.isSelected(object);
    return this.init.orders.hold(collection, this.scope, namespace === '' && labelSelector === '' ? undefined : isHere);
  }
}

function isIn(object: unknown, namespace: string): boolean {
  return (object as { readonly metadata?: { readonly namespace?: string } } | undefined)?.metadata?.namespace === namespace;
}
