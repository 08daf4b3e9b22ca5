import {
  BehaviorSubject,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  type Observable,
  race,
  ReplaySubject,
  Subject,
  type Subscription,
  timer,
} from 'rxjs';
import type { KubeClient, V1Lease } from 'rx-informer';
import { dateOf, registry, type Running, Trampoline } from 'rx-informer/internal';
import type { ElectorFigures } from '../figures.js';
import { boundClient } from './boundClient.js';
import {
  type ElectionEvent,
  type ElectionRequest,
  type ElectionState,
  electionStep,
  isCoordinated,
  leads,
  outsider,
  type Term,
} from './electionStep.js';
import { fence } from './fence.js';
import type { Leader, Leadership } from './leadership.js';
import { LeaderElectionError } from './leaderElectionError.js';
import type { LeaderElectionSettings } from './leaderElectionOptions.js';
import { recordOf } from './leaseRecord.js';
import { askForLease, releaseLease } from './leaseRequests.js';
import { Tenure } from './tenure.js';

/** How much longer than a retry period the pauses of a candidate that does not lead may be. */
const pauseSpread = 1.2;

/** One candidate: carries out the requests of `electionStep`. */
export class Candidate implements Running {
  private readonly client: KubeClient;
  private readonly settings: LeaderElectionSettings;
  private readonly name: string;
  private readonly leaders$ = new ReplaySubject<Leader>(1);
  private readonly terms$ = new BehaviorSubject<Leadership | undefined>(undefined);
  private readonly errors$ = new Subject<LeaderElectionError>();
  /** A subscriber that ends a term in its notification ends it for all after it has begun for all. */
  private readonly turns = new Trampoline();
  readonly leader$: Observable<Leader> = this.leaders$.pipe(
    distinctUntilChanged(
      (one, other) => one.holder === other.holder && one.isSelf === other.isSelf && one.transitions === other.transitions,
    ),
  );
  readonly leadership$: Observable<Leadership | undefined> = this.terms$;
  readonly error$: Observable<LeaderElectionError> = this.errors$.asObservable();
  private readonly ending = new AbortController();
  /** The tenures whose work has not ended, and the latest one. */
  private readonly tenures = new Set<Tenure>();
  private readonly quiet$ = new Subject<void>();
  private state: ElectionState = outsider;
  private hasSeenLeader = false;
  /** The current leadership, and the tenure that ends it. */
  private current: { readonly leadership: Leadership; readonly tenure: Tenure } | undefined;
  /** The error of the last attempt, and the time since which every attempt has failed. */
  private failing: { readonly error: LeaderElectionError; readonly since: number } | undefined;
  private readonly renewals = { late: 0, lateAt: undefined as number | undefined, longestPauseMs: 0, at: -Infinity };
  private askedAt: number | undefined;
  private unregister: (() => void) | undefined;
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

  /** Starts the candidacy; does nothing when it has started or ended. */
  start(): void {
    if (this.timer !== undefined || this.attempt !== undefined || this.stopping !== undefined) return;
    this.tell((sink) => sink.leading?.(this.name, false));
    this.unregister = registry().register(this);
    this.try();
  }

  /** The tenure of the current leadership. */
  get tenure(): Tenure | undefined {
    return this.current?.tenure;
  }

  /** Whether it goes on asking for the lease: it is alive if it does, whatever the server answers. */
  check(toleranceMs: number): LeaderElectionError | undefined {
    if (this.askedAt === undefined || this.stopping !== undefined) return undefined;
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = this.settings;
    const silentMs = this.now() - this.askedAt;
    if (silentMs <= Math.max(leaseDurationMs, renewDeadlineMs + (1 + pauseSpread) * retryPeriodMs) + toleranceMs) return undefined;
    return new LeaderElectionError(
      'ERR_STALE',
      `${this.settings.identity} has not asked for the lease ${this.name} for ${Math.round(silentMs)} ms`,
    );
  }

  /** The last error, if no attempt has succeeded for `forMs`. */
  failure(forMs: number): LeaderElectionError | undefined {
    return this.failing !== undefined && this.now() - this.failing.since >= forMs ? this.failing.error : undefined;
  }

  /** @param releaseMs - how long the release of the lease may take. */
  stop(releaseMs: number = this.settings.renewDeadlineMs): Promise<void> {
    if (this.stopping === undefined) {
      let end = (_: Promise<void>): void => undefined;
      this.stopping = new Promise((resolve) => (end = resolve));
      // Whoever hears of the end may call this again.
      end(this.end(releaseMs));
    }
    return this.stopping;
  }

  figures(): ElectorFigures {
    const { settings, name, failing, renewals, state } = this;
    const { identity, renewDeadlineMs, retryPeriodMs } = settings;
    const { late, lateAt, longestPauseMs } = renewals;
    const holder = state.seen === undefined ? '' : recordOf(state.seen.lease).holder;
    const timing = { renewDeadlineMs, retryPeriodMs, late, lateAt, longestPauseMs, error: failing?.error };
    return { kind: 'elector', name, at: this.now(), lease: name, identity, leads: this.isLeader(), holder, ...timing };
  }

  private async end(releaseMs: number): Promise<void> {
    const until = this.state.term?.until ?? this.now();
    this.timer?.unsubscribe();
    this.ending.abort();
    this.lose();
    this.deadline?.unsubscribe();
    await this.attempt;
    const mayHold = this.askedAt !== undefined && this.settings.releaseOnStop;
    if ((await this.quietBefore(until)) && mayHold) await this.release(releaseMs);
    this.unregister?.();
    this.terms$.complete();
    this.leaders$.complete();
    this.errors$.complete();
  }

  /** Whether all work ends before the last term does: after that, releasing the lease would be useless. */
  private async quietBefore(until: number): Promise<boolean> {
    const isBusy = (): boolean => [...this.tenures].some((tenure) => tenure.isBusy());
    if (!isBusy()) return true;
    const { scheduler } = this.settings;
    await firstValueFrom(race(this.quiet$.pipe(filter(() => !isBusy())), timer(Math.max(until - this.now(), 0), scheduler)), {
      defaultValue: undefined,
    });
    return !isBusy();
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
    return leads(this.state, this.now()) ? retryPeriodMs : retryPeriodMs * (1 + pauseSpread * random());
  }

  private async attemptOnce(): Promise<void> {
    let failure: LeaderElectionError | undefined;
    let request = this.apply({ type: 'due', now: this.now(), date: this.date() });
    while (request !== undefined && this.stopping === undefined) {
      const event = await this.send(request);
      if (event === undefined) return;
      failure = event.type === 'failed' ? event.error : undefined;
      request = this.apply(event);
    }
    this.failing = failure && { error: failure, since: this.failing?.since ?? this.now() };
    this.state = { ...this.state, phase: 'idle' };
  }

  /** Sends one request; undefined when the candidate is being stopped. */
  private async send(
    request: ElectionRequest,
  ): Promise<(ElectionEvent & { readonly error?: LeaderElectionError | undefined }) | undefined> {
    const { signal } = this.ending;
    const sentAt = this.now();
    this.askedAt = sentAt;
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
    if (this.state.phase === 'renewing') this.tell((sink) => sink.slowPath?.(this.name));
    return { type: 'failed', now, error: answer.error };
  }

  /** The timeout of a request, at least a second. A leader's ends before its deadline, with time left for another request. */
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
    if (this.current !== undefined && this.current.leadership.token !== term?.token) {
      this.notePause(this.now() - this.renewals.at);
      this.lose();
    }
    if (term === undefined) return;
    this.deadline?.unsubscribe();
    this.deadline = this.settings.scheduler.schedule(
      () => void this.apply({ type: 'deadline', now: this.now() }),
      Math.max(term.until - this.now(), 0),
    );
    if (this.current === undefined) this.win(term);
    else this.renewed(term.until);
  }

  private renewed(until: number): void {
    const { renewals, settings } = this;
    this.current?.tenure.renew(until);
    const sentAt = until - settings.renewDeadlineMs;
    if (sentAt <= renewals.at) return;
    this.notePause(sentAt - renewals.at);
    renewals.at = sentAt;
  }

  /** Counts a renewal as late if it used up half of the slack between period and deadline. */
  private notePause(pauseMs: number): void {
    const { retryPeriodMs, renewDeadlineMs } = this.settings;
    if (pauseMs <= (retryPeriodMs + renewDeadlineMs) / 2) return;
    const { renewals } = this;
    renewals.late += 1;
    renewals.lateAt = this.now();
    renewals.longestPauseMs = Math.max(renewals.longestPauseMs, pauseMs);
  }

  private win({ token, until }: Term): void {
    const { identity } = this.settings;
    const tenure = new Tenure({
      what: `Leadership number ${token} of ${identity} over ${this.name} is over`,
      now: () => this.now(),
      until,
      onQuiet: () => this.quiet$.next(),
    });
    for (const before of this.tenures) if (!before.isBusy()) this.tenures.delete(before);
    this.tenures.add(tenure);
    const leadership: Leadership = {
      identity,
      token,
      signal: tenure.signal,
      isValid: () => tenure.isValid(),
      client: boundClient(this.client, () => tenure),
      fence: (object) => fence(object, token),
    };
    this.current = { leadership, tenure };
    this.renewals.at = until - this.settings.renewDeadlineMs;
    this.note('became leader');
    this.tell((sink) => sink.leading?.(this.name, true));
    this.turns.run(() => this.terms$.next(leadership));
  }

  private lose(): void {
    const { current } = this;
    if (current === undefined) return;
    this.current = undefined;
    this.deadline?.unsubscribe();
    current.tenure.end(new LeaderElectionError('ERR_LEADERSHIP_LOST', `${this.settings.identity} does not lead ${this.name} any more`));
    this.turns.run(() => this.terms$.next(undefined));
    this.tell((sink) => sink.leading?.(this.name, false));
    this.note('stopped leading');
    this.publish();
  }

  /** Calls the sink of the metrics. What it throws must not keep the candidate from its lease, nor its work from beginning. */
  private tell(call: (sink: LeaderElectionSettings['metrics']) => void): void {
    try {
      call(this.settings.metrics);
    } catch (error) {
      this.errors$.next(new LeaderElectionError('ERR_REQUEST', `Could not measure the lease ${this.name}`, error));
    }
  }

  private note(what: string): void {
    const { lease, identity, recorder } = this.settings;
    const object: V1Lease = this.state.seen?.lease ?? { metadata: lease };
    const reference = { ...object, apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    try {
      recorder?.record(reference, { type: 'Normal', reason: 'LeaderElection', note: `${identity} ${what}` });
    } catch (error) {
      this.errors$.next(new LeaderElectionError('ERR_REQUEST', `Could not record an event about the lease ${this.name}`, error));
    }
  }

  private publish(): void {
    const { seen } = this.state;
    if (seen === undefined) return;
    const { holder, transitions, acquiredAt } = recordOf(seen.lease);
    // Before it has seen a holder, a candidate has nothing to report.
    if (holder === '' && !this.hasSeenLeader) return;
    this.hasSeenLeader = true;
    const leader = { holder, isSelf: this.isLeader(), transitions, ...(acquiredAt !== undefined && { since: new Date(acquiredAt) }) };
    this.turns.run(() => this.leaders$.next(leader));
  }

  private async release(withinMs: number): Promise<void> {
    const released = await releaseLease(this.client, this.settings, withinMs);
    if (released instanceof LeaderElectionError) this.errors$.next(released);
    if (released === undefined || released instanceof LeaderElectionError) return;
    this.state = { phase: 'idle', seen: { lease: released, at: this.now() } };
    this.publish();
  }
}
