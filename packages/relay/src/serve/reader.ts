import { frameText, type ResumeToken } from '../wire/frames.js';
import { type Cursor, cursorAt, cursorStep, emptyCursor, type Groups, isCurrent, nextOf, sentTo } from '../log/cursor.js';
import type { ScopeFeed } from '../log/scopeFeed.js';
import type { LogBatch } from '../log/scopeLog.js';
import type { Chunk } from '../log/chunk.js';
import type { Visible } from './visibility.js';

/** The dependencies and settings of a reader. */
export interface ReaderInit {
  readonly feed: ScopeFeed;
  readonly token: ResumeToken | undefined;
  readonly visible: () => Visible;
  readonly write: (chunk: Chunk, isContent: boolean) => void;
  readonly send: (text: string, isContent: boolean) => void;
  readonly canWrite: () => boolean;
  /** Whether a resumption may wait for permissions that are being checked. */
  readonly mayWaitForRights: () => boolean;
  readonly audit: (drop: readonly string[]) => void;
}

/** One scope of one page: a cursor into a log, filtered by the user's permissions at each write. */
export class Reader {
  readonly feed: ScopeFeed;
  private readonly init: ReaderInit;
  private cursor: Cursor | undefined;
  private said: { readonly visible: Visible; readonly isWhole: boolean; readonly groups: number } | undefined;
  private saidRights = '';
  /** The permissions in the token of the page. */
  private heldRights: string;
  private saidHealth = '';
  private saidTotal: number | undefined;
  private isCommitted = false;
  /** The last position at which the page had everything. */
  private wholeAt = -1;

  constructor(init: ReaderInit) {
    this.init = init;
    this.feed = init.feed;
    this.heldRights = init.token?.rights ?? '';
  }

  /** Whether the user may see anything of the scope. */
  sees(): boolean {
    return !isBlind(this.init.visible());
  }

  /** Whether the page has been sent everything. */
  isCurrent(): boolean {
    if (this.isCommitted && this.said !== undefined && isBlind(this.said.visible)) return true;
    return this.cursor !== undefined && this.isCommitted && isCurrent(this.cursor, this.feed.log);
  }

  /** Whether all that it lacks is the batch that is being sent to all. */
  isAtBatch(): boolean {
    const batch = this.feed.batch();
    return batch !== undefined && this.cursor !== undefined && this.isAt(batch, this.cursor);
  }

  /** Sends what the page lacks, as much as it can receive. */
  catchUp(): void {
    if (this.feed.isTaking()) return;
    const visible = this.init.canWrite() ? this.applyRights() : undefined;
    if (visible === undefined) return;
    if (isBlind(visible)) {
      this.sendNothing();
      return;
    }
    this.sendTotal();
    while (this.cursor !== undefined && this.init.canWrite() && !this.isCurrent()) {
      const batch = this.feed.batch();
      if (batch !== undefined && this.isAt(batch, this.cursor)) this.follow(batch, this.cursor);
      else this.slice(this.cursor);
    }
    // Its groups may have become others.
    this.sendRights(visible);
  }

  /** The position of the page with the expected count and checksum; undefined while it is catching up. */
  beat(): readonly [at: number, count: number, sum: number] | undefined {
    if (this.cursor === undefined || !this.isCurrent() || !this.sees()) return undefined;
    const { count, sum } = this.feed.sumOf(this.cursor.shown);
    return [this.feed.log.head, count, sum];
  }

  /** Applies the permissions: revoked content is dropped before anything else is written. */
  private applyRights(): Visible | undefined {
    const visible = this.init.visible();
    this.sendHealth();
    if (!this.feed.isReady) {
      this.sendRights(visible);
      return undefined;
    }
    if (this.cursor === undefined && !this.begin(visible)) return undefined;
    if (this.cursor === undefined) return undefined;
    const { cursor, reset, drop } = cursorStep(this.cursor, visible.groups, this.feed.log);
    if (drop.length > 0) {
      this.init.send(frameText({ c: this.feed.channel, drop }), true);
      this.init.audit(drop);
    }
    if (reset) this.init.send(frameText({ c: this.feed.channel, reset: true }), true);
    if (reset) this.isCommitted = false;
    this.cursor = cursor;
    this.sendRights(visible);
    return visible;
  }

  /** Starts the page at its former position if its token is valid there; else from scratch. */
  private begin(visible: Visible): boolean {
    const waits = visible.rights === 'checking' || (visible.isOpen && this.init.token !== undefined);
    // A right that is granted during the stream may come to a replica that is behind the page.
    if ((waits && this.init.mayWaitForRights()) || unreached(this.init.token, this.feed, () => visible) === 'Behind') {
      this.sendRights(visible);
      return false;
    }
    const at = this.resumedAt(visible.groups);
    this.cursor = at === undefined ? emptyCursor(visible.groups) : cursorAt(at, visible.groups);
    // A page that has nothing and may see nothing loses nothing: a poll does not end with that.
    const isContent = this.init.token !== undefined || !isBlind(visible);
    if (at === undefined) this.init.send(frameText({ c: this.feed.channel, reset: true }), isContent);
    return true;
  }

  private resumedAt(groups: Groups): number | undefined {
    const { token } = this.init;
    const { feed } = this;
    const { log } = feed;
    if (token === undefined || token.rights !== feed.rightsId(groups)) return undefined;
    if (token.log === log.id && token.at <= log.head) return token.at < log.floor ? undefined : token.at;
    if (hasSame(token, feed, groups)) return log.head;
    return log.positionOf(token.version);
  }

  /** Whether the page has the base of a batch: patches need the values at its start, which the position alone does not guarantee. */
  private isAt({ from }: LogBatch, { at, fillAt }: Cursor): boolean {
    return fillAt === undefined && at === from && this.wholeAt === from;
  }

  /** Sends the rows of a batch, encoded once for all readers. */
  private follow(batch: LogBatch, cursor: Cursor): void {
    this.cursor = { ...cursor, at: batch.to };
    this.wholeAt = batch.to;
    const { shown } = cursor;
    const groups =
      shown === 'all' ? [undefined] : [...new Set(batch.entries.map(({ group }) => group))].filter((group) => shown.has(group));
    // The commit is in the last part, because each write costs more than its content.
    for (const [at, group] of groups.entries()) this.init.write(this.feed.batchOf(batch, group, at === groups.length - 1), true);
  }

  /** Ends a step of a page that may see nothing: positions and versions would tell of the changes of others. */
  private sendNothing(): void {
    if (this.isCommitted) return;
    this.isCommitted = true;
    this.init.send(frameText({ c: this.feed.channel, at: 0, log: '', version: '' }), false);
  }

  private slice(cursor: Cursor): void {
    const { log } = this.feed;
    const { from, wants } = nextOf(cursor, log);
    const { to, chunk } = this.feed.slices.next(from, wants);
    const after = sentTo(cursor, to, log);
    this.cursor = after;
    if (chunk !== undefined) this.init.write(chunk, true);
    if (!isCurrent(after, log)) return;
    this.isCommitted = true;
    this.wholeAt = log.head;
    this.init.write(this.feed.commit(), chunk !== undefined);
  }

  /** Sends the permissions. While content is pending, they have no other token than the page has, since it would claim content that was not sent. */
  private sendRights(visible: Visible): void {
    const { cursor, feed, said } = this;
    const { groupsChanged: groups } = feed.log;
    const isWhole = cursor !== undefined && isCurrent(cursor, feed.log);
    if (said?.visible === visible && said.groups === groups && (said.isWhole || !isWhole)) return;
    this.said = { visible, isWhole, groups };
    const id = feed.rightsId(visible.groups);
    if (isWhole) this.heldRights = id;
    else if (cursor !== undefined && id !== this.heldRights) this.heldRights = '';
    const text = frameText({ c: feed.channel, rights: visible.rights, id: this.heldRights });
    if (text === this.saidRights) return;
    this.saidRights = text;
    this.init.send(text, false);
  }

  private sendTotal(): void {
    const total = this.feed.total();
    if (total === undefined || total === this.saidTotal) return;
    this.saidTotal = total;
    this.init.send(frameText({ c: this.feed.channel, total }), false);
  }

  private sendHealth(): void {
    const { state, error } = this.feed.health();
    // The error message may contain names of servers and paths: send the code only.
    const text = frameText({ c: this.feed.channel, health: state, code: error?.code });
    if (text === this.saidHealth) return;
    this.saidHealth = text;
    this.init.send(text, false);
  }
}

/** Whether a user may see nothing of a scope. */
function isBlind({ groups }: Visible): boolean {
  return groups !== 'all' && groups.size === 0;
}

/** Whether a page that may see some groups has the content that is there now. */
function hasSame({ rights, count, sum }: ResumeToken, feed: ScopeFeed, groups: Groups): boolean {
  const held = feed.sumOf(groups);
  return rights === feed.rightsId(groups) && count === held.count && sum === held.sum;
}

/**
 * Why a page that has already seen a later version, from another replica, cannot be answered yet: it then tries another replica, or this one again later.
 * A user who may see nothing of the scope is answered whatever this replica has reached.
 */
export function unreached(token: ResumeToken | undefined, feed: ScopeFeed, visible: () => Visible): 'Behind' | 'Checking' | undefined {
  if (token === undefined || token.log === feed.log.id || token.version === '') return undefined;
  if (!feed.isReady) return 'Behind';
  const seen = visible();
  if (isBlind(seen)) return seen.isOpen ? 'Checking' : undefined;
  // The version of a list counts the changes of all kinds: a quiet kind need not have reached it.
  if (hasSame(token, feed, seen.groups)) return undefined;
  return feed.lacks(token.version) ? 'Behind' : undefined;
}
