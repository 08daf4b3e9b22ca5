import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CandidateInit, ElectionWorld } from './electionWorld.js';

/** 1,000 in each run of the tests; more by a flag. */
const runs = Number(process.env['ELECTION_RUNS'] ?? 1_000);

const initArb: fc.Arbitrary<CandidateInit> = fc.record({
  // The margin between the two is what clocks may differ: 1.5 here, and rates of 0.85 to 1.2 at most 1.42.
  leaseDurationMs: fc.constantFrom(15_000, 30_000, 60_000),
  renewDeadlineMs: fc.constantFrom(4_000, 10_000),
  offset: fc.integer({ min: 0, max: 10_000_000 }),
  rate: fc.double({ min: 0.85, max: 1.2, noNaN: true }),
});

class Act implements fc.Command<object, ElectionWorld> {
  private readonly name: string;
  private readonly act: (world: ElectionWorld) => void;

  constructor(name: string, act: (world: ElectionWorld) => void) {
    this.name = name;
    this.act = act;
  }

  check(): boolean {
    return true;
  }

  run(_model: object, world: ElectionWorld): void {
    this.act(world);
    expect(world.leaders().length).toBeLessThan(2);
    expect(world.tokens).toEqual([...new Set(world.tokens)].sort((one, other) => one - other));
  }

  toString(): string {
    return this.name;
  }
}

const who = fc.nat({ max: 2 });
const named =
  (name: string, act: (world: ElectionWorld, who: number) => void) =>
  (index: number): Act =>
    new Act(`${name} ${index}`, (world) => act(world, index));

const acts = [
  who.map(named('attempt', (world, index) => world.attempt(index))),
  who.map(named('begin', (world, index) => world.begin(index))),
  who.map(named('arrive', (world, index) => world.arrive(index))),
  who.map(named('answer', (world, index) => world.answer(index))),
  who.map(named('give up', (world, index) => world.giveUp(index))),
  who.map(named('freeze', (world, index) => world.freeze(index, true))),
  who.map(named('thaw', (world, index) => world.freeze(index, false))),
  who.map(named('crash', (world, index) => world.crash(index))),
  who.map(named('resign', (world, index) => world.resign(index))),
  fc.constant(new Act('arrive late', (world) => world.arriveLate())),
  fc.integer({ min: 1, max: 20_000 }).map((ms) => new Act(`pass ${ms}`, (world) => world.pass(ms))),
  fc.integer({ min: 1, max: 2_000 }).map((ms) => new Act(`pass ${ms}`, (world) => world.pass(ms))),
];

describe('electionStep over all interleavings', () => {
  it('never has two leaders, whatever is lost, late, frozen or killed, and every term has a higher token (LE-05) (LE-09)', () => {
    fc.assert(
      fc.property(fc.tuple(initArb, initArb, initArb), fc.commands(acts, { maxCommands: 120, size: 'max' }), (inits, commands) => {
        const world = new ElectionWorld(inits);
        fc.modelRun(() => ({ model: {}, real: world }), commands);
        // Then all is well for a while: somebody leads.
        for (const index of [0, 1, 2]) world.crash(index);
        for (let round = 0; round < 60 && world.leaders().length === 0; round += 1) {
          world.pass(2_000);
          for (const index of [0, 1, 2]) world.attempt(index);
        }
        expect(world.leaders()).toHaveLength(1);
      }),
      { numRuns: runs },
    );
  }, 60_000);
});
