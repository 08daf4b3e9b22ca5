import { Observable, type SchedulerLike, Subject, Subscription } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { Collection } from '../../informer/collection.js';

type State = InformerHealth['state'];

const severity: Readonly<Record<State, number>> = { watching: 0, stopped: 0, idle: 1, restored: 1, listing: 1, retrying: 2 };

/**
 * Knows how a view is: as its inputs are, whichever is worst off, and which of its own keys fail.
 */
export class ViewHealth {
  /** The current health, then every change of its state. */
  readonly health$: Observable<InformerHealth>;
  /** The failures of the last computations, by the keys of the input. */
  readonly degraded: Map<string, InformerError> = new Map<string, InformerError>();
  /** Keys that several objects claim. */
  readonly conflicts: Map<string, InformerError> = new Map<string, InformerError>();
  private readonly scheduler: SchedulerLike;
  private readonly change$ = new Subject<InformerHealth>();
  private readonly inputs = new Map<Collection<never>, Subscription>();
  private phase: 'idle' | 'running' | 'stopped' = 'idle';
  private isSynced = false;
  private state: State = 'idle';
  private since: number;
  private emitted = '';
  private emittedDegraded = 0;

  constructor(scheduler: SchedulerLike) {
    this.scheduler = scheduler;
    this.since = scheduler.now();
    this.emitted = this.digest();
    this.health$ = new Observable((subscriber) => {
      subscriber.next(this.health());
      subscriber.add(this.change$.subscribe(subscriber));
    });
  }

  health(): InformerHealth {
    this.update();
    const error = this.worst()?.error ?? [...this.conflicts.values(), ...this.degraded.values()].at(-1);
    return {
      state: this.state,
      since: this.since,
      resourceVersion: '',
      synced: this.isSynced,
      ...(error !== undefined && { error }),
      degraded: [...new Set([...this.degraded.keys(), ...this.conflicts.keys()])],
    };
  }

  hasSynced(): boolean {
    return this.isSynced;
  }

  begin(): void {
    this.phase = 'running';
  }

  watch(input: Collection<never>): void {
    if (this.inputs.has(input)) return;
    const subscription = new Subscription();
    this.inputs.set(input, subscription);
    subscription.add(input.health$.subscribe({ next: () => this.refresh(), error: () => undefined }));
  }

  unwatch(input: Collection<never>): void {
    this.inputs.get(input)?.unsubscribe();
    this.inputs.delete(input);
  }

  synced(synced: boolean): void {
    this.isSynced = synced;
  }

  /** A session is over. */
  end(phase: 'idle' | 'stopped'): void {
    if (this.phase === 'stopped') return;
    this.phase = phase;
    if (phase === 'idle') this.isSynced = false;
    for (const input of [...this.inputs.keys()]) this.unwatch(input);
    this.degraded.clear();
    this.conflicts.clear();
    this.refresh();
    if (phase === 'stopped') this.change$.complete();
  }

  /** Whether another number of keys fails than was emitted last. */
  isStale(): boolean {
    return this.failing() !== this.emittedDegraded;
  }

  /** Emits what has changed since the last time. */
  refresh(): void {
    this.update();
    const digest = this.digest();
    if (digest === this.emitted) return;
    this.emitted = digest;
    this.emittedDegraded = this.failing();
    if (this.change$.observed) this.change$.next(this.health());
  }

  private update(): void {
    const state = this.currentState();
    if (state === this.state) return;
    this.state = state;
    this.since = this.scheduler.now();
  }

  private currentState(): State {
    if (this.phase !== 'running') return this.phase;
    if (this.worst()?.state === 'retrying') return 'retrying';
    if (!this.isSynced) return 'listing';
    return this.worst()?.state === 'listing' ? 'listing' : 'watching';
  }

  private worst(): InformerHealth | undefined {
    let worst: InformerHealth | undefined;
    for (const input of this.inputs.keys()) {
      const health = input.health();
      if (worst === undefined || severity[health.state] > severity[worst.state]) worst = health;
    }
    return worst;
  }

  private digest(): string {
    return [this.state, this.isSynced, this.failing()].join();
  }

  private failing(): number {
    return this.degraded.size + this.conflicts.size;
  }
}
