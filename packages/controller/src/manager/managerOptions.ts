import type { SchedulerLike } from 'rxjs';
import {
  checkOptions,
  type Complete,
  definedOf,
  isResource,
  monotonicScheduler,
  type OptionRules,
  rules,
  schedulerOf,
} from 'rx-informer/internal';
import { createInformerFactory, type InformerFactoryOptions, type KubeClient, type KubernetesObject, type Resource } from 'rx-informer';
import { type LeaderElectionOptions, leaderElectionSettings } from '../leader/leaderElectionOptions.js';
import { type ShardOptions, shardSettings } from '../shards/shardOptions.js';
import type { Trace } from 'rx-informer/pipeline';
import type { WhenEnded } from './controllerContext.js';
import type { HealthCheck } from './ownChecks.js';
import { managerPaths, type PathHandler } from './probeServer.js';
import type { ManagedSelection } from './select.js';
import { servedWebhooks, type Webhook } from '../webhooks/webhook.js';
import { type WebhookServerOptions, webhookSettings } from '../webhooks/webhookServerOptions.js';

/** The part of the process that a manager uses; `globalThis.process` of Node fits. */
export interface ManagedProcess {
  /** Adds a listener for a signal or an unhandled error. */
  on(event: string, listener: (value: unknown) => void): unknown;
  /** Removes it. */
  off(event: string, listener: (value: unknown) => void): unknown;
  /** Ends the process. */
  exit(code: number): unknown;
  exitCode?: number | string | null | undefined;
}

/** Gets the log lines of a manager; `console` fits. */
export interface ManagerLogger {
  /** Logs an event. */
  info(message: string): void;
  /** Logs a failure. */
  error(message: string): void;
}

/** Options of all informers of a manager. */
export interface ManagedInformerOptions extends Omit<InformerFactoryOptions, 'scheduler'> {
  /** Whether their listers show the writes of the manager's client at once. @defaultValue true, if the client reports its writes */
  readonly readYourWrites?: boolean | undefined;
  /** Called with every step of their objects, beside `metrics`. See `tracing`. */
  readonly trace?: Trace | undefined;
}

/** Options of `createManager`. */
export interface ManagerOptions {
  /** The client of all that the manager runs. The manager does not close it. */
  readonly client: KubeClient;
  /**
   * Leader election among several replicas, of which only the leader runs the controllers: the lease and the timing. Without it, this
   * process runs the controllers at once. Together with `shards`, it applies to controllers that do not use their `shard`.
   */
  readonly leaderElection?: Omit<LeaderElectionOptions, 'scheduler'> | undefined;
  /**
   * What to do after this process has lost its leadership: become a candidate again, or end with exit code 1, as controller-runtime's manager does.
   *
   * @defaultValue 'standAgain'
   */
  readonly afterLeadership?: 'standAgain' | 'end' | undefined;
  /**
   * Shards among several replicas that all work, each on its part of the objects: the options of the group, see `joinShards`. Controllers use `shard` of their
   * context. `drainMs` is that of the manager, unless given here.
   */
  readonly shards?: Omit<ShardOptions, 'scheduler'> | undefined;
  /**
   * Options of all informers of the manager, for example the namespaces. Their listers show the writes of `client` at once, unless `readYourWrites` is false.
   */
  readonly informers?: ManagedInformerOptions | undefined;
  /**
   * What the informers of single resources hold: the results of `select`. Options of `informers` hold for all of them.
   *
   * @defaultValue none
   */
  readonly selections?: readonly ManagedSelection[] | undefined;
  /**
   * The resources that may be watched. Informers of all other resources throw.
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
   * The network address to listen on.
   *
   * @defaultValue all addresses, since the kubelet asks from outside the pod
   */
  readonly host?: string | undefined;
  /**
   * Checks of the program's own for `/healthz`, by name. One fails by throwing or rejecting, or after 5 s.
   *
   * @defaultValue none
   */
  readonly healthz?: Readonly<Record<string, HealthCheck>> | undefined;
  /**
   * Checks of the program's own for `/readyz`, by name. One fails by throwing or rejecting, or after 5 s.
   *
   * @defaultValue none
   */
  readonly readyz?: Readonly<Record<string, HealthCheck>> | undefined;
  /**
   * Paths of the program's own on the port, such as `/version`, with the functions that answer them.
   *
   * @defaultValue none
   */
  readonly paths?: Readonly<Record<string, PathHandler>> | undefined;
  /**
   * Webhooks, made by `validate`, `mutate` and `convert` of `@rx-informer/controller/webhooks`. Every replica serves them, before its informers sync and until all else
   * has ended. They decide about `/readyz` alone then, since informers may need a conversion by these same replicas.
   *
   * @defaultValue none
   */
  readonly webhooks?: readonly Webhook[] | undefined;
  /** How webhooks are served: the port (9443), and where the certificate comes from. */
  readonly webhookServer?: Omit<WebhookServerOptions, 'logger' | 'scheduler'> | undefined;
  /**
   * Whether `/metrics` shows the metrics of informers, queues, controllers and the election. Needs prom-client, and registers in its default registry.
   *
   * @defaultValue false
   */
  readonly metrics?: boolean | undefined;
  /**
   * How long the informers may take to sync at the start, in milliseconds.
   *
   * @defaultValue 120000, as in controller-runtime
   */
  readonly syncTimeoutMs?: number | undefined;
  /**
   * How long running work may take to end when the manager stops, in milliseconds.
   *
   * @defaultValue 30000, as in controller-runtime
   */
  readonly drainMs?: number | undefined;
  /**
   * How long ago an informer without a working watch may have been known to be current before `/readyz` fails, in milliseconds. Refused attempts count like lost ones.
   *
   * @defaultValue 60000
   */
  readonly staleAfterMs?: number | undefined;
  /**
   * What happens when something that should last ends by itself: a source of a controller fails, a controller completes, or an informer stops.
   *
   * @defaultValue 'fail'
   */
  readonly whenEnded?: WhenEnded | undefined;
  /**
   * How often the manager checks for warnings of `diagnose` of `@rx-informer/inspector`, an optional peer, in milliseconds; `Infinity` for never. A warning is logged once.
   *
   * @defaultValue 30000; `Infinity` with a custom `scheduler`, since flushing a virtual one would never end
   */
  readonly diagnosePeriodMs?: number | undefined;
  /**
   * The process whose SIGTERM and SIGINT stop the manager, whose unhandled errors end it, and whose exit code it sets; false for no process.
   *
   * @defaultValue `globalThis.process`
   */
  readonly process?: ManagedProcess | false | undefined;
  /** Gets the lines of all that the manager runs, also those of its informers that have no `logger`. @defaultValue `console` */
  readonly logger?: ManagerLogger | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

type OptionalName = 'leaderElection' | 'shards' | 'resources' | 'host' | 'informers' | 'webhooks' | 'webhookServer';

/** Checked options, with the defaults filled in. */
export type ManagerSettings = Complete<Omit<ManagerOptions, OptionalName | 'diagnosePeriodMs'>> &
  Pick<ManagerOptions, OptionalName> & { readonly diagnosePeriodMs: number };

/** A logger that throws must not disturb the manager: its lines go to the console. */
function guardedLogger(logger: ManagerLogger): ManagerLogger {
  const guarded = (level: 'info' | 'error') => (message: string) => {
    try {
      logger[level](message);
    } catch {
      console[level](message);
    }
  };
  return { info: guarded('info'), error: guarded('error') };
}

const isSelection = (value: unknown): boolean => isResource((value as Partial<ManagedSelection> | null)?.resource);
const areFunctions = (value: unknown): boolean =>
  rules.object.holds(value) && Object.values(value as object).every((each) => rules.function.holds(each));
const functions = { expected: 'functions by name', holds: areFunctions };
const isOwnPath = (path: string): boolean => path.startsWith('/') && !managerPaths.includes(path);
const handlers = {
  expected: `functions by path, which begins with a slash and is none of ${managerPaths.join(', ')}`,
  holds: (value: unknown) => areFunctions(value) && Object.keys(value as object).every(isOwnPath),
};
const isFalse = { expected: 'false', holds: (value: unknown) => value === false };

const managerRules: OptionRules<ManagerOptions> = {
  client: rules.withMethods('get', 'list', 'listChunks', 'watch'),
  leaderElection: rules.object,
  afterLeadership: rules.oneOf('standAgain', 'end'),
  shards: rules.object,
  informers: rules.object,
  selections: rules.listOf({ expected: 'a result of `select`', holds: isSelection }, 'selections'),
  healthz: functions,
  readyz: functions,
  paths: handlers,
  resources: rules.listOf({ expected: 'a resource', holds: isResource }, 'resources'),
  port: rules.either(rules.number({ min: 0, max: 65_535, integer: true }), isFalse),
  host: rules.nonEmptyString,
  webhooks: rules.listOf(rules.object, 'webhooks'),
  webhookServer: rules.object,
  metrics: rules.boolean,
  syncTimeoutMs: rules.durationMs,
  drainMs: rules.durationMs,
  staleAfterMs: rules.durationMs,
  whenEnded: rules.oneOf('fail', 'unready'),
  diagnosePeriodMs: rules.durationOf({ above: 0, infinite: true }),
  process: rules.either(rules.withMethods('on', 'off', 'exit'), isFalse),
  logger: rules.withMethods('info', 'error'),
  scheduler: rules.scheduler,
};

/** Checks the options of `createManager`, and fills in the defaults. */
export function managerSettings(options: ManagerOptions): ManagerSettings {
  checkOptions('createManager', options, managerRules);
  const { client, leaderElection, shards, informers, webhooks, webhookServer } = options;
  if ((client as unknown) === undefined) throw new TypeError('Expected `client` of `createManager` to be a client, got undefined');
  // These parts are made when the manager runs; their options are checked now.
  if (leaderElection !== undefined) leaderElectionSettings(leaderElection);
  if (shards !== undefined) shardSettings(shards);
  const { readYourWrites, trace, ...ofFactory } = informers ?? {};
  checkOptions('createManager.informers', definedOf({ readYourWrites, trace }), { readYourWrites: rules.boolean, trace: rules.function });
  createInformerFactory(client, ofFactory);
  for (const { selection } of options.selections ?? []) createInformerFactory(client, selection);
  if (webhooks !== undefined) servedWebhooks(webhooks);
  if (webhookServer !== undefined) webhookSettings('webhookServer', webhookServer);
  const scheduler = schedulerOf(options.scheduler);
  const { process = false } = globalThis as { readonly process?: ManagedProcess };
  const usual = {
    afterLeadership: 'standAgain',
    whenEnded: 'fail',
    port: false,
    metrics: false,
    process,
    selections: [],
    healthz: {},
    readyz: {},
    paths: {},
  } as const;
  const durations = { syncTimeoutMs: 120_000, drainMs: 30_000, staleAfterMs: 60_000 };
  const diagnosePeriodMs = scheduler === monotonicScheduler ? 30_000 : Infinity;
  const logger = guardedLogger(options.logger ?? console);
  const heard = options.logger && { informers: { logger: { warn: (line: string) => logger.error(line) }, ...informers } };
  return { ...usual, ...durations, diagnosePeriodMs, ...definedOf(options), ...heard, client, scheduler, logger };
}
