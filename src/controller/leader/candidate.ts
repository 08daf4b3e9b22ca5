import { BehaviorSubject, distinctUntilChanged, type Observable, ReplaySubject, Subject, type Subscription } from 'rxjs';
import type { V1Lease } from '../../api/kubernetes/coordinationV1.js';
import type { KubeClient } from '../../client/kubeClient.js';
import { dateOf } from '../../rx/dateOf.js';
import { boundClient } from './boundClient.js';
import {
  electionStep,
  type ElectionEvent,
  type ElectionRequest,
  type ElectionState,
  isCoordinated,
  leads,
  outsider,
  type Term,
} from './electionStep.js';
import { fence } from './fence.js';
import type { Leader } from './leader.js';
import { LeaderElectionError } from './leaderElectionError.js';
import type { LeaderElectionSettings } from './leaderElectionOptions.js';
import type { Leadership } from './leadership.js';
import { recordOf } from './leaseRecord.js';
import { settleBefore } from './settleBefore.js';
import { askForLease } from './askForLease.js';
import { releaseLease } from './releaseLease.js';

/** One candidate: asks `electionStep` what to do, and does it. */
export class Candidate {
  private readonly client: KubeClient;
  private readonly settings: LeaderElectionSettings;
  private readonly name: string;
  private readonly leaders$ = new ReplaySubject<Leader>(1);
  private readonly terms$ = new BehaviorSubject<Leadership | undefined>(undefined);
  private readonly errors$ = new Subject<LeaderElectionError>();
  readonly leader$: Observable<Leader> = this.leaders$.pipe(
    distinctUntilChanged(
      (one, other) => one.holder === other.holder && one.isSelf === other.isSelf && one.transitions === other.transitions,
    ),
  );
  readonly leadership$: Observable<Leadership | undefined> = this.terms$;
  readonly error$: Observable<LeaderElectionError> = this.errors$.asObservable();
  private readonly ending = new AbortController();
  private readonly unfinished = new Set<Promise<unknown>>();
  private state: ElectionState = outsider;
  private hasSeenLeader = false;
  /** The leadership that lasts, and what ends it. */
  private current: { readonly leadership: Leadership; readonly aborter: AbortController } | undefined;
  private timer: Subscription | undefined;
  private deadline: Subscription | undefined;
  private attempt: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;

  constructor(client: KubeClient, settings: LeaderElectionSettings) {
    this.client = client;
    this.settings = settings;
    this.name = `${settings.lease.namespace}/${settings.lease.name}`;
  }

  isLeader(): boolean {
    return this.current?.leadership.isValid() ?? false;
  }

  /** Begins to stand for election; does nothing when it does, or has ended. */
  start(): void {
    if (this.timer !== undefined || this.attempt !== undefined || this.stopping !== undefined) return;
    this.settings.metrics.leading?.(this.name, false);
    this.try();
  }

  /** The lease is not given back before the promise has settled. */
  keep(work: PromiseLike<unknown>): void {
    const settled: Promise<unknown> = Promise.allSettled([work]).then(() => this.unfinished.delete(settled));
    this.unfinished.add(settled);
  }

  check(toleranceMs: number): LeaderElectionError | undefined {
    const { seen } = this.state;
    if (seen === undefined || recordOf(seen.lease).holder !== this.settings.identity) return undefined;
    const silentMs = this.now() - seen.at;
    if (silentMs <= this.settings.leaseDurationMs + toleranceMs) return undefined;
    return new LeaderElectionError(
      'ERR_STALE',
      `${this.settings.identity} holds the lease ${this.name} and has not renewed it for ${Math.round(silentMs)} ms`,
    );
  }

  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    const until = this.state.term?.until ?? this.now();
    this.timer?.unsubscribe();
    this.ending.abort();
    this.lose();
    this.deadline?.unsubscribe();
    await this.attempt;
    const isQuiet = await settleBefore(this.unfinished, until, this.settings.scheduler);
    if (isQuiet && this.settings.releaseOnStop) await this.release();
    this.terms$.complete();
    this.leaders$.complete();
    this.errors$.complete();
  }

  private now(): number {
    return this.settings.scheduler.now();
  }

  private date(): number {
    return dateOf(this.settings.scheduler);
  }

  private try(): void {
    this.timer?.unsubscribe();
    this.timer = undefined;
    this.attempt = this.attemptOnce().finally(() => {
      this.attempt = undefined;
      if (this.stopping !== undefined) return;
      this.timer = this.settings.scheduler.schedule(() => this.try(), this.pauseMs());
    });
  }

  private pauseMs(): number {
    const { retryPeriodMs, random } = this.settings;
    return leads(this.state, this.now()) ? retryPeriodMs : retryPeriodMs * (1 + 1.2 * random());
  }

  private async attemptOnce(): Promise<void> {
    let request = this.apply({ type: 'due', now: this.now(), date: this.date() });
    while (request !== undefined && this.stopping === undefined) {
      const event = await this.send(request);
      if (event === undefined) return;
      request = this.apply(event);
    }
    this.state = { ...this.state, phase: 'idle' };
  }

  /** One request, and what has come of it; undefined when the candidate is being stopped. */
  private async send(request: ElectionRequest): Promise<ElectionEvent | undefined> {
    const { signal } = this.ending;
    const sentAt = this.now();
    const answer = await askForLease(this.client, this.settings.lease, request, {
      signal,
      timeoutMs: this.requestBoundMs(sentAt),
    });
    if (signal.aborted) return undefined;
    const now = this.now();
    if (answer.type === 'missing') return { type: 'missing', now, date: this.date() };
    if (answer.type === 'lease') {
      const { lease } = answer;
      return request.verb === 'get' ? { type: 'found', lease, now, date: this.date() } : { type: 'written', lease, sentAt, now };
    }
    if (answer.error !== undefined) this.errors$.next(answer.error);
    if (this.state.phase === 'renewing') this.settings.metrics.slowPath?.(this.name);
    return { type: 'failed', now };
  }

  /** How long a request may take: a second or more; that of a leader ends before its own deadline, and leaves time for another one. */
  private requestBoundMs(now: number): number {
    const { term } = this.state;
    const boundMs = Math.max(this.settings.renewDeadlineMs / 2, 1000);
    return term === undefined ? boundMs : Math.max(Math.min(boundMs, term.until - now), 1);
  }

  private apply(event: ElectionEvent): ElectionRequest | undefined {
    const { state, request } = electionStep(this.state, event, this.settings);
    this.state = state;
    this.follow(state.term);
    this.publish();
    if (event.type === 'found' && isCoordinated(event.lease)) {
      const message = `The control plane hands out the lease ${this.name} (spec.strategy is set): candidates must not take it`;
      this.errors$.next(new LeaderElectionError('ERR_COORDINATED', message));
    }
    return request;
  }

  private follow(term: Term | undefined): void {
    if (this.stopping !== undefined) return;
    if (this.current !== undefined && this.current.leadership.token !== term?.token) this.lose();
    if (term === undefined) return;
    this.deadline?.unsubscribe();
    this.deadline = this.settings.scheduler.schedule(
      () => void this.apply({ type: 'deadline', now: this.now() }),
      Math.max(term.until - this.now(), 0),
    );
    if (this.current === undefined) this.win(term);
  }

  private win({ token }: Term): void {
    const { identity } = this.settings;
    const aborter = new AbortController();
    const { signal } = aborter;
    const isValid = (): boolean => !signal.aborted && this.state.term?.token === token && leads(this.state, this.now());
    const bond = { signal, isValid, what: `Leadership number ${token} of ${identity} over ${this.name} is over` };
    const client = boundClient(this.client, () => bond);
    const leadership: Leadership = { identity, token, signal, isValid, client, fence: (object) => fence(object, token) };
    this.current = { leadership, aborter };
    this.note('became leader');
    this.settings.metrics.leading?.(this.name, true);
    this.terms$.next(leadership);
  }

  private lose(): void {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    this.deadline?.unsubscribe();
    current.aborter.abort(new LeaderElectionError('ERR_LEADERSHIP_LOST', `${this.settings.identity} does not lead ${this.name} any more`));
    this.terms$.next(undefined);
    this.settings.metrics.leading?.(this.name, false);
    this.note('stopped leading');
    this.publish();
  }

  private note(what: string): void {
    const { lease, identity, recorder } = this.settings;
    const object: V1Lease = this.state.seen?.lease ?? { metadata: lease };
    const reference = { ...object, apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    recorder?.record(reference, { type: 'Normal', reason: 'LeaderElection', note: `${identity} ${what}` });
  }

  private publish(): void {
    const { seen } = this.state;
    if (seen === undefined) return;
    const { holder, transitions, acquiredAt } = recordOf(seen.lease);
    // A candidate that has seen nobody yet has nothing to say.
    if (holder === '' && !this.hasSeenLeader) return;
    this.hasSeenLeader = true;
    this.leaders$.next({ holder, isSelf: this.isLeader(), transitions, ...(acquiredAt !== undefined && { since: new Date(acquiredAt) }) });
  }

  private async release(): Promise<void> {
    const released = await releaseLease(this.client, this.settings);
    if (released instanceof LeaderElectionError) this.errors$.next(released);
    if (released === undefined || released instanceof LeaderElectionError) return;
    this.state = { phase: 'idle', seen: { lease: released, at: this.now() } };
    this.publish();
  }
}
