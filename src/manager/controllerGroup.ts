import { catchError, defer, finalize, ignoreElements, isObservable, merge, type Observable, Subject, tap, throwError } from 'rxjs';
import type { KubeClient } from '../client/kubeClient.js';
import { boundClient } from '../controller/leader/boundClient.js';
import type { Leadership } from '../controller/leader/leadership.js';
import type { Outcome } from '../controller/reconcile/outcome.js';
import { reconcile } from '../controller/reconcile/reconcile.js';
import type { ReconcileConfig } from '../controller/reconcile/reconcileConfig.js';
import { createEventRecorder, type EventRecorder } from '../controller/status/createEventRecorder.js';
import type { Shards } from '../controller/shards/joinShards.js';
import type { Controller, ControllerContext, ControllerOptions } from './controllerContext.js';
import type { ControllerShard } from './controllerShard.js';
import type { ManagedCaches } from './managedCaches.js';
import type { ManagerMetrics } from './managerMetrics.js';
import type { ManagerSettings } from './managerOptions.js';
import { messageOf } from '../api/errors/messageOf.js';

/** A controller that was added, by its name. */
export interface AddedController {
  readonly name: string;
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly controller: Controller;
  readonly options: ControllerOptions;
}

/** What a group of controllers works with. */
export interface GroupParts {
  readonly settings: ManagerSettings;
  readonly caches: ManagedCaches;
  readonly metrics: ManagerMetrics | undefined;
  readonly leadership: () => Leadership | undefined;
  readonly shards: Shards | undefined;
}

interface Prepared {
  readonly name: string;
  readonly needsLeader: boolean;
  readonly work$: Observable<unknown>;
}

const never = new AbortController().signal;
/** Work that takes longer is named in the log. */
const stuckAfterMs = 60_000;

/** The controllers of a manager: what each is given, and their work. */
export class ControllerGroup {
  private readonly parts: GroupParts;
  private readonly prepared: Prepared[] = [];
  private readonly recorders: EventRecorder[] = [];
  private readonly stops$ = new Subject<void>();
  private readonly idles$ = new Subject<void>();
  private readonly atWork = new Set<string>();

  constructor(parts: GroupParts) {
    this.parts = parts;
  }

  /** Lets a controller ask for what it needs. */
  prepare({ name, controller, options }: AddedController): void {
    const needsLeader = (options.needsLeader ?? true) && this.parts.settings.leaderElection !== undefined;
    const work$ = controller(this.contextOf(name, needsLeader)) as Observable<unknown> | undefined;
    if (!isObservable(work$)) {
      throw new TypeError(
        `Expected the controller \`${name}\` to return an Observable, for example that of \`reconcile\`, got ${typeof work$}`,
      );
    }
    this.prepared.push({ name, needsLeader, work$ });
  }

  /** The work of those that need a leader, or of the others. Emits nothing; fails with the first controller that does. */
  work(needsLeader: boolean): Observable<never> {
    return merge(...this.prepared.filter((one) => one.needsLeader === needsLeader).map((one) => this.workOf(one)));
  }

  /** Takes no new work. */
  stop(): void {
    this.stops$.next();
    this.stops$.complete();
  }

  /** Emits when no controller is at work any more. */
  get idle$(): Observable<void> {
    return this.idles$;
  }

  busy(): readonly string[] {
    return [...this.atWork];
  }

  /** Writes what is left of the events. */
  async stopRecorders(): Promise<void> {
    await Promise.all(this.recorders.map((recorder) => recorder.stop()));
  }

  private workOf({ name, work$ }: Prepared): Observable<never> {
    return defer(() => {
      this.atWork.add(name);
      return work$.pipe(
        ignoreElements(),
        catchError((cause: unknown) => throwError(() => new Error(`The controller ${name} has failed: ${messageOf(cause)}`, { cause }))),
        finalize(() => {
          this.atWork.delete(name);
          if (this.atWork.size === 0) this.idles$.next();
        }),
      );
    });
  }

  private contextOf(name: string, needsLeader: boolean): ControllerContext {
    const { settings, caches, leadership, shards } = this.parts;
    const { client } = settings;
    const stop$ = this.stops$.asObservable();
    const shardOf = (): ControllerShard => {
      if (shards === undefined)
        throw new Error(`Expected the option \`shards\` of \`createManager\`, since the controller ${name} asks for its shard`);
      return {
        informer: (resource, selection) => caches.informer(resource, selection, 'shard'),
        // It ends when this process has left the group: till then, each key goes when the work on it has ended.
        reconcile: (config) => this.observed(name, shards.reconcile(this.loopOf(name, config))),
      };
    };
    const recorderOf = (): EventRecorder => {
      const made = createEventRecorder(client, { controller: name, scheduler: settings.scheduler });
      this.recorders.push(made);
      return made;
    };
    let recorder: EventRecorder | undefined;
    let shard: ControllerShard | undefined;
    return {
      name,
      client: needsLeader ? leadersClient(client, leadership) : client,
      leadership,
      informer: (resource, selection) => caches.informer(resource, selection),
      share: (shared, make) => caches.share(shared, make),
      reconcile: (config) => this.observed(name, reconcile({ ...this.loopOf(name, config), stop$ })),
      get shard() {
        shard ??= shardOf();
        return shard;
      },
      get recorder() {
        recorder ??= recorderOf();
        return recorder;
      },
      stop$,
    };
  }

  /** What the loops of a controller have from the manager. */
  private loopOf<C extends { readonly caches?: ReconcileConfig['caches'] }>(name: string, config: C): C & Pick<ReconcileConfig, 'caches'> {
    const { settings, caches, metrics } = this.parts;
    const { drainMs, scheduler } = settings;
    return {
      ...{ ...metrics?.queue(name), stuckAfterMs, ...config, drainTimeoutMs: drainMs, scheduler },
      caches: [...caches.all(), ...(config.caches ?? [])],
    };
  }

  private observed(name: string, outcome$: Observable<Outcome>): Observable<Outcome> {
    const { metrics } = this.parts;
    const logged$ = outcome$.pipe(tap((outcome) => this.log(name, outcome)));
    return metrics === undefined ? logged$ : logged$.pipe(metrics.outcomes(name));
  }

  private log(name: string, outcome: Outcome): void {
    const { logger } = this.parts.settings;
    if (outcome.type === 'failed') {
      const { key, attempt, retryAfterMs } = outcome;
      const next = retryAfterMs === undefined ? 'it is not tried again' : `again in ${Math.round(retryAfterMs)} ms`;
      logger.error(`${name}: ${key} failed at attempt ${attempt}, ${next}: ${messageOf(outcome.error)}`);
    }
    if (outcome.type === 'stuck') {
      const reasons = outcome.reasons.map(({ source, cause, objectKey }) => `${source} ${cause} ${objectKey}`).join(', ');
      logger.error(
        `${name}: ${outcome.key} has been at work for ${Math.round((this.parts.settings.scheduler.now() - outcome.since) / 1000)} s and goes on, because of ${reasons}`,
      );
    }
    if (outcome.type === 'sourceFailed' || outcome.type === 'triggerFailed') {
      logger.error(`${name}: the source ${outcome.source} has failed: ${messageOf(outcome.error)}`);
    }
    if (outcome.type === 'stopped' && outcome.abandoned.length > 0) {
      logger.error(`${name}: stopped with ${outcome.abandoned.length} keys left: ${outcome.abandoned.slice(0, 10).join(', ')}`);
    }
  }
}

/** A client whose requests are bound to the leadership of the moment. */
function leadersClient(client: KubeClient, leadership: () => Leadership | undefined): KubeClient {
  return boundClient(client, () => {
    const current = leadership();
    if (current === undefined) return { signal: never, isValid: () => false, what: 'This process does not lead' };
    return {
      signal: current.signal,
      isValid: () => current.isValid(),
      what: `Leadership number ${current.token} of ${current.identity} is over`,
    };
  });
}
