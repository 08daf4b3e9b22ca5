import type { SchedulerLike } from 'rxjs';
import { type Complete, checkOptions, rules } from '../api/options.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import type { KubeClient } from '../client/kubeClient.js';
import type { LeaderElectionOptions } from '../controller/leader/leaderElectionOptions.js';
import type { ShardOptions } from '../controller/shards/shardOptions.js';
import type { InformerFactoryOptions } from '../informer/createInformerFactory.js';
import { monotonicScheduler, schedulerOf } from '../rx/schedulerOf.js';

/** What a manager needs of the process that it runs in; `globalThis.process` of Node is one. */
export interface ManagedProcess {
  /** Adds a listener for a signal or an unhandled error. */
  on(event: string, listener: (value: unknown) => void): unknown;
  /** Removes it. */
  off(event: string, listener: (value: unknown) => void): unknown;
  /** Ends the process. */
  exit(code: number): unknown;
  exitCode?: number | string | null | undefined;
}

/** Where a manager writes its lines; `console` is one. */
export interface ManagerLogger {
  /** What happens. */
  info(message: string): void;
  /** What failed. */
  error(message: string): void;
}

/** Options of `createManager`. */
export interface ManagerOptions {
  /** The client of all that the manager runs. The manager does not close it. */
  readonly client: KubeClient;
  /**
   * Several replicas, of which one is at work: the lease that they compete for, and the timing. Without it, this process works at once. Beside `shards`, it is
   * for the controllers that do not ask for their `shard`.
   */
  readonly leaderElection?: Omit<LeaderElectionOptions, 'scheduler' | 'metrics'> | undefined;
  /**
   * What happens when this process has lost its leadership: it stands for election again, or it ends with exit code 1, as controller-runtime's manager does.
   *
   * @defaultValue 'standAgain'
   */
  readonly afterLeadership?: 'standAgain' | 'end' | undefined;
  /**
   * Several replicas that are all at work, each on its part of the objects: the group that they join, see `joinShards`. Controllers work by `shard` of what they are
   * given. `drainMs` is that of the manager, unless it is said here.
   */
  readonly shards?: Omit<ShardOptions, 'scheduler'> | undefined;
  /**
   * What all informers of the manager have in common: the namespaces, above all. Their listers show the writes of `client` at once, unless `readYourWrites` is false.
   */
  readonly informers?: Omit<InformerFactoryOptions, 'scheduler'> | undefined;
  /**
   * The resources that may be watched. An informer of any other is refused; without this list, it is watched.
   *
   * @defaultValue any resource
   */
  readonly resources?: readonly Resource<KubernetesObject, 'list' | 'watch'>[] | undefined;
  /**
   * The port that answers `/healthz`, `/readyz` and `/metrics`; 0 for any free one, false for none.
   *
   * @defaultValue false
   */
  readonly port?: number | false | undefined;
  /**
   * The address to listen on.
   *
   * @defaultValue all addresses, since the kubelet asks from outside the pod
   */
  readonly host?: string | undefined;
  /**
   * Whether `/metrics` shows the metrics of informers, queues, controllers and the election. Needs prom-client, and registers in its default registry.
   *
   * @defaultValue false
   */
  readonly metrics?: boolean | undefined;
  /**
   * How long the informers may take to become complete at the start, in milliseconds.
   *
   * @defaultValue 120000, as in controller-runtime
   */
  readonly syncTimeoutMs?: number | undefined;
  /**
   * How long work that is under way is given when the manager stops, in milliseconds.
   *
   * @defaultValue 30000, as in controller-runtime
   */
  readonly drainMs?: number | undefined;
  /**
   * How long an informer may be without a working connection before `/readyz` fails, in milliseconds.
   *
   * @defaultValue 60000
   */
  readonly staleAfterMs?: number | undefined;
  /**
   * How often the manager looks for what `diagnose` warns of, in milliseconds; `Infinity` for never. A warning is logged once.
   *
   * @defaultValue 30000; `Infinity` with a `scheduler` of one's own, since whoever flushes a virtual one would never be done
   */
  readonly diagnosePeriodMs?: number | undefined;
  /**
   * The process whose SIGTERM and SIGINT stop the manager, whose unhandled errors end it, and whose exit code it sets; false for none of this.
   *
   * @defaultValue `globalThis.process`
   */
  readonly process?: ManagedProcess | false | undefined;
  /** @defaultValue `console` */
  readonly logger?: ManagerLogger | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

type OptionalName = 'leaderElection' | 'shards' | 'resources' | 'host' | 'informers';

/** Checked options, with the defaults filled in. */
export type ManagerSettings = Complete<Omit<ManagerOptions, OptionalName | 'diagnosePeriodMs'>> &
  Pick<ManagerOptions, OptionalName> & { readonly diagnosePeriodMs: number };

/** Checks the options of `createManager` and fills the defaults in. */
export function managerSettings(options: ManagerOptions): ManagerSettings {
  const isFalse = { expected: 'false', holds: (value: unknown) => value === false };
  checkOptions('createManager', options, {
    client: rules.withMethods('get', 'list', 'listChunks', 'watch'),
    leaderElection: rules.object,
    afterLeadership: rules.oneOf('standAgain', 'end'),
    shards: rules.object,
    informers: rules.object,
    resources: rules.listOf(rules.object, 'resources'),
    port: rules.either(rules.number({ min: 0, max: 65_535, integer: true }), isFalse),
    host: rules.nonEmptyString,
    metrics: rules.boolean,
    syncTimeoutMs: rules.durationMs,
    drainMs: rules.durationMs,
    staleAfterMs: rules.durationMs,
    diagnosePeriodMs: rules.durationOf({ above: 0, infinite: true }),
    process: rules.either(rules.withMethods('on', 'off', 'exit'), isFalse),
    logger: rules.withMethods('info', 'error'),
    scheduler: rules.scheduler,
  });
  if ((options.client as unknown) === undefined) throw new TypeError('Expected `client` of `createManager` to be a client, got undefined');
  const scheduler = schedulerOf(options.scheduler);
  return {
    ...options,
    afterLeadership: options.afterLeadership ?? 'standAgain',
    port: options.port ?? false,
    metrics: options.metrics ?? false,
    syncTimeoutMs: options.syncTimeoutMs ?? 120_000,
    drainMs: options.drainMs ?? 30_000,
    staleAfterMs: options.staleAfterMs ?? 60_000,
    diagnosePeriodMs: options.diagnosePeriodMs ?? (scheduler === monotonicScheduler ? 30_000 : Infinity),
    process: options.process ?? (globalThis as { readonly process?: ManagedProcess }).process ?? false,
    logger: options.logger ?? console,
    scheduler,
  };
}
