import type { RelayBounds } from './relayMachine.js';

interface RelayExploration {
  readonly words: string;
  readonly bounds: RelayBounds;
  readonly depth: number;
}

/** The explorations of cursors and rights. */
export const relayExplorations: Readonly<Record<'pair' | 'one', RelayExploration>> = {
  pair: {
    words: 'two users whose rights come and go, three keys in two namespaces, a log that forgets',
    bounds: { users: 2, keys: 3, changes: 3, rights: 4, forgets: 1, cuts: 1 },
    depth: 6,
  },
  one: {
    words: 'one user whose stream is cut and goes on, for longer',
    bounds: { users: 1, keys: 2, changes: 3, rights: 3, forgets: 1, cuts: 1 },
    depth: 11,
  },
};
