import type { ReflectorBounds } from './reflectorMachine.js';

interface ReflectorExploration {
  readonly bounds: ReflectorBounds;
  /** In a run of the tests. */
  readonly depth: number;
  /** What is explored, for people. */
  readonly words: string;
}

/** The explorations of the reflector. */
export const reflectorExplorations: Readonly<
  Record<'lists' | 'pages' | 'unmatched' | 'restores' | 'streams' | 'periods' | 'wishes' | 'streamedWishes' | 'polls', ReflectorExploration>
> = {
  lists: {
    words: 'lists in pages',
    bounds: { writes: 2, restores: 1, restarts: 1, compactions: 1, faults: 1, wishes: 0, requests: 4, options: { listStrategy: 'list' } },
    depth: 8,
  },
  pages: {
    words: 'lists in pages of one object, and a server that starts anew',
    bounds: {
      ...{ writes: 1, restores: 0, restarts: 1, compactions: 0, faults: 1, wishes: 0, requests: 4 },
      options: { listStrategy: 'list', pageSize: 1 },
    },
    depth: 10,
  },
  unmatched: {
    words: 'the same, and the server does not know `NotOlderThan`',
    bounds: {
      ...{ writes: 1, restores: 0, restarts: 1, compactions: 0, faults: 1, wishes: 0, requests: 4, ignoresMatch: true },
      options: { listStrategy: 'list', pageSize: 1 },
    },
    depth: 10,
  },
  restores: {
    words: 'a server that is restored from a backup, and nothing else that fails',
    bounds: { writes: 1, restores: 1, restarts: 0, compactions: 0, faults: 0, wishes: 0, requests: 4, options: { listStrategy: 'list' } },
    depth: 12,
  },
  streams: {
    words: 'streamed lists, and lists where those fail',
    bounds: { writes: 1, restores: 1, restarts: 0, compactions: 1, faults: 2, wishes: 0, requests: 6 },
    depth: 8,
  },
  periods: {
    words: 'a list beside the watch every two seconds',
    bounds: {
      writes: 1,
      restores: 1,
      restarts: 0,
      compactions: 0,
      faults: 1,
      wishes: 0,
      requests: 5,
      options: { listStrategy: 'list', relistPeriodMs: 2000 },
    },
    depth: 9,
  },
  wishes: {
    words: 'lists beside the watch, asked for at any time, also while one is under way',
    bounds: {
      ...{ writes: 1, restores: 1, restarts: 0, compactions: 0, faults: 1, wishes: 2, requests: 6 },
      options: { listStrategy: 'list' },
    },
    depth: 9,
  },
  streamedWishes: {
    words: 'the same with streamed lists, asked for at any time, also while one is under way',
    bounds: {
      ...{ writes: 1, restores: 0, restarts: 0, compactions: 0, faults: 0, wishes: 2, requests: 6 },
    },
    depth: 11,
  },
  polls: {
    words: 'lists instead of the watch, every two seconds, or asked for at any time',
    bounds: {
      ...{ writes: 1, restores: 1, restarts: 0, compactions: 0, faults: 1, wishes: 2, requests: 6 },
      options: { listStrategy: 'list', relistPeriodMs: 2000 },
      relistBesideWatch: false,
    },
    depth: 8,
  },
};
