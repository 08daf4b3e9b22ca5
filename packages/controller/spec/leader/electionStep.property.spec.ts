import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CandidateInit, ElectionWorld } from './electionWorld.js';
import { runs } from '../../../../spec/tier.js';

/** 1,000 in each run of the tests; more with a flag. */
const histories = runs(4_000);

// The ratio between the two is the tolerated clock difference: 1.5 here, while rates of 0.85 to 1.2 differ by 1.42 at most.
const initArb: fc.Arbitrary<CandidateInit> = fc
  .record({
    leaseDurationMs: fc.constantFrom(15_000, 15_000, 60_000),
    offset: fc.integer({ min: 0, max: 10_000_000 }),
    rate: fc.constantFrom(0.85, 1, 1.2),
  })
  .map((init) => ({ ...init, renewDeadlineMs: (init.leaseDurationMs * 2) / 3 }));

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
    // Without `expect`, which costs more than all the rest.
    if (world.leaders().length > 1) throw new Error(`Two lead: ${world.leaders().join(' and ')}`);
    const [token = 0, before = -1] = world.tokens.slice(-2).reverse();
    if (token <= before && world.tokens.length > 1) throw new Error(`Token ${token} after ${before}`);
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

const send = (world: ElectionWorld, index: number): void => {
  world.begin(index);
  world.arrive(index);
};
const attempts = who.map(named('attempt', (world, index) => world.attempt(index)));
const sends = who.map(named('send', send));
const answers = who.map(named('answer', (world, index) => world.answer(index)));
const pauses = fc.constantFrom(1_000, 4_000, 6_000, 9_000, 15_500).map((ms) => new Act(`pass ${ms}`, (world) => world.pass(ms)));

/** A write that the server applies at once, but answers late; another candidate polls meanwhile. */
const slowWrites = fc.tuple(who, who, fc.integer({ min: 1_000, max: 12_000 })).map(
  ([index, other, ms]) =>
    new Act(`slow ${index} ${other} ${ms}`, (world) => {
      send(world, index);
      world.answer(index);
      world.arrive(index);
      world.attempt(other);
      world.pass(ms);
      world.answer(index);
    }),
);

/** Frequent actions are listed several times. */
const acts = [
  ...[attempts, attempts, attempts, sends, answers, slowWrites, slowWrites, pauses, pauses, pauses],
  who.map(named('begin', (world, index) => world.begin(index))),
  who.map(named('arrive', (world, index) => world.arrive(index))),
  who.map(named('give up', (world, index) => world.giveUp(index))),
  who.map(named('freeze', (world, index) => world.freeze(index, true))),
  who.map(named('thaw', (world, index) => world.freeze(index, false))),
  who.map(named('crash', (world, index) => world.crash(index))),
  who.map(named('resign', (world, index) => world.resign(index))),
  fc.constant(new Act('arrive late', (world) => world.arriveLate())),
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
      { numRuns: histories },
    );
  }, 600_000);
});
