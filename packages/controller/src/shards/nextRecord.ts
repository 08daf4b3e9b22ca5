import type { ShardRecord } from './shardRecord.js';

/**
 * Assigns slots to members evenly, moving as few as possible. Deterministic: members with the same view compute the same plan.
 * Owners and members are terms; without members, the owner of each slot is `''`.
 */
export function shardPlan(owners: readonly string[], members: readonly string[]): readonly string[] {
  const counts = new Map(members.map((member) => [member, 0]));
  for (const owner of owners) if (counts.has(owner)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  // Members with the most slots keep the remainder.
  const ranked = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const share = Math.floor(owners.length / Math.max(members.length, 1));
  const odd = owners.length - share * members.length;
  const wanted = new Map(ranked.map(([member], rank) => [member, rank < odd ? share + 1 : share]));

  const plan = owners.map((owner) => {
    const left = wanted.get(owner) ?? 0;
    if (left === 0) return '';
    wanted.set(owner, left - 1);
    return owner;
  });
  const takers = ranked.flatMap(([member]) => Array.from({ length: wanted.get(member) ?? 0 }, () => member));
  let next = 0;
  return plan.map((owner) => (owner === '' ? (takers[next++] ?? '') : owner));
}

/** What a member knows when it reads the record. */
export interface RecordView {
  /** Its term. */
  readonly self: string;
  /** Whether it is leaving the group. */
  readonly isLeaving: boolean;
  /** The terms that may still be valid. */
  readonly living: readonly string[];
  /** Whether a term is certainly over. */
  readonly isOver: (term: string) => boolean;
  /** Of a slot of its own: whether work may begin, is ending, or has ended. */
  readonly stateOf: (slot: number) => 'working' | 'draining' | 'quiet';
}

/** The next action of a member. */
export interface RecordStep {
  /** The record to write; undefined when nothing changes. */
  readonly next: ShardRecord | undefined;
  /** The slots whose work must end. */
  readonly drain: readonly number[];
}

/**
 * The rules for changing the record. Pure, so that every interleaving can be tested.
 *
 * - The slot of a valid term is changed only by the member with that term, and not before the work on the slot has ended.
 * - The slots of expired terms are assigned by the plan, all at once, by the first member that notices: each member gets its part in one step.
 * - A slot that moves gets a token higher than all others. So does a slot that was drained but stays with its owner: an earlier write may still be in flight
 *   and must not succeed.
 */
export function nextRecord(record: ShardRecord, { self, isLeaving, living, isOver, stateOf }: RecordView): RecordStep {
  const others = living.filter((term) => term !== self && !record.leaving.includes(term));
  const members = isLeaving ? others : [...others, self];
  const plan = shardPlan(record.owners, members);
  const epoch = record.epoch + 1;
  const owners = [...record.owners];
  const tokens = [...record.tokens];
  const drain: number[] = [];
  const give = (slot: number, owner: string): void => {
    owners[slot] = owner;
    tokens[slot] = epoch;
  };
  record.owners.forEach((owner, slot) => {
    const target = plan[slot] ?? '';
    if (owner !== self) {
      if (target !== '' && target !== owner && (owner === '' || isOver(owner))) give(slot, target);
      return;
    }
    const state = stateOf(slot);
    if (target === self) {
      if (state !== 'working') give(slot, self);
    } else if (state === 'working') drain.push(slot);
    else if (state === 'quiet') give(slot, target);
  });
  const leaving = record.leaving.filter((term) => !isOver(term));
  if (isLeaving && !leaving.includes(self)) leaving.push(self);
  const isSame = tokens.every((token, slot) => token === record.tokens[slot]) && leaving.join() === record.leaving.join();
  return { next: isSame ? undefined : { by: record.by, epoch, owners, tokens, leaving }, drain };
}
