import { everyChoice } from '../../spec/exhaustive/everyChoice.js';
import { electorMachine } from '../../spec/exhaustive/elector/electorMachine.js';
import { electorExplorations } from '../../spec/exhaustive/elector/explorations.js';
import { electorMutants } from '../../spec/exhaustive/elector/mutants.js';
import * as elector from '../../spec/exhaustive/elector/subject.js';
import { counterexampleText, type Exploration, explore } from '../../spec/exhaustive/explore.js';
import { reflectorExplorations } from '../../spec/exhaustive/reflector/explorations.js';
import { reflectorMutants } from '../../spec/exhaustive/reflector/mutants.js';
import { reflectorMachine } from '../../spec/exhaustive/reflector/reflectorMachine.js';
import * as reflector from '../../spec/exhaustive/reflector/subject.js';
import { relayExplorations } from '../../spec/exhaustive/relay/explorations.js';
import { relayMutants } from '../../spec/exhaustive/relay/mutants.js';
import { relayMachine } from '../../spec/exhaustive/relay/relayMachine.js';
import * as relay from '../../spec/exhaustive/relay/subject.js';
import { shardsExplorations } from '../../spec/exhaustive/shards/explorations.js';
import { shardsMutants } from '../../spec/exhaustive/shards/mutants.js';
import { shardsMachine } from '../../spec/exhaustive/shards/shardsMachine.js';
import * as shards from '../../spec/exhaustive/shards/subject.js';
import { turnsExplorations } from '../../spec/exhaustive/turns/explorations.js';
import { turnsMutants } from '../../spec/exhaustive/turns/mutants.js';
import * as turns from '../../spec/exhaustive/turns/subject.js';

/** What an exploration has come to. */
export interface Explored {
  readonly machine: string;
  readonly name: string;
  readonly words: string;
  readonly depth: number;
  readonly states: number;
  /** How often a program was run, where the state is inside of it. */
  readonly runs?: number;
  /** How many mutants of the machine are found. */
  readonly mutants: number;
}

function exploredOf(machine: string, name: string, words: string, mutants: number, exploration: Exploration): Explored {
  if (exploration.counterexample !== undefined) throw new Error(counterexampleText(exploration));
  const { depth, states, longestCalmMs } = exploration;
  console.log(`${machine}: ${name}: ${depth} moves, ${states} states, at rest after ${longestCalmMs} ms at most`);
  return { machine, name, words, depth, states, mutants };
}

/** Explores everything that the specs explore, as deep as they do. */
export function exploreAll(): readonly Explored[] {
  const { length: ofReflector } = reflectorMutants;
  const { length: ofElector } = electorMutants;
  return [
    ...Object.entries(reflectorExplorations).map(([name, { words, bounds, depth }]) =>
      exploredOf('reflector', name, words, ofReflector, explore(reflectorMachine(reflector, bounds), { depth })),
    ),
    ...Object.entries(electorExplorations).map(([name, { words, bounds, depth }]) =>
      exploredOf('elector', name, words, ofElector, explore(electorMachine(elector, bounds), { depth })),
    ),
    ...Object.entries(shardsExplorations).map(([name, { words, bounds, depth }]) =>
      exploredOf('shards', name, words, shardsMutants.length, explore(shardsMachine(shards, bounds), { depth })),
    ),
    ...Object.entries(relayExplorations).map(([name, { words, bounds, depth }]) =>
      exploredOf('relay', name, words, relayMutants.length, explore(relayMachine(relay, bounds), { depth })),
    ),
    ...Object.entries(turnsExplorations).map(([name, { words, acts, program }]) => {
      const { runs, problem } = everyChoice(program(turns, acts));
      if (problem !== undefined) throw new Error(problem);
      console.log(`turns: ${name}: ${acts} acts, ${runs} runs`);
      return { machine: 'turns', name, words, depth: acts, states: 0, runs, mutants: turnsMutants.length };
    }),
  ];
}
