import type { ShardRecord } from './shardRecord.js';

/**
 * Who is to own each slot: the members share them evenly, and as few as possible change hands. All members that see the same come to the same plan.
 * Owners and members are terms; without members, the owner of each slot is `''`.
 */
export function shardPlan(owners: readonly string[], members: readonly string[]): readonly string[] {
  const counts = new Map(members.map((member) => [member, 0]));
  for (const owner of owners) if (counts.has(owner)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  // Who has the most keeps the odd ones.
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

/** What a member knows when it looks at the record. */
export interface RecordView {
  /** Its term. */
  readonly self: string;
  /** Whether it is about to end. */
  readonly isLeaving: boolean;
  /** The terms that may be under way. */
  readonly living: readonly string[];
  /** Whether a term is certainly over. */
  readonly isOver: (term: string) => boolean;
  /** Of a slot that is its own: whether work may begin on it, is being ended, or has ended. */
  readonly stateOf: (slot: number) => 'working' | 'draining' | 'quiet';
}

/** What a member does about it. */
export interface RecordStep {
  /** The record as it is to be written; undefined when nothing is to be changed. */
  readonly next: ShardRecord | undefined;
  /** The slots on which work is to be ended. */
  readonly drain: readonly number[];
}

/**
 * The rules of who changes the record, and how. Pure, so that every interleaving can be tried.
 *
 * - The slot of a term that is under way is changed by that term alone, and not before the work on it has ended.
 * - The slots of a term that is over are given out as the plan says, all at once by whoever sees that first: each member gets its part in one step.
 * - Whatever changes hands gets a token above all others. So does what its owner keeps after all: an earlier change may still be on its way, and must not succeed.
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
  const leaving = record.leaving.filter((term) => term === self || !isOver(term));
  if (isLeaving && !leaving.includes(self)) leaving.push(self);
  const isSame = tokens.every((token, slot) => token === record.tokens[slot]) && leaving.join() === record.leaving.join();
  return { next: isSame ? undefined : { by: record.by, epoch, owners, tokens, leaving }, drain };
}
