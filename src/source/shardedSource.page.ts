import { notInPages } from '../api/notInPages.js';

/** Pages do not shard. */
export const shardedSource = (): never => notInPages('`shard`');
