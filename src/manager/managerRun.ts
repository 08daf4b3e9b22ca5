import type { ManagerFacts } from '../api/running/facts.js';
import { registry, type Running } from '../api/running/registry.js';
import type { Warning } from '../api/running/warning.js';
import { dump } from '../api/running/dump.js';
import type { Inspector } from '../inspector/startInspector.js';
import { Checkups } from './checkups.js';
import { filter, firstValueFrom, map, race, Subject, Subscription, timer } from 'rxjs';
import { electLeader, type LeaderElection } from '../controller/leader/electLeader.js';
import type { Leadership } from '../controller/leader/leadership.js';
import { joinShards, type Shards } from '../controller/shards/joinShards.js';
import { boundClient } from '../controller/leader/boundClient.js';
import { Tenure } from '../controller/leader/tenure.js';
import { type AddedController, ControllerGroup } from './controllerGroup.js';
import { ManagedCaches } from './managedCaches.js';
import { managerMetrics, type ManagerMetrics } from './managerMetrics.js';
import { hookProcess } from './hookProcess.js';
import type { ManagerSettings } from './managerOptions.js';
import { type Check, type ProbeServer, startProbeServer } from './probeServer.js';
import { errorOf, messageOf } from '../api/errors/informerError.js';
import { managedWebhooks } from './managedWebhooks.js';
import type { RunningWebhooks } from '../webhooks/startWebhooks.js';
import { LeaderElectionError } from '../controller/leader/leaderElectionError.js';

/** The result of a manager's run. */
export interface ManagerResult {
  /** The failure that ended it; undefined after a clean stop. */
  readonly error: Error | undefined;
}

/** The health of a manager. */
export interface ManagerHealth {
  readonly state: 'idle' | 'starting' | 'running' | 'stopping';
  /** The checks of `/healthz` and `/readyz`; `problem` is undefined for a passed check. */
  readonly checks: readonly { readonly name: string; readonly problem: string | undefined }[];
  readonly warnings: readonly Warning[];
}

/** The reason for the end of a run. */
interface End {
  readonly why: string;
  readonly error?: Error;
}

/** The exit code when work did not end within `drainMs`; the same as that of the command `timeout`. */
const overdueExitCode = 124;
/** How long aborted work may take to end before the process exits, and how long requests may take after the drain. */
const lastWordsMs = 1_000;

/** The error when work does not end within `drainMs`. */
class OverdueError extends Error {
  readonly code = 'ERR_DRAIN';
}

/** An error message with that of its cause. */
function withCause({ message, cause }: Error): string {
  return cause === undefined ? message : `${message}: ${messageOf(cause)}`;
}

function problemOf(error: Error | undefined): string | undefined {
  return error === undefined ? undefined : withCause(error);
}

/** One run of a manager: starts and ends its parts in order. */
export class ManagerRun implements Running {
  private readonly settings: ManagerSettings;
  private readonly added: AddedController[] = [];
  private readonly aborter = new AbortController();
  private readonly ends$ = new Subject<End>();
  private readonly works: Subscription[] = [];
  private end: End | undefined;
  private running: Promise<ManagerResult> | undefined;
  private caches: ManagedCaches | undefined;
  private group: ControllerGroup | undefined;
  private election: LeaderElection | undefined;
  /** The tenure of requests for the lease. */
  private readonly candidacy = new Tenure({ what: 'The drain is over', now: () => 0 });
  private leadership: Leadership | undefined;
  private shards: Shards | undefined;
  private server: ProbeServer | undefined;
  private webhooks: RunningWebhooks | undefined;
  private readonly checkups: Checkups;
  private inspecting: Promise<Inspector | undefined> | undefined;
  private isReady = false;
  private isUnsure = false;
  private isOverdue = false;

  constructor(settings: ManagerSettings) {
    this.settings = settings;
    this.checkups = new Checkups(settings);
  }

  facts(): ManagerFacts {
    const { state, checks } = this.health(false);
    const problems = checks.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));
    return { kind: 'manager', name: this.added.map(({ name }) => name).join(', '), at: this.settings.scheduler.now(), state, problems };
  }

  /** @param includesWarnings - whether to include warnings of `diagnose`. */
  health(includesWarnings = true): ManagerHealth {
    const begun = this.isReady ? 'running' : 'starting';
    const state = this.running === undefined ? 'idle' : this.end === undefined ? begun : 'stopping';
    return { state, checks: [...this.healthz(), ...this.readyz()], warnings: includesWarnings ? this.checkups.check() : [] };
  }

  add(added: AddedController): void {
    if (this.running !== undefined) throw new Error(`Cannot add the controller ${added.name}: the manager runs already`);
    if (this.added.some(({ name }) => name === added.name)) throw new Error(`A controller named ${added.name} exists already`);
    this.added.push(added);
  }

  port(): number | undefined {
    return this.server?.port;
  }

  run(): Promise<ManagerResult> {
    this.running ??= this.live(registry().add(this));
    return this.running;
  }

  async stop(): Promise<void> {
    this.finish({ why: 'it was stopped' });
    await this.running;
  }

  private finish(end: End): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.aborter.abort();
    this.ends$.next(end);
  }

  private readonly fail = (cause: unknown): void => {
    const error = errorOf(cause);
    this.finish({ why: error.message, error });
  };

  private async live(unregister: () => void): Promise<ManagerResult> {
    const { process, logger } = this.settings;
    const unhook =
      process === false
        ? undefined
        : hookProcess(process, {
            onSignal: (signal) => this.signalled(signal),
            onUnhandled: (error) => this.unhandled(error),
            onInspect: () => this.inspect(),
          });
    try {
      if (this.end === undefined) await this.begin();
    } catch (error) {
      this.fail(error);
    }
    const end = this.end ?? (await firstValueFrom(this.ends$, { defaultValue: { why: 'it was stopped' } }));
    logger.info(`stopping: ${end.why}`);
    const error = await this.windDown(end);
    if (error === undefined) logger.info('stopped');
    else logger.error(`failed: ${error.message}`);
    unhook?.();
    this.checkups.stop();
    await this.inspecting?.then((inspector) => inspector?.close());
    unregister();
    if (process !== false) this.leave(error);
    return { error };
  }

  private leave(error: Error | undefined): void {
    const { process, scheduler } = this.settings;
    if (process === false || error === undefined) return;
    const isOverdue = error instanceof OverdueError;
    process.exitCode = isOverdue ? overdueExitCode : 1;
    // After an unhandled error, the state of the program is unknown.
    if (this.isUnsure) process.exit(1);
    // Unfinished work would keep the process alive without its lease.
    if (this.isOverdue) scheduler.schedule(() => process.exit(isOverdue ? overdueExitCode : 1), lastWordsMs);
  }

  private signalled(signal: string): void {
    const { process, logger } = this.settings;
    if (this.end !== undefined && process !== false) {
      logger.error(`${signal} again: ended at once`);
      process.exit(1);
    }
    this.finish({ why: signal });
  }

  /** Starts the inspector, and logs its address. */
  private inspect(): void {
    const { logger } = this.settings;
    this.inspecting ??= import('../inspector/startInspector.js')
      .then(({ startInspector }) => startInspector())
      .catch((error: unknown) => {
        logger.error(`inspector: ${messageOf(error)}`);
        return undefined;
      });
    void this.inspecting.then((inspector) => {
      if (inspector !== undefined) logger.info(`inspector: ${inspector.url} (kubectl port-forward brings port ${inspector.port} here)`);
    });
  }

  private unhandled(cause: unknown): void {
    this.isUnsure = true;
    const error = errorOf(cause);
    this.settings.logger.error(error.stack ?? error.message);
    this.fail(new Error(`An error was not handled: ${error.message}`, { cause }));
  }

  private async begin(): Promise<void> {
    const { settings } = this;
    const metrics = settings.metrics ? await managerMetrics() : undefined;
    const shards = this.joinGroup();
    this.caches = new ManagedCaches(settings, metrics?.trace, shards);
    this.group = new ControllerGroup({ settings, caches: this.caches, metrics, leadership: () => this.leadership, shards });
    if (settings.port !== false) {
      const answers = {
        healthz: () => this.healthz(),
        readyz: () => this.readyz(),
        warnings: () => this.checkups.check(),
        dump: () => dump(),
        ...(metrics !== undefined && { metrics: metrics.text }),
      };
      this.server = await startProbeServer(settings.port, settings.host, answers);
      settings.logger.info(`probes: port ${this.server.port}`);
    }
    this.webhooks = managedWebhooks(settings, metrics, this.fail);
    for (const added of this.added) this.group.prepare(added);
    try {
      await this.caches.sync(this.aborter.signal);
    } catch (error) {
      if (this.end === undefined) throw error;
    }
    if (this.end !== undefined) return;
    settings.logger.info('caches are complete');
    this.isReady = true;
    this.checkups.start();
    this.work(this.group, metrics);
  }

  /** Creates the member of the group of shards; the first controller that works joins the group. */
  private joinGroup(): Shards | undefined {
    const { client, shards, drainMs, logger, scheduler } = this.settings;
    if (shards === undefined) return undefined;
    this.shards = joinShards(client, { drainMs, ...shards, scheduler });
    this.shards.error$.subscribe({ next: (failure) => logger.error(withCause(failure)), error: this.fail });
    this.shards.shard$.pipe(filter(({ isActive }) => isActive)).subscribe({
      next: ({ slots, members }) => logger.info(`shard: ${slots.size} of 128 slots, members ${members.join(', ')}`),
      error: this.fail,
    });
    return this.shards;
  }

  private work(group: ControllerGroup, metrics: ManagerMetrics | undefined): void {
    const { leaderElection, client, logger, scheduler } = this.settings;
    this.works.push(group.work(false).subscribe({ error: this.fail }));
    if (leaderElection === undefined) return;
    const sink = metrics === undefined ? {} : { metrics: metrics.leader };
    const election = electLeader(
      boundClient(client, () => this.candidacy),
      { ...leaderElection, ...sink, scheduler },
    );
    this.election = election;
    election.error$.subscribe({ next: (failure) => logger.error(withCause(failure)), error: this.fail });
    election.leader$.subscribe({
      next: ({ holder, isSelf }) => logger.info(isSelf ? `leads as ${holder}` : `leader: ${holder || 'nobody'}`),
      error: this.fail,
    });
    election.leadership$.subscribe({ next: (leadership) => this.follow(leadership), error: this.fail });
    this.works.push(election.whileLeading(() => group.work(true)).subscribe({ error: this.fail }));
  }

  private follow(leadership: Leadership | undefined): void {
    const before = this.leadership;
    this.leadership = leadership;
    if (before === undefined || leadership !== undefined || this.end !== undefined || this.settings.afterLeadership !== 'end') return;
    this.fail(new LeaderElectionError('ERR_LEADERSHIP_LOST', `Leadership number ${before.token} of ${before.identity} is over`));
  }

  private healthz(): readonly Check[] {
    return [
      { name: 'leader election', problem: this.election?.check()?.message },
      ...(this.shards === undefined ? [] : [{ name: 'shards', problem: this.shards.check()?.message }]),
    ];
  }

  private readyz(): readonly Check[] {
    const { webhooks } = this;
    // A cache that waits for a conversion by this pod must not take the pod out of the service.
    if (webhooks !== undefined && this.end === undefined) return [{ name: 'webhooks', problem: webhooks.problem() }];
    const state = this.end === undefined ? (this.isReady ? undefined : 'starting') : 'stopping';
    const { staleAfterMs } = this.settings;
    const leases: readonly Check[] = [
      ...(this.election === undefined ? [] : [{ name: 'leader election', problem: problemOf(this.election.failure(staleAfterMs)) }]),
      ...(this.shards === undefined ? [] : [{ name: 'shards', problem: problemOf(this.shards.failure(staleAfterMs)) }]),
    ];
    return [{ name: 'manager', problem: state }, ...leases, ...(this.caches?.checks() ?? [])];
  }

  /** Ends all parts in order, also after failures. Returns the first failure. */
  private async windDown({ error }: End): Promise<Error | undefined> {
    const { group, candidacy } = this;
    const drainedAt = this.settings.scheduler.now() + this.settings.drainMs;
    const failures: unknown[] = error === undefined ? [] : [error];
    const steps: readonly (() => Promise<void> | undefined)[] = [
      () => this.drain(),
      () => this.given(this.shards?.stop()),
      () => group && this.before(drainedAt, group.recording, group.stopRecorders()),
      () => this.caches && this.closed(drainedAt, this.caches.stop()),
      () => {
        // Work that goes on must not meet that of the next leader: the lease expires.
        if (this.isOverdue) candidacy.end(undefined);
        return this.given(this.election && this.before(drainedAt, candidacy, this.election.stop()));
      },
      () => this.webhooks?.stop(lastWordsMs),
      () => {
        const { server } = this;
        this.server = undefined;
        return server?.close();
      },
    ];
    for (const step of steps) {
      try {
        await step();
      } catch (failure) {
        failures.push(failure);
      }
    }
    return failures.length === 0 ? undefined : errorOf(failures[0]);
  }

  /** Waits for a part, whose requests are aborted at the end of the drain, but not within the next second. */
  private async before(drainedAt: number, requests: Tenure, stopping: Promise<void>): Promise<void> {
    const { scheduler } = this.settings;
    const late = scheduler.schedule(() => requests.end(undefined), Math.max(drainedAt - scheduler.now(), lastWordsMs));
    await stopping.finally(() => late.unsubscribe());
  }

  /** Waits until the informers have stopped. Calls of their handlers that go on after the drain, and for a second at least, are overdue. */
  private async closed(drainedAt: number, stopping: Promise<void>): Promise<void> {
    const { scheduler } = this.settings;
    const late$ = timer(Math.max(drainedAt - scheduler.now(), lastWordsMs), scheduler).pipe(map(() => true));
    const isLate = await firstValueFrom(
      race(
        stopping.then(() => false),
        late$,
      ),
      { defaultValue: false },
    );
    if (!isLate) return;
    this.isOverdue = true;
    throw this.overdue(['calls of handlers']);
  }

  private overdue(names: readonly string[]): OverdueError {
    const { drainMs, logger } = this.settings;
    const message = `still at work after ${drainMs} ms: ${names.join(', ')}`;
    logger.error(message);
    return new OverdueError(message);
  }

  /** Waits until the lease has been released. With unfinished work it is not released but expires, and the process exits before that. */
  private async given(stopping: Promise<void> | undefined): Promise<void> {
    if (stopping !== undefined) await (this.isOverdue ? Promise.race([stopping, this.idle(lastWordsMs)]) : stopping);
  }

  /** Resolves when no controller is working, or after `ms`. */
  private idle(ms: number): Promise<void> {
    const { group } = this;
    if (group === undefined || group.busy().length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = new Subscription(resolve);
      waiting.add(group.idle$.subscribe({ next: () => waiting.unsubscribe(), error: this.fail }));
      waiting.add(this.settings.scheduler.schedule(() => waiting.unsubscribe(), ms));
    });
  }

  private async drain(): Promise<void> {
    const { group, works, shards } = this;
    if (group === undefined) return;
    const { drainMs, scheduler } = this.settings;
    // Before the loops stop: at the same time they abort what is left, and what ends then is late, too. The loop of a shard lasts as long without work.
    let late: readonly string[] = [];
    const noted = scheduler.schedule(() => void (late = group.busy(false)), drainMs);
    group.stop();
    // Each key is handed over when the work on it has ended; after the last one, or `drainMs` if no work is left, the loops of shards complete.
    void shards?.stop();
    await this.idle(drainMs);
    noted.unsubscribe();
    const names = [...new Set([...late, ...group.busy()])];
    const isUnseen = group.isUnseen();
    for (const work of works) work.unsubscribe();
    if (names.length === 0) return;
    const error = this.overdue(names);
    await this.idle(lastWordsMs);
    this.isOverdue = isUnseen || group.busy().length > 0;
    throw error;
  }
}
