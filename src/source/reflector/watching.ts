import type { ListerWatcher, WatchChunk, WatchEvent } from '../../api/listerWatcher.js';
import { isOlderVersion, type KubernetesObject, resourceVersionOf } from '../../api/kubernetesObject.js';
import { lists } from './lists.js';
import type { Context, Happening, Look, Memory, Next, Transition, Turn, WatchingState } from './state.js';
import { type Failure, type FailureKind, failureKind, report } from './report.js';
import { InformerError } from '../../api/errors/informerError.js';
import { apiErrorOfStatus, isStatus, type Status } from '../../api/errors/apiError.js';
import type { SourceEvent } from '../../api/events.js';

/** An event about an object. @internal */
export type Change<T> = Extract<WatchEvent<T>, { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' }>;

const changeTypes = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

/** How lines of a watch are read. @internal */
export const watchLine = {
  /**
   * Why an event is invalid; `undefined` when it is valid.
   *
   * Events may not match their types. An object without a kind is accepted: hand-made sources omit it.
   */
  problem(event: WatchEvent<unknown>, expected: ListerWatcher<unknown>['expected']): string | undefined {
    const { type, object } = event as { readonly type: string; readonly object: KubernetesObject | null | undefined };
    if (!(type in changeTypes) && type !== 'BOOKMARK') return `of unknown type ${JSON.stringify(type)}`;
    if (typeof object !== 'object' || object === null || typeof object.metadata !== 'object' || (object.metadata as unknown) === null) {
      return `${type} whose object has no metadata`;
    }
    if (expected === undefined || object.kind === undefined) return undefined;
    const { apiVersion = expected.apiVersion, kind } = object;
    if (kind === expected.kind && apiVersion === expected.apiVersion) return undefined;
    return `${type} with a ${apiVersion} ${kind} instead of a ${expected.apiVersion} ${expected.kind}`;
  },

  /** Whether no watch can continue from a version: none, and `0`, from which a server begins with what it has, so that deletions would be lost. */
  hasNoPlace(version: string): boolean {
    return version === '' || version === '0';
  },

  /** The error of an ERROR event. The kind of a hand-made Status may be missing. */
  error(object: unknown): Error {
    if (isStatus(object)) return apiErrorOfStatus(object);
    const status = (object ?? {}) as Status;
    if (status.kind === undefined && status.code !== undefined) return apiErrorOfStatus(status);
    return new InformerError({ code: 'ERR_WATCH', message: 'an ERROR event came without a Status' });
  },

  /** The source event of a change. */
  sourceEvent<T>({ type, object }: Change<T>, scope: string | undefined, resourceVersion: string): SourceEvent<T> {
    return scope === undefined || scope === ''
      ? { type: changeTypes[type], object, resourceVersion }
      : { type: changeTypes[type], scope, object, resourceVersion };
  },
};

function whatOf({ openedAt }: WatchingState, { context }: Turn<unknown>): string {
  return openedAt === undefined ? `Cannot watch ${context.source.resource}` : `The watch of ${context.source.resource} failed`;
}

/** Whether a watch proves that the link is healthy, which resets the backoff: it had an event, or was open long enough. */
function provesHealth({ events, openedAt = Infinity }: WatchingState, { at, context }: Turn<unknown>): boolean {
  return events > 0 || at - openedAt >= context.settings.healthyWatchMs;
}

/** Whether a broken watch may be reopened at once: it received a new version or was open long enough. That alone does not reset the backoff. */
function wasUseful({ openedAt = Infinity, events, version, startVersion }: WatchingState, { at, context }: Turn<unknown>): boolean {
  return (events > 0 && version !== startVersion) || at - openedAt >= context.settings.veryShortWatchMs;
}

/** Opens another watch from the last version at once. Requests in parallel to the watch continue. */
function rewatch({ look, relistedFrom }: WatchingState, memory: Memory): Transition {
  return { type: 'begin', memory, next: { type: 'watch', look, relistedFrom } };
}

function later<T>({ relistedFrom }: WatchingState, memory: Memory, failure: Failure, next: Next, turn: Turn<T>): Transition {
  return report.retryLater(turn, relistedFrom === undefined ? memory : { ...memory, relistAt: turn.at }, failure, next);
}

/** The memory after a failure. */
function noted(memory: Memory, kind: FailureKind): Memory {
  if (kind === 'decode') return { ...memory, undecodableVersion: memory.version };
  if (kind !== 'expired') return memory;
  // A server that reports an expired version answers again: the first time, its list comes soon, whatever failed before. If the list since then had that version
  // again, as from a server that does not know `NotOlderThan`, the next one asks for none.
  const { version, versionUnavailable, expiredVersion, failures, connectionFailures } = memory;
  return {
    ...memory,
    versionUnavailable: versionUnavailable || version === expiredVersion,
    expiredVersion: version,
    failures: expiredVersion === undefined ? 0 : failures - connectionFailures,
    connectionFailures: 0,
  };
}

/** The failures after which the same watch may succeed. */
const passing: ReadonlySet<FailureKind> = new Set(['tooManyRequests', 'credentials', 'connection']);

/** The request after a failure: the same watch, or a list where the watch would fail again. */
function nextAfter(kind: FailureKind, { version, memory }: WatchingState): Next {
  const isFirst = kind === 'decode' && memory.undecodableVersion !== version;
  if (isFirst || passing.has(kind)) return { type: 'watch' };
  return { type: 'list', reason: kind === 'expired' ? 'expired' : 'error' };
}

/** The step after a watch has ended: another watch from the last version, or a list; at once or after a delay. @internal */
const endOfWatch = {
  /** The server closed the watch normally. */
  closed<T>(state: WatchingState, turn: Turn<T>): Transition {
    const { startedAt, events, version, startVersion, endsAt } = state;
    const lastedMs = turn.at - startedAt;
    // The version must have advanced. Otherwise a server that sends the same events and closes would be watched again in a tight loop.
    const isAtOnce = lastedMs >= turn.context.settings.veryShortWatchMs || version !== startVersion;
    // One second of tolerance for clock drift. If the next watch does not follow at once, the server may be replaced in between.
    const memory = endOfWatch.settled(state, turn, isAtOnce && turn.at + 1000 >= endsAt);
    if (isAtOnce) return rewatch(state, memory);
    const why = `the server closed it after ${Math.round(lastedMs)} ms, ${events === 0 ? 'before any event' : 'without any news'}`;
    const next: Next = events === 0 ? { type: 'list', reason: 'error' } : { type: 'watch' };
    return later(state, memory, { code: 'ERR_WATCH', what: whatOf(state, turn), why }, next, turn);
  },

  /** Nothing came for `idleTimeoutMs`: the connection may be dead. */
  silent<T>(state: WatchingState, turn: Turn<T>): Transition {
    const memory = endOfWatch.settled(state, turn);
    if (state.openedAt !== undefined) return rewatch(state, memory);
    const why = `no sign of life for ${Math.round(turn.at - state.startedAt)} ms`;
    return later(state, memory, { code: 'ERR_WATCH_START', what: whatOf(state, turn), why, lost: true }, { type: 'watch' }, turn);
  },

  /** The request was refused, an ERROR event arrived, or the connection broke. */
  failed<T>(state: WatchingState, error: unknown, turn: Turn<T>): Transition {
    const kind = failureKind(error);
    const memory = noted(endOfWatch.settled(state, turn), kind);
    const code = state.openedAt === undefined ? 'ERR_WATCH_START' : 'ERR_WATCH';
    const failure = report.requestFailure(kind === 'expired' ? 'ERR_WATCH_EXPIRED' : code, whatOf(state, turn), error);
    if (kind !== 'connection' || !wasUseful(state, turn)) return later(state, memory, failure, nextAfter(kind, state), turn);
    return rewatch(state, report.failure(turn, memory, failure, { state: 'retrying', nextAttemptAt: turn.at }));
  },

  /**
   * The memory after a watch.
   *
   * Unless the server closed it at its timeout and the next one follows at once, the server may have been replaced by one restored from a backup: it is in
   * doubt until its version has been checked.
   */
  settled(state: WatchingState, turn: Turn<unknown>, onTime = false): Memory {
    const { memory, version, look } = state;
    const doubtedAt = look?.version ?? (onTime ? undefined : version);
    const proven = { failures: 0, connectionFailures: 0, expiredVersion: version === memory.expiredVersion ? version : undefined };
    return { ...memory, version, doubtedAt, ...(provesHealth(state, turn) && proven) };
  },
};

/** Fast path of `step` for valid changes that come together, as nearly all lines do; `undefined` where one of them needs a step of its own. @internal */
export function advanced(
  state: WatchingState,
  lines: WatchChunk<KubernetesObject>,
  at: number,
  { source, settings }: Context,
): WatchingState | undefined {
  if (state.openedAt === undefined || !state.ordered || state.look?.asked === false) return undefined;
  let { version } = state;
  for (const line of lines) {
    if (line.type === 'ERROR' || line.type === 'BOOKMARK' || watchLine.problem(line, source.expected) !== undefined) return undefined;
    const reached = resourceVersionOf(line.object) ?? '';
    if (watchLine.hasNoPlace(reached) || isOlderVersion(reached, version)) return undefined;
    version = reached;
  }
  // Fields are listed because a spread takes thirty times as long.
  return {
    type: 'watching',
    memory: state.memory,
    startedAt: state.startedAt,
    openedAt: state.openedAt,
    endsAt: state.endsAt,
    events: state.events + lines.length,
    dueAt: at + settings.idleTimeoutMs,
    startVersion: state.startVersion,
    version,
    ordered: true,
    look: state.look,
    relistedFrom: state.relistedFrom,
  };
}

/** A new watch from a version. @internal */
export function watchFrom(memory: Memory, version: string, endsAt: number, { at, context }: Turn<unknown>): WatchingState {
  return {
    type: 'watching',
    memory,
    startVersion: version,
    version,
    ordered: !watchLine.hasNoPlace(version),
    startedAt: at,
    openedAt: undefined,
    endsAt,
    events: 0,
    dueAt: at + context.settings.idleTimeoutMs,
    look: undefined,
    relistedFrom: undefined,
  };
}

/** Requests the version check if it is due. The server must have reached everything seen so far. */
function lookIfDue<T>(state: WatchingState, { at, effects }: Turn<T>): WatchingState {
  const { look, version } = state;
  if (look === undefined || look.asked || at < look.dueAt) return state;
  effects.push({ do: 'look' });
  return { ...state, look: { ...look, asked: true, version: isOlderVersion(look.version, version) ? version : look.version } };
}

/** The first byte or event of the watch: the watch is trusted, or its version check becomes due. */
function opened<T>(state: WatchingState, turn: Turn<T>): WatchingState {
  const open = { ...state, openedAt: turn.at };
  if (state.look === undefined) return { ...open, memory: report.link(turn, state.memory, 'watching') };
  const { look } = state;
  return look.failures > 0 ? open : lookIfDue({ ...open, look: { ...look, dueAt: turn.at } }, turn);
}

// Lines

function heard<T>(before: WatchingState, turn: Turn<T>): WatchingState {
  const state = { ...before, dueAt: turn.at + turn.context.settings.idleTimeoutMs };
  return before.openedAt === undefined ? opened(state, turn) : state;
}

/** Versions are opaque, so a lower one is accepted. But it may also mean that the server was restored from a backup: that is checked. */
function reach<T>(state: WatchingState, version: string, initial: boolean, turn: Turn<T>): WatchingState {
  const ordered = state.ordered || !initial;
  if (watchLine.hasNoPlace(version) || !ordered) return { ...state, ordered };
  const suspicious = state.ordered && !state.memory.unordered && isOlderVersion(version, state.version);
  const doubt: Look = { version: state.version, asked: false, dueAt: turn.at, failures: 0, ofOrder: true, again: false };
  return { ...state, ordered, version, look: state.look ?? (suspicious ? doubt : undefined) };
}

function bookmark<T>(state: WatchingState, version: string, turn: Turn<T>): WatchingState {
  if (version === '') {
    return { ...state, memory: report.oddLine(turn, state.memory, 'ERR_NO_RESOURCE_VERSION', 'a BOOKMARK came without a resourceVersion') };
  }
  const reached = reach(state, version, false, turn);
  report.bookmark(turn, reached.version);
  return reached;
}

function line<T extends KubernetesObject>(before: WatchingState, event: WatchEvent<T>, turn: Turn<T>): Transition {
  const { context } = turn;
  const state = heard(before, turn);
  if (event.type === 'ERROR') return endOfWatch.failed(state, watchLine.error(event.object), turn);
  const problem = watchLine.problem(event, context.source.expected);
  if (problem !== undefined) return { ...state, memory: report.oddLine(turn, state.memory, 'ERR_WATCH', `left out an event ${problem}`) };
  const counted = { ...state, events: state.events + 1 };
  const version = resourceVersionOf(event.object) ?? '';
  if (event.type === 'BOOKMARK') return lookIfDue(bookmark(counted, version, turn), turn);
  const reported = { ...counted, memory: report.missingVersion(turn, counted.memory, event) };
  const reached = reach(reported, version, event.type === 'ADDED', turn);
  report.emit(turn, watchLine.sourceEvent(event, context.source.scope, reached.version));
  return lookIfDue(reached, turn);
}

// The server's version

function looked<T>(state: WatchingState, current: string, turn: Turn<T>): Transition {
  const { look, memory } = state;
  if (look === undefined) return state;
  if (isOlderVersion(current, look.version)) {
    const what = `The server of ${turn.context.source.resource} has gone back from version ${look.version} to version ${current}`;
    turn.effects.push({ do: 'leave' });
    const reported = report.failure(turn, endOfWatch.settled(state, turn), { code: 'ERR_WATCH_EXPIRED', what }, { state: 'listing' });
    return { type: 'begin', memory: { ...reported, versionUnavailable: true }, next: { type: 'list', reason: 'expired' } };
  }
  if (look.again) return lookIfDue({ ...state, look: { ...look, asked: false, dueAt: turn.at, again: false } }, turn);
  const known = look.ofOrder ? { ...memory, unordered: true } : memory;
  return { ...state, look: undefined, memory: state.openedAt === undefined ? known : report.link(turn, known, 'watching') };
}

/** Schedules the check again; until then the watch continues, and is not trusted. */
function lookFailed<T>(state: WatchingState, cause: unknown, turn: Turn<T>): Transition {
  if (state.look === undefined) return state;
  const failures = state.look.failures + 1;
  const failure = report.requestFailure('ERR_LIST', `Cannot look at the version of ${turn.context.source.resource}`, cause);
  const { memory, dueAt } = report.retry(turn, state.memory, failure, failures);
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
 * The periodic list replaces the content, followed by newer events of the watch; the next watch starts from the newer of both versions. If the server
 * was restored from a backup, only the list counts.
 */
function relisted<T>(state: WatchingState, listed: string, turn: Turn<T>): Transition {
  const { relistedFrom, version } = state;
  if (relistedFrom === undefined) return state;
  const back = isOlderVersion(listed, relistedFrom);
  const reached = !back && isOlderVersion(listed, version) ? version : listed;
  const memory = endOfWatch.settled(state, turn);
  report.init(turn, 'period', memory);
  turn.effects.push({ do: 'handOver', above: back ? undefined : listed });
  report.ready(turn, reached);
  turn.effects.push({ do: 'leave' });
  const completed = lists.completed(turn, memory, reached);
  // The list does not confirm a version that only the watch has reached: it may come from a server that has been replaced since.
  return { type: 'begin', memory: reached === listed ? completed : { ...completed, doubtedAt: reached }, next: { type: 'watch' } };
}

function due<T>(state: WatchingState, turn: Turn<T>): Transition {
  if (turn.at >= state.dueAt) return endOfWatch.silent(state, turn);
  if (turn.at >= state.memory.relistAt) return relist(state, turn);
  return lookIfDue(state, turn);
}

/** The step from an open watch. @internal */
export function watching<T extends KubernetesObject>(state: WatchingState, happening: Happening<T>, turn: Turn<T>): Transition {
  switch (happening.type) {
    case 'progress':
      return heard(state, turn);
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
