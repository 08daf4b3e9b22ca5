import type { Reason } from './reason.js';

const onlyTime = 'equivalent but for time: the other way leads to the same';
const onlyMemory = 'equivalent but for memory: spec/leaks finds that, which is not in this run';
const elsewhere = 'informers use it, whose specs are not in this run';
const cache: readonly Reason[] = [
  { file: 'cache/snapshotWith.ts', originals: ['false'], reason: 'the property that looks at it takes too long for this run' },
  { file: 'cache/edit.ts', originals: ['isPlainObject(original)'], replacement: 'false', reason: onlyTime },
  {
    file: 'cache/edit.ts',
    originals: ['start < shorter && areEqual(before[start], after[start])'],
    replacement: 'false',
    reason: 'a longer patch to the same end, which is what the specs ask for',
  },
  {
    file: 'cache/keys.ts',
    originals: ["metadata.namespace ?? ''", "''"],
    reason: onlyTime,
  },
  { file: 'cache/snapshotWith.ts', originals: ['differs'], replacement: 'true', reason: onlyTime },
  {
    file: 'cache/store/indexSet.ts',
    originals: ['failed.length > 0'],
    replacement: 'failed.length >= 0',
    reason: 'equivalent: an entry without failures reports none',
  },
  { file: 'cache/store/createIndexer.ts', originals: ['readGuard.reader !== undefined', 'readGuard.refuse();'], reason: elsewhere },
  { file: 'cache/store/memoryStore.ts', originals: ['takesKeys && known !== undefined'], replacement: 'false', reason: onlyTime },
  {
    file: 'cache/store/store.ts',
    originals: [
      'indexer.byIndex(indexName, indexedValue)',
      'indexer.byIndexes(values)',
      'indexer.getIndexers()',
      'indexer.lastStoreSyncResourceVersion()',
      '{ return { list: () => indexer.list(), listKeys: () => indexer.listKeys(), get: (object) => indexer.get(object), getB...',
    ],
    reason: elsewhere,
  },
  {
    file: 'cache/store/shareUnchanged.ts',
    originals: ['at < common', 'was === is', "before === after || typeof before !== 'object'"],
    reason: onlyTime,
  },
  { file: 'cache/store/indexSet.ts', originals: ['values.length <= 1', 'a === b', 'value === b[at]'], reason: onlyTime },
  {
    file: 'cache/store/indexSet.ts',
    originals: ['!Array.isArray(a) || !Array.isArray(b)'],
    replacement: 'true',
    reason: onlyTime,
  },
  {
    file: 'cache/createReadYourWrites.ts',
    originals: ['metadata.finalizers?.length ?? 0', 'metadata.deletionGracePeriodSeconds ?? 0'],
    reason: 'equivalent: what is undefined is no more than 0; the types do not know that',
  },
  {
    file: 'cache/createReadYourWrites.ts',
    originals: ['[...this.writes.keys()]', '{ this.writes.delete(key); return; }'],
    reason: 'equivalent but for memory: each read looks for itself whether the cache has caught up',
  },
  {
    file: 'cache/createReadYourWrites.ts',
    originals: ['compareResourceVersions(version, bound) ?? -1'],
    replacement: 'compareResourceVersions(version, bound)',
    reason: 'equivalent: undefined is not at least 0; the types do not know that',
  },
  {
    file: 'cache/createReadYourWrites.ts',
    originals: ['superseded.size === 0 && shown.length === 0'],
    replacement: 'false',
    reason: onlyTime,
  },
  {
    file: 'cache/store/shareUnchanged.ts',
    originals: ['before[earlier] !== after[earlier]'],
    replacement: 'true',
    reason: onlyTime,
  },
  {
    file: 'cache/createReadYourWrites.ts',
    originals: ['after === before'],
    replacement: 'false',
    reason: 'equivalent but for the order of a list, which nobody is promised',
  },
];

const delta: readonly Reason[] = [
  {
    file: 'delta/fifo/deltaQueue.ts',
    originals: ['newest !== undefined'],
    replacement: 'true',
    reason: 'equivalent: what waits has a delta; the types do not know that',
  },
  { file: 'delta/share/shareWithSnapshot.ts', originals: ['!settled'], replacement: 'true', reason: onlyTime },
  {
    file: 'delta/buffers/worker.ts',
    originals: [
      'true',
      '{ this.workLater(); break; }',
      'this.later = false;',
      '{ if (this.later) return; this.later = true; this.options.turns?.run(() => { this.later = false; this.work(true); }); }',
    ],
    reason: elsewhere,
  },
  {
    file: 'delta/share/shareWithSnapshot.ts',
    originals: ['{ this.dispatched = this.received; return; }', 'this.turns.tell(action);', 'this.received > 0', '!settled'],
    reason: elsewhere,
  },
  { file: 'delta/share/shareWithSnapshot.ts', originals: ['{ return this.received > 0; }'], reason: elsewhere },
  {
    file: 'delta/share/shareWithSnapshot.ts',
    originals: ['this.audiences = undefined;'],
    reason: 'equivalent but for memory: who has left is told nothing, and kept until another one joins',
  },
  {
    file: 'delta/fifo/compressDeltas.ts',
    originals: ["'duplicateDeletes'"],
    reason: 'equivalent: whatever is not `latest` is that',
  },
  {
    file: 'delta/fifo/createDeltaFifo.ts',
    originals: ["'duplicateDeletes'"],
    reason: 'equivalent: whatever is not `latest` is that',
  },
  {
    file: 'delta/fifo/createDeltaFifo.ts',
    originals: ['[]'],
    reason: 'equivalent: each key that is listed has deltas; the types do not know that',
  },
  { file: 'delta/buffers/eventBuffer.ts', originals: ['this.waiting.clear();'], reason: onlyMemory },
  { file: 'delta/fifo/deltaFifo.ts', originals: ["''"], reason: 'equivalent: a list that has not begun follows no version' },
  { file: 'delta/share/crossingFilter.ts', originals: ['told.delete(key);'], reason: onlyMemory },
  { file: 'delta/share/shareWithSnapshot.ts', originals: ['subject.leave(sink)'], reason: onlyMemory },
];

const decode: readonly Reason[] = [
  { file: 'client/decode/differenceParser.ts', originals: ['length > shortPiece'], reason: onlyTime },
  { file: 'client/decode/itemText.ts', originals: ['prefix.length + end - at'], reason: 'equivalent but for memory: more of it is taken' },
  {
    file: 'client/decode/keptTemplates.ts',
    originals: ['oldest?.isUsed'],
    reason: 'equivalent: where there is no room, there is a template: one has 16 MB at most',
  },
  {
    file: 'client/decode/makeScan.ts',
    originals: ['end >= 0'],
    replacement: 'end > 0',
    reason: 'equivalent: at least one byte lies before the end',
  },
  { file: 'client/decode/objectReader.ts', originals: ['bytes.length - at < this.lastSpan'], reason: onlyTime },
  { file: 'client/decode/matchedObject.ts', originals: ['length < shortest'], replacement: 'length <= shortest', reason: onlyTime },
  {
    file: 'client/decode/templates.ts',
    originals: ['{ family: -1, count: 0 }'],
    reason: 'equivalent: no family has the number of none, and none is counted once',
  },
  { file: 'client/decode/listDecoder.ts', originals: ["''"], reason: 'equivalent: the name of a field is read before its value' },
  {
    file: 'client/decode/managedFieldsSamples.ts',
    originals: ['at === end'],
    replacement: 'false',
    reason: 'equivalent: what is cut off within a string is none, and what is cut off elsewhere differs outside of strings',
  },
  {
    file: 'client/decode/managedFieldsSamples.ts',
    originals: ['alike === -1', 'end !== -1', 'this.misses < patience || end - start > maxBytes', 'maxSamples - 1'],
    reason: 'equivalent but for time: what is like no sample is read through',
  },
  { file: 'client/decode/objectReader.ts', originals: ['end === -1'], replacement: 'true', reason: onlyTime },
  {
    file: 'client/decode/objectReader.ts',
    originals: ['!this.isList || object === undefined'],
    replacement: 'false',
    reason: 'equivalent but for time: objects of a watch that do not say their type are parsed instead',
  },
  {
    file: 'client/decode/templateMatch.ts',
    originals: ['current + 1'],
    reason: 'equivalent: behind the last value there is no other one, whose beginning could come before a place',
  },
  { file: 'client/decode/templates.ts', originals: ['[]'], reason: 'equivalent: no layout is like one that is none' },
  {
    file: 'client/decode/valueEnd.ts',
    originals: ['next < json.length'],
    reason: 'equivalent: behind the last byte there is none, and what lies behind it stands for the end',
  },
  { file: 'client/decode/valueEnd.ts', originals: ['false'], reason: 'equivalent: the beginning of a value sets it before it is read' },
  { file: 'client/decode/watchDecoder.ts', originals: ['pending.length > 0'], reason: onlyTime },
  {
    file: 'client/decode/objectReader.ts',
    originals: ['bytes.length - at'],
    reason: 'equivalent but for time: what is cut off is compared in vain',
  },
  { file: 'client/decode/parseObject.ts', originals: ["'managedFields'"], reason: onlyTime },
  { file: 'client/decode/pendingBytes.ts', originals: ['memory.length > mostKept'], replacement: 'true', reason: onlyTime },
  { file: 'client/decode/matchedObject.ts', originals: ['length < shortest'], replacement: 'false', reason: onlyTime },
  {
    file: 'client/decode/templateMatch.ts',
    originals: ['at + shift >= limit'],
    reason: 'equivalent: what is cut off has no end, and neither has anything around it',
  },
  {
    file: 'client/decode/templates.ts',
    originals: ['false'],
    replacement: 'true',
    reason: 'equivalent: when all others are gone, there is room for any template',
  },
  {
    file: 'client/decode/watchDecoder.ts',
    originals: ['read === undefined'],
    replacement: 'false',
    reason: 'equivalent: it fails in the next line, where the parser is asked, too',
  },
];

export const sampleReasons: readonly Reason[] = [
  ...cache,
  ...delta,
  ...decode,
  {
    file: 'source/shardedSource.ts',
    originals: ["''"],
    reason: 'equivalent: the selector of a shard is neither of both texts',
  },
];
