/** Passes everything in a page: the source drops the objects of other shards when they have been parsed. */
export class ShardSieve {
  isForeign(): boolean {
    return false;
  }
}
