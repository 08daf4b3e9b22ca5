import type { Memory, State } from '../../../src/source/reflector/state.js';
import { type Beside, type Client, contains, type List, type Log, type Place, type Watch, type World } from './world.js';

/** How many failures in a row are told apart: the longest wait is reached by then. */
const maxFailures = 2;

/** A time relative to now, in seconds; ages above the cap count as the cap, since nothing depends on them. */
function since(time: number | undefined, now: number, capMs: number): string {
  return time === undefined ? '-' : String(Math.min(now - time, capMs) / 1000);
}

function until(time: number, now: number, floorMs = 0): string {
  return time === Infinity ? '-' : String(Math.max(time - now, floorMs) / 1000);
}

function memoryKey(memory: Memory, now: number): string {
  const {
    version,
    versionUnavailable,
    consistent,
    undecodableVersion,
    expiredVersion,
    failures,
    connectionFailures,
    link,
    doubtedAt,
    unordered,
    relistAt,
    paginated,
  } = memory;
  const others = Math.min(failures - connectionFailures, maxFailures);
  const flags = (versionUnavailable ? 1 : 0) + (consistent ? 2 : 0) + (unordered ? 4 : 0) + (paginated ? 8 : 0);
  // An undecodable version is looked at only where it is the last one.
  const undecodable = undecodableVersion ?? '';
  return [
    ...[version, flags, undecodable, expiredVersion, Math.min(failures, maxFailures), others, link?.[0], doubtedAt, until(relistAt, now)],
  ].join();
}

function stateKey(state: State, now: number): string {
  const memory = memoryKey(state.memory, now);
  switch (state.type) {
    case 'waiting': {
      const { next } = state;
      const what =
        next.type === 'list'
          ? `${next.reason[0]}${next.plain === true ? 'p' : ''}${next.restarted === true ? 'r' : ''}`
          : `w${lookKey(next.look, now)}${next.relistedFrom ?? ''}`;
      return `W${memory}|${until(state.dueAt, now)}${what}`;
    }
    case 'listing':
      return `L${memory}|${state.asked.resourceVersion},${state.limit}`;
    case 'streaming': {
      const flags = `${state.restarted ? 'r' : ''}${state.framed ? 'f' : ''}${state.events > 0 ? 'e' : ''}`;
      const times = [
        since(state.startedAt, now, 1000),
        state.openedAt === undefined ? '-' : '+',
        until(state.dueAt, now),
        until(state.endsAt, now, 1000),
      ];
      return `S${memory}|${state.reason[0]}${state.resourceVersion}${flags}${times.join()}`;
    }
    case 'watching': {
      const { version, startVersion, startedAt, openedAt, dueAt, endsAt, events, look, relistedFrom } = state;
      const times = [since(startedAt, now, 1000), since(openedAt, now, 2000), until(dueAt, now), until(endsAt, now, 1000)];
      const flags = `${events > 0 ? 'e' : ''}${version === startVersion ? 's' : ''}${state.ordered ? 'o' : ''}`;
      return `V${memory}|${version}${flags}${times.join()}${lookKey(look, now)}/${relistedFrom ?? ''}`;
    }
  }
}

function lookKey(look: Extract<State, { type: 'watching' }>['look'], now: number): string {
  if (look === undefined) return '';
  const flags = (look.asked ? 1 : 0) + (look.ofOrder ? 2 : 0) + (look.again ? 4 : 0);
  return `?${look.version},${flags},${until(look.dueAt, now)},${Math.min(look.failures, maxFailures)}`;
}

function watchKey({ version, streams, isOpen, isDead, place, initial, isMarking }: Watch, places: (place?: Place) => string): string {
  const flags = (streams ? 1 : 0) + (isOpen ? 2 : 0) + (isDead ? 4 : 0) + (isMarking ? 8 : 0);
  return `${version},${flags},${places(place)},${initial.length}`;
}

function listKey({ version, served, ...list }: List, places: (place?: Place) => string): string {
  const flags =
    (list.isExact ? 1 : 0) + (list.isLimited ? 2 : 0) + (list.isPaginated ? 4 : 0) + (list.isRestarted ? 8 : 0) + (list.isDead ? 16 : 0);
  return `${version},${flags},${places(served)}`;
}

function clientKey({ state, list, watch, look }: Client, now: number, places: (place?: Place) => string): string {
  return [
    stateKey(state, now),
    list === undefined ? '' : listKey(list, places),
    watch === undefined ? '' : watchKey(watch, places),
    look === undefined ? '' : `${look.isDead ? 'd' : 'l'}${look.answer ?? ''}`,
  ].join(';');
}

function besideKey({ client, listed, watched }: Beside, now: number, places: (place?: Place) => string): string {
  const kept = [...listed, ...watched].map(({ object, version, isDeleted }) => `${object.metadata?.name}${version}${isDeleted ? '-' : ''}`);
  return `${clientKey(client, now, places)}:${listed.length}${kept.join()}`;
}

function logKey(log: Log): string {
  let key = '';
  for (const { name, type, version, id } of log) key += `${name[0]}${type[0]}${version}.${id} `;
  return key;
}

/**
 * The same key for worlds that behave alike. Times are relative and capped, failures in a row are capped, and of earlier requests only the
 * facts that later steps depend on are part of the key.
 */
export function keyOf(world: World): string {
  const { now, log, kept, cached, client, beside, told, base, left, isMixed, isBlind, isListWanted, refusedUntil, sent } = world;
  const places = (place?: Place): string => {
    if (place === undefined) return '';
    // A position in the server's current log is identified by its length alone.
    return contains(log, place) ? String(place.length) : `${place.length}!${logKey(place.log)}`;
  };
  const flags = (isMixed ? 1 : 0) + (isBlind ? 2 : 0) + (isListWanted ? 4 : 0);
  return [
    logKey(log),
    ...[kept, cached, left.writes, left.restores, left.restarts, left.compactions, left.faults, left.wishes],
    clientKey(client, now, places),
    beside === undefined ? '' : besideKey(beside, now, places),
    ...[told.stream[0], told.cache.a, told.cache.b, told.draft.a, told.draft.b, told.link?.[0], places(base), flags],
    ...[refusedUntil > now ? until(refusedUntil, now) : '', sent, world.problem ?? ''],
  ].join(' ');
}
