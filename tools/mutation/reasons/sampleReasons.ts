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
  {
    file: 'cache/createReadYourWrites.ts',
    originals: ['uid !== undefined'],
    replacement: 'true',
    reason: 'equivalent: no deletion is remembered of what has no uid',
  },
  {
    file: 'cache/createReadYourWrites.ts',
    originals: ['uid === undefined'],
    replacement: 'false',
    reason: 'equivalent but for memory: one deletion is remembered that belongs to no object',
  },
  {
    file: 'cache/edit.ts',
    originals: ['shorter - start'],
    replacement: 'shorter + start',
    reason: 'equivalent: another patch of the same length to the same end',
  },
  { file: 'cache/keys.ts', originals: ["'string'"], reason: onlyTime },
  {
    file: 'cache/keys.ts',
    originals: ["{ if (typeof metadata.namespace === 'string' && metadata.namespace !== '') return `${metadata.namespace}/${metadata.n..."],
    reason: onlyTime,
  },
  {
    file: 'cache/snapshotWith.ts',
    originals: ['this.#buckets[bucketOf(key)]?.get(key)'],
    reason: 'equivalent: there is every bucket; the types do not know that',
  },
  { file: 'cache/store/createIndexer.ts', originals: ['a.entries.count(a.value) - b.entries.count(b.value)'], reason: onlyTime },
  {
    file: 'cache/store/indexSet.ts',
    originals: [
      '{ if (a === b) return true; if (!Array.isArray(a) || !Array.isArray(b)) return false; return a.length === b.length &&...',
      'areEqual(before, after)',
    ],
    reason: onlyTime,
  },
  {
    file: 'cache/store/shareUnchanged.ts',
    originals: ['Array.isArray(after)'],
    replacement: 'true',
    reason: 'equivalent: what has no length shares nothing with an array',
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
  {
    file: 'delta/share/shareWithSnapshot.ts',
    originals: ['{ throw error; }'],
    reason: 'RxJS itself reports what a subscriber throws; it gets here with `useDeprecatedSynchronousErrorHandling` alone',
  },
  {
    file: 'delta/buffers/pendingEvents.ts',
    originals: ['this.pending.delete(event.key);'],
    reason: 'equivalent but for order: what comes again has the place of what came and went',
  },
  { file: 'delta/buffers/worker.ts', originals: ['this.later = true;'], reason: elsewhere },
  {
    file: 'delta/fifo/deltaQueue.ts',
    originals: ['key === undefined || entry === undefined'],
    reason: 'equivalent: the key that is next has an entry; the types do not know that',
  },
];

const decode: readonly Reason[] = [
  { file: 'client/decode/differenceParser.ts', originals: ['length > shortPiece'], reason: onlyTime },
  { file: 'client/decode/matchedObject.ts', originals: ['length < shortest'], replacement: 'length <= shortest', reason: onlyTime },
  { file: 'client/decode/listDecoder.ts', originals: ["''"], reason: 'equivalent: the name of a field is read before its value' },
  { file: 'client/decode/objectReader.ts', originals: ['end === -1'], replacement: 'true', reason: onlyTime },
  {
    file: 'client/decode/templateMatch.ts',
    originals: ['current + 1'],
    reason: 'equivalent: behind the last value there is no other one, whose beginning could come before a place',
  },
  { file: 'client/decode/watchDecoder.ts', originals: ['pending.length > 0'], reason: onlyTime },
  { file: 'client/decode/parseObject.ts', originals: ["'managedFields'"], reason: onlyTime },
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
  { file: 'client/decode/jsonBytes.ts', originals: ['next <= lastWord'], replacement: 'next < lastWord', reason: onlyTime },
  {
    file: 'client/decode/jsonLayout.ts',
    originals: ['end === at'],
    replacement: 'false',
    reason: 'equivalent: the text is JSON, so white space stands there, which nothing follows in a layout either',
  },
  {
    file: 'client/decode/matchedObject.ts',
    originals: ['at < length'],
    replacement: 'false',
    reason: 'equivalent but for memory: strings of one length replace each other in the table',
  },
  {
    file: 'client/decode/objectReader.ts',
    originals: ['end - at'],
    replacement: 'end + at',
    reason: 'equivalent but for time: small objects are named and noted as well',
  },
  { file: 'client/decode/objectReader.ts', originals: ['this.json.bytes !== bytes'], replacement: 'true', reason: onlyTime },
  {
    file: 'client/decode/objectReader.ts',
    originals: ['cutStart === cutEnd'],
    replacement: 'false',
    reason: 'equivalent: where nothing is left out, the place is the end, behind which nothing is compared',
  },
  {
    file: 'client/decode/template.ts',
    originals: ['value === leftOut'],
    replacement: 'false',
    reason: 'equivalent: what is left out has no value, and begins with a comma or a quote',
  },
  {
    file: 'client/decode/templateMatch.ts',
    originals: ['start + 1'],
    replacement: 'start - 1',
    reason: 'equivalent: what opens and what stands before it are neither quotes nor brackets that close',
  },
  {
    file: 'client/decode/templates.ts',
    originals: ['this.leftOut += 1'],
    replacement: 'this.leftOut -= 1',
    reason: 'equivalent: each 32nd is a multiple of 32, counted up or down',
  },
  {
    file: 'client/decode/vectorScan.ts',
    originals: ['known === undefined', '2 * mostFields'],
    reason: 'asked for the first object of a process alone, before the run tries a mutant',
  },
  { file: 'client/decode/watchDecoder.ts', originals: ['start < bytes.length'], reason: 'equivalent: nothing is put behind what waits' },
  {
    file: 'client/decode/jsonLayout.ts',
    originals: ['next === keys.length'],
    replacement: 'true',
    reason: 'equivalent: no value has more keys than its text',
  },
  {
    file: 'client/decode/jsonLayout.ts',
    originals: ['at < this.length'],
    replacement: 'at <= this.length',
    reason: 'equivalent: the text is JSON, so an array has ended before',
  },
  {
    file: 'client/decode/matchedObject.ts',
    originals: ['Math.imul(hash, 31) + string.charCodeAt(at)', 'hash = (Math.imul(hash, 31) + string.charCodeAt(at)) | 0;'],
    reason: 'equivalent but for memory: other strings replace each other in the table',
  },
  { file: 'client/decode/matchedObject.ts', originals: ['[]'], reason: 'equivalent: a place is written before it is read' },
  {
    file: 'client/decode/objectReader.ts',
    originals: ['length >= leastCompared'],
    replacement: 'length > leastCompared',
    reason: onlyTime,
  },
  {
    file: 'client/decode/objectReader.ts',
    originals: ['this.isList'],
    replacement: 'true',
    reason: 'equivalent: what is wrong with an object of a watch is said of its whole line',
  },
  { file: 'client/decode/outline.ts', originals: ['false'], replacement: 'true', reason: 'equivalent: it is set before it is read' },
  {
    file: 'client/decode/outline.ts',
    originals: ['scan?.fields ?? 0'],
    reason: 'equivalent: without a scan, the next line does not ask for the fields; the types do not know that',
  },
  {
    file: 'client/decode/templates.ts',
    originals: ['this.bytes + added <= maxBytes'],
    replacement: 'this.bytes + added < maxBytes',
    reason: 'equivalent but for templates that fill the memory to the byte',
  },
  { file: 'client/decode/outline.ts', originals: ['isNamed'], replacement: 'true', reason: onlyTime },
  {
    file: 'client/decode/pendingBytes.ts',
    originals: ['memory.length > mostKept'],
    reason: 'equivalent but for time and memory',
  },
  {
    file: 'client/decode/template.ts',
    originals: ['!this.hasLayoutOf(match)'],
    replacement: 'false',
    reason: 'equivalent but for time: the new template looks again',
  },
  { file: 'client/decode/template.ts', originals: ['moved === 0'], replacement: 'false', reason: onlyTime },
  {
    file: 'client/decode/templateMatch.ts',
    originals: ['cutAt > from'],
    replacement: 'cutAt >= from',
    reason: 'equivalent: the key of the metadata stands before what is left out of it',
  },
  {
    file: 'client/decode/vectorScan.ts',
    originals: ['end < 0'],
    replacement: 'end <= 0',
    reason: 'equivalent: JSON begins behind the tables of the module, and does not end at 0',
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
  {
    file: 'source/shardedSource.ts',
    originals: ["resourceVersionOf(object) ?? ''"],
    reason: 'equivalent: neither of both can be compared; the types do not know that',
  },
  {
    file: 'source/shardedSource.ts',
    originals: ['this.seen.clear();'],
    reason: 'equivalent: the end of a list that nothing comes beside forgets it, and before that nothing is compared with it',
  },
];
