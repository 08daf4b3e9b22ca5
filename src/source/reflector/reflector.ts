import { type Subscription, timeout } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListRequest, WatchRequest } from '../../api/listerWatcher.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import type { WatchEvent, WatchProgress } from '../../api/events/watchEvent.js';
import { listPages } from '../pages/listPages.js';
import { Trampoline } from '../../rx/trampoline.js';
import { advanced } from './watching.js';
import { dueAt, nothingKnown, step } from './step.js';
import { ListBeside } from './listBeside.js';
import type { MeteredSource } from '../meteredSource.js';
import { Request } from './request.js';
import type { Context, Effect, Happening, Memory, Next, State } from './state.js';
import { watchLine } from './watchLine.js';

/** What a reflector is made of. */
interface ReflectorInit<T> {
  readonly source: MeteredSource<T>;
  /** `refusals` is also written to. */
  readonly context: Context & { readonly refusals: Map<string, number> };
  readonly output: { next(event: SourceEvent<T>): void; error(error: unknown): void };
  /** What is known at the beginning; nothing by default. */
  readonly memory?: Memory;
  /** Whether it begins with a watch from the version that is known, and not with a list. */
  readonly resumes?: boolean;
}

type ChangeLine<T> = Extract<WatchEvent<T>, { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' }>;

/** One subscription to a reflector: hands `step` what happens, one thing after another, and does what it says. @internal */
export class Reflector<T extends KubernetesObject> {
  private readonly init: ReflectorInit<T>;
  private state: State;
  private stopped = false;
  /** What happens while something is being carried out, waits. */
  private readonly turns = new Trampoline();
  private readonly requests = new Map<'list' | 'watch' | 'look', Request>();
  private relist: ListBeside<T> | undefined;
  private timer: Subscription | undefined;
  private timerAt = Infinity;

  constructor(init: ReflectorInit<T>) {
    this.init = init;
    const { memory = nothingKnown, context, resumes = false } = init;
    const next: Next = resumes ? { type: 'watch' } : { type: 'list', reason: 'first' };
    this.state = { type: 'waiting', memory, dueAt: context.settings.scheduler.now(), next };
  }

  start(): void {
    this.happens({ type: 'due' });
  }

  stop(): void {
    this.stopped = true;
    this.leave();
    this.timer?.unsubscribe();
  }

  /** Something has happened, to one of the requests or otherwise. */
  happens(happening: Happening<T>, of?: Request): void {
    this.turns.run(() => {
      // What a request has brought before it was left counts, what comes behind that does not.
      if (of?.isLeft === true) return;
      this.step(happening);
      this.setTimer();
    });
  }

  private step(happening: Happening<T>): void {
    const now = this.now();
    const { state, effects } = step(
      this.state,
      happening,
      happening.type === 'due' ? Math.max(now, dueAt(this.state)) : now,
      this.init.context,
    );
    this.state = state;
    for (const effect of effects) {
      if (this.stopped) return;
      this.carryOut(effect);
    }
  }

  private now(): number {
    return this.init.context.settings.scheduler.now();
  }

  private carryOut(effect: Effect<T>): void {
    switch (effect.do) {
      case 'emit':
        this.emit(effect.event);
        break;
      case 'list':
        this.list(effect.request);
        break;
      case 'watch':
        this.watch(effect.request);
        break;
      case 'look':
        this.look();
        break;
      case 'relist':
        this.beginRelist(effect.memory);
        break;
      case 'handOver':
        this.handOver(effect.above);
        break;
      case 'leave':
        this.leave();
        break;
      case 'refuse':
        this.init.context.refusals.set(this.init.context.source.resource, effect.until);
    }
  }

  private emit(event: SourceEvent<T>): void {
    const { output, context } = this.init;
    this.relist?.watched(event);
    output.next(event);
    if (event.type !== 'status' || event.error === undefined || this.stopped) return;
    try {
      if (context.settings.onError(event.error) === 'stop') output.error(event.error);
    } catch (thrown) {
      output.error(thrown);
    }
  }

  // Requests

  /** A place for the next request of a kind: the one before is left. */
  private request(kind: 'list' | 'watch' | 'look'): Request {
    this.requests.get(kind)?.leave();
    const request = new Request();
    this.requests.set(kind, request);
    return request;
  }

  private leave(): void {
    for (const request of this.requests.values()) request.leave();
    this.relist?.stop();
    this.relist = undefined;
  }

  private list(asked: ListRequest): void {
    const { source, context } = this.init;
    const { listTimeoutMs: timeoutMs, scheduler } = context.settings;
    const request = this.request('list');
    request.send(() => listPages(source, asked, { timeoutMs, scheduler }), {
      next: (event) => this.happens(event, request),
      error: (error: unknown) => this.happens({ type: 'listFailed', error }, request),
    });
  }

  private watch(asked: WatchRequest): void {
    const request = this.request('watch');
    // What has come of a streamed list, until it is complete.
    let seen = asked.sendInitialEvents === true ? new Set<string>() : undefined;
    request.send(() => this.init.source.watch(asked), {
      next: (line) => {
        this.line(line, seen, request);
        if (this.state.type === 'watching') seen = undefined;
      },
      error: (error: unknown) => this.happens({ type: 'watchFailed', error }, request),
      complete: () => this.happens({ type: 'closed' }, request),
    });
  }

  /** Nearly every line of a life is a change that a watch brings: the step that `step` would make, without the rest of it. */
  private line(line: WatchEvent<T> | WatchProgress, seen: Set<string> | undefined, request: Request): void {
    const { state } = this;
    const { context } = this.init;
    if (state.type === 'watching' && !this.turns.isBusy()) {
      const after = advanced(state, line, this.now(), context);
      if (after !== undefined) {
        this.state = after;
        this.turns.run(() => this.emit(watchLine.told(line as ChangeLine<T>, context.source.scope, after.version)));
        return;
      }
    }
    this.happens({ type: 'line', line, isNew: seen !== undefined && isNew(line, seen) }, request);
  }

  /** A list of one object tells the version. */
  private look(): void {
    const { source, context } = this.init;
    const { listTimeoutMs, scheduler } = context.settings;
    const request = this.request('look');
    let resourceVersion: string | undefined;
    const ask = () => {
      const answer = source.look({ limit: 1 });
      return Number.isFinite(listTimeoutMs) ? answer.pipe(timeout({ each: listTimeoutMs, scheduler })) : answer;
    };
    request.send(ask, {
      next: ({ metadata }) => {
        resourceVersion = metadata?.resourceVersion ?? resourceVersion;
      },
      error: (error: unknown) => this.happens({ type: 'lookFailed', error }, request),
      complete: () => this.happens({ type: 'looked', resourceVersion: resourceVersion ?? '' }, request),
    });
  }

  // The list beside the watch: another reflector, whose events are kept

  private beginRelist(memory: Memory): void {
    const { source, context, output } = this.init;
    const once = { ...context, settings: { ...context.settings, relistPeriodMs: 0 } };
    const beside = new ListBeside<T>({
      begin: (kept) => new Reflector<T>({ source, context: once, memory, output: kept }),
      tell: (status) => output.next({ ...status, state: this.state.memory.link ?? 'watching' }),
      fail: (error) => output.error(error),
      complete: (resourceVersion) => this.happens({ type: 'relisted', resourceVersion }),
    });
    this.relist = beside;
    beside.start();
  }

  private handOver(above: string | undefined): void {
    for (const event of this.relist?.brought(above) ?? []) this.emit(event);
  }

  // Time

  /** One timer for whatever the state waits for. Where that moves on, which it does with every line, the timer stays and is set anew when it fires. */
  private setTimer(): void {
    const due = dueAt(this.state);
    if (this.stopped || due >= this.timerAt) return;
    this.timer?.unsubscribe();
    this.timerAt = due;
    this.timer = this.init.context.settings.scheduler.schedule(() => this.fire(), Math.max(0, due - this.now()));
  }

  private fire(): void {
    this.timerAt = Infinity;
    // A clock may be a part of a millisecond away from the time that was asked for.
    if (dueAt(this.state) - this.now() < 1) this.happens({ type: 'due' });
    else this.setTimer();
  }
}

function isNew(line: WatchEvent<KubernetesObject> | WatchProgress, seen: Set<string>): boolean {
  if (line.type === 'PROGRESS' || line.type === 'ERROR' || line.type === 'BOOKMARK') return false;
  const { namespace = '', name = '', uid = `${namespace}/${name}` } = line.object.metadata ?? {};
  const before = seen.size;
  return seen.add(uid).size > before;
}
