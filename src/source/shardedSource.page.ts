import { notInPages } from '../api/notInPages.js';

/** Pages have no shards. */
export const shardedSource = (): never => notInPages('`shard`');
