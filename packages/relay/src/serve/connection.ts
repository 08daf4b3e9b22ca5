import { Subscription, type SchedulerLike } from 'rxjs';
import { dateOf } from 'rx-informer/internal';
import type { Chunk, Chunks, Sink } from '../log/chunk.js';
import type { RelayUser } from '../rights/authorizer.js';
import { frameText, type Frame } from '../wire/frames.js';
import type { Reader } from './reader.js';

/** The dependencies and settings of a connection. */
export interface ConnectionInit {
  readonly user: RelayUser;
  /** The user's key. */
  readonly key: string;
  readonly sink: Sink;
  readonly chunks: Chunks;
  /** Makes `sendPending` run in a later turn of the event loop. */
  readonly sendLater: () => void;
  readonly scheduler: SchedulerLike;
  /** For polls: how long to wait for content; the answer ends as soon as there is some. */
  readonly pollMs: number | undefined;
  readonly wrote: (chunk: Chunk) => void;
  readonly closed: () => void;
}

/** One answer to one page: a stream of all its scopes. */
export class Connection {
  readonly key: string;
  readonly since: number;
  readonly readers: Reader[] = [];
  private readonly init: ConnectionInit;
  private readonly timers = new Subscription();
  private isBlocked = false;
  private isClosed = false;
  private hasContent = false;

  constructor(init: ConnectionInit) {
    const { user, key, scheduler, pollMs } = init;
    this.init = init;
    this.key = key;
    this.since = scheduler.now();
    const { expiresAt } = user;
    if (expiresAt !== undefined) this.timers.add(scheduler.schedule(() => this.end('expired'), Math.max(0, expiresAt - dateOf(scheduler))));
    if (pollMs !== undefined) this.timers.add(scheduler.schedule(() => this.end('poll'), pollMs));
  }

  /** Starts: names the scopes, says which are refused, and sends the content of the others. */
  open(readers: readonly Reader[], channels: readonly string[], refusals: readonly Frame[]): void {
    this.readers.push(...readers);
    for (const frame of [{ open: channels }, ...refusals]) this.frame(frame);
    this.sendPending();
  }

  /** Whether the page can receive more. Ends the stream of expired credentials: the wall clock may have been set since the timer was started. */
  canWrite(): boolean {
    const { user, scheduler } = this.init;
    if (!this.isClosed && user.expiresAt !== undefined && dateOf(scheduler) >= user.expiresAt) this.end('expired');
    return !this.isBlocked && !this.isClosed;
  }

  write(chunk: Chunk, isContent: boolean): void {
    if (this.isClosed) return;
    if (isContent) this.hasContent = true;
    this.init.wrote(chunk);
    if (!this.init.sink.write(chunk)) this.isBlocked = true;
  }

  /** Writes a text that other pages may get as well. */
  send(text: string, isContent: boolean): void {
    this.write(this.init.chunks.of(text), isContent);
  }

  /** The page can receive more. */
  drained(): void {
    this.isBlocked = false;
    this.init.sendLater();
  }

  /** Sends pending content. Ends the answer to a poll that has sent everything. */
  readonly sendPending = (): void => {
    for (const reader of this.readers) reader.catchUp();
    this.settle();
  };

  /** Ends the answer to a poll if it may end. */
  settle(): void {
    if (this.init.pollMs !== undefined && this.hasContent && this.readers.every((reader) => reader.isCurrent())) this.end('poll');
  }

  beat(): void {
    if (!this.canWrite()) return;
    const entries = this.readers.flatMap((reader) => {
      const at = reader.beat();
      return at === undefined ? [] : [[reader.feed.channel, at] as const];
    });
    this.frame({ beat: Object.fromEntries(entries) });
  }

  end(bye: 'expired' | 'poll' | 'stopped'): void {
    if (bye === 'poll') this.beat();
    if (this.isClosed) return;
    this.frame({ bye });
    this.init.sink.end();
    this.close();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.timers.unsubscribe();
    this.init.closed();
  }

  private frame(frame: Frame): void {
    this.send(frameText(frame), false);
  }
}
