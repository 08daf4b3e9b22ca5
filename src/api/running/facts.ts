/** The figures of a consumer of an informer's events. */
export interface ConsumerFacts {
  readonly name: string;
  /** The number of queued events. */
  readonly waiting: number;
  readonly delivered: number;
  /** How long its queue has not been empty, in milliseconds. */
  readonly behindMs: number;
  /** The number of calls that took longer than 50 ms, and the longest one in milliseconds. */
  readonly slow: number;
  readonly slowestMs: number;
  /** The number of calls that failed, and the message of the last failure. */
  readonly failed: number;
  readonly failure?: string | undefined;
}

/** A summary of a failure. */
export interface FailureFacts {
  readonly code: string;
  readonly message: string;
  /** The HTTP status of the API server's answer. */
  readonly http?: number | undefined;
}

/** The state of one scope of an informer. */
export interface ScopeFacts {
  readonly scope: string;
  readonly state: string;
  readonly resourceVersion: string;
  readonly error?: FailureFacts | undefined;
}

/** How often a cache was read, and how often a selector examined objects. */
export interface ReadFacts {
  reads: number;
  /** Lists with a selector: their number, the objects they examined, and the objects they returned. */
  searches: number;
  searched: number;
  found: number;
}

/** The figures of anything that runs. */
export interface BaseFacts {
  readonly name: string;
  /** The time of these figures, in milliseconds of the thing's own clock. */
  readonly at: number;
}

/** The figures of a collection. */
export interface CollectionFacts extends BaseFacts {
  readonly state: string;
  /** The time in that state, in milliseconds. */
  readonly forMs: number;
  readonly synced: boolean;
  readonly objects: number;
  /** The number of changes of the cache. */
  readonly changes: number;
  readonly subscribers: number;
  /** How often all subscribers together took longer than 50 ms for one change, and the longest time. */
  readonly slow: number;
  readonly slowestMs: number;
  readonly error?: FailureFacts | undefined;
  /** Keys whose value could not be computed. */
  readonly degraded: readonly string[];
}

/** The figures of an informer. */
export interface InformerFacts extends CollectionFacts {
  readonly kind: 'informer';
  readonly resource: string;
  /** The selection in words. */
  readonly selection: string;
  /** Equal for two informers with the same client and selection; undefined if that is unknown. */
  readonly twin?: string | undefined;
  /** Whether it has all objects of the resource, whole: without namespace, selector or transform. */
  readonly isWhole: boolean;
  readonly resourceVersion: string;
  readonly staleMs?: number | undefined;
  readonly attempt?: number | undefined;
  /** When its session began. */
  readonly since: number;
  /** The times of the last ten completed lists, without periodic ones. */
  readonly lists: readonly number[];
  /** The times of the last ten watches that ended at once. */
  readonly briefWatches: readonly number[];
  readonly scopes: readonly ScopeFacts[];
  readonly reads: ReadFacts;
  readonly consumers: readonly ConsumerFacts[];
}

/**
 * Whether a cache without a working watch was known to be current too long ago. An open watch counts as current: one that is silent is replaced within 90 s.
 */
export function isStale(
  { state, staleMs = 0 }: { readonly state: string; readonly staleMs?: number | undefined },
  afterMs: number,
): boolean {
  return state !== 'watching' && staleMs > afterMs;
}

/** The figures of a view. */
export interface ViewFacts extends CollectionFacts {
  readonly kind: 'view';
  /** The names of its inputs. */
  readonly inputs: readonly string[];
  readonly computed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly durationMs: number;
}

/** The figures of a work queue. */
export interface QueueFacts extends BaseFacts {
  readonly kind: 'queue';
  readonly waiting: number;
  readonly processing: readonly { readonly item: string; readonly forMs: number }[];
  /** The first queued items. */
  readonly next: readonly string[];
}

/** The figures of a control loop. */
export interface ControllerFacts extends BaseFacts {
  readonly kind: 'controller';
  readonly phase: string;
  /** The time since it began, in milliseconds. */
  readonly forMs: number;
  /** The names of the caches that it waits for. */
  readonly waitsFor: readonly string[];
  readonly waiting: number;
  /** The number of delayed keys. */
  readonly delayed: number;
  readonly running: readonly { readonly key: string; readonly forMs: number; readonly attempt: number }[];
  readonly failing: readonly { readonly key: string; readonly attempts: number; readonly message: string }[];
  readonly succeeded: number;
  readonly failed: number;
  /**
   * The key with the most calls within a minute, this one or the last: their number, and for how many milliseconds they came without a
   * pause of a second.
   */
  readonly busiest?: { readonly key: string; readonly calls: number; readonly forMs: number; readonly cause: string } | undefined;
}

/** The figures of a candidate for a lease. */
export interface ElectorFacts extends BaseFacts {
  readonly kind: 'elector';
  readonly lease: string;
  readonly identity: string;
  readonly leads: boolean;
  readonly holder: string;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /**
   * The number of renewals that were late by half of the slack between period and deadline, the time of the last one, and the longest
   * pause.
   */
  readonly late: number;
  readonly lateAt?: number | undefined;
  readonly longestPauseMs: number;
  readonly error?: FailureFacts | undefined;
}

/** The figures of a member of a group of shards. */
export interface ShardFacts extends BaseFacts {
  readonly kind: 'shards';
  readonly identity: string;
  readonly active: boolean;
  readonly slots: number;
  readonly members: readonly string[];
}

/** The figures of permission checks. */
export interface RightsFacts extends BaseFacts {
  readonly kind: 'rights';
  readonly permitted: number;
  readonly refused: readonly string[];
}

/** The figures of a manager. */
export interface ManagerFacts extends BaseFacts {
  readonly kind: 'manager';
  readonly state: string;
  readonly problems: readonly string[];
}

/** The figures of something running: plain data, computed when it is read. */
export type Facts = InformerFacts | ViewFacts | QueueFacts | ControllerFacts | ElectorFacts | ShardFacts | RightsFacts | ManagerFacts;
