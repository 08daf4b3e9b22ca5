import { InformerError } from '../../api/errors/informerError.js';
import { initialEventsEndAnnotation, type WatchEvent } from '../../api/listerWatcher.js';
import { type KubernetesObject, resourceVersionOf } from '../../api/kubernetesObject.js';
import { type Failure, type FailureKind, failureKind, report } from './report.js';
import { lists } from './lists.js';
import type { Happening, Transition, StreamingState, Turn } from './state.js';
import { watchFrom, watchLine } from './watching.js';

/** Whether lists can be streamed; not in pages. @internal */
export const canStream: boolean = true;

/**
 * What to do after a streamed list ended early.
 *
 * - `restart`: stream it again, at once.
 * - `mostRecent`: stream it again, at once, without asking for a version.
 * - `later`: stream it again after a backoff.
 * - `list`: LIST instead, at once. `refused`: the same, and the server is not asked to stream lists for a while.
 */
type AfterStream = 'restart' | 'mostRecent' | 'later' | 'list' | 'refused';

function ended<T>(state: StreamingState, decided: AfterStream, failure: Failure, turn: Turn<T>): Transition {
  const { context, effects, at } = turn;
  const mustStream = context.settings.listStrategy === 'watchList' && (decided === 'list' || decided === 'refused');
  if (decided === 'later' || mustStream) return report.retryLater(turn, state.memory, failure, { type: 'list', reason: 'error' });

  effects.push({ do: 'leave' });
  const memory = report.failure(turn, state.memory, failure);
  if (decided === 'mostRecent')
    return { type: 'begin', memory: { ...memory, versionUnavailable: true }, next: { type: 'list', reason: 'expired' } };
  if (decided === 'refused') effects.push({ do: 'refuse', until: at + context.settings.watchListMemoryMs });
  const repeats = decided === 'restart';
  return { type: 'begin', memory, next: { type: 'list', reason: state.reason, restarted: repeats, plain: !repeats } };
}

function whatOf({ context }: Turn<unknown>): string {
  return `Cannot stream the list of ${context.source.resource}`;
}

/** Failures that a LIST would have, too. */
const common: ReadonlySet<FailureKind> = new Set(['tooManyRequests', 'unauthorized', 'credentials', 'notServed']);

function afterFailure(error: unknown, { openedAt, resourceVersion, restarted }: StreamingState): AfterStream {
  const kind = failureKind(error);
  if (kind === 'expired' || kind === 'tooLargeResourceVersion') return resourceVersion === '' ? 'list' : 'mostRecent';
  if (common.has(kind) || (kind === 'connection' && openedAt === undefined)) return 'later';
  if (kind === 'connection') return restarted ? 'list' : 'restart';
  return kind === 'unsupported' ? 'refused' : 'list';
}

function failed<T>(state: StreamingState, error: unknown, turn: Turn<T>): Transition {
  return ended(state, afterFailure(error, state), report.requestFailure('ERR_WATCH_LIST', whatOf(turn), error), turn);
}

function closed<T>(state: StreamingState, turn: Turn<T>): Transition {
  const lastedMs = turn.at - state.startedAt;
  const empty = state.events === 0 && lastedMs < turn.context.settings.veryShortWatchMs;
  const why = `the server closed it after ${Math.round(lastedMs)} ms, before the list was complete`;
  return ended(state, empty || state.restarted ? 'list' : 'restart', { code: 'ERR_WATCH_LIST', what: whatOf(turn), why }, turn);
}

/** The server does not support streamed lists. */
function unmarked<T>(state: StreamingState, why: string, turn: Turn<T>): Transition {
  return ended(state, 'refused', { code: 'ERR_WATCH_LIST', what: whatOf(turn), why }, turn);
}

/** The streamed list exceeded its deadline. */
function silent<T>(state: StreamingState, turn: Turn<T>): Transition {
  const { watchListFirstFrameMs, watchListMarkerMs } = turn.context.settings;
  if (state.openedAt === undefined) {
    const why = `no sign of life for ${Math.round(turn.at - state.startedAt)} ms`;
    return ended(state, 'list', { code: 'ERR_WATCH_LIST', what: whatOf(turn), why, lost: true }, turn);
  }
  const why = state.framed
    ? `no end of the list and no new key for ${watchListMarkerMs} ms`
    : `nothing came for ${watchListFirstFrameMs} ms after the headers`;
  return unmarked(state, why, turn);
}

/** Each line extends the idle deadline. Only a new key extends the deadline for the bookmark that ends the list. */
function alive<T>(state: StreamingState, progress: boolean, isNew: boolean, { at, context }: Turn<T>): StreamingState {
  const { watchListFirstFrameMs, watchListMarkerMs } = context.settings;
  const opensOnly = state.openedAt === undefined && progress;
  const waits = opensOnly ? at + watchListFirstFrameMs : state.framed && !isNew ? state.dueAt : at + watchListMarkerMs;
  // Fields are listed because a spread takes thirty times as long, and this runs for every object of a list.
  return {
    type: 'streaming',
    memory: state.memory,
    startedAt: state.startedAt,
    openedAt: state.openedAt ?? at,
    endsAt: state.endsAt,
    events: progress ? state.events : state.events + 1,
    dueAt: waits,
    reason: state.reason,
    resourceVersion: state.resourceVersion,
    restarted: state.restarted,
    framed: !opensOnly,
  };
}

/** The list is complete and the request continues as a watch. It counts as a new watch: the list alone does not prove its health. */
function goLive<T>(state: StreamingState, version: string, turn: Turn<T>): Transition {
  report.ready(turn, version);
  const memory = report.link(turn, lists.completed(turn, state.memory, version), 'watching');
  return { ...watchFrom(memory, version, state.endsAt, turn), openedAt: turn.at, ordered: true };
}

/** The end of the list. A bookmark without the annotation means that the server does not support streamed lists. */
function bookmark<T>(state: StreamingState, mark: KubernetesObject, turn: Turn<T>): Transition {
  if (mark.metadata?.annotations?.[initialEventsEndAnnotation] !== 'true') {
    return unmarked(state, 'the server sent a bookmark before the end of the list', turn);
  }
  const version = resourceVersionOf(mark);
  if (version !== undefined) return goLive(state, version, turn);
  const error = new InformerError({ code: 'ERR_NO_RESOURCE_VERSION', message: 'a BOOKMARK came without a resourceVersion' });
  return failed(state, error, turn);
}

function line<T extends KubernetesObject>(before: StreamingState, event: WatchEvent<T>, isNew: boolean, turn: Turn<T>): Transition {
  const state = alive(before, false, isNew, turn);
  if (event.type === 'ERROR') return failed(state, watchLine.error(event.object), turn);
  const { expected, scope } = turn.context.source;
  const problem = watchLine.problem(event, expected);
  if (problem !== undefined) {
    return { ...state, events: before.events, memory: report.oddLine(turn, state.memory, 'ERR_WATCH', `left out an event ${problem}`) };
  }
  if (event.type === 'BOOKMARK') return bookmark(state, event.object, turn);
  const memory = report.missingVersion(turn, state.memory, event);
  report.emit(turn, watchLine.sourceEvent(event, scope, resourceVersionOf(event.object) ?? ''));
  return memory === state.memory ? state : { ...state, memory };
}

/** The step from a streamed list. @internal */
export function streaming<T extends KubernetesObject>(state: StreamingState, happening: Happening<T>, turn: Turn<T>): Transition {
  switch (happening.type) {
    case 'progress':
      return alive(state, true, false, turn);
    case 'line':
      return line(state, happening.line, happening.isNew, turn);
    case 'closed':
      return closed(state, turn);
    case 'watchFailed':
      return failed(state, happening.error, turn);
    case 'due':
      return turn.at >= state.dueAt ? silent(state, turn) : state;
    default:
      return state;
  }
}

/** Whether an event of a streamed list is the first one of its object. @internal */
export function isNew(line: WatchEvent<KubernetesObject>, seen: Set<string>): boolean {
  if (line.type === 'ERROR' || line.type === 'BOOKMARK') return false;
  const { namespace = '', name = '', uid = `${namespace}/${name}` } = line.object.metadata ?? {};
  const before = seen.size;
  return seen.add(uid).size > before;
}
