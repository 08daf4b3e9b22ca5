import type { ElectorBounds } from './electorMachine.js';

interface ElectorExploration {
  readonly words: string;
  readonly bounds: ElectorBounds;
  readonly depth: number;
}

/** What is explored of leader election. */
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

/** The three defects of leadership that attacks have found, as the program was before they were mended. */
export const defects: Readonly<Record<string, ElectorBounds>> = {
  'a write of a leadership that is over is sent again after a Retry-After': {
    candidates: 3,
    crashes: 0,
    stops: 0,
    deletions: 0,
    sendsBlindly: true,
  },
  'the lease is given back while a promise works': { candidates: 3, crashes: 0, stops: 1, deletions: 0, leavesWork: true },
  'a client follows the leadership of the moment': { candidates: 3, crashes: 0, stops: 0, deletions: 0, followsMoment: true },
};
