import { notInPages } from '../../api/notInPages.js';

/** Pages do not shard. */
export class ShardSieve {
  constructor() {
    notInPages('`shard`');
  }

  isForeign(): boolean {
    return false;
  }
}
