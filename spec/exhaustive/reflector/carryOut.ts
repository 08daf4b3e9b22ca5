import type { SourceEvent } from '../../../src/api/events.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ListRequest, WatchRequest } from '../../../src/api/listerWatcher.js';
import type { Context, Effect, Happening } from '../../../src/source/reflector/state.js';
import type * as subjects from './subject.js';
import {
  type Beside,
  type Client,
  contains,
  type Content,
  idOf,
  type Kept,
  type List,
  lengthUpTo,
  nobody,
  type Place,
  type Told,
  type Watch,
  versionAt,
  type World,
} from './world.js';

export type Subject = typeof subjects;
export type Role = 'client' | 'beside';
type Draft = { -readonly [Name in keyof World]: World[Name] };

/** What is explored, and chance: all of its draws in a step are low, or all are high. */
export interface Setting {
  readonly subject: Subject;
  readonly context: Context & { readonly refusals: Map<string, number> };
  readonly chance: { draws: number; value: number };
  /** Whether the server is older than `resourceVersionMatch`, and passes it over. */
  readonly ignoresMatch: boolean;
}

export const resource = 'pods';

export function clientOf(world: World, role: Role): Client {
  return role === 'client' ? world.client : (world.beside as Beside).client;
}

export function withClient(world: World, role: Role, client: Client): World {
  return role === 'client' ? { ...world, client } : { ...world, beside: { ...(world.beside as Beside), client } };
}

const withObject = (content: Content, { name, id }: { readonly name: 'a' | 'b'; readonly id: number }): Content =>
  content[name] === id ? content : { ...content, [name]: id };

/** Executes the effects of a reflector, as the class `Reflector` does. */
class Carrying {
  readonly world: Draft;
  private readonly setting: Setting;
  private readonly place: Place | undefined;
  private isStopped = false;

  /** @param place - the position in the server's log of the received data. */
  constructor(setting: Setting, world: World, place: Place | undefined) {
    this.setting = setting;
    this.world = { ...world };
    this.place = place;
  }

  happens(role: Role, happening: Happening<KubernetesObject>): void {
    const { subject, context } = this.setting;
    const { world } = this;
    const client = clientOf(world, role);
    context.refusals.set(resource, world.refusedUntil);
    const at = happening.type === 'due' ? Math.max(world.now, subject.dueAt(client.state)) : world.now;
    const { state, effects } = subject.step(client.state, happening, at, context);
    this.change(role, { state });
    for (const effect of effects) if (role === 'client' || !this.isStopped) this.carryOut(role, effect);
  }

  private change(role: Role, change: Partial<Client>): void {
    const { world } = this;
    const client = { ...clientOf(world, role), ...change };
    if (role === 'client') world.client = client;
    else world.beside = { ...(world.beside as Beside), client };
  }

  private carryOut(role: Role, effect: Effect<KubernetesObject>): void {
    const { world } = this;
    switch (effect.do) {
      case 'emit':
        if (role === 'client') this.tell(effect.event);
        else this.relisted(effect.event);
        break;
      case 'list': {
        this.send(role, { list: listOf(effect.request, this.setting) });
        break;
      }
      case 'watch': {
        this.send(role, { watch: watchOf(effect.request) });
        break;
      }
      case 'look':
        this.send(role, { look: { isDead: false } });
        break;
      case 'relist': {
        const state = { type: 'waiting', memory: effect.memory, dueAt: world.now, next: { type: 'list', reason: 'first' } } as const;
        world.beside = { client: { state }, listed: [], watched: [] };
        this.happens('beside', { type: 'due' });
        break;
      }
      case 'handOver':
        this.handOver(effect.above);
        break;
      case 'leave':
        this.change(role, { list: undefined, watch: undefined, look: undefined });
        if (role === 'client') world.beside = undefined;
        break;
      case 'refuse':
        world.refusedUntil = effect.until;
    }
  }

  private send(role: Role, request: Partial<Client>): void {
    this.world.sent += 1;
    this.change(role, request);
  }

  private fail(problem: string): void {
    this.world.problem ??= problem;
  }

  // What subscribers are told

  private told(change: Partial<Told>): void {
    this.world.told = { ...this.world.told, ...change };
  }

  private tell(event: SourceEvent<KubernetesObject>): void {
    const { stream, cache, draft } = this.world.told;
    if (event.type !== 'status' && event.type !== 'init' && stream === 'nothing') this.fail(`${event.type} comes before any list`);
    switch (event.type) {
      case 'init':
        this.told({ stream: 'listing', draft: nobody });
        break;
      case 'page':
        if (stream !== 'listing') this.fail('a page comes outside of a list');
        this.told({ draft: event.items.reduce((content, item) => withObject(content, written(item)), draft) });
        break;
      case 'ready':
        if (stream !== 'listing') this.fail('a list ends that has not begun');
        this.told({ stream: 'complete', cache: draft, draft: nobody });
        this.complete(event.resourceVersion);
        break;
      case 'bookmark':
        if (stream !== 'complete') this.fail('a bookmark comes inside of a list');
        this.read();
        break;
      case 'status':
        this.told({ link: event.state, nextAttemptAt: event.nextAttemptAt });
        break;
      default:
        this.tellObject(event, stream === 'listing' ? { draft } : { cache });
    }
  }

  private tellObject(
    event: Extract<SourceEvent<KubernetesObject>, { readonly object: unknown }>,
    into: { readonly cache: Content } | { readonly draft: Content },
  ): void {
    const { object, resourceVersion, type } = event;
    const isDeleted = type === 'deleted';
    const { beside } = this.world;
    if (beside !== undefined) {
      this.world.beside = { ...beside, watched: [...beside.watched, { object, version: resourceVersion, isDeleted }] };
    }
    const change = isDeleted ? { ...written(object), id: 0 } : written(object);
    if ('draft' in into) this.told({ draft: withObject(into.draft, change) });
    else {
      this.told({ cache: withObject(into.cache, change) });
      this.read();
    }
  }

  /** The cache now has the content that the server read at this position, unless it passed it before. */
  private read(): void {
    const { world, place } = this;
    if (place === undefined) return;
    if (!contains(place.log, world.base)) world.isMixed = true;
    if (place.length > world.base.length) world.sent = 0;
    world.base = place;
  }

  private complete(version: string): void {
    const { world } = this;
    const listed = world.beside?.place ?? this.place;
    if (listed === undefined) return;
    if (version === String(versionAt(listed))) world.base = listed;
    else world.base = { log: world.base.log, length: lengthUpTo(world.base.log, Number(version)) };
    world.isMixed = !contains(world.base.log, listed);
    world.isBlind = false;
    world.isListWanted = false;
  }

  // The list beside the watch

  private relisted(event: SourceEvent<KubernetesObject>): void {
    const { beside } = this.world;
    if (beside === undefined) return;
    switch (event.type) {
      case 'init':
        this.world.beside = { ...beside, listed: [] };
        break;
      case 'status':
        if (event.error !== undefined) this.tell({ ...event, state: this.world.client.state.memory.link ?? 'watching' });
        break;
      case 'ready':
        this.isStopped = true;
        this.world.beside = { ...beside, place: this.place, client: { state: beside.client.state } };
        this.happens('client', { type: 'relisted', resourceVersion: event.resourceVersion });
        break;
      case 'bookmark':
        break;
      default:
        this.world.beside = { ...beside, listed: [...beside.listed, ...keptOf(event)] };
    }
  }

  private handOver(above: string | undefined): void {
    const { listed = [], watched = [] } = this.world.beside ?? {};
    const newer = watched.filter(({ version }) => above !== undefined && Number(version) > Number(above));
    for (const { object, isDeleted, version } of [...listed, ...newer]) {
      this.tell({ type: isDeleted ? 'deleted' : 'added', object, resourceVersion: version });
    }
  }
}

/** A watch that its server has not accepted yet. */
export function watchOf({ resourceVersion: version = '', sendInitialEvents: streams = false }: WatchRequest): Watch {
  return { version, streams, isMarking: streams, isOpen: false, isDead: false, initial: [] };
}

/** A list as its server understands it. */
export function listOf({ resourceVersion: version = '', resourceVersionMatch, limit = 0 }: ListRequest, { ignoresMatch }: Setting): List {
  const isLimited = limit > 0;
  const match = ignoresMatch ? undefined : resourceVersionMatch;
  const isExact = match === 'Exact' || (match === undefined && isLimited && version !== '' && version !== '0');
  return { version, isExact, isLimited, isPaginated: false, isRestarted: false, isDead: false };
}

function written(object: KubernetesObject): { readonly name: 'a' | 'b'; readonly id: number } {
  return { name: object.metadata?.name as 'a' | 'b', id: idOf(object) };
}

function keptOf(
  event: Extract<SourceEvent<KubernetesObject>, { readonly type: 'page' | 'added' | 'modified' | 'deleted' }>,
): readonly Kept[] {
  if (event.type === 'page') return event.items.map((object) => ({ object, version: '', isDeleted: false }));
  return [{ object: event.object, version: event.resourceVersion, isDeleted: event.type === 'deleted' }];
}

/** The consequences of an event, one after the other: one world, or two if the outcome is random. */
export function happen(
  setting: Setting,
  world: World,
  role: Role,
  happenings: readonly Happening<KubernetesObject>[],
  place?: Place,
): readonly World[] {
  const { chance } = setting;
  const run = (value: number): World => {
    chance.value = value;
    const carrying = new Carrying(setting, world, place);
    for (const happening of happenings) carrying.happens(role, happening);
    return carrying.world;
  };
  const before = chance.draws;
  const early = run(0);
  return chance.draws > before ? [early, run(1)] : [early];
}
