import { defer, type Observable, type SchedulerLike, startWith, Subject } from 'rxjs';
import type { InformerHealth } from '../../api/events.js';
import type { Trampoline } from '../../rx/trampoline.js';

/**
 * Whether a cache without a working watch was known to be current too long ago. An open watch counts as current: one that is silent is replaced within 90 s.
 */
export function isStale(
  { state, staleMs = 0 }: { readonly state: string; readonly staleMs?: number | undefined },
  afterMs: number,
): boolean {
  return state !== 'watching' && staleMs > afterMs;
}

/** The base of the health of informers and views: a phase, whether the content is complete, and Observables of both. */
export abstract class CollectionHealth {
  /** The current health, then every change of its state. */
  readonly health$: Observable<InformerHealth> = defer(() => this.change$.pipe(startWith(this.health())));

  protected readonly turns: Trampoline;
  protected readonly scheduler: SchedulerLike;
  protected phase: 'idle' | 'running' | 'stopped' = 'idle';
  protected isSynced = false;
  protected since: number;
  private readonly change$ = new Subject<InformerHealth>();

  constructor(turns: Trampoline, scheduler: SchedulerLike) {
    this.turns = turns;
    this.scheduler = scheduler;
    this.since = scheduler.now();
  }

  abstract health(): InformerHealth;

  hasSynced(): boolean {
    return this.isSynced;
  }

  stop(_error?: Error): void {
    this.end('stopped');
    this.turns.after(() => this.change$.complete());
  }

  protected emitHealth(): void {
    if (this.change$.observed) this.change$.next(this.health());
  }

  /** Ends a session. */
  protected abstract end(phase: 'idle' | 'stopped'): void;
}
