import { compareResourceVersions } from '../../api/kubernetesObject.js';
import { frameText, type ResumeToken, type ScopeRights } from '../wire/frames.js';
import { type Cursor, cursorAt, cursorStep, emptyCursor, type Groups, includes, isCurrent, nextOf, sentTo } from '../log/cursor.js';
import type { FeedReader, ScopeFeed } from '../log/scopeFeed.js';
import type { LogBatch, LogEntry } from '../log/scopeLog.js';
import { Chunk } from '../log/chunk.js';

/** What a user may see of a feed at a moment. The same object as before where nothing has changed. */
export interface Visible {
  readonly groups: Groups;
  readonly rights: ScopeRights;
  /** Whether some of it is being asked. */
  readonly isOpen: boolean;
}

/** How one reader of a connection writes, and what it may see. */
export interface ReaderInit {
  readonly feed: ScopeFeed;
  readonly token: ResumeToken | undefined;
  readonly visible: () => Visible;
  readonly write: (chunk: Chunk, isContent: boolean) => void;
  readonly canWrite: () => boolean;
  /** How long rights that are being asked hold a resumption up. */
  readonly mayWaitForRights: () => boolean;
  /** About how long one write to a page that catches up is, in characters. */
  readonly sliceLength: number;
  readonly audit: (drop: readonly string[]) => void;
}

/** One scope of one page: a cursor into a log, and what its user may see of it at each write. */
export class Reader implements FeedReader {
  readonly feed: ScopeFeed;
  private readonly init: ReaderInit;
  private cursor: Cursor | undefined;
  private said: { readonly visible: Visible; readonly isWhole: boolean; readonly groups: number } | undefined;
  private saidRights = '';
  private saidHealth = '';
  private isCommitted = false;
  /** The last position at which the page had everything that there was. */
  private wholeAt = -1;

  constructor(init: ReaderInit) {
    this.init = init;
    this.feed = init.feed;
  }

  /** Whether the page has everything that there is for it. */
  isCurrent(): boolean {
    return this.cursor !== undefined && this.isCommitted && isCurrent(this.cursor, this.feed.log);
  }

  follow(batch: LogBatch): void {
    if (!this.init.canWrite()) return;
    const visible = this.look();
    const { cursor } = this;
    if (cursor === undefined || visible === undefined) return;
    // A position alone does not say that the page has the values that patches start from: it must have been whole there.
    if (cursor.fillAt !== undefined || cursor.at !== batch.from || this.wholeAt !== batch.from) {
      this.catchUp();
      return;
    }
    const chunks =
      cursor.shown === 'all'
        ? [this.feed.batchOf(batch, undefined)]
        : [...new Set(batch.entries.map(({ group }) => group))]
            .filter((group) => includes(cursor.shown, group))
            .map((group) => this.feed.batchOf(batch, group));
    this.cursor = { ...cursor, at: batch.to };
    this.wholeAt = batch.to;
    const content = chunks.filter((chunk) => chunk !== undefined);
    if (content.length === 0) return;
    for (const chunk of content) this.init.write(chunk, true);
    this.init.write(this.feed.commit(), true);
  }

  notice(): void {
    if (this.init.canWrite()) this.catchUp();
  }

  /** Sends what the page lacks, as far as it can take it. */
  catchUp(): void {
    if (this.look() === undefined) return;
    while (this.cursor !== undefined && this.init.canWrite() && !this.isCurrent()) this.slice(this.cursor);
  }

  /** Where the page stands, with what it must have; undefined while it is being brought there. */
  beat(): readonly [at: number, count: number, sum: number] | undefined {
    if (this.cursor === undefined || !this.isCurrent()) return undefined;
    const { count, sum } = this.feed.sumOf(this.cursor.shown);
    return [this.feed.log.head, count, sum];
  }

  /** Looks at the rights: what is lost is dropped before anything else is written. */
  private look(): Visible | undefined {
    const visible = this.init.visible();
    this.sayHealth();
    if (!this.feed.isReady) {
      this.say(visible);
      return undefined;
    }
    if (this.cursor === undefined && !this.begin(visible)) return undefined;
    if (this.cursor === undefined) return undefined;
    const { cursor, reset, drop } = cursorStep(this.cursor, visible.groups, this.feed.log);
    if (drop.length > 0) {
      this.tell(frameText({ c: this.feed.channel, drop }), true);
      this.init.audit(drop);
    }
    if (reset) this.tell(frameText({ c: this.feed.channel, reset: true }), true);
    if (reset) this.isCommitted = false;
    this.cursor = cursor;
    this.say(visible);
    return visible;
  }

  /** Where the page begins: where it was, if that is known to be the same; else anew. */
  private begin(visible: Visible): boolean {
    const waits = visible.rights === 'checking' || (visible.isOpen && this.init.token !== undefined);
    if (waits && this.init.mayWaitForRights()) {
      this.say(visible);
      return false;
    }
    const at = this.resumedAt(visible.groups);
    this.cursor = at === undefined ? emptyCursor(visible.groups) : cursorAt(at, visible.groups);
    if (at === undefined) this.tell(frameText({ c: this.feed.channel, reset: true }), true);
    return true;
  }

  private resumedAt(groups: Groups): number | undefined {
    const { token } = this.init;
    const { feed } = this;
    const { log } = feed;
    if (token === undefined || token.rights !== feed.rightsId(groups)) return undefined;
    if (token.log === log.id && token.at <= log.head) return token.at < log.floor ? undefined : token.at;
    const { count, sum } = feed.sumOf(groups);
    if (token.count === count && token.sum === sum) return log.head;
    return log.positionOf(token.version);
  }

  private slice(cursor: Cursor): void {
    const { log } = this.feed;
    const { from, wants } = nextOf(cursor, log);
    const entries: LogEntry[] = [];
    let [length, to] = [0, from];
    for (const entry of log.since(from)) {
      to = entry.seq;
      if (!wants(entry.group)) continue;
      entries.push(entry);
      length += entry.value === undefined ? entry.key.length : this.feed.shapedOf(entry).length;
      if (length >= this.init.sliceLength) break;
    }
    if (length < this.init.sliceLength) to = log.head;
    const after = sentTo(cursor, to, log);
    this.cursor = after;
    const rows = this.feed.rows(entries, wants, false);
    if (rows !== '') this.tell(rows, true);
    if (!isCurrent(after, log)) return;
    this.isCommitted = true;
    this.wholeAt = log.head;
    this.init.write(this.feed.commit(), rows !== '');
    this.say(this.init.visible());
  }

  /** While something of it is still to come, a token of this scope would say too much: then it has no id. */
  private say(visible: Visible): void {
    const { feed, said } = this;
    const isWhole = this.cursor !== undefined && this.cursor.fillAt === undefined;
    if (said?.visible === visible && said.isWhole === isWhole && said.groups === feed.log.groupsChanged) return;
    this.said = { visible, isWhole, groups: feed.log.groupsChanged };
    const text = frameText({ c: feed.channel, rights: visible.rights, id: isWhole ? feed.rightsId(visible.groups) : '' });
    if (text === this.saidRights) return;
    this.saidRights = text;
    this.tell(text, false);
  }

  private sayHealth(): void {
    const { state, error } = this.feed.health();
    // A message may name servers and paths: the code says enough.
    const text = frameText({ c: this.feed.channel, health: state, code: error?.code });
    if (text === this.saidHealth) return;
    this.saidHealth = text;
    this.tell(text, false);
  }

  private tell(text: string, isContent: boolean): void {
    this.init.write(new Chunk(text), isContent);
  }
}

/** Whether a relay is behind a token: then another replica, or a moment, will be of more help. */
export function isBehind(token: ResumeToken | undefined, feed: ScopeFeed): boolean {
  if (token === undefined || token.log === feed.log.id || token.version === '') return false;
  if (!feed.isReady) return true;
  const reached = feed.reached().split(',');
  return token.version.split(',').some((version, at) => (compareResourceVersions(reached[at] ?? '', version) ?? 0) < 0);
}
