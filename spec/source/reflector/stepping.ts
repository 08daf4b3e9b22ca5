import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { SourceEvent } from '../../../src/api/events.js';
import { nothingKnown, step } from '../../../src/source/reflector/step.js';
import { type ReflectOptions, reflectSettings } from '../../../src/source/reflector/reflectOptions.js';
import type {
  Context,
  Effect,
  Happening,
  ListingState,
  Memory,
  State,
  StreamingState,
  WaitingState,
  WatchingState,
} from '../../../src/source/reflector/state.js';

/** The start time of these specs; the clock of a state. */
export const begin = 1_000_000;

export function contextOf(options: ReflectOptions = {}, source: Partial<Context['source']> = {}): Context {
  return { settings: reflectSettings({ random: () => 0, ...options }), source: { resource: 'pods', ...source }, refusals: new Map() };
}

export function memoryOf(more: Partial<Memory> = {}): Memory {
  return { ...nothingKnown, version: '10', link: 'watching', ...more };
}

export function waitingOf(more: Partial<WaitingState> = {}): WaitingState {
  return { type: 'waiting', memory: memoryOf(), dueAt: begin, next: { type: 'watch' }, ...more };
}

export function listingOf(more: Partial<ListingState> = {}): ListingState {
  return { type: 'listing', memory: memoryOf({ link: 'listing' }), asked: { resourceVersion: '10' }, limit: 0, begun: false, ...more };
}

const connection = { startedAt: begin, openedAt: begin, endsAt: begin + 300_000, events: 0 };

/** A list is being streamed; its headers have arrived. */
export function streamingOf(more: Partial<StreamingState> = {}): StreamingState {
  return {
    ...{ type: 'streaming', memory: memoryOf({ link: 'listing' }), ...connection, dueAt: begin + 10_000 },
    ...{ reason: 'expired', resourceVersion: '10', restarted: false, framed: true },
    ...more,
  };
}

/** A watch is open, and trusted. */
export function watchingOf(more: Partial<WatchingState> = {}): WatchingState {
  return {
    ...{ type: 'watching', memory: memoryOf(), ...connection, dueAt: begin + 75_000, startVersion: '10', version: '10', ordered: true },
    ...{ look: undefined, relistedFrom: undefined },
    ...more,
  };
}

/** A watch that has brought an event, 50 ms after it began. */
export const busy: Partial<WatchingState> = { events: 3, version: '13' };
/** A watch that has shown no sign of life. */
export const unopened: Partial<WatchingState> = { openedAt: undefined, memory: memoryOf({ link: 'listing' }) };

function objectText({ metadata: { name = '?', resourceVersion = '' } = {} }: KubernetesObject): string {
  return `${name}@${resourceVersion}`;
}

function eventText(event: SourceEvent<KubernetesObject>): string {
  switch (event.type) {
    case 'init':
      return `init ${event.reason} ${event.previousResourceVersion}`.trimEnd();
    case 'page':
      return `page ${event.items.map(objectText).join(' ')}`;
    case 'ready':
    case 'bookmark':
      return `${event.type} ${event.resourceVersion}`;
    case 'status':
      return [
        event.state,
        event.error?.code,
        event.attempt && `#${event.attempt}`,
        event.nextAttemptAt && `in ${event.nextAttemptAt - begin}`,
      ]
        .filter((part) => part !== undefined)
        .join(' ');
    default:
      return `${event.type} ${objectText(event.object)}`;
  }
}

/** An effect in brief. */
export function effectText(effect: Effect<KubernetesObject>): string {
  switch (effect.do) {
    case 'emit':
      return eventText(effect.event);
    case 'list': {
      const { resourceVersion = 'most recent', resourceVersionMatch: match, limit } = effect.request;
      return `LIST ${resourceVersion}${match === undefined ? '' : ` ${match}`}${limit === undefined ? '' : ` limit=${limit}`}`;
    }
    case 'watch': {
      const { resourceVersion = 'most recent', sendInitialEvents } = effect.request;
      return `${sendInitialEvents === true ? 'WATCHLIST' : 'WATCH'} ${resourceVersion}`;
    }
    case 'handOver':
      return `hand over above ${effect.above}`;
    case 'refuse':
      return `refuse in ${effect.until - begin}`;
    default:
      return effect.do;
  }
}

/** The type of the state after a step, and its effects. */
export function stepped(
  state: State,
  happening: Happening<KubernetesObject>,
  { ms = 0, options = {}, source = {} }: { ms?: number; options?: ReflectOptions; source?: Partial<Context['source']> } = {},
): { readonly state: State; readonly done: string[] } {
  const after = step(state, happening, begin + ms, contextOf(options, source));
  return { state: after.state, done: after.effects.map(effectText) };
}
