import { initialEventsEndAnnotation, type WatchEvent } from '../../../src/api/listerWatcher.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { Happening } from '../../../src/source/reflector/state.js';
import type { Move } from '../explore.js';
import { clientOf, happen, type Role, type Setting, withClient } from './carryOut.js';
import {
  type Change,
  type Client,
  contains,
  lengthUpTo,
  type List,
  objectAt,
  type Place,
  versionAt,
  type Watch,
  type World,
} from './world.js';

/** The failures that a reflector distinguishes. */
export type FailureName = 'connection' | 'expired' | 'tooLarge' | 'busy' | 'internal' | 'forbidden' | 'unsupported' | 'decode';

export function failuresOf({ subject }: Setting): Readonly<Record<FailureName, Error>> {
  const status = (code: number, reason: string, causes: { reason: string; message: string }[] = []) =>
    subject.apiErrorOfStatus({
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason },
      ...(causes.length > 0 && { details: { causes } }),
    });
  return {
    connection: new Error('reset'),
    expired: status(410, 'Expired'),
    tooLarge: status(504, 'Timeout', [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]),
    busy: status(429, 'TooManyRequests'),
    internal: status(500, 'InternalError'),
    forbidden: status(403, 'Forbidden'),
    unsupported: status(422, 'Invalid'),
    decode: Object.assign(new Error('no JSON'), { code: 'ERR_DECODE' }),
  };
}

type Failures = ReturnType<typeof failuresOf>;

/** The moves of the requests of one reflector. */
export class RequestMoves {
  private readonly setting: Setting;
  private readonly failures: Failures;
  private readonly role: Role;
  private world!: World;
  private client!: Client;
  private moves: Move<World>[] = [];
  private isCalm = false;

  constructor(setting: Setting, role: Role) {
    this.setting = setting;
    this.failures = failuresOf(setting);
    this.role = role;
  }

  of(world: World): readonly Move<World>[] {
    this.world = world;
    this.client = clientOf(world, this.role);
    this.moves = [];
    this.list();
    this.watch();
    this.look();
    return this.moves;
  }

  /** The moves of a server that answers every request as soon as it can. */
  calm(world: World): readonly Move<World>[] {
    this.isCalm = true;
    const moves = this.of({ ...world, left: { writes: 0, restores: 0, restarts: 0, compactions: 0, faults: 0, wishes: 0 } });
    this.isCalm = false;
    return moves;
  }

  private happen(name: string, change: Partial<Client>, happenings: readonly Happening<KubernetesObject>[], place?: Place): void {
    const before = withClient(this.world, this.role, { ...this.client, ...change });
    const worlds = happenings.length === 0 ? [before] : happen(this.setting, before, this.role, happenings, place);
    const who = this.role === 'beside' ? 'beside: ' : '';
    worlds.forEach((to, at) =>
      this.moves.push({ name: `${who}${name}${worlds.length > 1 ? (at === 0 ? ' (early)' : ' (late)') : ''}`, to }),
    );
  }

  private fault(name: string, change: Partial<Client>, happening: Happening<KubernetesObject>): void {
    const { world } = this;
    if (world.left.faults === 0) return;
    this.world = { ...world, left: { ...world.left, faults: world.left.faults - 1 } };
    this.happen(name, change, [happening]);
    this.world = world;
  }

  // Lists

  private list(): void {
    const { list } = this.client;
    if (list === undefined) return;
    const fail = (kind: FailureName): void =>
      this.fault(`the list fails: ${kind}`, { list: undefined }, { type: 'listFailed', error: this.failures[kind] });
    if (list.isDead) {
      this.happen('the list loses its server', { list: undefined }, [{ type: 'listFailed', error: this.failures.connection }]);
      return;
    }
    if (list.served === undefined) {
      const places = this.placesOf(list);
      for (const place of places) this.serveList(place);
      if (list.version === '0' && list.isLimited) this.serveList(this.now(), true);
      if (places.length === 0 && !this.isTooLarge(list.version)) {
        this.happen('the list is refused: expired', { list: undefined }, [{ type: 'listFailed', error: this.failures.expired }]);
      }
      if (this.isTooLarge(list.version)) {
        this.happen('the list is refused: too large a version', { list: undefined }, [
          { type: 'listFailed', error: this.failures.tooLarge },
        ]);
      }
      for (const kind of ['connection', 'expired', 'busy'] as const) fail(kind);
      return;
    }
    const { served } = list;
    const rest = objectAt(served, 'b');
    const end = { type: 'end', resourceVersion: String(versionAt(served)), paginated: list.isPaginated } as const;
    this.happen('the list ends', { list: undefined }, rest === undefined ? [end] : [{ type: 'items', items: [rest] }, end], served);
    fail('connection');
    if (list.isRestarted) return;
    const again = { ...list, served: undefined, isRestarted: true };
    this.fault('the next page has expired', { list: again }, { type: 'restart', error: this.failures.expired });
  }

  private now(): Place {
    const { log } = this.world;
    return { log, length: log.length };
  }

  private serveList(place: Place, isPaginated = false): void {
    const first = objectAt(place, 'a');
    const { list } = this.client;
    if (list === undefined) return;
    const behind = this.world.log.length - place.length;
    const how = `${behind > 0 ? `, ${behind} behind` : ''}${isPaginated ? ', in pages' : ''}`;
    this.happen(
      `the server lists at ${versionAt(place)}${how}`,
      { list: { ...list, served: place, isPaginated } },
      first === undefined ? [] : [{ type: 'items', items: [first] }],
      place,
    );
  }

  /** Where a list may be read: where it says, or now, or, where the caller allows it, from a watch cache that is behind. */
  private placesOf({ version, isExact }: List): readonly Place[] {
    const { log, kept, cached } = this.world;
    const now = this.now();
    if (version === '') return [now];
    if (this.isTooLarge(version)) return [];
    const asked = version === '0' ? 0 : lengthUpTo(log, Number(version));
    if (isExact) return asked < kept ? [] : [{ log, length: asked }];
    const length = Math.max(asked, cached, 1);
    return length < log.length ? [now, { log, length }] : [now];
  }

  private isTooLarge(version: string): boolean {
    return Number(version) > versionAt({ log: this.world.log, length: this.world.log.length });
  }

  // Watches

  private watch(): void {
    const { watch } = this.client;
    if (watch === undefined) return;
    const without = { watch: undefined };
    const fail = (kind: FailureName): void => {
      const name = `the watch fails: ${kind}`;
      this.fault(name, without, { type: 'watchFailed', error: this.failures[kind] });
    };
    if (watch.isDead) {
      // The reflector is not notified that the watch is dead, and has to detect it.
      if (this.isCalm) return;
      this.happen('the watch loses its server', without, [{ type: 'watchFailed', error: this.failures.connection }]);
      // A watch that ends on time is not doubted: a server that is restored in that very second is taken to refuse the next one.
      if (!this.isOnTime()) this.happen('the dead watch is closed', without, [{ type: 'closed' }]);
      if (watch.isOpen && !watch.streams) this.bring(watch, 'from the dead watch comes');
      return;
    }
    if (!watch.isOpen) this.open(watch);
    else if (watch.streams) this.stream(watch);
    else this.live(watch);
    if (this.isCalm) return;
    this.happen('the watch is closed', without, [{ type: 'closed' }]);
    const kinds: readonly FailureName[] = watch.isOpen
      ? ['connection', 'expired', 'decode', 'internal']
      : ['connection', 'expired', 'busy', 'forbidden'];
    for (const kind of kinds) fail(kind);
    if (watch.streams && !watch.isOpen) fail('unsupported');
  }

  private isOnTime(): boolean {
    const { state } = this.client;
    return state.type === 'watching' && this.world.now + 1000 >= state.endsAt;
  }

  private line(name: string, watch: Watch, line: WatchEvent<KubernetesObject>, isNew = false): void {
    this.happen(name, { watch }, [{ type: 'line', line, isNew }], watch.place);
  }

  private open(watch: Watch): void {
    const { log, cached } = this.world;
    const { version, streams } = watch;
    const opens = (name: string, opened: Watch): void => this.happen(name, { watch: opened }, [{ type: 'progress' }], opened.place);
    if (streams) {
      if (this.isTooLarge(version)) {
        this.happen('the stream is refused: too large a version', { watch: undefined }, [
          { type: 'watchFailed', error: this.failures.tooLarge },
        ]);
        return;
      }
      const place = { log, length: log.length };
      const initial = (['a', 'b'] as const).filter((name) => objectAt(place, name) !== undefined);
      opens(`the stream opens at ${versionAt(place)}`, { ...watch, isOpen: true, place, initial });
      return;
    }
    const length = lengthUpTo(log, Number(version));
    if (length < cached) {
      this.happen('the watch is refused: expired', { watch: undefined }, [{ type: 'watchFailed', error: this.failures.expired }]);
      return;
    }
    opens('the watch opens', { ...watch, isOpen: true, place: { log, length } });
  }

  /** The objects of a streamed list, and its end. */
  private stream(watch: Watch): void {
    const { place, initial } = watch;
    const [name, ...rest] = initial;
    if (place === undefined) return;
    if (name !== undefined) {
      const object = objectAt(place, name) as KubernetesObject;
      this.line(`the stream brings ${name}`, { ...watch, initial: rest }, { type: 'ADDED', object }, true);
    } else {
      const annotations = { [initialEventsEndAnnotation]: 'true' };
      const metadata = { resourceVersion: String(versionAt(place)), annotations };
      this.line('the stream is complete', { ...watch, streams: false, isMarking: false }, { type: 'BOOKMARK', object: { metadata } });
    }
    if (this.world.left.faults > 0) this.bookmark(watch, 'the stream brings an unmarked bookmark', place);
  }

  private live(watch: Watch): void {
    const { log } = this.world;
    const place = watch.place as Place;
    this.bring({ ...watch, place: { log, length: place.length } }, 'the watch brings');
    // A watch may also repeat an event, or receive a line that is not an event.
    if (this.world.left.faults > 0) this.line('the watch brings what makes no sense', watch, { type: 'ADDED', object: {} });
  }

  /** Sends the next change, or a bookmark if there is none. */
  private bring(watch: Watch, words: string): void {
    const { log, length } = watch.place as Place;
    let at = length;
    // No server sends a version that is not above the one that was asked for.
    const isAbove = ({ version }: Change): boolean => version > Number(watch.version);
    while (at < log.length && ((log[at] as Change).name === 'other' || !isAbove(log[at] as Change))) at += 1;
    if (at < log.length) {
      const { type, name, object, version } = log[at] as Change;
      this.line(
        `${words} ${type} ${name} ${version}`,
        { ...watch, place: { log, length: at + 1 } },
        {
          type,
          object: type === 'DELETED' ? { metadata: { ...object.metadata, resourceVersion: String(version) } } : object,
        },
      );
      return;
    }
    const place = { log, length: log.length };
    const version = versionAt(place);
    if (version >= Number(watch.version)) this.bookmark({ ...watch, place }, `${words} a bookmark at ${version}`, place);
  }

  private bookmark(watch: Watch, name: string, place: Place): void {
    this.line(name, watch, { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(versionAt(place)) } } });
  }

  // Looks

  private look(): void {
    const { look } = this.client;
    if (look === undefined) return;
    const { log, base, isMixed } = this.world;
    if (look.answer !== undefined || !look.isDead) {
      const version = look.answer ?? versionAt({ log, length: log.length });
      const doubted = this.client.state.type === 'watching' ? this.client.state.look?.version : undefined;
      const isBlind = !look.isDead && version >= Number(doubted ?? Infinity) && (isMixed || !contains(log, base));
      const before = this.world;
      if (isBlind) this.world = { ...before, isBlind };
      this.happen(`the server says that it is at ${version}`, { look: undefined }, [{ type: 'looked', resourceVersion: String(version) }]);
      this.world = before;
    }
    const failed = { type: 'lookFailed', error: this.failures.connection } as const;
    if (look.isDead) this.happen('the look loses its server', { look: undefined }, [failed]);
    else this.fault('the look fails', { look: undefined }, failed);
  }
}
