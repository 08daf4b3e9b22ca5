import { errorOf, type Figures, messageOf, registry, type Running } from 'rx-informer/internal';
import type { Inspector } from '@rx-informer/inspector';
import { Checkups } from './checkups.js';
import { firstValueFrom, map, race, Subject, Subscription, timer } from 'rxjs';
import type { Tenure } from '../leader/tenure.js';
import { loadInspector } from '../metrics/loadInspector.js';
import { type AddedController, ControllerGroup, type Ended } from './controllerGroup.js';
import { managedWebhooks } from './managedWebhooks.js';
import type { RunningWebhooks } from '../webhooks/serveWebhooks.js';
import { ManagedCaches } from './managedCaches.js';
import { managerMetrics, type ManagerMetrics } from './managerMetrics.js';
import { holdProcess, type ProcessHold } from './holdProcess.js';
import type { ManagerSettings } from './managerOptions.js';
import { Membership } from './membership.js';
import { OwnChecks } from './ownChecks.js';
import { type Check, type ManagerWarning, type ProbeServer, startProbeServer } from './probeServer.js';

/** The result of a manager's run. */
export interface ManagerResult {
  /** The failure that ended it; undefined after a clean stop. */
  readonly error: Error | undefined;
}

/** The health of a manager. */
export interface ManagerHealth {
  readonly state: 'idle' | 'starting' | 'running' | 'stopping' | 'stopped';
  /** The checks of `/healthz` and `/readyz`; `problem` is undefined for a passed check. */
  readonly checks: readonly { readonly name: string; readonly problem: string | undefined }[];
  /** What `diagnose` of `@rx-informer/inspector` finds; none where that package is not installed. */
  readonly warnings: readonly ManagerWarning[];
}

/** The figures of a manager. */
interface ManagerFigures extends Figures {
  readonly kind: 'manager';
  readonly state: string;
  readonly problems: readonly string[];
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

/** One run of a manager: starts and ends its parts in order. */
export class ManagerRun implements Running {
  private readonly settings: ManagerSettings;
  private readonly added = new Map<string, AddedController>();
  /** The names of controllers that are being removed. */
  private readonly leaving = new Set<string>();
  private readonly aborter = new AbortController();
  private readonly ends$ = new Subject<End>();
  private readonly works: Subscription[] = [];
  private end: End | undefined;
  private running: Promise<ManagerResult> | undefined;
  private caches: ManagedCaches | undefined;
  private group: ControllerGroup | undefined;
  private leases: Membership | undefined;
  private readonly own: { readonly healthz: OwnChecks; readonly readyz: OwnChecks };
  private server: ProbeServer | undefined;
  private webhooks: RunningWebhooks | undefined;
  private readonly checkups: Checkups;
  private inspecting: Promise<Inspector | undefined> | undefined;
  private isReady = false;
  private isSignalled = false;
  private isUnsure = false;
  private isOverdue = false;
  private hasEnded = false;

  constructor(settings: ManagerSettings) {
    this.settings = settings;
    this.checkups = new Checkups(settings);
    this.own = { healthz: new OwnChecks(settings.healthz), readyz: new OwnChecks(settings.readyz) };
  }

  figures(): ManagerFigures {
    const { state, checks } = this.health(false);
    const problems = checks.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));
    return { kind: 'manager', name: [...this.added.keys()].join(', '), at: this.settings.scheduler.now(), state, problems };
  }

  /** @param includesWarnings - whether to include warnings of `diagnose`. */
  health(includesWarnings = true): ManagerHealth {
    const begun = this.isReady ? 'running' : 'starting';
    const ending = this.hasEnded ? 'stopped' : 'stopping';
    const state = this.running === undefined ? 'idle' : this.end === undefined ? begun : ending;
    const { healthz, readyz } = this.own;
    const checks = [...this.healthz(), ...healthz.last(), ...this.readyz(), ...readyz.last()];
    return { state, checks, warnings: includesWarnings ? this.checkups.check() : [] };
  }

  /** Adds a controller; to a manager that has begun, it waits for its own caches and begins. */
  add(added: AddedController): void {
    const { name } = added;
    if (this.added.has(name)) throw new Error(`A controller named ${name} exists already`);
    if (this.leaving.has(name)) throw new Error(`The controller ${name} is still being removed`);
    if (this.end !== undefined) throw new Error(`Cannot add the controller ${name}: the manager is stopping`);
    this.added.set(name, added);
    const { group } = this;
    // Before there is a group, it is one of the first.
    if (group === undefined) return;
    const admit = this.prepare(group, added);
    void this.synced(name).then((goesOn) => goesOn && admit(), this.fail);
  }

  private prepare(group: ControllerGroup, added: AddedController): () => void {
    try {
      return group.prepare(added);
    } catch (error) {
      this.added.delete(added.name);
      void this.caches?.leave(added.name).catch(this.fail);
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    if (!this.added.delete(name)) throw new Error(`There is no controller named ${name}`);
    this.leaving.add(name);
    try {
      await this.group?.remove(name);
      await this.caches?.leave(name);
    } finally {
      this.leaving.delete(name);
    }
  }

  port(): number | undefined {
    return this.server?.port;
  }

  run(): Promise<ManagerResult> {
    this.running ??= this.live(registry().register(this));
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

  private ended({ problem, cause, when }: Ended): void {
    if (this.end !== undefined) return;
    if (when === 'fail') this.fail(new Error(problem, { cause }));
    else this.settings.logger.error(problem);
  }

  private async live(unregister: () => void): Promise<ManagerResult> {
    const { process, logger } = this.settings;
    const hold =
      process === false
        ? undefined
        : holdProcess(process, {
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
    this.checkups.stop();
    await this.inspecting?.then((inspector) => inspector?.close());
    unregister();
    this.hasEnded = true;
    if (hold !== undefined) this.leave(hold, error);
    return { error };
  }

  private leave(hold: ProcessHold, error: Error | undefined): void {
    const code = error instanceof OverdueError ? overdueExitCode : 1;
    if (error !== undefined) hold.exitCode(code);
    // After an unhandled error, the state of the program is unknown.
    if (error !== undefined && this.isUnsure) hold.exit(1);
    // Unfinished work would keep the process alive without its lease.
    if (error !== undefined && this.isOverdue) this.settings.scheduler.schedule(() => hold.exit(code), lastWordsMs);
    hold.release();
  }

  private signalled(signal: string): void {
    const { process, logger } = this.settings;
    if (this.isSignalled && process !== false) {
      logger.error(`${signal} again: ended at once`);
      process.exit(1);
    }
    this.isSignalled = true;
    this.finish({ why: signal });
  }

  /** Starts the inspector, and logs its address. */
  private inspect(): void {
    const { logger } = this.settings;
    this.inspecting ??= loadInspector('The page of a manager')
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
    const warns = this.checkups.load();
    const metrics = settings.metrics ? await managerMetrics(settings, await warns) : undefined;
    const leases = new Membership(settings, this.fail);
    const { shards } = leases;
    this.leases = leases;
    const stopped = (problem: string, cause: unknown): void => this.ended({ problem, cause, when: settings.whenEnded });
    this.caches = new ManagedCaches(settings, { trace: metrics?.trace, shard: shards, stopped });
    const ended = (end: Ended): void => this.ended(end);
    const group = new ControllerGroup({ settings, caches: this.caches, metrics, leadership: () => leases.leadership, shards, ended });
    await this.listen(metrics);
    this.webhooks = managedWebhooks(settings, metrics, this.fail);
    this.group = group;
    const admits = [...this.added.values()].map((added) => group.prepare(added));
    if (!(await this.synced())) return;
    for (const admit of admits) admit();
    settings.logger.info('caches are complete');
    this.isReady = true;
    this.checkups.start();
    this.works.push(...leases.work(group, metrics));
  }

  /** Waits for all caches, or for those of one controller. Returns whether the manager goes on. */
  private async synced(name?: string): Promise<boolean> {
    try {
      await this.caches?.sync(this.aborter.signal, name);
    } catch (error) {
      if (this.end === undefined) throw error;
    }
    return this.end === undefined;
  }

  private async listen(metrics: ManagerMetrics | undefined): Promise<void> {
    const { port, host, paths, logger } = this.settings;
    if (port === false) return;
    const { healthz, readyz } = this.own;
    this.server = await startProbeServer(port, host, {
      healthz: async () => [...this.healthz(), ...(await healthz.run())],
      readyz: async () => [...this.readyz(), ...(await readyz.run())],
      warnings: () => this.checkups.check(),
      dump: async () => (await loadInspector('`/dump`')).dump(),
      ...(metrics !== undefined && { metrics: metrics.text }),
      paths,
    });
    logger.info(`probes: port ${this.server.port}`);
  }

  private healthz(): readonly Check[] {
    return this.leases?.alive() ?? [{ name: 'leader election', problem: undefined }];
  }

  private readyz(): readonly Check[] {
    const { webhooks } = this;
    // A cache that waits for a conversion by this pod must not take the pod out of the service.
    if (webhooks !== undefined && this.end === undefined) return [{ name: 'webhooks', problem: webhooks.problem() }];
    const state = this.end === undefined ? (this.isReady ? undefined : 'starting') : 'stopping';
    const { leases, group, caches } = this;
    return [{ name: 'manager', problem: state }, ...(leases?.ready() ?? []), ...(group?.checks() ?? []), ...(caches?.checks() ?? [])];
  }

  /** Ends all parts in order, also after failures. Returns the first failure. */
  private async windDown({ error }: End): Promise<Error | undefined> {
    const { group, leases } = this;
    const drainedAt = this.settings.scheduler.now() + this.settings.drainMs;
    const failures: unknown[] = error === undefined ? [] : [error];
    const steps: readonly (() => Promise<void> | undefined)[] = [
      () => this.drain(),
      () => this.given(leases?.shards?.stop()),
      () => group && this.before(drainedAt, group.recording, group.stopRecorders()),
      () => this.caches && this.closed(drainedAt, this.caches.stop()),
      () => {
        // Work that goes on must not meet that of the next leader: the lease expires.
        if (this.isOverdue) leases?.candidacy.end(undefined);
        return this.given(leases?.election && this.before(drainedAt, leases.candidacy, leases.election.stop()));
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
    const { group, works } = this;
    if (group === undefined) return;
    const { drainMs, scheduler } = this.settings;
    // Before the loops stop: at the same time they abort what is left, and what ends then is late, too. The loop of a shard lasts as long without work.
    let late: readonly string[] = [];
    const noted = scheduler.schedule(() => void (late = group.busy(false)), drainMs);
    group.stop();
    // Each key is handed over when the work on it has ended; after the last one, or `drainMs` if no work is left, the loops of shards complete.
    void this.leases?.shards?.stop();
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
