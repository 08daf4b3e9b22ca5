/** What is known of somebody to whom an informer hands events. */
export interface ConsumerFacts {
  readonly name: string;
  /** How many events wait for it. */
  readonly waiting: number;
  readonly delivered: number;
  /** For how long something has waited without a break, in milliseconds. */
  readonly behindMs: number;
  /** How many calls took longer than 50 ms, and the longest one in milliseconds. */
  readonly slow: number;
  readonly slowestMs: number;
}

/** A failure in short. */
export interface FailureFacts {
  readonly code: string;
  readonly message: string;
  /** The status that the API server answered with. */
  readonly http?: number | undefined;
}

/** How one scope of an informer is. */
export interface ScopeFacts {
  readonly scope: string;
  readonly state: string;
  readonly resourceVersion: string;
  readonly error?: FailureFacts | undefined;
}

/** How often a cache was read, and how often a selector looked through objects. */
export interface ReadFacts {
  reads: number;
  /** Lists with a selector: how many there were, how many objects they looked at, and how many of those they found. */
  searches: number;
  searched: number;
  found: number;
}

interface BaseFacts {
  readonly name: string;
  /** When this was true, in milliseconds of the thing's own clock. */
  readonly at: number;
}

/** What is known of a collection. */
export interface CollectionFacts extends BaseFacts {
  readonly state: string;
  /** For how long it has been in that state, in milliseconds. */
  readonly forMs: number;
  readonly synced: boolean;
  readonly objects: number;
  /** How many changes the cache has had. */
  readonly changes: number;
  readonly subscribers: number;
  /** How often all subscribers together took longer than 50 ms for one change, and the longest time. */
  readonly slow: number;
  readonly slowestMs: number;
  readonly error?: FailureFacts | undefined;
  /** Keys whose value could not be made. */
  readonly degraded: readonly string[];
}

/** What is known of an informer. */
export interface InformerFacts extends CollectionFacts {
  readonly kind: 'informer';
  readonly resource: string;
  /** What it selects, in words. */
  readonly selection: string;
  /** Equal for two informers that ask one client for the same; undefined when that cannot be told. */
  readonly twin?: string | undefined;
  /** Whether neither a namespace nor a selector nor a transform makes less of it, and whole objects are asked for. */
  readonly isWhole: boolean;
  readonly resourceVersion: string;
  readonly staleMs?: number | undefined;
  readonly attempt?: number | undefined;
  /** When it began to run. */
  readonly since: number;
  /** When lists began, those by a period left out; the last ten. */
  readonly lists: readonly number[];
  /** When watches ended at once; the last ten. */
  readonly briefWatches: readonly number[];
  readonly scopes: readonly ScopeFacts[];
  readonly reads: ReadFacts;
  readonly consumers: readonly ConsumerFacts[];
}

/** What is known of a view. */
export interface ViewFacts extends CollectionFacts {
  readonly kind: 'view';
  /** What it is made of, by name. */
  readonly inputs: readonly string[];
  readonly computed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly durationMs: number;
}

/** What is known of a work queue. */
export interface QueueFacts extends BaseFacts {
  readonly kind: 'queue';
  readonly waiting: number;
  readonly processing: readonly { readonly item: string; readonly forMs: number }[];
  /** The first of those that wait. */
  readonly next: readonly string[];
}

/** What is known of a control loop. */
export interface ControllerFacts extends BaseFacts {
  readonly kind: 'controller';
  readonly phase: string;
  readonly waiting: number;
  /** How many keys wait for their time. */
  readonly delayed: number;
  readonly running: readonly { readonly key: string; readonly forMs: number; readonly attempt: number }[];
  readonly failing: readonly { readonly key: string; readonly attempts: number; readonly message: string }[];
  readonly succeeded: number;
  readonly failed: number;
  /** The key that was called most often within a minute, this one or the one before: how often, and for how long without a pause of a second. */
  readonly busiest?: { readonly key: string; readonly calls: number; readonly forMs: number; readonly cause: string } | undefined;
}

/** What is known of a candidate for a lease. */
export interface ElectorFacts extends BaseFacts {
  readonly kind: 'elector';
  readonly lease: string;
  readonly identity: string;
  readonly leads: boolean;
  readonly holder: string;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** How often a renewal used up half of the time between its period and the deadline, when that was last, and the longest pause. */
  readonly late: number;
  readonly lateAt?: number | undefined;
  readonly longestPauseMs: number;
  readonly error?: FailureFacts | undefined;
}

/** What is known of a member of a group of shards. */
export interface ShardFacts extends BaseFacts {
  readonly kind: 'shards';
  readonly identity: string;
  readonly active: boolean;
  readonly slots: number;
  readonly members: readonly string[];
}

/** What is known of the rights that somebody asks for again and again. */
export interface RightsFacts extends BaseFacts {
  readonly kind: 'rights';
  readonly permitted: number;
  readonly refused: readonly string[];
}

/** What is known of a manager. */
export interface ManagerFacts extends BaseFacts {
  readonly kind: 'manager';
  readonly state: string;
  readonly problems: readonly string[];
}

/** What is known of something that runs: plain data, made when somebody looks. */
export type Facts = InformerFacts | ViewFacts | QueueFacts | ControllerFacts | ElectorFacts | ShardFacts | RightsFacts | ManagerFacts;
