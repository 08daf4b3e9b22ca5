import type { Mutant } from '../../../../../spec/exhaustive/mutants.js';
import type { ElectorBounds } from './electorMachine.js';

interface ElectorExploration {
  readonly words: string;
  readonly bounds: ElectorBounds;
  readonly depth: number;
}

/** The explorations of leader election. */
export const electorExplorations: Readonly<Record<'pair' | 'pauses' | 'crashes', ElectorExploration>> = {
  pair: {
    words: 'two candidates, longer; somebody deletes the lease',
    bounds: { candidates: 2, crashes: 0, stops: 0, deletions: 1 },
    depth: 10,
  },
  pauses: {
    words: 'three candidates that pause anywhere, writes that are lost or land late, work that writes',
    bounds: { candidates: 3, crashes: 0, stops: 0, deletions: 0 },
    depth: 8,
  },
  crashes: {
    words: 'the same, and one that is killed and starts again, and one that is told to stop',
    bounds: { candidates: 3, crashes: 1, stops: 1, deletions: 0 },
    depth: 7,
  },
};

/** A fixed defect, and how to reproduce it. */
interface Defect {
  readonly name: string;
  readonly bounds: ElectorBounds;
  /** The part of the pure function that fixed it, removed. */
  readonly mend?: Pick<Mutant, 'file' | 'from' | 'to'>;
  readonly problem: string;
  /** The steps of the attack. */
  readonly moves: readonly string[];
}

const none: ElectorBounds = { candidates: 3, crashes: 0, stops: 0, deletions: 0 };
const file = 'packages/controller/src/leader/tenure.ts';

/** The three defects of leadership that attacks have found. */
export const defects: readonly Defect[] = [
  {
    name: 'a write of a leadership that is over is sent again after a Retry-After',
    bounds: none,
    mend: {
      file,
      from: "case 'send':\n      return lasts(state, event.now) ?",
      to: "case 'send':\n      return state.phase !== 'over' ?",
    },
    problem: 'c0 writes as number 0 while c1 leads',
    moves: [
      'c0 begins work',
      'c0 writes, number 0, and is to come again later',
      'c1 tries',
      '3 s pass',
      'c1 is answered',
      'c1 is answered',
      'c0 writes, number 0, again',
    ],
  },
  {
    name: 'the lease is given back while calls of a loop work',
    bounds: { ...none, stops: 1 },
    mend: {
      file,
      from: "return { state: { ...state, works: state.works + 1 }, effects: ['grant'] };",
      to: "return { state, effects: ['grant'] };",
    },
    problem: 'c0 gives the lease back while number 0 works',
    moves: ['c0 begins work', 'c0 is told to stop', 'c0 gives the lease back'],
  },
  {
    // The client asks the tenure of its own leadership: `createManager` calls a controller again for each leadership.
    name: 'a client follows the leadership of the moment',
    bounds: { ...none, followsMoment: true },
    problem: 'what began as number 0 writes as number 1',
    moves: ['c0 begins work', '3 s pass', 'c0 tries', 'c0 is answered', 'c0 is answered', 'c0 writes, number 0'],
  },
];
