import { ApiError, type InformerHealth, type ResourceChange, type ResourceEvent, type V1Pod } from 'rx-informer';
import type { Style } from '../output/line.js';
import { printable } from '../output/printable.js';

/** The types of events, each with a lane of its own. */
export type EventType = ResourceEvent<unknown>['type'];

/** A pod in the table, with its last event. A deleted one stays for a moment. */
export interface DemoRow {
  readonly pod: V1Pod;
  readonly type: EventType;
  readonly at: number;
  /** Whether the pod existed from the start: then it is not marked as new. */
  readonly initial: boolean;
}

/** A comparison with the server. */
export interface DemoCheck {
  readonly at: number;
  /** The number of pods on the server. */
  readonly count: number;
  /** The number of pods for which cache, table and server differed. */
  readonly lost: number;
}

/** The state of the demonstration. Times are milliseconds of one clock. */
export interface DemoState {
  readonly startedAt: number;
  readonly server: 'starting' | 'running' | 'down';
  readonly health: InformerHealth | undefined;
  readonly rows: ReadonlyMap<string, DemoRow>;
  /** The marbles of the lanes: events with their times. */
  readonly marbles: readonly { readonly at: number; readonly type: EventType }[];
  readonly links: readonly { readonly at: number; readonly state: InformerHealth['state'] }[];
  readonly counts: Readonly<Record<EventType, number>>;
  readonly relists: number;
  readonly requests: number;
  /** The number of faults injected so far. */
  readonly faults: number;
  readonly checks: number;
  /** The largest difference that any comparison has found. */
  readonly maxLost: number;
  readonly check: DemoCheck | undefined;
  /** The actions and their effects, newest last. */
  readonly story: readonly { readonly at: number; readonly text: string; readonly style: Style | undefined }[];
}

/** The initial state. */
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
    maxLost: 0,
    check: undefined,
    story: [],
  };
}

/** A number with its noun, for example `1 pod` and `2 pods`. */
export const counted = (count: number, what: string): string => `${String(count)} ${what}${count === 1 ? '' : 's'}`;

/** The inputs of the demonstration. */
export type DemoEvent =
  | { readonly type: 'change'; readonly change: ResourceChange<V1Pod> }
  | { readonly type: 'health'; readonly health: InformerHealth }
  | { readonly type: 'request' }
  | { readonly type: 'check'; readonly check: DemoCheck }
  | { readonly type: 'server'; readonly server: DemoState['server'] }
  | { readonly type: 'fault'; readonly text: string }
  | { readonly type: 'action'; readonly text: string }
  | { readonly type: 'tick'; readonly health: InformerHealth | undefined };

/** How long a deleted pod is still shown. */
const goneMs = 1_200;
/** The period that the widest lane can show. */
const pastMs = 60_000;
const longestStory = 100;

type Story = DemoState['story'];

const withLine = ({ story }: DemoState, at: number, text: string, style?: Story[number]['style']): Story =>
  [...story, { at, text, style }].slice(-longestStory);

function ofChange(state: DemoState, { cause, events, synced }: ResourceChange<V1Pod>, at: number): DemoState {
  const rows = new Map(state.rows);
  const counts = { ...state.counts };
  const marbles = [...state.marbles];
  const first = state.counts.synced === 0;
  for (const { type, key, object } of events) {
    rows.set(key, { pod: object, type, at, initial: first });
    counts[type] += 1;
    marbles.push({ at, type });
  }
  const isList = cause === 'snapshot' || cause === 'list';
  if (!isList || !synced) return { ...state, rows, counts, marbles };
  const found = events.length === 0 ? 'nothing was missed' : `missed changes of ${counted(events.length, 'pod')} found`;
  const story = first
    ? withLine(state, at, `${counted(events.length, 'pod')} listed, now watched`, 'cyan')
    : withLine(state, at, `listed again: ${found}`, 'cyan');
  const relists = state.relists + (first ? 0 : 1);
  return {
    ...state,
    rows,
    relists,
    story,
    counts: { ...counts, synced: counts.synced + 1 },
    marbles: [...marbles, { at, type: 'synced' }],
  };
}

/** The innermost reason, in a few words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection ended';
  if (error instanceof ApiError) return `${String(error.code)} ${printable(error.reason === '' ? error.message : error.reason)}`;
  return error.cause instanceof Error ? reasonOf(error.cause) : printable(error.message.replace(/^[A-Z]+ \S+ failed: /, ''));
}

function ofHealth(state: DemoState, health: InformerHealth, at: number): DemoState {
  const before = state.health;
  const next = { ...state, health, links: [...state.links, { at, state: health.state }] };
  if (health.state === 'retrying' && before?.state !== 'retrying')
    return { ...next, story: withLine(state, at, `retrying: ${reasonOf(health.error)}`, 'red') };
  if (health.state === 'watching' && before?.state === 'retrying')
    return { ...next, story: withLine(state, at, 'watching again', 'green') };
  return next;
}

/** Drops everything that is too old to be shown. */
function forget(state: DemoState, health: InformerHealth | undefined, at: number): DemoState {
  const isGone = ({ type, at: since }: DemoRow): boolean => type === 'deleted' && at - since > goneMs;
  const rows = [...state.rows.values()].some(isGone) ? new Map([...state.rows].filter(([, row]) => !isGone(row))) : state.rows;
  const oldest = state.links.findLastIndex((link) => at - link.at > pastMs);
  return {
    ...state,
    health: health ?? state.health,
    rows,
    marbles: state.marbles.filter((marble) => at - marble.at <= pastMs),
    links: oldest > 0 ? state.links.slice(oldest) : state.links,
  };
}

/** The state after an event. */
export function demoStep(state: DemoState, event: DemoEvent, at: number): DemoState {
  switch (event.type) {
    case 'change':
      return ofChange(state, event.change, at);
    case 'health':
      return ofHealth(state, event.health, at);
    case 'request':
      return { ...state, requests: state.requests + 1 };
    case 'check':
      return { ...state, check: event.check, checks: state.checks + 1, maxLost: Math.max(state.maxLost, event.check.lost) };
    case 'server':
      return { ...state, server: event.server };
    case 'fault':
      return { ...state, faults: state.faults + 1, story: withLine(state, at, event.text, 'magenta') };
    case 'action':
      return { ...state, story: withLine(state, at, event.text) };
    case 'tick':
      return forget(state, event.health, at);
  }
}
