import type { Cursor, Groups } from '../../../src/log/cursor.js';
import type { Machine, Move } from '../../../../../spec/exhaustive/explore.js';
import type * as subjects from './subject.js';

/**
 * The last entry of a key in a group; `isGone` if the key has left the group. Its position also identifies its value: no two entries have
 * the same.
 */
interface Entry {
  readonly key: number;
  readonly group: string;
  readonly seq: number;
  readonly isGone: boolean;
}

/** The content of a page under a key. */
interface Held {
  readonly group: string;
  readonly seq: number;
}

type Content = Readonly<Record<number, Held>>;

/** A page, by the rules of its protocol: rows are applied with a commit; revoked content is dropped at once. */
interface Page {
  readonly held: Content;
  /** Undefined after a deletion. */
  readonly pending: Readonly<Record<number, Held | undefined>>;
  readonly isAnew: boolean;
  readonly committedAt: number | undefined;
  /** The user for whose rights its content is complete; empty while some of it is missing. */
  readonly rightsId: string;
}

interface User {
  readonly visible: Groups;
  readonly cursor: Cursor | undefined;
  readonly page: Page;
}

interface World {
  readonly entries: readonly Entry[];
  readonly head: number;
  readonly floor: number;
  readonly users: readonly User[];
  readonly left: { readonly changes: number; readonly rights: number; readonly forgets: number; readonly cuts: number };
  readonly problem: string | undefined;
}

export interface RelayBounds {
  readonly users: number;
  readonly keys: number;
  readonly changes: number;
  readonly rights: number;
  readonly forgets: number;
  readonly cuts: number;
}

const groups = ['a', 'b'] as const;
const allRights: readonly Groups[] = [new Set<string>(), new Set(['a']), new Set(['b']), new Set(['a', 'b']), 'all'];
const newPage: Page = { held: {}, pending: {}, isAnew: true, committedAt: undefined, rightsId: '' };

const idOf = (visible: Groups): string => (visible === 'all' ? 'all' : `{${[...visible].sort().join()}}`);

function without<V>(content: Readonly<Record<number, V>>, isGone: (value: V) => boolean): Readonly<Record<number, V>> {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => !isGone(value)));
}

function withUser(world: World, index: number, user: User): World {
  return { ...world, users: world.users.map((one, at) => (at === index ? user : one)) };
}

/** The log after a key was set to a value in a group, or deleted. */
function withEntry(world: World, key: number, group: string | undefined): World {
  const before = world.entries.find((entry) => entry.key === key && !entry.isGone);
  let { head } = world;
  let entries = world.entries;
  const append = (entry: Omit<Entry, 'seq'>): void => {
    head += 1;
    entries = [...entries.filter((other) => other.key !== entry.key || other.group !== entry.group), { ...entry, seq: head }];
  };
  if (before !== undefined && before.group !== group) append({ key, group: before.group, isGone: true });
  if (group !== undefined) append({ key, group, isGone: false });
  return { ...world, entries, head, left: { ...world.left, changes: world.left.changes - 1 } };
}

class RelayMoves {
  private readonly subject: typeof subjects;
  private readonly bounds: RelayBounds;

  constructor(subject: typeof subjects, bounds: RelayBounds) {
    this.subject = subject;
    this.bounds = bounds;
  }

  of(world: World): readonly Move<World>[] {
    const { left } = world;
    const moves: Move<World>[] = [];
    if (left.changes > 0) {
      for (let key = 0; key < this.bounds.keys; key += 1) {
        const isThere = world.entries.some((entry) => entry.key === key && !entry.isGone);
        for (const group of groups) moves.push({ name: `k${key} changes in ${group}`, to: withEntry(world, key, group) });
        if (isThere) moves.push({ name: `k${key} is deleted`, to: withEntry(world, key, undefined) });
      }
    }
    const oldest = world.entries.find(({ isGone }) => isGone);
    if (left.forgets > 0 && oldest !== undefined) {
      const entries = world.entries.filter((entry) => entry !== oldest);
      moves.push({
        name: 'the oldest deletion is forgotten',
        to: { ...world, entries, floor: oldest.seq, left: { ...left, forgets: left.forgets - 1 } },
      });
    }
    world.users.forEach((user, index) => {
      if (left.rights > 0) {
        for (const visible of allRights) {
          if (idOf(visible) === idOf(user.visible)) continue;
          const to = { ...withUser(world, index, { ...user, visible }), left: { ...left, rights: left.rights - 1 } };
          moves.push({ name: `u${index} may see ${idOf(visible)}`, to });
        }
      }
      const written = this.write(world, index);
      if (written !== undefined) moves.push({ name: `u${index} is written to`, to: written });
      if (left.cuts > 0 && user.cursor !== undefined) {
        const page: Page = { ...user.page, pending: {}, isAnew: user.page.committedAt === undefined };
        moves.push({
          name: `u${index} is cut off`,
          to: { ...withUser(world, index, { ...user, cursor: undefined, page }), left: { ...left, cuts: left.cuts - 1 } },
        });
      }
    });
    return moves;
  }

  /** One write of at most one row: first the changed permissions, then the missing entries. Undefined if nothing is missing. */
  write(world: World, index: number): World | undefined {
    const { subject } = this;
    const { visible, cursor: before, page: pageBefore } = world.users[index] as User;
    const log = { head: world.head, floor: world.floor, groups: new Map(world.entries.map(({ group }) => [group, group])) };
    let page = pageBefore;
    let cursor = before;
    if (cursor === undefined) {
      const isSame = page.committedAt !== undefined && page.rightsId === idOf(visible) && page.committedAt >= world.floor;
      cursor = isSame ? subject.cursorAt(page.committedAt as number, visible) : subject.emptyCursor(visible);
      if (!isSame) page = { ...page, pending: {}, isAnew: true };
    }
    const step = subject.cursorStep(cursor, visible, log);
    if (step.drop.length > 0) {
      const isGone = (held: Held | undefined): boolean => held !== undefined && step.drop.includes(held.group);
      // An object that had moved to a dropped group is not in its former group either.
      const moved = Object.keys(page.pending).filter((key) => isGone(page.pending[Number(key)]) && key in page.held);
      const pending = { ...without(page.pending, isGone), ...Object.fromEntries(moved.map((key) => [key, undefined])) };
      page = { ...page, held: without(page.held, isGone), pending };
    }
    if (step.reset) page = { ...page, pending: {}, isAnew: true };
    cursor = step.cursor;
    page = { ...page, rightsId: cursor.fillAt === undefined ? idOf(visible) : '' };
    let problem: string | undefined;
    if (!subject.isCurrent(cursor, log) || page.isAnew) {
      const { from, wants } = subject.nextOf(cursor, log);
      const entry = world.entries.find(({ seq, group }) => seq > from && (wants?.(group) ?? true));
      if (entry !== undefined) {
        if (!subject.includes(visible, entry.group)) problem = `u${index} is sent k${entry.key} of ${entry.group}, which it may not see`;
        page = withRow(page, entry);
      }
      cursor = subject.sentTo(cursor, entry?.seq ?? world.head, log);
      if (subject.isCurrent(cursor, log)) page = committed(page, world.head, idOf(visible));
    }
    const to = withUser(world, index, { visible, cursor, page });
    const isSame = before === cursor && JSON.stringify(page) === JSON.stringify(pageBefore);
    return isSame ? undefined : { ...to, problem: problem ?? this.problemOf(to, index, log) };
  }

  private problemOf(world: World, index: number, log: Parameters<typeof subjects.isCurrent>[1]): string | undefined {
    const { subject } = this;
    const { visible, cursor, page } = world.users[index] as User;
    // After its stream was cut, a page shows its old content until the new list is complete, and removed content until the commit.
    const kept = page.isAnew ? [] : Object.entries(page.held).filter(([key]) => !(key in page.pending));
    for (const [key, held] of [...kept, ...Object.entries(page.pending)] as [string, Held | undefined][])
      if (held !== undefined && !subject.includes(visible, held.group))
        return `u${index} has k${key} of ${held.group}, which it may not see`;
    if (cursor === undefined || page.isAnew || !subject.isCurrent(cursor, log)) return undefined;
    const shown = world.entries.filter(({ group, isGone }) => !isGone && subject.includes(visible, group));
    const expected = shown.map(({ key, group, seq }) => `k${key} ${group} ${seq}`).sort();
    const has = Object.entries(page.held)
      .map(([key, { group, seq }]) => `k${key} ${group} ${seq}`)
      .sort();
    return expected.join() === has.join() ? undefined : `u${index} has [${has.join()}] and not [${expected.join()}]`;
  }
}

function withRow(page: Page, { key, group, seq, isGone }: Entry): Page {
  const latest = key in page.pending ? page.pending[key] : page.isAnew ? undefined : page.held[key];
  if (!isGone) return { ...page, pending: { ...page.pending, [key]: { group, seq } } };
  return latest?.group === group ? { ...page, pending: { ...page.pending, [key]: undefined } } : page;
}

function committed(page: Page, at: number, rightsId: string): Page {
  const all: Readonly<Record<number, Held | undefined>> = page.isAnew ? page.pending : { ...page.held, ...page.pending };
  const held = without(all, (one) => one === undefined) as Content;
  return { held, pending: {}, isAnew: false, committedAt: at, rightsId };
}

/** Only the order of positions counts. Keys are interchangeable, and so are users. */
function keyOf({ entries, head, floor, users, left }: World): string {
  const contents = users.flatMap(({ page }) => [page.held, page.pending]);
  const held = contents.flatMap((content) => Object.values(content).map((one: Held | undefined) => one?.seq));
  const cursors = users.flatMap(({ cursor, page }) => [cursor?.at, cursor?.fillAt, cursor?.fillFloor, page.committedAt]);
  const positions = [0, head, floor, ...entries.map(({ seq }) => seq), ...cursors, ...held].filter((one) => one !== undefined);
  const ranks = new Map([...new Set(positions)].sort((a, b) => a - b).map((seq, rank) => [seq, rank]));
  const rankOf = (position: number | undefined): string => (position === undefined ? '-' : String(ranks.get(position)));
  const names = new Map<string, number>();
  for (const key of [...entries.map((entry) => String(entry.key)), ...contents.flatMap(Object.keys)])
    if (!names.has(key)) names.set(key, names.size);
  const contentOf = (content: Readonly<Record<number, Held | undefined>>): string =>
    Object.entries(content)
      .map(([key, one]: [string, Held | undefined]) => `${String(names.get(key))}${one?.group ?? '-'}${rankOf(one?.seq)}`)
      .sort()
      .join(' ');
  const people = users.map(({ visible, cursor, page }) => {
    const stands =
      cursor && [rankOf(cursor.at), rankOf(cursor.fillAt), rankOf(cursor.fillFloor), idOf(cursor.shown), idOf(cursor.visible)].join(' ');
    return [
      idOf(visible),
      stands,
      contentOf(page.held),
      contentOf(page.pending),
      page.isAnew,
      rankOf(page.committedAt),
      page.rightsId,
    ].join(';');
  });
  const log = entries.map(({ key, group, seq, isGone }) => `${String(names.get(String(key)))}${group}${rankOf(seq)}${isGone ? '-' : ''}`);
  return [log.join(' '), rankOf(head), rankOf(floor), Object.values(left).join(' '), ...people.sort()].join('|');
}

/** Pages that follow one scope of a relay: cursors into its log, and permissions that are granted and revoked. */
export function relayMachine(subject: typeof subjects, bounds: RelayBounds): Machine<World> {
  const moves = new RelayMoves(subject, bounds);
  const { users, changes, rights, forgets, cuts } = bounds;
  const isServed = (world: World): boolean => world.users.every((_, index) => moves.write(world, index) === undefined);
  return {
    name: 'relay',
    begin: {
      ...{ entries: [], head: 0, floor: 0, problem: undefined, left: { changes, rights, forgets, cuts } },
      users: Array.from({ length: users }, () => ({ visible: new Set<string>(), cursor: undefined, page: newPage })),
    },
    moves: (world) => (world.problem === undefined ? moves.of(world) : []),
    keyOf,
    problemOf: ({ problem }) => problem,
    calm: {
      isReached: isServed,
      next: (world) => {
        const index = world.users.findIndex((_, at) => moves.write(world, at) !== undefined);
        const to = moves.write(world, index);
        return to && { name: `u${index} is written to`, to };
      },
      timeOf: () => 0,
      within: 4 * users * (bounds.keys * groups.length + 2),
    },
  };
}
