import { describe, expect, it } from '@jest/globals';
import { slotCount } from '../../../../src/api/shardFilter.js';
import { fail } from '../reconcile/outcomeLog.js';
import { GroupWorld, timing, type WorldMember } from './groupWorld.js';

const { leaseDurationMs, renewDeadlineMs, retryPeriodMs, drainMs } = timing;
/** What a look and its requests take. */
const look = 1.2 * retryPeriodMs + 500;
const slots = Array.from({ length: slotCount }, (_, slot) => slot);

async function pass(world: GroupWorld, ms: number): Promise<void> {
  await world.advance(ms, () => undefined);
}

async function alone(): Promise<{ readonly world: GroupWorld; readonly first: WorldMember }> {
  const world = new GroupWorld(() => 0.5);
  const first = world.join();
  await pass(world, 2 * look);
  return { world, first };
}

describe('ShardMember', () => {
  it('says what it owns, who is there, and whether it may work', async () => {
    const { world, first } = await alone();
    const told: string[] = [];
    first.member.shard$.subscribe({
      next: (shard) => told.push(`${shard.slots.size} of ${shard.members.join(' and ')}${shard.isActive ? '' : ', may not work'}`),
      error: fail,
    });
    world.join();
    await pass(world, 4 * look);
    first.isCut = true;
    await pass(world, renewDeadlineMs + look);
    expect(told).toEqual(['128 of m0', '128 of m0 and m1', '64 of m0 and m1', '64 of m0 and m1, may not work']);
  });

  it('looks once in a retry period, and waits no longer for an answer than half the deadline', async () => {
    const { world } = await alone();
    world.join();
    await pass(world, 4 * look);
    for (const { verb, options } of world.requests.splice(0))
      expect({ verb, ms: options?.timeoutMs }).toEqual({ verb, ms: renewDeadlineMs / 2 });
    await pass(world, 10 * retryPeriodMs);
    const looks = world.requests.filter(({ verb }) => verb === 'list').length;
    expect(looks).toBeGreaterThanOrEqual(18);
    expect(looks).toBeLessThanOrEqual(20);
  });

  it('deletes the lease of a member that never came back, and no other', async () => {
    const { world } = await alone();
    const second = world.join();
    await pass(world, 4 * look);
    world.kill(second);
    await pass(world, 20 * leaseDurationMs);
    expect(world.leaseNames()).toEqual(['group', 'group.m0', 'group.m1']);
    await pass(world, 4 * leaseDurationMs);
    expect(world.leaseNames()).toEqual(['group', 'group.m0']);
    expect(world.requests.filter(({ verb }) => verb === 'delete')).toHaveLength(1);
  });

  it.each(['deleted', 'damaged', 'deleted before another one comes'])(
    'gives no slot two owners, and no token twice, when the record is %s',
    async (how) => {
      let turn = 0;
      const world = new GroupWorld(() => (turn = (turn + 0.37) % 1));
      for (let more = 0; more < 4; more += 1) {
        world.join();
        await pass(world, 6 * look);
      }
      const before = [...world.tokens];
      world.loseRecord(how === 'damaged');
      if (how.endsWith('comes')) world.join();
      const owners = (): number[] => slots.map((slot) => world.workersOf(slot).length);
      await world.advance(leaseDurationMs + 2 * look, () => expect(Math.max(...owners())).toBeLessThan(2));
      expect(owners()).toEqual(slots.map(() => 1));
      expect(world.tokens.every((token, slot) => token > (before[slot] ?? 0))).toBe(true);
    },
  );

  it('makes a record anew where all who knew it are dead', async () => {
    const { world, first } = await alone();
    await pass(world, 2 * retryPeriodMs);
    world.kill(first);
    world.loseRecord(false);
    const { member } = world.join();
    await pass(world, 2 * leaseDurationMs + 2 * look);
    expect(slots.every((slot) => member.holds.of(slot) !== undefined)).toBe(true);
  });

  it('aborts work that goes on for too long on a slot that has to go', async () => {
    const { world, first } = await alone();
    const holds = slots.map((slot) => first.member.holds.of(slot));
    for (const hold of holds) hold?.tenure.enter();
    world.join();
    await pass(world, drainMs);
    expect(holds.every((hold) => hold?.tenure.signal.aborted === false)).toBe(true);
    await pass(world, 2 * look);
    const reasons = holds.flatMap((hold) => (hold?.tenure.signal.aborted === true ? [String(hold.tenure.signal.reason)] : []));
    expect(reasons).toHaveLength(slotCount / 2);
    for (const reason of reasons) expect(reason).toContain(`Its work took longer than ${drainMs} ms, and another member takes over`);
  });

  it('waits for work when it leaves, and once more for aborted work', async () => {
    const { world, first } = await alone();
    first.member.holds.of(0)?.tenure.enter();
    let leftAt = 0;
    first.member.left$.subscribe({ next: () => (leftAt = world.clock.now()), error: fail });
    const begun = world.clock.now();
    world.leave(first);
    await pass(world, drainMs + retryPeriodMs + look);
    expect(leftAt - begun).toBe(drainMs + retryPeriodMs);
  });
});
