import type { WatchEvent, WatchProgress } from '../../api/events/watchEvent.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { endOfWatch } from './endOfWatch.js';
import { lists } from './lists.js';
import type { Happening, Look, Memory, Transition, Turn, WatchingState, Context } from './state.js';
import { tell } from './tell.js';
import { watchLine } from './watchLine.js';

/** What `step` makes of a change that is as it should be, as nearly every line of a life is; `undefined` for every other line. @internal */
export function advanced(
  state: WatchingState,
  line: WatchEvent<KubernetesObject> | WatchProgress,
  at: number,
  { source, settings }: Context,
): WatchingState | undefined {
  if (line.type === 'PROGRESS' || line.type === 'ERROR' || line.type === 'BOOKMARK') return undefined;
  if (state.openedAt === undefined || !state.ordered || state.look?.asked === false) return undefined;
  if (watchLine.problem(line, source.expected) !== undefined) return undefined;
  const version = line.object.metadata?.resourceVersion ?? '';
  if (version === '' || watchLine.hasGoneBack(version, state.version)) return undefined;
  // Spelled out, as copying by spread takes thirty times as long.
  return {
    type: 'watching',
    memory: state.memory,
    startedAt: state.startedAt,
    openedAt: state.openedAt,
    endsAt: state.endsAt,
    events: state.events + 1,
    dueAt: at + settings.idleTimeoutMs,
    startVersion: state.startVersion,
    version,
    ordered: true,
    look: state.look,
    relistedFrom: state.relistedFrom,
  };
}

/** A watch that begins at a version, of which nothing has come. @internal */
export function watchFrom(memory: Memory, version: string, endsAt: number, { at, context }: Turn<unknown>): WatchingState {
  return {
    type: 'watching',
    memory,
    startVersion: version,
    version,
    ordered: version !== '' && version !== '0',
    startedAt: at,
    openedAt: undefined,
    endsAt,
    events: 0,
    dueAt: at + context.settings.idleTimeoutMs,
    look: undefined,
    relistedFrom: undefined,
  };
}

/** Asks for the server's version, if that is due. It must have reached everything seen so far. */
function lookIfDue<T>(state: WatchingState, { at, effects }: Turn<T>): WatchingState {
  const { look, version } = state;
  if (look === undefined || look.asked || at < look.dueAt) return state;
  effects.push({ do: 'look' });
  return { ...state, look: { ...look, asked: true, version: watchLine.hasGoneBack(look.version, version) ? version : look.version } };
}

/** The first sign of life: it is trusted, unless the server's version has to be looked at, which is due now. */
function opened<T>(state: WatchingState, turn: Turn<T>): WatchingState {
  const open = { ...state, openedAt: turn.at };
  if (state.look === undefined) return { ...open, memory: tell.link(turn, state.memory, 'watching') };
  const { look } = state;
  return look.failures > 0 ? open : lookIfDue({ ...open, look: { ...look, dueAt: turn.at } }, turn);
}

// Lines

/** Versions are opaque, so one that is smaller counts as it is. But a server that was restored from a backup sends such ones, too. */
function reach<T>(state: WatchingState, version: string, initial: boolean, turn: Turn<T>): WatchingState {
  const ordered = state.ordered || !initial;
  if (version === '' || !ordered) return { ...state, ordered };
  const suspicious = state.ordered && !state.memory.unordered && watchLine.hasGoneBack(version, state.version);
  const doubt: Look = { version: state.version, asked: false, dueAt: turn.at, failures: 0, ofOrder: true, again: false };
  return { ...state, ordered, version, look: state.look ?? (suspicious ? doubt : undefined) };
}

function bookmark<T>(state: WatchingState, version: string, turn: Turn<T>): WatchingState {
  if (version === '') {
    return { ...state, memory: tell.oddLine(turn, state.memory, 'ERR_NO_RESOURCE_VERSION', 'a BOOKMARK came without a resourceVersion') };
  }
  const reached = reach(state, version, false, turn);
  tell.bookmark(turn, reached.version);
  return reached;
}

function line<T extends KubernetesObject>(before: WatchingState, event: WatchEvent<T> | WatchProgress, turn: Turn<T>): Transition {
  const { at, context } = turn;
  const heard = { ...before, dueAt: at + context.settings.idleTimeoutMs };
  const state = before.openedAt === undefined ? opened(heard, turn) : heard;
  if (event.type === 'PROGRESS') return state;
  if (event.type === 'ERROR') return endOfWatch.failed(state, watchLine.error(event.object), turn);
  const problem = watchLine.problem(event, context.source.expected);
  if (problem !== undefined) return { ...state, memory: tell.oddLine(turn, state.memory, 'ERR_WATCH', `left out an event ${problem}`) };
  const counted = { ...state, events: state.events + 1 };
  const version = event.object.metadata?.resourceVersion ?? '';
  if (event.type === 'BOOKMARK') return lookIfDue(bookmark(counted, version, turn), turn);
  const told = { ...counted, memory: tell.missingVersion(turn, counted.memory, event) };
  const reached = reach(told, version, event.type === 'ADDED', turn);
  tell.emit(turn, watchLine.told(event, context.source.scope, reached.version));
  return lookIfDue(reached, turn);
}

// The server's version

function looked<T>(state: WatchingState, current: string, turn: Turn<T>): Transition {
  const { look, memory } = state;
  if (look === undefined) return state;
  if (watchLine.hasGoneBack(current, look.version)) {
    const what = `The server of ${turn.context.source.resource} has gone back from version ${look.version} to version ${current}`;
    turn.effects.push({ do: 'leave' });
    const told = tell.failure(turn, endOfWatch.settled(state, turn), { code: 'ERR_WATCH_EXPIRED', what }, { state: 'listing' });
    return { type: 'begin', memory: { ...told, versionUnavailable: true }, next: { type: 'list', reason: 'expired' } };
  }
  if (look.again) return lookIfDue({ ...state, look: { ...look, asked: false, dueAt: turn.at, again: false } }, turn);
  const known = look.ofOrder ? { ...memory, unordered: true } : memory;
  return { ...state, look: undefined, memory: state.openedAt === undefined ? known : tell.link(turn, known, 'watching') };
}

/** It is asked again later; until then the watch goes on, and is not trusted. */
function lookFailed<T>(state: WatchingState, cause: unknown, turn: Turn<T>): Transition {
  if (state.look === undefined) return state;
  const failures = state.look.failures + 1;
  const failure = tell.requestFailure('ERR_LIST', `Cannot look at the version of ${turn.context.source.resource}`, cause);
  const { memory, dueAt } = tell.retry(turn, state.memory, failure, failures);
  return { ...state, memory, look: { ...state.look, asked: false, dueAt, failures } };
}

// The periodic list

function relist<T>(state: WatchingState, turn: Turn<T>): Transition {
  const { effects, context } = turn;
  if (context.settings.relistBesideWatch) {
    effects.push({
      do: 'relist',
      memory: { ...state.memory, version: state.version, failures: 0, connectionFailures: 0, consistent: true },
    });
    return { ...state, relistedFrom: state.version, memory: { ...state.memory, relistAt: Infinity } };
  }
  effects.push({ do: 'leave' });
  const memory = { ...endOfWatch.settled(state, turn), consistent: true, relistAt: Infinity };
  return { type: 'begin', memory, next: { type: 'list', reason: 'period' } };
}

/**
 * The list that was begun beside the watch replaces everything, together with what the watch has brought since and is newer; the next watch begins
 * with the newer one of the two. Where the server has gone back, the list alone counts.
 */
function relisted<T>(state: WatchingState, listed: string, turn: Turn<T>): Transition {
  const { relistedFrom, version } = state;
  if (relistedFrom === undefined) return state;
  const back = watchLine.hasGoneBack(listed, relistedFrom);
  const reached = !back && watchLine.hasGoneBack(listed, version) ? version : listed;
  const memory = endOfWatch.settled(state, turn);
  tell.init(turn, 'period', memory);
  turn.effects.push({ do: 'handOver', above: back ? undefined : listed });
  tell.ready(turn, reached);
  turn.effects.push({ do: 'leave' });
  return { type: 'begin', memory: lists.completed(turn, memory, reached), next: { type: 'watch' } };
}

function due<T>(state: WatchingState, turn: Turn<T>): Transition {
  if (turn.at >= state.dueAt) return endOfWatch.silent(state, turn);
  if (turn.at >= state.memory.relistAt) return relist(state, turn);
  return lookIfDue(state, turn);
}

/** What a watch makes of what happens. @internal */
export function watching<T extends KubernetesObject>(state: WatchingState, happening: Happening<T>, turn: Turn<T>): Transition {
  switch (happening.type) {
    case 'line':
      return line(state, happening.line, turn);
    case 'closed':
      return endOfWatch.closed(state, turn);
    case 'watchFailed':
      return endOfWatch.failed(state, happening.error, turn);
    case 'due':
      return due(state, turn);
    case 'looked':
      return looked(state, happening.resourceVersion, turn);
    case 'lookFailed':
      return lookFailed(state, happening.error, turn);
    case 'relisted':
      return relisted(state, happening.resourceVersion, turn);
    default:
      return state;
  }
}
