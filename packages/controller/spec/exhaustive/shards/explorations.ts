import type { ShardsBounds } from './shardsMachine.js';

interface ShardsExploration {
  readonly words: string;
  readonly bounds: ShardsBounds;
  readonly depth: number;
}

/** What is explored of shards. */
export const shardsExplorations: Readonly<Record<'two' | 'three', ShardsExploration>> = {
  two: {
    words: 'two members that join, pause, die and leave, writes that conflict or are never answered',
    bounds: { members: 2, slots: 2, deaths: 1, leaves: 1 },
    depth: 9,
  },
  three: {
    words: 'three members that join, pause and die, writes that conflict or are never answered',
    bounds: { members: 3, slots: 3, deaths: 1, leaves: 0 },
    depth: 8,
  },
};
