import { notInPages } from '../../api/notInPages.js';

/** Pages have no shards. */
export class ShardSieve {
  constructor() {
    notInPages('`shard`');
  }

  isForeign(): boolean {
    return false;
  }
}
