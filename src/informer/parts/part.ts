import type { Observable, SchedulerLike } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { ResourceChange, ResourceEvent, SourceEvent } from '../../api/events.js';
import type { Identity, KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListerWatcher } from '../../api/listerWatcher.js';
import type { Resource } from '../../api/resource.js';
import type { Trace } from '../../api/traceStep.js';
import type { IndexReader } from '../../cache/store/store.js';
import type { KubeClient } from '../../client/kubeClient.js';
import type { ListerWatcherOptions } from '../../source/listerWatcher.js';
import type { Tracing } from '../../source/reflector/reflect.js';
import type { ReflectOptions } from '../../source/reflector/reflectOptions.js';
import type { MeteredSource } from '../../source/tracedSource.js';
import type { InformerContext } from '../session/informerContext.js';
import type { SharedInformer } from '../sharedInformer.js';

/** The part of a client that an informer uses; `writes$` for `readYourWrites` only, `server` for `warmStart`. */
export type InformerClient = Pick<KubeClient, 'listChunks' | 'watch'> & Partial<Pick<KubeClient, 'watchList' | 'writes$' | 'server'>>;

/** Options of `requests`. */
export interface InformerRequestOptions
  extends Pick<ListerWatcherOptions, 'tweakListOptions' | 'watchList'>, Pick<ReflectOptions, 'listSemantics' | 'listTimeoutMs'> {}

/** What a part asks of requests. */
type PartRequests = InformerRequestOptions & Pick<ListerWatcherOptions, 'metadataOnly'>;

/**
 * What not every informer has, for the option `parts`: `warmStart`, `verification`, `readYourWrites`, `sharding`, `tracing` and `requests` make one. A
 * program loads the code of the parts that it uses. One part may be given to several informers.
 */
export interface InformerPart {
  /** The name of the function that made it. */
  readonly part: string;
  /** @internal */
  readonly requests?: PartRequests;
  /** Plugs it into one informer. @throws TypeError when that informer cannot have it. @internal */
  readonly plug?: (setup: PartSetup) => Plug;
}

/** The client, the resource and the selection of an informer. */
export interface PartOrigin extends Omit<ListerWatcherOptions, 'namespace' | 'scope' | 'shard'> {
  readonly client: InformerClient;
  readonly of: Resource<unknown, 'list' | 'watch'>;
  // eslint-disable-next-line rxjs-x/finnish -- a text, a list or an Observable
  readonly namespace: string | readonly string[] | Observable<readonly string[]> | undefined;
  /** The namespaces now; `''` is all. */
  readonly scopes: ReadonlySet<string>;
  /** The cached objects. */
  readonly cached: () => Pick<IndexReader<unknown>, 'listKeys' | 'getByKey'>;
}

/** What a part is plugged into, before there is an informer. */
export interface PartSetup {
  /** The resource in messages; `''` if a source has none. */
  readonly resource: string;
  /** Absent for a lister-watcher and for source events. */
  readonly origin?: PartOrigin | undefined;
  /** The scopes that source events of several have. */
  readonly sourceScopes?: readonly string[] | undefined;
  readonly isSource: boolean;
  // Options of the informer
  readonly transform?: unknown;
  readonly freeze?: boolean | undefined;
  readonly scheduler?: SchedulerLike | undefined;
  readonly random?: (() => number) | undefined;
  /** Whether the informer has a part of that name. */
  has(part: string): boolean;
  /** Whether this object is one of the informer's: with a shard, some are not. */
  readonly owns: (object: Pick<KubernetesObject, 'metadata'>) => boolean;
}

/** An informer, as its parts see it. */
export interface PluggedInformer extends Pick<InformerContext<unknown>, 'turns' | 'scheduler' | 'consumers' | 'report' | 'drops$'> {
  readonly informer: SharedInformer<unknown>;
  readonly resource: string;
  readonly store: IndexReader<unknown>;
  /** The identities of cached objects as sent, where a transform has changed them. */
  readonly sent: ReadonlyMap<string, Identity>;
  /** The scopes, if there are several. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** Whether anybody gets the changes. */
  readonly isHeard: () => boolean;
  /** Logs a warning. */
  readonly warn: (message: string) => void;
  /** Called when the health has changed. */
  readonly healthChanged: () => void;
}

/** The member of an informer with what comparing it with its server needs. */
export const verifiable: unique symbol = Symbol.for('rx-informer.verifiable') as never;

/** How to list an informer's objects again. */
export interface Relisting {
  /** The current scopes, as named in source events. */
  readonly scopes: () => readonly string[];
  /** Lists one of them with the informer's selectors, metadata alone or as the informer does. */
  readonly lister: (scope: string, metadataOnly: boolean) => Pick<ListerWatcher<unknown>, 'list'>;
}

/** What comparing an informer with its server needs. */
export interface Verifiable {
  readonly resource: string;
  readonly scheduler: SchedulerLike;
  readonly isTransformed: boolean;
  /** Absent for an informer that cannot list again. */
  readonly relisting: Relisting | undefined;
  /** The error of an informer that has been stopped. */
  readonly ended: () => InformerError;
}

/** What a part does in a running informer. */
export interface Attached {
  // eslint-disable-next-line rxjs-x/finnish -- a function of Observables
  readonly followSource?: <T>(events: Observable<SourceEvent<T>>) => Observable<SourceEvent<T>>;
  // eslint-disable-next-line rxjs-x/finnish -- a function of Observables
  readonly followChanges?: <T>(changes: Observable<ResourceChange<T>>) => Observable<ResourceChange<T>>;
  readonly delivered?: (to: string, event: ResourceEvent<unknown>) => void;
  /** What `indexer` reads instead of the store. */
  readonly reader?: IndexReader<never>;
  /** What `lister` reads instead of `indexer`. */
  readonly shown?: Pick<IndexReader<never>, 'list' | 'listKeys' | 'getByKey' | 'byIndex'>;
  /** When the content was saved that is shown instead of the cache's. */
  readonly savedAt?: () => number | undefined;
  readonly unverifiedSince?: () => number | undefined;
  /** Called at the end of the informer; it has stopped when the result resolves. */
  readonly release?: () => Promise<void> | undefined;
}

/** A part plugged into one informer. */
export interface Plug {
  readonly trace?: Trace;
  /** How the requests of a source are traced. */
  readonly tracedSource?: <T>(source: ListerWatcher<T>, name: string, trace: Trace, scheduler: SchedulerLike) => MeteredSource<T>;
  /** Makes the source of one namespace. */
  // eslint-disable-next-line rxjs-x/finnish -- a function of Observables
  readonly reflected?: (
    scope: string,
    settings: ReflectOptions,
    listerOf: (options: Pick<ListerWatcherOptions, 'shard'>) => ListerWatcher<never>,
  ) => Observable<SourceEvent<never>>;
  /** Whether an object is one of those that the source emits. */
  readonly owns?: PartSetup['owns'];
  /** Emits to make the source list again. */
  readonly relist$?: Observable<void>;
  /** Makes the source of all scopes, from the sources of each, which may resume from a version. */
  // eslint-disable-next-line rxjs-x/finnish -- a function of Observables
  readonly source?: (events: (scope: string, from?: string) => Observable<SourceEvent<unknown>>) => Observable<SourceEvent<unknown>>;
  // eslint-disable-next-line rxjs-x/finnish -- a function of Observables
  readonly followed?: (events: Observable<SourceEvent<unknown>>) => Observable<SourceEvent<unknown>>;
  readonly attach?: (informer: PluggedInformer) => Attached;
}

/** Refuses a part. */
export function refusing(part: string, resource: string): (why: string) => never {
  return (why) => {
    throw new TypeError(`The informer of ${resource === '' ? 'a source' : resource} cannot have the part \`${part}\`: ${why}`);
  };
}

/** The client and the resource of the informer. @throws TypeError when it has none. */
export function originFor(part: string, { origin, resource }: Pick<PartSetup, 'origin' | 'resource'>): PartOrigin {
  return origin ?? refusing(part, resource)('it is not over a client and a resource');
}

/** The parts of an informer. */
export class Plugs {
  readonly all: readonly Plug[];

  constructor(parts: readonly InformerPart[], setup: Omit<PartSetup, 'has' | 'owns'>) {
    const named = (name: string): readonly InformerPart[] => parts.filter(({ part }) => part === name);
    const twice = parts.find(({ part, plug }) => plug !== undefined && part !== 'tracing' && named(part).length > 1);
    if (twice !== undefined) throw new TypeError(`Expected each of \`parts\` once, got \`${twice.part}\` twice`);
    const has = (name: string): boolean => named(name).length > 0;
    const owns: PartSetup['owns'] = (object) => this.find('owns')?.(object) !== false;
    this.all = parts.flatMap(({ plug }) => plug?.({ ...setup, has, owns }) ?? []);
  }

  /** What one of the parts does, if any. */
  find<K extends keyof Plug>(hook: K): Plug[K] | undefined {
    return this.all.find((plug) => plug[hook] !== undefined)?.[hook];
  }

  /** What the parts ask of requests. */
  static requests(parts: readonly InformerPart[]): PartRequests {
    return Object.assign({}, ...parts.map(({ requests }) => requests)) as PartRequests;
  }

  /** Several traces as one. */
  trace(): Trace | undefined {
    const traces = this.all.flatMap(({ trace }) => trace ?? []);
    return traces.length < 2 ? traces[0] : (step) => traces.forEach((trace) => trace(step));
  }

  /** The traces of requests. */
  tracing(): Tracing | undefined {
    const [trace, traced] = [this.trace(), this.find('tracedSource')];
    return trace && traced && ((source, name, scheduler) => traced(source, name, trace, scheduler));
  }
}
