import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { WatchRequest } from '../../api/listerWatcher.js';
import { listing, lists } from './lists.js';
import { canStream, streaming } from './streaming.js';
import { report } from './report.js';
import type { Context, Effect, Happening, Look, Memory, Next, Transition, State, Turn, WaitingState } from './state.js';
import { watchFrom, watching } from './watching.js';

/** The request of a watch. Its timeout is random, so that many watches do not end together. */
function watchRequest(resourceVersion: string, { settings }: Context): WatchRequest & { readonly timeoutSeconds: number } {
  return {
    ...(resourceVersion !== '' && { resourceVersion }),
    allowWatchBookmarks: true,
    timeoutSeconds: Math.floor((settings.watchTimeoutMs / 1_000) * (1 + settings.random())),
  };
}

/** Schedules the version check: when the watch opens, or a little later if a proxy holds back the headers. */
function lookAt(version: string, asked: Look | undefined, { at, context }: Turn<unknown>): Look {
  if (asked?.asked === true) return { ...asked, again: true };
  return { version, asked: false, dueAt: at + context.settings.veryShortWatchMs, failures: 0, ofOrder: false, again: false };
}

function beginWatch<T>(memory: Memory, { look: asked, relistedFrom }: Extract<Next, { readonly type: 'watch' }>, turn: Turn<T>): State {
  const { at, context, effects } = turn;
  const { version, doubtedAt } = memory;
  const request = watchRequest(version, context);
  effects.push({ do: 'watch', request });
  const look = doubtedAt === undefined ? undefined : lookAt(doubtedAt, asked, turn);
  return { ...watchFrom(memory, version, at + request.timeoutSeconds * 1000, turn), look, relistedFrom };
}

function beginList<T>(before: Memory, next: Extract<Next, { readonly type: 'list' }>, turn: Turn<T>): State {
  const { at, context, effects } = turn;
  const { reason, plain = false, restarted = false } = next;
  const memory = report.link(turn, before, 'listing');
  report.init(turn, reason, memory);
  if (plain || !canStream || !lists.streams(memory, context, at)) {
    const { asked, limit } = lists.asked(memory, context, next.limit);
    // No version requests the most recent state; no limit requests everything at once.
    effects.push({ do: 'list', request: { ...(asked.resourceVersion !== '' && asked), ...(limit > 0 && { limit }) } });
    return { type: 'listing', memory, asked, limit, begun: false };
  }
  const resourceVersion = lists.streamedVersion(memory, context);
  const request = watchRequest(resourceVersion, context);
  effects.push({ do: 'watch', request: { ...request, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } });
  const endsAt = at + request.timeoutSeconds * 1000;
  const connection = { startedAt: at, openedAt: undefined, endsAt, events: 0, dueAt: at + context.settings.listTimeoutMs };
  return { type: 'streaming', memory, reason, resourceVersion, restarted, framed: false, ...connection };
}

function begin<T>(memory: Memory, next: Next, turn: Turn<T>): State {
  return next.type === 'watch' ? beginWatch(memory, next, turn) : beginList(memory, next, turn);
}

function waiting<T>(state: WaitingState, happening: Happening<T>, { at }: Turn<T>): Transition {
  if (happening.type !== 'due') return state;
  const { memory, next } = state;
  if (at >= state.dueAt) return { type: 'begin', memory, next };
  // A periodic list that is due replaces the watch.
  if (at >= memory.relistAt)
    return { ...state, memory: { ...memory, consistent: true, relistAt: Infinity }, next: { type: 'list', reason: 'period' } };
  return state;
}

function outcomeOf<T extends KubernetesObject>(state: State, happening: Happening<T>, turn: Turn<T>): Transition {
  if (happening.type === 'traceFailed') {
    const what = `The trace of ${turn.context.source.resource} failed`;
    return { ...state, memory: report.failure(turn, state.memory, { code: 'ERR_HANDLER', what, cause: happening.error }) };
  }
  if (happening.type === 'relistWanted') {
    // One that is under way goes on: wishes that come faster than lists would let none complete.
    const isUnderWay = state.type === 'watching' && state.relistedFrom !== undefined;
    return isUnderWay ? state : { ...state, memory: { ...state.memory, relistAt: turn.at } };
  }
  switch (state.type) {
    case 'waiting':
      return waiting(state, happening, turn);
    case 'listing':
      return listing(state, happening, turn);
    case 'streaming':
      return streaming(state, happening, turn);
    case 'watching':
      return watching(state, happening, turn);
  }
}

/**
 * One step of a reflector: computes the next state and the effects of a happening.
 *
 * It is pure: everything it depends on is passed in, including time and random numbers (`context.settings.random`).
 *
 * @param at - The time of the happening, in milliseconds of the scheduler's clock.
 * @internal
 */
export function step<T extends KubernetesObject>(
  state: State,
  happening: Happening<T>,
  at: number,
  context: Context,
): { readonly state: State; readonly effects: readonly Effect<T>[] } {
  const turn: Turn<T> = { at, context, effects: [] };
  const outcome = outcomeOf(state, happening, turn);
  return { state: outcome.type === 'begin' ? begin(outcome.memory, outcome.next, turn) : outcome, effects: turn.effects };
}

/** The next deadline of a state; `Infinity` for none. @internal */
export function dueAt(state: State): number {
  switch (state.type) {
    case 'listing':
      return Infinity;
    case 'streaming':
      return state.dueAt;
    case 'waiting':
      return state.next.type === 'watch' ? Math.min(state.dueAt, state.memory.relistAt) : state.dueAt;
    case 'watching': {
      const { look, memory } = state;
      return Math.min(state.dueAt, memory.relistAt, look === undefined || look.asked ? Infinity : look.dueAt);
    }
  }
}

/** The memory of a new reflector. @internal */
export const nothingKnown: Memory = {
  version: '',
  versionUnavailable: false,
  consistent: false,
  paginated: false,
  undecodableVersion: undefined,
  expiredVersion: undefined,
  failures: 0,
  connectionFailures: 0,
  link: undefined,
  doubtedAt: undefined,
  unordered: false,
  relistAt: Infinity,
};
