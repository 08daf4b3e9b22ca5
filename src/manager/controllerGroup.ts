import { catchError, defer, finalize, ignoreElements, isObservable, merge, type Observable, Subject, tap, throwError } from 'rxjs';
import { messageOf } from '../api/errors/informerError.js';
import { entryOf } from '../api/entryOf.js';
import { boundClient } from '../controller/leader/boundClient.js';
import type { Leadership } from '../controller/leader/leadership.js';
import { currentTenure, duringTenure, Tenure } from '../controller/leader/tenure.js';
import type { Outcome } from '../controller/reconcile/outcome.js';
import { controlLoop } from '../controller/reconcile/reconcile.js';
import type { ReconcileConfig } from '../controller/reconcile/reconcileConfig.js';
import { createEventRecorder, type EventRecorder } from '../controller/status/createEventRecorder.js';
import type { Shards } from '../controller/shards/joinShards.js';
import type { Controller, ControllerContext, ControllerOptions, ControllerShard } from './controllerContext.js';
import type { ManagedCaches } from './managedCaches.js';
import type { ManagerMetrics } from './managerMetrics.js';
import type { ManagerSettings } from './managerOptions.js';

/** A controller with its name. */
export interface AddedController {
  readonly name: string;
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly controller: Controller;
  readonly options: ControllerOptions;
}

/** What the controllers of a group share. */
export interface GroupParts {
  readonly settings: ManagerSettings;
  readonly caches: ManagedCaches;
  readonly metrics: ManagerMetrics | undefined;
  readonly leadership: () => Leadership | undefined;
  readonly shards: Shards | undefined;
}

/** One call of a controller, bound to one leadership. */
interface Round {
  readonly work$: Observable<unknown>;
  /** The time during which it may work, and the work it has begun. */
  tenure: Tenure;
  leadership: Leadership | undefined;
  usesShard: boolean;
}

/** A controller, and its call for the next leadership. The first call is made before any leadership, so that informers sync early. */
interface Prepared extends AddedController {
  readonly needsLeader: boolean;
  next: Round | undefined;
}

/** Longer calls of `reconcile` are logged. */
const stuckAfterMs = 60_000;

/** The controllers of a manager, and their work. */
export class ControllerGroup {
  private readonly parts: GroupParts;
  private readonly prepared: Prepared[] = [];
  private readonly recorders = new Map<string, EventRecorder>();
  /** The tenure of requests for events. */
  readonly recording: Tenure = new Tenure({ what: 'The drain is over', now: () => 0 });
  private readonly stops$ = new Subject<void>();
  private readonly idles$ = new Subject<void>();
  /** The calls that are subscribed to, or have unfinished work, with their names. */
  private readonly atWork = new Map<Round, string>();
  /** The control loops of the controllers: their calls are known. */
  private readonly loops = new WeakSet<Observable<unknown>>();
  /** The tenure of controllers that need no leader. */
  private readonly always = new Tenure({ what: '', now: () => 0 });
  private isStopping = false;

  constructor(parts: GroupParts) {
    this.parts = parts;
  }

  /** Calls a controller, so that it creates its informers. */
  prepare(added: AddedController): void {
    const { leaderElection } = this.parts.settings;
    const next = this.call(added);
    const needsLeader = leaderElection !== undefined && (added.options.needsLeader ?? !next.usesShard);
    this.prepared.push({ ...added, needsLeader, next });
  }

  /** Runs the controllers that need a leader, or the others. Emits nothing; fails with the first controller that fails. */
  work(needsLeader: boolean): Observable<never> {
    return merge(...this.prepared.filter((one) => one.needsLeader === needsLeader).map((one) => this.workOf(one)));
  }

  /** Accepts no new work. */
  stop(): void {
    this.isStopping = true;
    this.stops$.next();
    this.stops$.complete();
  }

  /** Emits when no controller is working. */
  get idle$(): Observable<void> {
    return this.idles$;
  }

  /** The names of those at work, with those that use their shard or without. */
  busy(withShards = true): readonly string[] {
    return [...new Set([...this.atWork].filter(([{ usesShard }]) => withShards || !usesShard).map(([, name]) => name))];
  }

  /** Whether a controller at work is more than one control loop: nobody sees whether what it has begun ends when it is unsubscribed from. */
  isUnseen(): boolean {
    return [...this.atWork.keys()].some(({ work$ }) => !this.loops.has(work$));
  }

  /** Writes the pending events. Those left at the end of `recording` are dropped. */
  async stopRecorders(): Promise<void> {
    await Promise.all([...this.recorders.values()].map((recorder) => recorder.stop()));
  }

  private workOf(one: Prepared): Observable<never> {
    const { name, needsLeader } = one;
    const { leadership, settings } = this.parts;
    const { logger, scheduler } = settings;
    return defer(() => {
      const round = one.next ?? this.call(one);
      one.next = undefined;
      this.atWork.set(round, name);
      let isSubscribed = true;
      const settle = (): void => {
        if (!isSubscribed && !round.tenure.isBusy() && this.atWork.delete(round) && this.atWork.size === 0) this.idles$.next();
      };
      const now = (): number => scheduler.now();
      round.leadership = leadership();
      round.tenure = new Tenure({ what: `${name} has ended`, now, within: currentTenure(), onQuiet: settle });
      const completed = (): void => {
        if (!this.isStopping)
          logger.error(`${name} has completed: it does nothing more${needsLeader ? ' until this process leads again' : ''}`);
      };
      return duringTenure(round.tenure, () => round.work$).pipe(
        ignoreElements(),
        tap({ complete: completed }),
        catchError((cause: unknown) => throwError(() => new Error(`The controller ${name} has failed: ${messageOf(cause)}`, { cause }))),
        finalize(() => {
          isSubscribed = false;
          // Unfinished work must send no further requests.
          round.tenure.end(undefined);
          settle();
        }),
      );
    });
  }

  /** Calls a controller, for the current leadership or the next one. */
  private call(added: AddedController): Round {
    const { scheduler } = this.parts.settings;
    const tenure = new Tenure({ what: 'This process does not lead', now: () => scheduler.now(), until: -Infinity });
    const round = { tenure, leadership: undefined, usesShard: false };
    const work$ = added.controller(this.contextOf(added, round)) as Observable<unknown> | undefined;
    if (!isObservable(work$)) {
      throw new TypeError(
        `Expected the controller \`${added.name}\` to return an Observable, for example that of \`reconcile\`, got ${typeof work$}`,
      );
    }
    return Object.assign(round, { work$ });
  }

  private contextOf({ name, options }: AddedController, round: Omit<Round, 'work$'>): ControllerContext {
    const { settings, caches, leadership, shards } = this.parts;
    const { client, leaderElection } = settings;
    const stop$ = this.stops$.asObservable();
    const isLeaders = leaderElection !== undefined && options.needsLeader !== false;
    const shardOf = (): ControllerShard => {
      if (shards === undefined)
        throw new Error(`Expected the option \`shards\` of \`createManager\`, since the controller ${name} asks for its shard`);
      round.usesShard = true;
      return {
        informer: (resource, selection) => caches.informer(resource, selection, 'shard'),
        // It ends when this process has left the group: until then, each key is handed over when the work on it has ended.
        reconcile: (config) => this.observed(name, shards.reconcile(this.loopOf(name, config))),
      };
    };
    const recorderClient = boundClient(client, () => this.recording);
    const recorderOf = (): EventRecorder =>
      entryOf(this.recorders, name, () => createEventRecorder(recorderClient, { controller: name, scheduler: settings.scheduler }));
    const ownTerm = (): Leadership | undefined => (round.leadership?.isValid() === true ? round.leadership : undefined);
    const bindsToTerm = (): boolean => options.needsLeader === true || !round.usesShard;
    return {
      name,
      client: isLeaders ? boundClient(client, () => (bindsToTerm() ? round.tenure : this.always)) : client,
      leadership: () => (isLeaders && bindsToTerm() ? ownTerm() : leadership()),
      informer: (resource, selection) => caches.informer(resource, selection),
      share: (shared, make) => caches.share(shared, make),
      reconcile: (config) => this.observed(name, controlLoop({ ...this.loopOf(name, config), stop$ })),
      get shard() {
        return shardOf();
      },
      get recorder() {
        return recorderOf();
      },
      stop$,
    };
  }

  /** The manager's options for the loops of a controller. */
  private loopOf<C extends { readonly caches?: ReconcileConfig['caches'] }>(name: string, config: C): C & Pick<ReconcileConfig, 'caches'> {
    const { settings, caches, metrics } = this.parts;
    const { drainMs, scheduler } = settings;
    return {
      ...{ ...metrics?.queue(name), name, stuckAfterMs, ...config, drainTimeoutMs: drainMs, scheduler },
      caches: [...caches.all(), ...(config.caches ?? [])],
    };
  }

  private observed(name: string, outcome$: Observable<Outcome>): Observable<Outcome> {
    const { metrics } = this.parts;
    const logged$ = outcome$.pipe(tap((outcome) => this.log(name, outcome)));
    const loop$ = metrics === undefined ? logged$ : logged$.pipe(metrics.outcomes(name));
    this.loops.add(loop$);
    return loop$;
  }

  private log(name: string, outcome: Outcome): void {
    const { logger, scheduler } = this.parts.settings;
    if (outcome.type === 'failed') {
      const { key, attempt, retryAfterMs } = outcome;
      const next = retryAfterMs === undefined ? 'it is not tried again' : `again in ${Math.round(retryAfterMs)} ms`;
      logger.error(`${name}: ${key} failed at attempt ${attempt}, ${next}: ${messageOf(outcome.error)}`);
    }
    if (outcome.type === 'stuck') {
      const reasons = outcome.reasons.map(({ source, cause, objectKey }) => `${source} ${cause} ${objectKey}`).join(', ');
      const seconds = Math.round((scheduler.now() - outcome.since) / 1000);
      logger.error(`${name}: ${outcome.key} has been processed for ${seconds} s and continues, because of ${reasons}`);
    }
    if (outcome.type === 'sourceFailed' || outcome.type === 'triggerFailed') {
      logger.error(`${name}: the source ${outcome.source} has failed: ${messageOf(outcome.error)}`);
    }
    if (outcome.type === 'stopped' && outcome.abandoned.length > 0) {
      logger.error(`${name}: stopped with ${outcome.abandoned.length} keys left: ${outcome.abandoned.slice(0, 10).join(', ')}`);
    }
  }
}
