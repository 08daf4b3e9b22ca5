import type { Reason } from './reason.js';

const onlyTime = 'equivalent but for time: the other way leads to the same';
const onlyMemory = 'equivalent but for memory: spec/leaks finds that, which is not in this run';
const elsewhere = 'specs of informers find it, which are not in this run';
const open = 'open: no spec sees it yet';
const outside = 'fails outside of any test, which Jest notices and this run does not';

const cache: readonly Reason[] = [
  { file: 'cache/edit/edit.ts', originals: ['isPlainObject(original)'], replacement: 'false', reason: onlyTime },
  {
    file: 'cache/edit/jsonPatch.ts',
    originals: ['start < shorter && areEqual(before[start], after[start])'],
    replacement: 'false',
    reason: 'a longer patch to the same end, which is what the specs ask for',
  },
  {
    file: 'cache/keys/metaNamespaceKey.ts',
    originals: ["metadata.namespace ?? ''"],
    reason: onlyTime,
  },
  { file: 'cache/store/indexSet.ts', originals: ['failed.length > 0'], reason: 'equivalent: an entry without failures reports none' },
  {
    file: 'cache/store/indexSet.ts',
    originals: ['filed.every(([index]) => this.indexes.get(index.name) === index)'],
    reason: 'matters only where one of several indexes is replaced by another one of its name while a list arrives: no spec does that',
  },
  { file: 'cache/store/createIndexer.ts', originals: ['readGuard.reader !== undefined'], reason: elsewhere },
  { file: 'cache/store/memoryStore.ts', originals: ['takesKeys && known !== undefined'], replacement: 'false', reason: onlyTime },
  {
    file: 'cache/store/readerOf.ts',
    originals: ['indexer.byIndex(indexName, indexedValue)', 'indexer.byIndexes(values)', 'indexer.getIndexers()'],
    reason: elsewhere,
  },
  {
    file: 'cache/store/shareUnchanged.ts',
    originals: ['at < common', 'was === is', "before === after || typeof before !== 'object'"],
    reason: onlyTime,
  },
  { file: 'cache/store/transactionError.ts', originals: ['{ cause: errors[0] }'], reason: 'for people: the errors are there one by one' },
  { file: 'cache/store/valueIndex.ts', originals: ['values.length <= 1', 'a === b', 'value === b[at]'], reason: onlyTime },
  { file: 'cache/writes/createReadYourWrites.ts', originals: ['this.seenDeletions.clear();'], reason: onlyMemory },
];

const delta: readonly Reason[] = [
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
    file: 'delta/buffers/workThrough.ts',
    originals: ['follow(source, subscriber, { next: (change) => worker.take(change) });'],
    reason: elsewhere,
  },
  {
    file: 'delta/share/snapshotSubject.ts',
    originals: ['{ this.dispatched = this.received; return; }', 'this.turns.tell(action);', 'this.received > 0', 'sink.settled'],
    reason: elsewhere,
  },
  { file: 'delta/share/snapshotSubject.ts', originals: ['true', 'this.sessions += 1;', 'this.audiences = undefined;'], reason: open },
  { file: 'delta/buffers/conflatingBuffer.ts', originals: ['true'], reason: open },
  { file: 'delta/buffers/droppingBuffer.ts', originals: ["event.type === 'synced'", 'true', 'this.taken -= 1'], reason: open },
  { file: 'delta/fifo/compressDeltas.ts', originals: ['areOfTwoObjects(older, newer)', "'duplicateDeletes'"], reason: open },
  { file: 'delta/fifo/objectDeltaFifo.ts', originals: ["'duplicateDeletes'", 'this.serve();'], reason: open },
  { file: 'delta/fifo/deltaIntake.ts', originals: ['scope.owned?.delete(key);'], reason: open },
  { file: 'delta/fifo/deltaQueue.ts', originals: ['[]', 'at > 0'], reason: open },
  { file: 'delta/buffers/conflatingBuffer.ts', originals: ['this.waiting.clear();'], reason: onlyMemory },
  { file: 'delta/buffers/workThrough.ts', originals: ["subscriber.error(overflowError('A subscriber'))"], reason: elsewhere },
  { file: 'delta/fifo/deltaIntake.ts', originals: ["''"], reason: 'equivalent: a list that has not begun follows no version' },
  { file: 'delta/share/crossingFilter.ts', originals: ['told.delete(key);'], reason: onlyMemory },
  { file: 'delta/share/sharedChanges.ts', originals: ['subject.leave(sink)'], reason: onlyMemory },
];

export const sampleReasons: readonly Reason[] = [
  ...cache,
  ...delta,
  { file: 'source/shardedSource.ts', originals: ['this.session?.unsubscribe()'], reason: outside },
];
