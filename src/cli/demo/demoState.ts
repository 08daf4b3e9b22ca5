import type { V1Pod } from '../../api/kubernetes/coreV1.js';
import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Style } from '../output/span.js';

/** The types of events, each with a lane of its own. */
export type EventType = ResourceEvent<unknown>['type'];

/** A pod in the table, and what happened to it last. One that was deleted stays for a moment. */
export interface DemoRow {
  readonly pod: V1Pod;
  readonly type: EventType;
  readonly at: number;
  /** Whether it was there from the start: that is nothing new. */
  readonly initial: boolean;
}

/** A comparison with the server. */
export interface DemoCheck {
  readonly at: number;
  /** How many pods the server had. */
  readonly count: number;
  /** In how many pods cache, table and server differed. */
  readonly lost: number;
}

/** All that the demonstration knows. Times are milliseconds of one clock. */
export interface DemoState {
  readonly startedAt: number;
  readonly server: 'starting' | 'running' | 'down';
  readonly health: InformerHealth | undefined;
  readonly rows: ReadonlyMap<string, DemoRow>;
  /** What the lanes show: when what happened. */
  readonly marbles: readonly { readonly at: number; readonly type: EventType }[];
  readonly links: readonly { readonly at: number; readonly state: InformerHealth['state'] }[];
  readonly counts: Readonly<Record<EventType, number>>;
  readonly relists: number;
  readonly requests: number;
  /** How often the server was broken. */
  readonly faults: number;
  readonly checks: number;
  /** The most that any check has found. */
  readonly mostLost: number;
  readonly check: DemoCheck | undefined;
  /** What was done and what came of it, newest last. */
  readonly story: readonly { readonly at: number; readonly text: string; readonly style: Style | undefined }[];
}

/** How the demonstration begins. */
export function initialState(startedAt: number): DemoState {
  return {
    startedAt,
    server: 'starting',
    health: undefined,
    rows: new Map(),
    marbles: [],
    links: [],
    counts: { added: 0, updated: 0, deleted: 0, synced: 0 },
    relists: 0,
    requests: 0,
    faults: 0,
    checks: 0,
    mostLost: 0,
    check: undefined,
    story: [],
  };
}
