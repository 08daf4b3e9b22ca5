import { everyChoice } from '../../../spec/exhaustive/everyChoice.js';
import { electorMachine } from '../../../packages/controller/spec/exhaustive/elector/electorMachine.js';
import { electorExplorations } from '../../../packages/controller/spec/exhaustive/elector/explorations.js';
import { electorMutants } from '../../../packages/controller/spec/exhaustive/elector/mutants.js';
import * as elector from '../../../packages/controller/spec/exhaustive/elector/subject.js';
import { boundsOf, type Bounds, counterexampleText, type Exploration, explore, type Machine } from '../../../spec/exhaustive/explore.js';
import { reflectorExplorations } from '../../../spec/exhaustive/reflector/explorations.js';
import { reflectorMutants } from '../../../spec/exhaustive/reflector/mutants.js';
import { reflectorMachine } from '../../../spec/exhaustive/reflector/reflectorMachine.js';
import * as reflector from '../../../spec/exhaustive/reflector/subject.js';
import { relayExplorations } from '../../../packages/relay/spec/exhaustive/relay/explorations.js';
import { relayMutants } from '../../../packages/relay/spec/exhaustive/relay/mutants.js';
import { relayMachine } from '../../../packages/relay/spec/exhaustive/relay/relayMachine.js';
import * as relay from '../../../packages/relay/spec/exhaustive/relay/subject.js';
import { shardsExplorations } from '../../../packages/controller/spec/exhaustive/shards/explorations.js';
import { shardsMutants } from '../../../packages/controller/spec/exhaustive/shards/mutants.js';
import { shardsMachine } from '../../../packages/controller/spec/exhaustive/shards/shardsMachine.js';
import * as shards from '../../../packages/controller/spec/exhaustive/shards/subject.js';
import { turnsExplorations } from '../../../spec/exhaustive/turns/explorations.js';
import { turnsMutants } from '../../../spec/exhaustive/turns/mutants.js';
import * as turns from '../../../spec/exhaustive/turns/subject.js';

/** The results of an exploration. */
export interface Explored {
  readonly machine: string;
  readonly name: string;
  readonly words: string;
  readonly depth: number;
  readonly states: number;
  /** The number of runs of the program, if its state is inside it. */
  readonly runs?: number;
  /** The number of killed mutants of the machine. */
  readonly mutants: number;
  /** The depth reached with `EXPLORE_MINUTES`. */
  readonly deep?: { readonly minutes: number; readonly depth: number; readonly states: number } | undefined;
}

type Words = Pick<Explored, 'name' | 'words' | 'depth' | 'mutants'>;

function explored<State>(machine: Machine<State>, name: string, bounds: Bounds): Exploration {
  const exploration = explore(machine, bounds);
  if (exploration.counterexample !== undefined) throw new Error(counterexampleText(exploration));
  const { depth, states, longestCalmMs } = exploration;
  console.log(`${machine.name}: ${name}: ${depth} moves, ${states} states, at rest after ${longestCalmMs} ms at most`);
  return exploration;
}

/**
 * Explores as deep as the specs and, with `EXPLORE_MINUTES`, for that time as well. Otherwise, the deep result of the last exploration is
 * kept if nothing has changed since.
 */
function exploredOf<State>(machine: Machine<State>, of: Words, before: readonly Explored[]): Explored {
  const { states } = explored(machine, of.name, { depth: of.depth });
  const known = before.find((one) => one.machine === machine.name && one.name === of.name && one.states === states);
  const { ms } = boundsOf(of.depth);
  const far = ms === undefined ? undefined : explored(machine, of.name, { ms });
  const deep = ms === undefined || far === undefined ? known?.deep : { minutes: ms / 60_000, depth: far.depth, states: far.states };
  return { machine: machine.name, ...of, states, deep };
}

/** Runs all explorations of the specs. `before` are the results of the last time. */
export function exploreAll(before: readonly Explored[]): readonly Explored[] {
  return [
    ...Object.entries(reflectorExplorations).map(([name, { words, bounds, depth }]) =>
      exploredOf(reflectorMachine(reflector, bounds), { name, words, depth, mutants: reflectorMutants.length }, before),
    ),
    ...Object.entries(electorExplorations).map(([name, { words, bounds, depth }]) =>
      exploredOf(electorMachine(elector, bounds), { name, words, depth, mutants: electorMutants.length }, before),
    ),
    ...Object.entries(shardsExplorations).map(([name, { words, bounds, depth }]) =>
      exploredOf(shardsMachine(shards, bounds), { name, words, depth, mutants: shardsMutants.length }, before),
    ),
    ...Object.entries(relayExplorations).map(([name, { words, bounds, depth }]) =>
      exploredOf(relayMachine(relay, bounds), { name, words, depth, mutants: relayMutants.length }, before),
    ),
    ...Object.entries(turnsExplorations).map(([name, { words, acts, program }]) => {
      const { runs, problem } = everyChoice(program(turns, acts));
      if (problem !== undefined) throw new Error(problem);
      console.log(`turns: ${name}: ${acts} acts, ${runs} runs`);
      return { machine: 'turns', name, words, depth: acts, states: 0, runs, mutants: turnsMutants.length };
    }),
  ];
}
