import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { slotCount } from '../../../../src/api/shardFilter.js';
import { GroupWorld, timing, type WorldMember } from './groupWorld.js';
import { runs } from '../../../../spec/tier.js';

const histories = runs(10);
const slots = Array.from({ length: slotCount }, (_, slot) => slot);

/** A small generator of numbers, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Nobody begins on a slot while another one may be at work on it. */
function expectAlone(world: GroupWorld): void {
  for (const slot of slots) {
    const workers = world.workersOf(slot);
    if (workers.length > 1)
      throw new Error(`Slot ${slot} is ${workers.map(({ member }) => member.settings.identity).join(' and ')}'s at ${world.clock.now()}`);
  }
}

/** Every slot has an owner, whose work may begin, and all members have about the same number. */
function expectShared(world: GroupWorld): void {
  const counts = new Map<WorldMember, number>();
  for (const slot of slots) {
    const starters = world.startersOf(slot);
    expect({ slot, starters: starters.length }).toEqual({ slot, starters: 1 });
    for (const one of starters) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  const alive = world.members.filter(({ isAlive }) => isAlive).length;
  expect(counts.size).toBe(alive);
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(1);
}

const one = fc.nat(5);
const deed = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('join' as const), who: one }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('kill', 'leave', 'freeze', 'thaw', 'cut', 'mend'), who: one }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('work' as const), who: one, slot: fc.nat(slotCount - 1), ms: fc.nat(40_000) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), who: one, ms: fc.integer({ min: 10, max: 20_000 }) }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

async function act(world: GroupWorld, step: Deed): Promise<void> {
  const alive = world.members.filter(({ isAlive }) => isAlive);
  const who = alive[step.who % Math.max(alive.length, 1)];
  if (step.do === 'join' && alive.length < 5) world.join();
  if (step.do === 'pass') await world.advance(step.ms, () => expectAlone(world));
  if (who === undefined) return;
  if (step.do === 'work') work(world, who, step.slot, step.ms);
  if (step.do === 'kill') world.kill(who);
  if (step.do === 'leave') world.leave(who);
  if (step.do === 'freeze') world.freeze(who);
  if (step.do === 'thaw') world.thaw(who);
  if (step.do === 'cut' || step.do === 'mend') who.isCut = step.do === 'cut';
}

function work(world: GroupWorld, { member, scheduler, isFrozen }: WorldMember, slot: number, ms: number): void {
  const hold = member.holds.of(slot);
  if (!isFrozen && hold?.tenure.enter() === true) scheduler.schedule(() => hold.tenure.leave(), ms);
}

describe('a group of members', () => {
  it('never has two at work on one slot, and in the end everything is shared, whatever happens to them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: 30 }), fc.integer(), fc.nat(30), async (deeds, seed, lossAt) => {
        const world = new GroupWorld(randomOf(seed));
        world.join();
        await world.advance(2 * timing.retryPeriodMs, () => expectAlone(world));
        for (const [at, step] of deeds.entries()) {
          if (at === lossAt) world.loseRecord(seed % 2 === 0);
          await act(world, step);
        }
        for (const each of world.members) {
          each.isCut = false;
          if (each.isFrozen) world.thaw(each);
        }
        if (world.members.every(({ isAlive, leaving }) => !isAlive || leaving !== undefined)) world.join();
        // Time for running work, an expiring lease, handed-over slots, and once more for slots that were on their way to a member that is
        // gone. A lost record may take two leases more.
        await world.advance(2 * timing.leaseDurationMs + 2 * (timing.leaseDurationMs + timing.drainMs) + 20 * timing.retryPeriodMs, () =>
          expectAlone(world),
        );
        expectShared(world);
      }),
      { numRuns: histories, endOnFailure: true },
    );
  }, 600_000);

  it('leaves no slot out for longer than a lease and a drain', async () => {
    const world = new GroupWorld(randomOf(7));
    const free = new Map(slots.map((slot) => [slot, 0]));
    let longest = 0;
    let next = 0;
    const watch = (): void => {
      expectAlone(world);
      for (const slot of slots) {
        if (world.startersOf(slot).length > 0) free.set(slot, world.clock.now());
        else longest = Math.max(longest, world.clock.now() - (free.get(slot) ?? 0));
      }
      // Each has work on all that it has, of up to 10 s.
      if (world.clock.now() < next) return;
      next = world.clock.now() + 11_000;
      for (const each of world.members) for (const slot of slots) if (slot % 7 === 0) work(world, each, slot, 10_000);
    };
    const longestOf = async (deedOf: () => void): Promise<number> => {
      for (const slot of slots) free.set(slot, world.clock.now());
      longest = 0;
      deedOf();
      await world.advance(60_000, watch);
      expectShared(world);
      return longest;
    };
    // What a look and the requests take.
    const { leaseDurationMs, drainMs, retryPeriodMs } = timing;
    const looks = 2 * 1.2 * retryPeriodMs + 500;
    const [joined, joinedTwo] = [await longestOf(() => world.join()), await longestOf(() => [world.join(), world.join()])];
    const [killed, left] = [
      await longestOf(() => world.kill(world.members[0] as WorldMember)),
      await longestOf(() => world.leave(world.members[1] as WorldMember)),
    ];
    expect(joined).toBeLessThanOrEqual(looks);
    expect(joinedTwo).toBeLessThanOrEqual(drainMs + looks);
    expect(killed).toBeLessThanOrEqual(leaseDurationMs + looks);
    expect(left).toBeLessThanOrEqual(drainMs + looks);
  }, 600_000);
});
