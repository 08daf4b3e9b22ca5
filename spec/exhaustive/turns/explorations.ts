import type { Choose } from '../everyChoice.js';
import { snapshotsProgram } from './snapshots.js';
import type * as subjects from './subject.js';
import { trampolinesProgram } from './trampolines.js';

interface TurnsExploration {
  readonly words: string;
  /** How many things are done in all. */
  readonly acts: number;
  readonly program: (subject: typeof subjects, acts: number) => (choose: Choose) => string | undefined;
}

/** What is explored of snapshots and trampolines. */
export const turnsExplorations: Readonly<
  Record<'snapshots' | 'one trampoline' | 'two trampolines' | 'four trampolines', TurnsExploration>
> = {
  snapshots: {
    words: 'four subscribers that join, leave and change the cache, also while they are told',
    acts: 6,
    program: snapshotsProgram,
  },
  'one trampoline': {
    words: 'work in every phase of a turn, asked for inside and outside of turns, that may throw',
    acts: 4,
    program: (subject, acts) => trampolinesProgram(subject, 1, acts),
  },
  'two trampolines': {
    words: 'the same of two, which join',
    acts: 4,
    program: (subject, acts) => trampolinesProgram(subject, 2, acts),
  },
  'four trampolines': {
    words: 'the same of four, which join',
    acts: 3,
    program: (subject, acts) => trampolinesProgram(subject, 4, acts),
  },
};
