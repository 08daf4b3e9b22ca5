import type { ShardRecord } from '../../../src/shards/shardRecord.js';
import type { Machine, Move } from '../../../../../spec/exhaustive/explore.js';
import type * as subjects from './subject.js';

/** Whole seconds, and few: a term lasts two without a renewal, and others take it to be over after three. */
export const timing = { deadlineMs: 2000, leaseMs: 3000 };

type Standing = 'working' | 'draining' | 'quiet';

interface Hold {
  readonly token: number;
  readonly standing: Standing;
}

interface Member {
  readonly state: 'out' | 'in' | 'leaving' | 'dead';
  /** Which term it is: a process that has lost its lease has another one. */
  readonly term: number;
  /** How often the lease was renewed. */
  readonly renewals: number;
  readonly until: number;
  /** For each member: the lease as last seen, and the time since when it is unchanged. */
  readonly seen: readonly ({ readonly term: number; readonly renewals: number; readonly at: number } | undefined)[];
  /** By slot: the token with which the member may work on it. */
  readonly holds: readonly (Hold | undefined)[];
  /** A write of the record that is under way, with its expected version. */
  readonly write?: { readonly next: ShardRecord; readonly version: number } | undefined;
}

export interface World {
  readonly now: number;
  readonly record: ShardRecord;
  readonly version: number;
  readonly members: readonly Member[];
  readonly left: { readonly deaths: number; readonly leaves: number };
  readonly problem: string | undefined;
}

export interface ShardsBounds {
  readonly members: number;
  readonly slots: number;
  readonly deaths: number;
  readonly leaves: number;
}

const termOf = (index: number, { term }: { readonly term: number }): string => `m${index}#${term}`;

class ShardsMoves {
  private readonly subject: typeof subjects;

  constructor(subject: typeof subjects) {
    this.subject = subject;
  }

  of(world: World): readonly Move<World>[] {
    const moves: Move<World>[] = [];
    world.members.forEach((one, index) => {
      const add = (name: string, to: World): void => void moves.push({ name: `m${index} ${name}`, to });
      if (one.state === 'out') add('joins', renew(world, index, { ...one, state: 'in' }));
      if (one.state !== 'in' && one.state !== 'leaving') return;
      add('renews', renew(world, index, one));
      if (one.write !== undefined) {
        add('has its write carried out', this.land(world, index, true));
        add('has its write carried out, and never hears of it', this.land(world, index, false));
      } else if (world.now < one.until) add('looks', this.look(world, index));
      if (one.holds.some((hold) => hold?.standing === 'draining')) add('ends its work', withMember(world, index, quiet(one)));
      const { left } = world;
      if (left.deaths > 0)
        add('dies', withMember({ ...world, left: { ...left, deaths: left.deaths - 1 } }, index, { ...one, state: 'dead' }));
      if (left.leaves > 0 && one.state === 'in') {
        add('is to leave', withMember({ ...world, left: { ...left, leaves: left.leaves - 1 } }, index, { ...one, state: 'leaving' }));
      }
    });
    moves.push({ name: '1 s passes', to: { ...world, now: world.now + 1000 } });
    moves.push({ name: '3 s pass', to: { ...world, now: world.now + 3000 } });
    return moves;
  }

  /** A second passes; every member renews its lease, ends draining work, and polls. */
  calm(before: World): Move<World> {
    let world: World = { ...before, now: before.now + 1000 };
    world.members.forEach(({ state }, index) => {
      if (state !== 'in' && state !== 'leaving') return;
      const one = (): Member => world.members[index] as Member;
      world = renew(world, index, one());
      world = withMember(world, index, quiet(one()));
      if (one().write !== undefined) world = this.land(world, index, true);
      world = this.look(world, index);
      if (one().write !== undefined) world = this.land(world, index, true);
    });
    return { name: '1 s passes, and all have looked', to: world };
  }

  /** Polls all leases and the record, and acts by the rules. */
  private look(world: World, index: number): World {
    const one = world.members[index] as Member;
    const seen = world.members.map(({ state, term, renewals }, other) => {
      const before = one.seen[other];
      if (state === 'out') return undefined;
      return before?.term === term && before.renewals === renewals ? before : { term, renewals, at: world.now };
    });
    const followed = follow({ ...one, seen }, index, world.record);
    const isLive = (at: number): boolean => world.now < at + timing.leaseMs;
    const { next, drain } = this.subject.nextRecord(world.record, {
      self: termOf(index, one),
      isLeaving: one.state === 'leaving',
      living: seen.flatMap((lease, other) => (lease !== undefined && isLive(lease.at) ? [termOf(other, lease)] : [])),
      isOver: (term) => {
        const lease = seen[Number(/^m(\d+)#/.exec(term)?.[1])];
        return lease === undefined || !term.endsWith(`#${lease.term}`) || !isLive(lease.at);
      },
      stateOf: (slot) => followed.holds[slot]?.standing ?? 'quiet',
    });
    const holds = followed.holds.map((hold, slot) => (hold !== undefined && drain.includes(slot) ? drained(hold) : hold));
    return withMember(world, index, { ...followed, holds, write: next && { next, version: world.version } });
  }

  private land(world: World, index: number, isAnswered: boolean): World {
    const one = world.members[index] as Member;
    const { next, version } = one.write as NonNullable<Member['write']>;
    const idle = withMember(world, index, { ...one, write: undefined });
    if (version !== world.version) return idle;
    const isLower = next.tokens.some((token, slot) => token < (world.record.tokens[slot] as number));
    const landed = { ...idle, record: next, version: version + 1, ...(isLower && { problem: 'a token went down' }) };
    return isAnswered && world.now < one.until ? withMember(landed, index, follow({ ...one, write: undefined }, index, next)) : landed;
  }
}

const drained = (hold: Hold): Hold => (hold.standing === 'working' ? { ...hold, standing: 'draining' } : hold);

function quiet(one: Member): Member {
  return { ...one, holds: one.holds.map((hold) => (hold?.standing === 'draining' ? { ...hold, standing: 'quiet' } : hold)) };
}

/** A late renewal begins another term, in which the member holds nothing. */
function renew(world: World, index: number, one: Member): World {
  const until = world.now + timing.deadlineMs;
  const isLate = one.term > 0 && world.now >= one.until;
  const begun = one.term === 0 || isLate ? { term: one.term + 1, holds: one.holds.map(() => undefined), write: undefined } : {};
  return withMember(world, index, { ...one, ...begun, renewals: one.renewals + 1, until });
}

/** A member holds exactly the slots that the record assigns to it. */
function follow(one: Member, index: number, { owners, tokens }: ShardRecord): Member {
  const self = termOf(index, one);
  const holds = one.holds.map((hold, slot): Hold | undefined => {
    if (owners[slot] !== self) return undefined;
    const token = tokens[slot] as number;
    return hold?.token === token ? hold : { token, standing: 'working' };
  });
  return { ...one, holds };
}

function withMember(world: World, index: number, member: Member): World {
  return { ...world, members: world.members.map((other, at) => (at === index ? member : other)) };
}

function isAtWork({ state, until, holds }: Member, slot: number, now: number): boolean {
  const hold = holds[slot];
  return (state === 'in' || state === 'leaving') && now < until && hold !== undefined && hold.standing !== 'quiet';
}

function problemOf({ problem, members, now, record }: World): string | undefined {
  const twice = record.owners.findIndex((_, slot) => members.filter((one) => isAtWork(one, slot, now)).length > 1);
  return problem ?? (twice < 0 ? undefined : `slot ${twice} is worked on twice at once`);
}

function recordKey({ owners, tokens, leaving, epoch }: ShardRecord, epochs: number): string {
  return `${owners.join()}.${tokens.map((token) => token - epochs).join()}.${leaving.join()}.${epoch - epochs}`;
}

function keyOf({ now, record, version, members, left, problem }: World): string {
  const epochs = Math.min(...record.tokens);
  const memberKey = ({ state, term, renewals, until, seen, holds, write }: Member): string =>
    [
      `${state[0]}${term}@${Math.max(until - now, 0)}`,
      ...holds.map((hold) => (hold === undefined ? '' : `${hold.token - epochs}${hold.standing[0]}`)),
      // For the lease of another member: whether it is unchanged, and since when.
      ...seen.map((lease, other) => {
        if (lease === undefined) return '';
        const of = members[other] as Member;
        return `${lease.term}${of.renewals === lease.renewals ? '=' : '<'}${Math.min(now - lease.at, timing.leaseMs)}`;
      }),
      write === undefined ? '' : `${recordKey(write.next, epochs)}${write.version === version ? '=' : '<'}`,
      String(renewals > 0),
    ].join(',');
  return [recordKey(record, epochs), ...members.map(memberKey), left.deaths, left.leaves, problem ?? ''].join(' ');
}

/** Whether every slot is worked on by a remaining member, and every remaining member has a slot. */
function isReached({ members, now, record }: World): boolean {
  const staying = members.filter(({ state }) => state === 'in');
  if (staying.length === 0) return true;
  const counts = staying.map((one) => record.owners.filter((_, slot) => isAtWork(one, slot, now)).length);
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum === record.owners.length && counts.every((count) => count >= Math.floor(sum / staying.length));
}

/** The rules of shards, for some members and slots. The leases themselves are taken to work as leader election shows. */
export function shardsMachine(subject: typeof subjects, { members, slots, ...left }: ShardsBounds): Machine<World> {
  const moves = new ShardsMoves(subject);
  const none = Array.from({ length: slots });
  const out: Member = {
    ...{ state: 'out', term: 0, renewals: 0, until: 0 },
    ...{ seen: Array.from({ length: members }, () => undefined), holds: none.map(() => undefined) },
  };
  return {
    name: 'shards',
    begin: {
      ...{ now: 1_000_000, version: 1, left, problem: undefined, members: Array.from({ length: members }, () => out) },
      record: { by: 'uid', epoch: 0, owners: none.map(() => ''), tokens: none.map(() => 0), leaving: [] },
    },
    moves: (world) => moves.of(world),
    ...{ keyOf, problemOf },
    calm: {
      within: 40,
      isReached,
      next: (world) => moves.calm(world),
      timeOf: (from, to) => to.now - from.now,
    },
  };
}
