import fc from 'fast-check';
import type { FakeListerWatcherOptions } from '../../src/testing/fakes/fakeListerWatcher.js';
import { serverOptions, step, type Step } from './simulatedServer.js';

/** The consumers that an informer has. */
export const consumerKinds = [
  'resource$',
  'change$',
  'index$',
  'events',
  'process',
  'conflate',
  'catchUp',
  'handler',
  'slow handler',
] as const;

/** The faults and actions besides the history of the server. */
export type PipelineStep =
  | Step
  /** The next requests, this many, are answered with 429 and Retry-After, as by a server that fills its cache. */
  | { readonly do: 'warm up'; readonly requests: number }
  /** The next list breaks off after this many parts. */
  | { readonly do: 'cut'; readonly parts: number }
  /** Each part of the next list takes this long. */
  | { readonly do: 'slow'; readonly ms: number }
  | { readonly do: 'join'; readonly kind: (typeof consumerKinds)[number] }
  /** The consumer that came first leaves. */
  | { readonly do: 'leave' }
  /** A handler comes that throws every second time. */
  | { readonly do: 'join throwing' }
  /** Adds a subscriber that writes to the server when it receives an event, a few times. */
  | { readonly do: 'join meddling'; readonly writes: number };

/** A whole run: everything in it that is left to chance. */
export interface PipelinePlan {
  readonly server: FakeListerWatcherOptions;
  /** One informer on everything, or on two namespaces by two reflectors. */
  readonly scopes: 1 | 2;
  readonly pageSize: number;
  readonly relistPeriodMs: number;
  readonly chance: number;
  readonly steps: readonly { readonly afterMs: number; readonly step: PipelineStep }[];
}

const more: fc.Arbitrary<PipelineStep> = fc.oneof(
  fc.record({ do: fc.constant('warm up' as const), requests: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ do: fc.constant('cut' as const), parts: fc.nat(2) }),
  fc.record({ do: fc.constant('slow' as const), ms: fc.integer({ min: 1, max: 70_000 }) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join' as const), kind: fc.constantFrom(...consumerKinds) }) },
  fc.record({ do: fc.constantFrom('leave' as const, 'join throwing' as const) }),
  fc.record({ do: fc.constant('join meddling' as const), writes: fc.integer({ min: 1, max: 3 }) }),
);

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 900 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1_000, max: 40_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 400_000 }) },
);

/** Random runs. */
export const pipelinePlan: fc.Arbitrary<PipelinePlan> = fc.record({
  server: serverOptions,
  scopes: fc.constantFrom(1 as const, 2 as const),
  pageSize: fc.constantFrom(0, 1, 2, 500),
  relistPeriodMs: fc.constantFrom(0, 0, 45_000),
  chance: fc.integer(),
  steps: fc.array(fc.record({ afterMs: gap, step: fc.oneof({ weight: 3, arbitrary: step }, { weight: 2, arbitrary: more }) }), {
    maxLength: 40,
  }),
});
