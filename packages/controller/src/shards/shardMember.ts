import { BehaviorSubject, firstValueFrom, merge, type Observable, Subject, type Subscription, takeUntil } from 'rxjs';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient, type V1Lease } from 'rx-informer';
import { type RequestOptions, registry, type Running, slotCount } from 'rx-informer/internal';
import type { ShardFigures } from '../figures.js';
import { Candidate } from '../leader/candidate.js';
import { leaderElectionSettings } from '../leader/leaderElectionOptions.js';
import { LeaderElectionError } from '../leader/leaderElectionError.js';
import type { Leadership } from '../leader/leadership.js';
import { leases } from '../leader/leaseRecord.js';
import { leaseError } from '../leader/leaseRequests.js';
import { identityOfTerm, MemberLeases, termOf, termOfLease } from './memberLeases.js';
import { nextRecord } from './nextRecord.js';
import type { ShardSettings } from './shardOptions.js';
import { emptyRecord, leaseWithRecord, recordOfLease, type ShardRecord } from './shardRecord.js';
import { SlotHolds } from './slotHolds.js';

/** The part of a group's objects that a member owns. */
export interface Shard {
  /** The numbers of the owned slots, of 128. Work on some of them may be ending. */
  readonly slots: ReadonlySet<number>;
  /** The identities of the living members, including this one. */
  readonly members: readonly string[];
  /** Whether this member may work: its lease is valid. */
  readonly isActive: boolean;
}

/** The error of a failed request for the leases of a group. */
function shardError({ namespace, name }: ShardSettings, cause: unknown): LeaderElectionError {
  return leaseError(cause, `read or write the leases of ${namespace}/${name}`, namespace, 'get, list, create, update and delete');
}

/** The label of all leases of a group. */
const groupLabel = 'rx-informer/shards';
/** The lease of a member that never came back is deleted 20 lease durations after its end. */
const tidyDurations = 20;

/** How long the release of a member's lease may take at least, however short its periods are. */
const minReleaseMs = 1_000;

/** The last record seen; `lease` is undefined while there is none on the server. */
interface SeenRecord {
  readonly lease: V1Lease | undefined;
  readonly content: ShardRecord;
}

/** One member of a group: polls the leases of all members and the record, and changes the record when it should. */
export class ShardMember implements Running {
  readonly settings: ShardSettings;
  readonly holds: SlotHolds;
  readonly error$: Observable<LeaderElectionError>;
  private readonly client: KubeClient;
  private readonly election: Candidate;
  private readonly members: MemberLeases;
  private readonly errors$ = new Subject<LeaderElectionError>();
  private readonly shards$ = new BehaviorSubject<Shard>({ slots: new Set(), members: [], isActive: false });
  readonly shard$: Observable<Shard> = this.shards$.asObservable();
  private readonly ended$ = new Subject<void>();
  /** Emits once, when this member has handed over its slots. */
  readonly left$: Observable<void> = this.ended$.asObservable();
  private readonly polled$ = new Subject<void>();
  private record: SeenRecord | undefined;
  /** When the record was first found deleted or damaged, and an epoch after all of its own. */
  private lost: { readonly since: number; readonly epoch: number } | undefined;
  private term: Leadership | undefined;
  private timer: Subscription | undefined;
  private isPolling = false;
  /** The error of the last poll, and the time since which every poll has failed. */
  private failing: { readonly error: LeaderElectionError; readonly since: number } | undefined;
  /** Whether to poll again right after the current poll. */
  private isUrgent = false;
  private isLeaving = false;
  private isOver = false;
  private readonly leaving = new AbortController();
  /** The options of every request for the leases of the group. */
  private readonly own: RequestOptions = { signal: this.leaving.signal, rateLimited: false };
  private stopping: Promise<void> | undefined;

  constructor(client: KubeClient, settings: ShardSettings) {
    const { namespace, name, identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs, scheduler, random } = settings;
    this.client = client;
    this.settings = settings;
    this.members = new MemberLeases(leaseDurationMs);
    this.holds = new SlotHolds(client, settings, () => this.poll());
    this.election = new Candidate(
      client,
      leaderElectionSettings({
        // Neither name contains a dot, so the names of different groups cannot clash.
        lease: { namespace, name: `${name}.${identity}` },
        labels: { [groupLabel]: name },
        ...{ identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs, scheduler, random },
      }),
    );
    this.error$ = merge(this.election.error$, this.errors$).pipe(takeUntil(this.ended$));
  }

  start(): void {
    if (this.timer !== undefined || this.isPolling || this.stopping !== undefined) return;
    this.election.leadership$.subscribe({
      next: (term) => this.changeTerm(term),
      error: (error: unknown) => this.errors$.next(shardError(this.settings, error)),
    });
    this.election.start();
    this.ended$.subscribe({ next: registry().register(this), error: () => undefined });
    this.poll();
  }

  figures(): ShardFigures {
    const { namespace, name, identity } = this.settings;
    const { slots, members, isActive } = this.shards$.value;
    const at = this.now();
    return { kind: 'shards', name: `${namespace}/${name}`, at, identity, active: isActive, slots: slots.size, members };
  }

  check(toleranceMs: number): LeaderElectionError | undefined {
    return this.election.check(toleranceMs);
  }

  /** The last error, if no poll has succeeded for `forMs`. */
  failure(forMs: number): LeaderElectionError | undefined {
    const isOld = this.failing !== undefined && this.now() - this.failing.since >= forMs;
    return isOld ? this.failing?.error : this.election.failure(forMs);
  }

  stop(): Promise<void> {
    this.stopping ??= this.leave();
    return this.stopping;
  }

  private now(): number {
    return this.settings.scheduler.now();
  }

  /** The term of this member; undefined without a valid one. */
  private self(): string | undefined {
    return this.term?.isValid() === true ? termOf(this.settings.identity, this.term.token) : undefined;
  }

  private async leave(): Promise<void> {
    const { drainMs, retryPeriodMs, identity, scheduler } = this.settings;
    this.isLeaving = true;
    const giveUp = (): void => {
      this.end();
      this.leaving.abort(new Error(`${identity} has left`));
    };
    // Wait a little for aborted work to end.
    const idle = scheduler.schedule(() => !this.holds.isBusy() && giveUp(), drainMs);
    const busy = scheduler.schedule(giveUp, drainMs + retryPeriodMs);
    const ownsSome = (): boolean => this.record?.content.owners.includes(this.self() ?? ' ') === true;
    const polled = (): Promise<void> => firstValueFrom(this.polled$, { defaultValue: undefined });
    if (this.timer !== undefined || this.isPolling) this.poll();
    while (ownsSome() && !this.isOver) await polled();
    this.end();
    if (this.isPolling) await polled();
    for (const timer of [idle, busy]) timer.unsubscribe();
    this.holds.endAll(`${identity} has left`);
    await this.election.stop(Math.max(retryPeriodMs, minReleaseMs));
    this.publish(new Set());
    this.shards$.complete();
    this.errors$.complete();
    this.polled$.complete();
    this.holds.complete();
  }

  /** Ends the hand-over: others take what is left when the lease has expired. */
  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.timer?.unsubscribe();
    this.ended$.next();
    this.ended$.complete();
    this.polled$.next();
  }

  private changeTerm(term: Leadership | undefined): void {
    this.term = term;
    if (term === undefined) this.holds.endAll(`${this.settings.identity} has lost its lease`);
    this.publish();
    if (term !== undefined) this.poll();
  }

  /** Polls now, or again after the current poll. */
  private poll(): void {
    if (this.isOver) return;
    this.timer?.unsubscribe();
    this.timer = undefined;
    this.isUrgent = true;
    if (this.isPolling) return;
    this.isPolling = true;
    void this.pollOnce().finally(() => {
      this.isPolling = false;
      const { scheduler, retryPeriodMs, random } = this.settings;
      if (!this.isOver) {
        this.timer = scheduler.schedule(() => this.poll(), this.isUrgent ? 1 : retryPeriodMs * (0.8 + 0.4 * random()));
      }
      this.polled$.next();
    });
  }

  private async pollOnce(): Promise<void> {
    this.isUrgent = false;
    let failure: LeaderElectionError | undefined;
    try {
      failure = await this.read();
      failure ??= await this.improve();
      if (failure === undefined) await this.tidy();
    } catch (error) {
      // A request that was not sent because the lease was lost, or that leaving has ended, is no failure of its own.
      if (!(error instanceof LeaderElectionError) && !this.leaving.signal.aborted) failure = shardError(this.settings, error);
    }
    if (failure !== undefined) this.errors$.next(failure);
    this.failing = failure && { error: failure, since: this.failing?.since ?? this.now() };
  }

  /** Reads all leases of the group. Returns an error if this member must not take part. */
  private async read(): Promise<LeaderElectionError | undefined> {
    const { namespace, name, by, identity, leaseDurationMs, renewDeadlineMs } = this.settings;
    const askedAt = this.now();
    const options = { namespace, labelSelector: `${groupLabel}=${name}`, timeoutMs: renewDeadlineMs / 2 };
    const { items } = await this.client.list(leases, { ...options, ...this.own });
    const lease = items.find(({ metadata }) => metadata?.name === name);
    const others = items.filter((item) => item !== lease);
    this.members.take(others, askedAt, this.now());
    const found = lease && recordOfLease(lease);
    const { epoch = 0 } = this.record?.content ?? {};
    if (found !== undefined) this.lost = undefined;
    // Others may have written epochs that this member has not seen.
    else if (epoch > 0) this.lost ??= { since: askedAt, epoch: epoch + slotCount };
    // One that comes now knows no epoch: those who do are first.
    else if (this.members.hasSettled(identity)) this.lost ??= { since: askedAt + leaseDurationMs, epoch: slotCount };
    const content = found ?? { ...emptyRecord(by), epoch: this.lost?.epoch ?? 0 };
    if (content.by !== by) {
      const message = `The members of ${namespace}/${name} shard by ${content.by}, and this one by ${by}: it gets no part`;
      return new LeaderElectionError('ERR_SHARDS', message);
    }
    this.follow({ lease, content });
    return undefined;
  }

  /** Applies the record: begins and ends holds of slots. */
  private follow(record: SeenRecord): void {
    const { identity } = this.settings;
    const self = this.self();
    const { owners, tokens } = record.content;
    this.record = record;
    const { tenure } = this.election;
    if (self !== undefined && tenure !== undefined) this.holds.follow(tenure, (slot) => (owners[slot] === self ? tokens[slot] : undefined));
    this.publish(new Set(owners.flatMap((owner, slot) => (identityOfTerm(owner) === identity ? [slot] : []))));
    this.holds.activate();
  }

  private publish(slots: ReadonlySet<number> = this.shards$.value.slots): void {
    const before = this.shards$.value;
    const isActive = this.self() !== undefined;
    const members = this.members.living().map(identityOfTerm);
    const isSame =
      before.isActive === isActive && [...before.slots].join() === [...slots].join() && before.members.join() === members.join();
    if (!isSame) this.shards$.next({ slots, members, isActive });
  }

  private async improve(): Promise<LeaderElectionError | undefined> {
    const self = this.self();
    if (self === undefined || this.record === undefined) return undefined;
    // Other members work by the lost record until they notice.
    if (this.lost !== undefined && this.now() < this.lost.since + this.settings.leaseDurationMs) return undefined;
    const { content, lease } = this.record;
    const { next, drain } = nextRecord(content, {
      self,
      isLeaving: this.isLeaving,
      living: this.members.living(),
      isOver: (term) => this.members.isOver(term),
      // A leaving member hands over only slots without any work, even aborted work; for others, members wait until its lease expires.
      stateOf: (slot) => this.holds.stateOf(slot, this.isLeaving),
    });
    this.holds.drain(drain);
    if (next === undefined) return undefined;
    const written = await this.write(lease, next);
    if (written !== undefined) {
      this.follow({ lease: written, content: next });
      return undefined;
    }
    const failure = lease === undefined ? await this.foreignLease() : undefined;
    this.isUrgent = failure === undefined;
    return failure;
  }

  /** The error if the record cannot be created because its Lease belongs to another member. */
  private async foreignLease(): Promise<LeaderElectionError | undefined> {
    const { namespace, name, renewDeadlineMs } = this.settings;
    const options = { namespace, fieldSelector: `metadata.name=${name}`, timeoutMs: renewDeadlineMs / 2, ...this.own };
    const { items } = await this.client.list(leases, options);
    const isForeign = items.some(({ metadata }) => metadata?.name === name && metadata.labels?.[groupLabel] !== name);
    const message = `The Lease ${namespace}/${name} is not of a group of shards: it lacks the label ${groupLabel}=${name}. Choose another name, or delete it`;
    return isForeign ? new LeaderElectionError('ERR_SHARDS', message) : undefined;
  }

  /** Writes the record if it has not changed; undefined if it has. */
  private async write(lease: V1Lease | undefined, content: ShardRecord): Promise<V1Lease | undefined> {
    const { namespace, name, renewDeadlineMs } = this.settings;
    const client = this.term?.client ?? this.client;
    const options = { namespace, timeoutMs: renewDeadlineMs / 2, ...this.own };
    try {
      if (lease !== undefined) return await client.replace(leases, leaseWithRecord(lease, content), options);
      const made: V1Lease = { metadata: { namespace, name, labels: { [groupLabel]: name } } };
      return await client.create(leases, leaseWithRecord(made, content), options);
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error)) return undefined;
      throw error;
    }
  }

  /** Deletes a lease whose member expired at least 20 lease durations ago and owns no slot. */
  private async tidy(): Promise<void> {
    const { leaseDurationMs, namespace } = this.settings;
    const owners = this.record?.content.owners ?? [];
    const lease = this.members.abandoned(tidyDurations * leaseDurationMs).find((one) => !owners.includes(termOfLease(one)));
    const { name = '', uid, resourceVersion } = lease?.metadata ?? {};
    if (uid === undefined || resourceVersion === undefined) return;
    try {
      await this.client.delete(leases, name, { namespace, ...this.own, preconditions: { uid, resourceVersion } });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
