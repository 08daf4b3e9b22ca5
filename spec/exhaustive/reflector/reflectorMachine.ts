import type { ReflectOptions } from '../../../src/source/reflector/reflectOptions.js';
import type { State } from '../../../src/source/reflector/state.js';
import type { Machine, Move } from '../explore.js';
import { happen, resource, type Role, type Setting, type Subject, withClient } from './carryOut.js';
import { keyOf } from './keyOf.js';
import { RequestMoves } from './requestMoves.js';
import { type Change, type Client, contains, contentAt, type Log, nobody, objectAt, objectOf, versionAt, type World } from './world.js';

/** What may happen in one exploration, and how often. */
export interface ReflectorBounds {
  readonly writes: number;
  readonly restores: number;
  /** Of the server, which has an empty watch cache then, and its whole history. */
  readonly restarts: number;
  readonly compactions: number;
  readonly faults: number;
  /** For a list, as by a verification that has found a difference. */
  readonly wishes: number;
  /** Of requests without time passing, the server changing, or a watch bringing something new. */
  readonly requests: number;
  readonly options?: ReflectOptions;
  readonly relistBesideWatch?: boolean;
  readonly ignoresMatch?: boolean;
}

/** All times are whole seconds, and few, so that moves meet at the same ones. */
const fixed = {
  veryShortWatchMs: 1000,
  healthyWatchMs: 2000,
  watchListFirstFrameMs: 1000,
  watchListMarkerMs: 2000,
  watchListMemoryMs: 4000,
};
const timing = {
  idleTimeoutMs: 3000,
  listTimeoutMs: 2000,
  watchTimeoutMs: 4_000,
  backoff: { initialMs: 1000, maxMs: 2000, factor: 2, jitter: 1 },
};

const firstChanges: Log = (['a', 'b'] as const).map((name, at) => changeOf(name, 'ADDED', 11 + at, 1 + at));

export function changeOf(name: Change['name'], type: Change['type'], version: number, id: number): Change {
  return { name, type, version, id, object: objectOf(name, version, id) };
}

export function settingOf(
  subject: Subject,
  { options, ignoresMatch = false, relistBesideWatch = true }: Partial<ReflectorBounds> = {},
): Setting {
  const chance = { draws: 0, value: 0 };
  const random = (): number => {
    chance.draws += 1;
    return chance.value;
  };
  const settings = { ...subject.reflectSettings({ ...timing, random, ...options }), ...fixed, relistBesideWatch };
  return { subject, chance, ignoresMatch, context: { settings, source: { resource }, refusals: new Map() } };
}

export function reflectorMachine(subject: Subject, bounds: ReflectorBounds): Machine<World> {
  const { requests, options: _options, ignoresMatch: _ignoresMatch, relistBesideWatch: _beside, ...left } = bounds;
  const setting = settingOf(subject, bounds);
  const ofClient = new RequestMoves(setting, 'client');
  const ofBeside = new RequestMoves(setting, 'beside');
  const time = new Times(setting);

  const moves = (world: World): readonly Move<World>[] => [
    ...ofClient.of(world),
    ...(world.beside === undefined ? [] : ofBeside.of(world)),
    ...time.moves(world),
    ...serverMoves(world),
    ...wishes(world, setting),
  ];
  const problemOf = (world: World): string | undefined => problem(world, setting, requests);
  return {
    name: 'reflector',
    begin: beginOf(left, subject),
    moves,
    keyOf,
    problemOf,
    calm: {
      within: 60,
      isReached: (world) => isReached(world) || world.isBlind,
      next: (world) => calmMove(world, ofClient, ofBeside, time),
      timeOf: (from, to) => to.now - from.now,
    },
  };
}

export function beginOf(left: World['left'], { nothingKnown }: Subject): World {
  return {
    now: 1_000_000,
    ...{ log: firstChanges, kept: 0, cached: 0, nextId: 3, left, refusedUntil: 0 },
    client: { state: { type: 'waiting', memory: nothingKnown, dueAt: 1_000_000, next: { type: 'list', reason: 'first' } } },
    told: { stream: 'nothing', cache: nobody, draft: nobody, link: undefined, nextAttemptAt: undefined },
    ...{ base: { log: firstChanges, length: 0 }, isMixed: false, isBlind: false, isListWanted: false, sent: 0, problem: undefined },
  };
}

// Time

class Times {
  private readonly setting: Setting;

  constructor(setting: Setting) {
    this.setting = setting;
  }

  moves(world: World): readonly Move<World>[] {
    const { dueAt } = this.setting.subject;
    const { now, client, beside } = world;
    const dues: [Role, number][] = [
      ['client', dueAt(client.state)],
      ...(beside === undefined ? [] : [['beside', dueAt(beside.client.state)] as [Role, number]]),
    ];
    const next = Math.min(...dues.map(([, due]) => due));
    if (next === Infinity) return now < 0 ? [] : [this.pass(world, 1000)];
    const then = Math.max(next, now);
    const fired = dues
      .filter(([, due]) => due <= then)
      .flatMap(([role]) => {
        const name = `${role === 'beside' ? 'beside: ' : ''}${then > now ? `${(then - now) / 1000} s pass, and it is time` : 'it is time'}`;
        const worlds = happen(this.setting, then > now ? { ...world, now: then, sent: 0 } : world, role, [{ type: 'due' }]);
        return worlds.map((to, at) => ({ name: `${name}${worlds.length > 1 ? (at === 0 ? ' (early)' : ' (late)') : ''}`, to }));
      });
    return next > now ? [...fired, this.pass(world, 1000)] : fired;
  }

  private pass(world: World, ms: number): Move<World> {
    return { name: '1 s passes', to: { ...world, now: world.now + ms, sent: 0 } };
  }
}

function wishes(world: World, setting: Setting): readonly Move<World>[] {
  const { left } = world;
  if (left.wishes === 0) return [];
  const wanted = { ...world, isListWanted: true, sent: 0, left: { ...left, wishes: left.wishes - 1 } };
  return happen(setting, wanted, 'client', [{ type: 'relistWanted' }]).map((to) => ({ name: 'a list is wanted', to }));
}

// The server

function serverMoves(world: World): readonly Move<World>[] {
  const { log, left, kept } = world;
  const moves: Move<World>[] = [];
  if (left.writes > 0) {
    const isThere = (name: 'a' | 'b') => objectAt({ log, length: log.length }, name) !== undefined;
    moves.push(
      write(world, 'a', isThere('a') ? 'MODIFIED' : 'ADDED'),
      write(world, 'b', isThere('b') ? 'DELETED' : 'ADDED'),
      write(world, 'other', 'MODIFIED'),
    );
  }
  if (left.compactions > 0 && kept < log.length) {
    const compacted = { ...world, kept: log.length, cached: log.length, sent: 0, left: { ...left, compactions: left.compactions - 1 } };
    moves.push({ name: 'the server forgets what it had changed', to: compacted });
  }
  if (left.restarts > 0) {
    const restarted = { cached: log.length, sent: 0, left: { ...left, restarts: left.restarts - 1 } };
    moves.push({ name: 'the server starts anew, with an empty watch cache', to: { ...stopped(world), ...restarted } });
  }
  if (left.restores > 0) for (let length = 1; length < log.length; length += 1) moves.push(restore(world, length));
  return moves;
}

function write(world: World, name: Change['name'], type: Change['type']): Move<World> {
  const { log, left, nextId } = world;
  const version = versionAt({ log, length: log.length }) + 1;
  const change = changeOf(name, type, version, nextId);
  const to = { ...world, log: [...log, change], nextId: nextId + 1, sent: 0, left: { ...left, writes: left.writes - 1 } };
  return { name: `the server has ${name} ${type} at ${version}`, to };
}

/** The server stops. Its requests fail; the answer to a version check may be on its way. */
function stopped(world: World): World {
  const { log, beside } = world;
  const die = (client: Client): Client => ({
    ...client,
    list: client.list && { ...client.list, isDead: true },
    watch: client.watch && { ...client.watch, isDead: true, place: client.watch.place && { log, length: client.watch.place.length } },
    look: client.look && { isDead: true, answer: client.look.answer ?? versionAt({ log, length: log.length }) },
  });
  return { ...withClient(world, 'client', die(world.client)), beside: beside && { ...beside, client: die(beside.client) } };
}

/** The server stops, and is restored from an earlier state. */
function restore(world: World, length: number): Move<World> {
  const { log, left, kept, cached } = world;
  const history = { log: log.slice(0, length), kept: Math.min(kept, length), cached: Math.min(cached, length) };
  const to = { ...stopped(world), ...history, sent: 0, left: { ...left, restores: left.restores - 1 } };
  return { name: `the server is restored to version ${versionAt({ log, length })}`, to };
}

// What has to be

const waitsFor: Readonly<Record<State['type'], keyof Client | undefined>> = {
  waiting: undefined,
  listing: 'list',
  streaming: 'watch',
  watching: 'watch',
};

function clientProblem(client: Client, { subject, ignoresMatch }: Setting): string | undefined {
  const { state, list, watch, look } = client;
  const needs = waitsFor[state.type];
  if (needs !== undefined && client[needs] === undefined) return `${state.type} waits for a ${needs} that is not under way`;
  if (list?.isExact === true && !ignoresMatch) return 'a list asks for exactly a version, which may have expired for watches';
  if (list !== undefined && watch !== undefined) return 'a list and a watch are under way at once';
  if (list !== undefined && needs !== 'list') return `${state.type} has a list under way`;
  if (watch !== undefined && needs !== 'watch') return `${state.type} has a watch under way`;
  if (state.type !== 'listing' && subject.dueAt(state) === Infinity) return `${state.type} waits for nothing`;
  const asked = state.type === 'watching' && state.look?.asked === true;
  if (asked !== (look !== undefined)) return asked ? 'a look is waited for that is not under way' : 'a look is under way for nothing';
  return undefined;
}

function healthProblem({ client: { state }, told: { link, nextAttemptAt } }: World): string | undefined {
  const isSettling = state.type === 'watching' && (state.openedAt === undefined || state.look !== undefined);
  if (link === 'watching' && state.type !== 'watching') return `health says watching, and it is ${state.type}`;
  if (link === 'listing' && !isSettling && state.type !== 'listing' && state.type !== 'streaming')
    return `health says listing, and it is ${state.type}`;
  if (link !== 'retrying') return undefined;
  if (state.type === 'waiting')
    return nextAttemptAt === state.dueAt ? undefined : `health says that it tries again at ${nextAttemptAt}, and it is ${state.dueAt}`;
  return isSettling ? undefined : `health says retrying, and it is ${state.type}`;
}

function contentProblem({ client: { state }, told: { cache, stream }, base, isMixed }: World): string | undefined {
  if (stream === 'nothing' || isMixed || base.length === 0) return undefined;
  const { a, b } = contentAt(base);
  if (cache.a !== a || cache.b !== b) return `the cache has a ${cache.a} and b ${cache.b}, and the server had ${a} and ${b} there`;
  const claimed = state.type === 'watching' ? state.version : state.memory.version;
  return claimed === String(versionAt(base)) ? undefined : `it says version ${claimed}, and has read up to ${versionAt(base)}`;
}

function trustsRestored({ client: { state, watch }, isMixed, isBlind, log, base }: World): boolean {
  if (state.type !== 'watching' || state.openedAt === undefined || state.look !== undefined || watch?.isDead === true) return false;
  return !isBlind && (isMixed || !contains(log, base));
}

function problem(world: World, setting: Setting, requests: number): string | undefined {
  const { client, beside } = world;
  if (world.problem !== undefined) return world.problem;
  if (trustsRestored(world)) return 'it trusts a server that was restored to a version below its own';
  if (world.sent > requests) return `${world.sent} requests are sent at once`;
  const isListedBeside = client.state.type === 'watching' && client.state.relistedFrom !== undefined;
  if (isListedBeside !== (beside !== undefined))
    return isListedBeside ? 'a list beside is waited for' : 'a list beside is made for nothing';
  const ofBeside = beside === undefined ? undefined : clientProblem(beside.client, setting);
  return clientProblem(client, setting) ?? ofBeside ?? healthProblem(world) ?? contentProblem(world);
}

// What has to come

function isReached({ client, told, log, isListWanted }: World): boolean {
  const { a, b } = contentAt({ log, length: log.length });
  return (
    !isListWanted &&
    told.stream === 'complete' &&
    client.state.type === 'watching' &&
    told.link === 'watching' &&
    told.cache.a === a &&
    told.cache.b === b
  );
}

/** The server answers everything; where nothing is to be answered, time passes. */
function calmMove(world: World, ofClient: RequestMoves, ofBeside: RequestMoves, time: Times): Move<World> | undefined {
  const { list, watch, look } = world.client;
  const answers = ofClient.calm(world);
  // The answer to a version check comes last.
  if (look !== undefined) return answers.at(-1);
  const isRead = watch?.place !== undefined && !watch.streams && watch.place.length === world.log.length;
  const answer = list !== undefined || !isRead ? answers[0] : undefined;
  return answer ?? (world.beside === undefined ? undefined : ofBeside.calm(world)[0]) ?? time.moves(world)[0];
}
