import { type SchedulerAction, type SchedulerLike, Subscription, VirtualTimeScheduler } from 'rxjs';
import { ApiError, type KubeClient, type V1Lease } from 'rx-informer';
import { slotCount } from '../../../../src/api/shardFilter.js';
import type { RequestOptions } from 'rx-informer/internal';
import { ShardMember } from '../../src/shards/shardMember.js';
import { shardSettings } from '../../src/shards/shardOptions.js';
import { recordAnnotation, recordOfLease } from '../../src/shards/shardRecord.js';

export const timing = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000, drainMs: 20_000 } as const;

function refusal(code: number, reason: string): ApiError {
  return new ApiError({
    code,
    message: reason,
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason },
  });
}

/** The clock of a process: while the process is frozen its timers do not run, but its time continues. */
class ProcessScheduler implements SchedulerLike {
  private readonly clock: VirtualTimeScheduler;
  private frozen: (() => void)[] | undefined;
  private isDead = false;

  constructor(clock: VirtualTimeScheduler) {
    this.clock = clock;
  }

  now(): number {
    return this.clock.now();
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    const subscription = new Subscription();
    const run = (): void => {
      if (subscription.closed || this.isDead) return;
      if (this.frozen !== undefined) this.frozen.push(run);
      else {
        subscription.unsubscribe();
        work.call(undefined as unknown as SchedulerAction<T>, state);
      }
    };
    // Rounded, since sums of fractions of milliseconds are not exact.
    subscription.add(this.clock.schedule(run, Math.ceil(delay)));
    return subscription;
  }

  freeze(): void {
    this.frozen ??= [];
  }

  thaw(): void {
    const runs = this.frozen ?? [];
    this.frozen = undefined;
    for (const run of runs) run();
  }

  kill(): void {
    this.isDead = true;
  }
}

/** One process of the group. */
export interface WorldMember {
  readonly member: ShardMember;
  readonly scheduler: ProcessScheduler;
  isAlive: boolean;
  isFrozen: boolean;
  isCut: boolean;
  leaving: Promise<void> | undefined;
}

/** A server that stores leases, and members in separate processes, in virtual time. */
export class GroupWorld {
  readonly clock: VirtualTimeScheduler = new VirtualTimeScheduler();
  readonly members: WorldMember[] = [];
  /** What the members asked for. */
  readonly requests: { readonly verb: string; readonly options: RequestOptions | undefined }[] = [];
  readonly tokens: number[] = Array.from({ length: slotCount }, () => 0);
  private readonly leases = new Map<string, V1Lease>();
  private readonly random: () => number;
  private version = 0;

  constructor(random: () => number) {
    this.random = random;
  }

  join(): WorldMember {
    const scheduler = new ProcessScheduler(this.clock);
    const settings = shardSettings({
      namespace: 'ns',
      name: 'group',
      identity: `m${this.members.length}`,
      ...timing,
      scheduler,
      random: this.random,
    });
    const one: Omit<WorldMember, 'member'> = { scheduler, isAlive: true, isFrozen: false, isCut: false, leaving: undefined };
    const world = Object.assign(one, { member: new ShardMember(this.client(one), settings) });
    this.members.push(world);
    world.member.start();
    return world;
  }

  kill(one: WorldMember): void {
    one.isAlive = false;
    one.scheduler.kill();
  }

  freeze(one: WorldMember): void {
    one.isFrozen = true;
    one.scheduler.freeze();
  }

  thaw(one: WorldMember): void {
    one.isFrozen = false;
    one.scheduler.thaw();
  }

  /** Deletes the record, or damages it. */
  loseRecord(isDamaged: boolean): void {
    const { metadata, ...record } = this.get('group');
    if (isDamaged) this.store({ ...record, metadata: { ...metadata, annotations: {} } });
    else this.leases.delete('group');
    this.tokens.fill(0);
  }

  leaseNames(): readonly string[] {
    return [...this.leases.keys()].sort();
  }

  leave(one: WorldMember): void {
    one.leaving ??= one.member.stop().then(() => this.kill(one));
  }

  /** The members that may be at work on a slot: those that hold it, are alive, and are not told otherwise by their own clock. */
  workersOf(slot: number): readonly WorldMember[] {
    return this.members.filter(
      ({ isAlive, member }) => isAlive && member.holds.of(slot)?.tenure.isValid() === true && member.holds.stateOf(slot) !== 'quiet',
    );
  }

  /** The members that may begin work on a slot now. */
  startersOf(slot: number): readonly WorldMember[] {
    return this.workersOf(slot).filter(({ isFrozen, member }) => !isFrozen && member.holds.stateOf(slot) === 'working');
  }

  async advance(ms: number, check: () => void): Promise<void> {
    await settle();
    const end = this.clock.now() + ms;
    this.clock.schedule(() => undefined, ms);
    while (this.clock.now() < end) {
      this.clock.maxFrames = Math.min(end, ...this.clock.actions.map(({ delay }) => delay));
      this.clock.flush();
      await settle();
      check();
    }
  }

  /** Every request and every answer takes time; requests of a disconnected member get no answer, and may still arrive. */
  private client(one: Omit<WorldMember, 'member'>): KubeClient {
    const ask = <T>(verb: string, options: RequestOptions | undefined, serve: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        this.requests.push({ verb, options });
        const { timeoutMs = 60_000, signal } = options ?? {};
        const abort = (): void => reject(signal?.reason as Error);
        signal?.addEventListener('abort', abort);
        const late = one.scheduler.schedule(() => reject(new Error('no answer')), timeoutMs);
        this.clock.schedule(
          () => {
            if (one.isCut && this.random() < 0.5) return;
            let answer: () => void;
            try {
              const served = serve();
              answer = () => resolve(served);
            } catch (error: unknown) {
              const failure = error instanceof Error ? error : new Error(String(error));
              answer = () => reject(failure);
            }
            if (one.isCut) return;
            late.unsubscribe();
            signal?.removeEventListener('abort', abort);
            one.scheduler.schedule(answer, Math.ceil(5 + this.random() * 50));
          },
          Math.ceil(5 + this.random() * 50),
        );
      });
    const client = {
      get: (_: unknown, name: string, options?: RequestOptions) => ask('get', options, () => this.get(name)),
      list: (_: unknown, options?: RequestOptions) => ask('list', options, () => ({ items: [...this.leases.values()] })),
      create: (_: unknown, lease: V1Lease, options?: RequestOptions) =>
        ask('create', options, () => {
          if (this.leases.has(lease.metadata?.name ?? '')) throw refusal(409, 'AlreadyExists');
          return this.store(lease);
        }),
      replace: (_: unknown, lease: V1Lease, options?: RequestOptions) =>
        ask('replace', options, () => {
          if (this.get(lease.metadata?.name ?? '').metadata?.resourceVersion !== lease.metadata?.resourceVersion)
            throw refusal(409, 'Conflict');
          return this.store(lease);
        }),
      delete: (_: unknown, name: string, options?: RequestOptions & { preconditions?: { resourceVersion?: string } }) =>
        ask('delete', options, () => {
          if (this.get(name).metadata?.resourceVersion !== options?.preconditions?.resourceVersion) throw refusal(409, 'Conflict');
          return this.leases.delete(name);
        }),
    };
    return client as unknown as KubeClient;
  }

  private get(name: string): V1Lease {
    const lease = this.leases.get(name);
    if (lease === undefined) throw refusal(404, 'NotFound');
    return lease;
  }

  private store(lease: V1Lease): V1Lease {
    this.version += 1;
    const stored = { ...lease, metadata: { ...lease.metadata, uid: 'u', resourceVersion: String(this.version) } };
    this.leases.set(lease.metadata?.name ?? '', stored);
    if (lease.metadata?.annotations?.[recordAnnotation] !== undefined) this.noteTokens(stored);
    return stored;
  }

  private noteTokens(lease: V1Lease): void {
    recordOfLease(lease)?.tokens.forEach((token, slot) => {
      if (token < (this.tokens[slot] ?? 0)) throw new Error(`The token of slot ${slot} went down`);
      this.tokens[slot] = token;
    });
  }
}

/** Promises are not driven by virtual time: lets those under way settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}
