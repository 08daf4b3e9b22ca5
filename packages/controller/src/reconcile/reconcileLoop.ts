import { defaultIfEmpty, defer, merge, NEVER, type Subscriber, Subscription, take, tap } from 'rxjs';
import {
  type Describable,
  expectArgument,
  PriorityOrder,
  type QueueOrder,
  registry,
  rules,
  type Running,
  runningKey,
} from 'rx-informer/internal';
import {
  createDelayingQueue,
  createWorkQueue,
  defaultControllerRateLimiter,
  type DelayingQueue,
  type WorkQueue,
} from 'rx-informer/workqueue';
import type { ControllerFigures } from '../figures.js';
import { currentTenure, type Tenure } from '../leader/tenure.js';
import type { Outcome } from './outcome.js';
import type { ReconcileSettings, SyncedCache } from './reconcileConfig.js';
import { FailureBackoff } from './failureBackoff.js';
import { ReconcileRun, requeueAfterMsOf, type RunEnd } from './reconcileRun.js';
import { SourceLimits } from './sourceLimits.js';
import { BusyKeys } from './busyKeys.js';
import { createAgingOrder } from './createAgingOrder.js';
import { ReasonLog, type SourceValue, type Trigger, type TriggerError, triggersOfValue } from './trigger.js';

const finite = rules.number();

/** The entries of caches that have one. */
const runningOf = (caches: Iterable<SyncedCache>): readonly Running[] =>
  [...caches].flatMap((cache) => (cache as Partial<Describable>)[runningKey] ?? []);

/** One subscription to `reconcile`. */
export class ReconcileLoop implements Running {
  private readonly settings: ReconcileSettings;
  private readonly subscriber: Subscriber<Outcome>;
  private readonly order: QueueOrder<string>;
  private readonly events: WorkQueue<string>;
  private readonly queue: DelayingQueue<string>;
  private readonly reasons = new ReasonLog();
  private readonly backoff: FailureBackoff;
  private readonly limits: SourceLimits;
  private readonly runs = new Set<ReconcileRun>();
  private readonly busy = new BusyKeys();
  private readonly count = { succeeded: 0, failed: 0 };
  private readonly sources = new Subscription();
  private readonly waits = new Subscription();
  private readonly cachesAborter = new AbortController();
  /** The caches that have not synced. */
  private readonly missing = new Set<SyncedCache>();
  private phase: 'syncing' | 'running' | 'draining' | 'cutting' | 'ended' = 'syncing';
  private begunAt = 0;
  /** Promises that have not settled, including those of aborted calls. */
  private readonly promises = new Set<PromiseLike<unknown>>();
  private tenure: Tenure | undefined;
  private openSources: number;
  private pumping = false;

  constructor(settings: ReconcileSettings, subscriber: Subscriber<Outcome>) {
    this.settings = settings;
    this.subscriber = subscriber;
    this.openSources = settings.sources.length;
    const clock = settings.scheduler;
    const options = { name: settings.name, clock, ...(settings.metrics && { metrics: settings.metrics }) };
    this.backoff = new FailureBackoff(settings.rateLimiter ?? defaultControllerRateLimiter({ clock }), settings.attempts);
    const { agingMs } = settings;
    this.order = agingMs === undefined ? new PriorityOrder<string>() : createAgingOrder<string>({ agingMs, clock });
    this.limits = new SourceLimits(settings.limits, settings.scheduler);
    this.events = createWorkQueue<string>({ ...options, order: this.order });
    // A delayed key gets its reason when it is due: an event before that would otherwise be reported as a retry.
    const add: WorkQueue<string>['add'] = (key, addOptions) => {
      this.reasons.note('reconcile', { key, cause: this.backoff.failures.has(key) ? 'retry' : 'requeue', objectKey: key }, clock.now());
      this.events.add(key, addOptions);
    };
    this.queue = createDelayingQueue({ ...options, queue: { ...this.events, add } });
    this.events.onReady(() => this.pump());
  }

  begin(): void {
    this.begunAt = this.now();
    this.tenure = currentTenure();
    this.waits.add(registry().register(this));
    const { sources, caches, stop$ = NEVER } = this.settings;
    for (const [name, source] of sources) {
      if (this.subscriber.closed) return;
      const subscription = defer(() => source).subscribe({
        next: (value) => this.receive(name, value),
        error: (error: unknown) => this.sourceEnded({ type: 'sourceFailed', source: name, error }),
        complete: () => this.sourceEnded({ type: 'sourceCompleted', source: name }),
      });
      this.sources.add(subscription);
    }
    this.waits.add(stop$.pipe(take(1)).subscribe({ next: () => this.drain(), error: (error: unknown) => this.subscriber.error(error) }));
    if (this.subscriber.closed) return;
    const { signal } = this.cachesAborter;
    const synced = caches.map((cache) => {
      this.missing.add(cache);
      const isSynced = (): boolean => this.missing.delete(cache);
      return defer(() => cache.whenSynced({ signal })).pipe(take(1), defaultIfEmpty(undefined), tap({ complete: isSynced }));
    });
    this.waits.add(merge(...synced).subscribe({ error: (error: unknown) => this.subscriber.error(error), complete: () => this.run() }));
  }

  figures(): ControllerFigures {
    const { phase, queue, runs, backoff, settings } = this;
    const at = this.now();
    const running = [...runs].map(({ request: { key, attempt }, startedAt }) => ({ key, attempt, forMs: at - startedAt }));
    return {
      ...{
        kind: 'controller',
        name: settings.name,
        at,
        phase,
        forMs: at - this.begunAt,
        waitsFor: this.waitsFor().map((cache) => cache.figures().name),
      },
      ...{ waiting: queue.len(), delayed: queue.delayed(), running },
      ...{ failing: backoff.named(), ...this.count, busiest: this.busy.read(at) },
    };
  }

  inputs(): readonly Running[] {
    return runningOf(this.settings.caches);
  }

  waitsFor(): readonly Running[] {
    return runningOf(this.missing);
  }

  abort(): void {
    this.phase = 'ended';
    // The tenure of a loop that was created earlier is known only at its end.
    const tenure = this.tenure === undefined ? currentTenure() : undefined;
    if (tenure !== undefined) for (const promise of this.promises) tenure.keep(promise);
    this.sources.unsubscribe();
    this.waits.unsubscribe();
    this.limits.stop();
    this.cachesAborter.abort();
    this.queue.shutDown();
    for (const run of [...this.runs]) run.stop();
    this.dropWaiting();
  }

  private run(): void {
    if (this.phase !== 'syncing') return;
    this.phase = 'running';
    this.pump();
  }

  private receive(source: string, value: SourceValue): void {
    let triggers: readonly (Trigger | TriggerError)[];
    try {
      triggers = triggersOfValue(value);
    } catch (error) {
      triggers = [{ type: 'triggerError', objectKey: '', error }];
    }
    for (const trigger of triggers) {
      if (trigger.type === 'trigger') this.limit(source, trigger);
      else this.subscriber.next({ type: 'triggerFailed', source, objectKey: trigger.objectKey, error: trigger.error });
    }
  }

  private limit(source: string, trigger: Trigger): void {
    try {
      this.limits.pass(source, trigger, (passed) => this.enqueue(source, passed));
    } catch (error) {
      // The limiter threw. Without it, keys would be lost, or not limited.
      this.subscriber.error(error);
    }
  }

  private enqueue(source: string, trigger: Trigger): void {
    let priority = 0;
    try {
      const wanted = this.settings.priority(trigger, source);
      expectArgument('reconcile', 'priority()', wanted, finite);
      priority = wanted;
    } catch (error) {
      this.subscriber.next({ type: 'triggerFailed', source, objectKey: trigger.objectKey, error });
    }
    this.reasons.note(source, trigger, this.now());
    this.events.add(trigger.key, { priority });
  }

  private sourceEnded(outcome: Outcome): void {
    this.openSources -= 1;
    this.subscriber.next(outcome);
    this.pump();
  }

  private pump(): void {
    if (this.pumping || (this.phase !== 'running' && this.phase !== 'draining')) return;
    this.pumping = true;
    while (this.runs.size < this.settings.concurrent && !this.subscriber.closed) {
      const taken = this.queue.tryGet();
      if (taken === undefined || taken.shutdown) break;
      this.start(taken.item, taken.priority);
    }
    this.pumping = false;
    this.endIfIdle();
  }

  private start(key: string, priority: number): void {
    const now = this.now();
    const { reasons, waitedMs } = this.reasons.take(key, now);
    const attempt = this.backoff.attempt(key);
    this.busy.note(key, now, reasons);
    // This call decides anew when the next one is due.
    this.queue.cancel(key);
    const run = new ReconcileRun(this.settings, { key, reasons, attempt }, priority, (...ended) => this.settle(...ended));
    this.runs.add(run);
    this.subscriber.next({ type: 'started', key, attempt, reasons, waitedMs });
    run.watch(() => this.subscriber.next({ type: 'stuck', key, attempt, since: now, reasons }));
    if (!this.subscriber.closed) run.begin((promise) => this.note(promise));
  }

  private note(promise: PromiseLike<unknown>): void {
    this.promises.add(promise);
    const settled = (): boolean => this.promises.delete(promise);
    promise.then(settled, settled);
    this.tenure?.keep(promise);
  }

  private settle(run: ReconcileRun, end: RunEnd): void {
    this.runs.delete(run);
    try {
      if (this.phase !== 'ended') this.report(run, end);
    } catch (error) {
      // The rate limiter threw. Without it, failing keys would be lost, or retried without a delay.
      this.subscriber.error(error);
    }
    this.queue.done(run.request.key);
    if (this.phase === 'ended') this.dropWaiting();
    this.pump();
  }

  /** Of a loop that is over, nothing waits any more: its metrics are read until another one has its name. */
  private dropWaiting(): void {
    while (this.order.len() > 0) this.order.pop();
  }

  private report(run: ReconcileRun, end: RunEnd): void {
    const { priority, request } = run;
    const { key, attempt } = request;
    const durationMs = this.now() - run.startedAt;
    let requeueAfterMs: number | undefined;
    let failure = 'error' in end ? { error: end.error } : undefined;
    try {
      if ('result' in end) requeueAfterMs = requeueAfterMsOf(end.result);
    } catch (error) {
      failure = { error };
    }
    if (failure === undefined) {
      this.count.succeeded += 1;
      this.backoff.forget(key);
      this.limits.forget(key);
      if (requeueAfterMs !== undefined) this.queue.addAfter(key, requeueAfterMs, { priority });
      this.subscriber.next({ type: 'succeeded', key, attempt, durationMs, ...(requeueAfterMs !== undefined && { requeueAfterMs }) });
      return;
    }
    this.count.failed += 1;
    // A call that the stop has cut is no attempt that counts.
    const retryAfterMs = this.phase === 'cutting' ? 0 : this.backoff.fail(key, this.now(), failure.error);
    const isFinal = retryAfterMs === undefined;
    if (isFinal) this.limits.forget(key);
    else this.queue.addAfter(key, retryAfterMs, { priority });
    const next = isFinal ? { isFinal } : this.phase === 'running' && { retryAfterMs };
    this.subscriber.next({ type: 'failed', key, attempt, durationMs, ...failure, ...next });
  }

  private drain(): void {
    const { drainTimeoutMs, scheduler } = this.settings;
    const begun = this.phase === 'running';
    this.phase = begun ? 'draining' : 'cutting';
    this.sources.unsubscribe();
    this.limits.stop();
    void this.queue.shutDownWithDrain();
    if (!begun) this.finish();
    else if (drainTimeoutMs !== Infinity) this.waits.add(scheduler.schedule(() => this.finish(), drainTimeoutMs));
    this.endIfIdle();
  }

  private endIfIdle(): void {
    if (this.runs.size > 0 || this.queue.len() > 0) return;
    if (this.phase === 'draining') this.finish();
    if (this.phase === 'running' && this.openSources === 0 && this.queue.delayed() + this.limits.keys().length === 0)
      this.subscriber.complete();
  }

  private finish(): void {
    this.phase = 'cutting';
    const running = [...this.runs];
    for (const run of running) run.stop();
    const cut = running.map(({ request }) => request.key);
    const abandoned = new Set([...cut, ...this.backoff.failures.keys(), ...this.queue.state().dirty, ...this.limits.keys()]);
    this.subscriber.next({ type: 'stopped', abandoned: [...abandoned] });
    this.subscriber.complete();
  }

  private now(): number {
    return this.settings.scheduler.now();
  }
}
