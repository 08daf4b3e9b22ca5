import {
  catchError,
  defer,
  filter,
  finalize,
  firstValueFrom,
  ignoreElements,
  isObservable,
  merge,
  mergeMap,
  type Observable,
  startWith,
  Subject,
  take,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { InformerError } from 'rx-informer';
import { entryOf, messageOf } from 'rx-informer/internal';
import { boundClient } from '../leader/boundClient.js';
import type { Leadership } from '../leader/leadership.js';
import { currentTenure, duringTenure, Tenure } from '../leader/tenure.js';
import type { Outcome, SourceFailedOutcome } from '../reconcile/outcome.js';
import { controlLoop } from '../reconcile/reconcile.js';
import type { ReconcileConfig } from '../reconcile/reconcileConfig.js';
import { createEventRecorder, type EventRecorder } from '../status/createEventRecorder.js';
import type { Shards } from '../shards/joinShards.js';
import type { Controller, ControllerContext, ControllerOptions, ControllerShard, WhenEnded } from './controllerContext.js';
import type { ManagedCaches } from './managedCaches.js';
import type { ManagerMetrics } from './managerMetrics.js';
import type { ManagerSettings } from './managerOptions.js';
import { OwnedKinds } from './ownedKinds.js';
import type { Check } from './probeServer.js';

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
  /** Called when something that should last has ended by itself. */
  readonly ended: (end: Ended) => void;
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
  needsLeader: boolean;
  next: Round | undefined;
  /** Emits when it is to accept no new work, because it is being removed. */
  readonly leaves$: Subject<void>;
  /** Emits when it must end. */
  readonly cuts$: Subject<void>;
  /** Whether its caches are complete. */
  isAdmitted: boolean;
  isLeaving: boolean;
}

/** Something that should last and has ended by itself, and what that means. */
export interface Ended {
  readonly problem: string;
  readonly cause?: unknown;
  readonly when: WhenEnded;
}

/** Files in a stack that stand for an operator of another name, or for none. */
const operatorNames: Readonly<Record<string, string | undefined>> = {
  OperatorSubscriber: undefined,
  mergeInternals: undefined,
  scanInternals: 'scan',
  changeOrEvent: undefined,
  crossingFilter: 'filterObjects',
};

/** The operator in whose function an error was thrown, by its stack; undefined in bundled programs, where file names are lost. */
function operatorOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const [, file = ''] of (error.stack ?? '').matchAll(/(?:operators|share)[\\/](?:\w+[\\/])?(\w+)\.[cm]?[jt]s\b/g)) {
    const name = Object.hasOwn(operatorNames, file) ? operatorNames[file] : file;
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The message about a source that has failed. Usually a function of the program has thrown for one object. */
function sourceFailure(name: string, { source, error }: SourceFailedOutcome): string {
  const operator = operatorOf(error);
  const where = operator === undefined ? '' : ` in \`${operator}\``;
  const remedy =
    error instanceof InformerError
      ? ''
      : '. A source ends with its first error: select with `filterObjects`, and let no function of a source throw, for example by `?.` for fields that may be missing';
  return `The source ${source} of the controller ${name} has failed${where}: ${messageOf(error)}${remedy}`;
}

/** Longer calls of `reconcile` are logged. */
const stuckAfterMs = 60_000;

/** The controllers of a manager, and their work. */
export class ControllerGroup {
  private readonly parts: GroupParts;
  private readonly prepared = new Map<string, Prepared>();
  /** Controllers whose caches have become complete while the others work. */
  private readonly joins$ = new Subject<Prepared>();
  private readonly recorders = new Map<string, EventRecorder>();
  /** The tenure of requests for events. */
  readonly recording: Tenure = new Tenure({ what: 'The drain is over', now: () => 0 });
  private readonly stops$ = new Subject<void>();
  private readonly settles$ = new Subject<void>();
  /** The calls that are subscribed to, or have unfinished work, with their names. */
  private readonly atWork = new Map<Round, string>();
  /** The control loops of the controllers: their calls are known. */
  private readonly loops = new WeakSet<Observable<unknown>>();
  /** The tenure of controllers that need no leader. */
  private readonly always = new Tenure({ what: '', now: () => 0 });
  private isStopping = false;
  /** What has ended by itself, by the name of the controller. */
  private readonly dead = new Map<string, string>();

  constructor(parts: GroupParts) {
    this.parts = parts;
  }

  /** Calls a controller, so that it creates its informers. The result lets it work, when these are complete. */
  prepare(added: AddedController): () => void {
    const { leaderElection } = this.parts.settings;
    const one: Prepared = {
      ...added,
      needsLeader: false,
      next: undefined,
      leaves$: new Subject(),
      cuts$: new Subject(),
      isAdmitted: false,
      isLeaving: false,
    };
    one.next = this.call(one);
    one.needsLeader = leaderElection !== undefined && (added.options.needsLeader ?? !one.next.usesShard);
    this.prepared.set(added.name, one);
    return () => {
      one.isAdmitted = true;
      if (!one.isLeaving) this.joins$.next(one);
    };
  }

  /** Ends a controller, and forgets it: no new work begins, running work gets `drainMs`. */
  async remove(name: string): Promise<void> {
    const { drainMs, scheduler } = this.parts.settings;
    const one = this.prepared.get(name);
    if (one === undefined) return;
    one.isLeaving = true;
    one.leaves$.next();
    const isBusy = (): boolean => this.busy().includes(name);
    const quiet$ = this.settles$.pipe(
      startWith(undefined),
      filter(() => !isBusy()),
    );
    await firstValueFrom(merge(quiet$, timer(drainMs, scheduler)), { defaultValue: undefined });
    if (isBusy()) this.parts.settings.logger.error(`${name}: still at work after ${drainMs} ms, and removed`);
    one.cuts$.next();
    this.prepared.delete(name);
    this.dead.delete(name);
    await this.recorders.get(name)?.stop();
    this.recorders.delete(name);
  }

  /** Runs the controllers that need a leader, or the others. Emits nothing; fails with the first controller that fails. */
  work(needsLeader: boolean): Observable<never> {
    const admitted = [...this.prepared.values()].filter(({ isAdmitted, isLeaving }) => isAdmitted && !isLeaving);
    return merge(admitted, this.joins$).pipe(
      filter((one) => one.needsLeader === needsLeader),
      mergeMap((one) => this.workOf(one)),
    );
  }

  /** Accepts no new work. */
  stop(): void {
    this.isStopping = true;
    this.stops$.next();
    this.stops$.complete();
  }

  /** Emits when no controller is working. */
  get idle$(): Observable<void> {
    return this.settles$.pipe(filter(() => this.atWork.size === 0));
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
    const { scheduler } = settings;
    return defer(() => {
      const round = one.next ?? this.call(one);
      one.next = undefined;
      this.dead.delete(name);
      this.atWork.set(round, name);
      let isSubscribed = true;
      const settle = (): void => {
        if (!isSubscribed && !round.tenure.isBusy() && this.atWork.delete(round)) this.settles$.next();
      };
      const now = (): number => scheduler.now();
      round.leadership = leadership();
      round.tenure = new Tenure({ what: `${name} has ended`, now, within: currentTenure(), onQuiet: settle });
      const completed = (): void =>
        this.ended(
          one,
          `The controller ${name} has completed: it does nothing more${needsLeader ? ' until this process leads again' : ''}`,
        );
      return duringTenure(round.tenure, () => round.work$).pipe(
        ignoreElements(),
        tap({ complete: completed }),
        catchError((cause: unknown) => throwError(() => new Error(`The controller ${name} has failed: ${messageOf(cause)}`, { cause }))),
        takeUntil(one.cuts$),
        finalize(() => {
          isSubscribed = false;
          // Unfinished work must send no further requests.
          round.tenure.end(undefined);
          settle();
        }),
      );
    });
  }

  /** Fails the manager, or notes a problem for `/readyz`. */
  private ended({ name, options, isLeaving }: Prepared, problem: string, cause?: unknown): void {
    if (this.isStopping || isLeaving) return;
    this.dead.set(name, problem);
    this.parts.ended({ problem, cause, when: options.whenEnded ?? this.parts.settings.whenEnded });
  }

  /** A check for each controller of which something has ended by itself. */
  checks(): readonly Check[] {
    return [...this.dead].map(([name, problem]) => ({ name: `controller ${name}`, problem }));
  }

  /** Calls a controller, for the current leadership or the next one. */
  private call(added: Prepared): Round {
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

  private contextOf(added: Prepared, round: Omit<Round, 'work$'>): ControllerContext {
    const { name, options } = added;
    const { settings, caches, leadership, shards } = this.parts;
    const { client, leaderElection } = settings;
    const stop$ = merge(this.stops$, added.leaves$).pipe(take(1));
    const isLeaders = leaderElection !== undefined && options.needsLeader !== false;
    const shardOf = (): ControllerShard => {
      if (shards === undefined)
        throw new Error(`Expected the option \`shards\` of \`createManager\`, since the controller ${name} asks for its shard`);
      round.usesShard = true;
      return {
        informer: (resource, selection) => caches.informer(name, resource, selection, 'shard'),
        // It ends when this process has left the group: until then, each key is handed over when the work on it has ended.
        reconcile: (config) => this.observed(added, shards.reconcile({ ...this.loopOf(name, config), stop$: added.leaves$ })),
      };
    };
    const recorderClient = boundClient(client, () => this.recording);
    const recorderOf = (): EventRecorder =>
      entryOf(this.recorders, name, () => createEventRecorder(recorderClient, { controller: name, scheduler: settings.scheduler }));
    const ownTerm = (): Leadership | undefined => (round.leadership?.isValid() === true ? round.leadership : undefined);
    const bindsToTerm = (): boolean => options.needsLeader === true || !round.usesShard;
    const ownClient = isLeaders ? boundClient(client, () => (bindsToTerm() ? round.tenure : this.always)) : client;
    const kinds = new OwnedKinds(name, ownClient, (resource) => caches.informer(name, resource));
    return {
      name,
      client: ownClient,
      leadership: () => (isLeaders && bindsToTerm() ? ownTerm() : leadership()),
      informer: (resource, selection) => caches.informer(name, resource, selection),
      share: (shared, make) => caches.share(name, shared, make),
      children: (parent, desired, given) => kinds.children(parent, desired, given),
      reconcile: (config) => this.observed(added, controlLoop({ ...this.loopOf(name, kinds.configOf(config)), stop$ })),
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
  private loopOf<C extends Pick<ReconcileConfig, 'caches' | 'metrics'>>(name: string, config: C): C & Pick<ReconcileConfig, 'caches'> {
    const { settings, caches, metrics } = this.parts;
    const { drainMs, scheduler } = settings;
    const sink = metrics === undefined ? config.metrics : metrics.queue(name, config.metrics);
    return {
      ...{ name, stuckAfterMs, ...config, ...(sink !== undefined && { metrics: sink }), drainTimeoutMs: drainMs, scheduler },
      caches: [...caches.of(name), ...(config.caches ?? [])],
    };
  }

  private observed(added: Prepared, outcome$: Observable<Outcome>): Observable<Outcome> {
    const { metrics } = this.parts;
    const { name } = added;
    const logged$ = outcome$.pipe(
      tap((outcome) => {
        this.log(name, outcome);
        if (outcome.type === 'sourceFailed') this.ended(added, sourceFailure(name, outcome), outcome.error);
      }),
    );
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
    if (outcome.type === 'triggerFailed') {
      logger.error(`${name}: ${outcome.objectKey} of the source ${outcome.source} triggers nothing: ${messageOf(outcome.error)}`);
    }
    if (outcome.type === 'sourceCompleted') logger.info(`${name}: the source ${outcome.source} has completed`);
    if (outcome.type === 'stopped' && outcome.abandoned.length > 0) {
      logger.error(`${name}: stopped with ${outcome.abandoned.length} keys left: ${outcome.abandoned.slice(0, 10).join(', ')}`);
    }
  }
}
