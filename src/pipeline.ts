// The entry `rx-informer/pipeline`: the parts of the pipeline, and the types that whoever takes it apart writes. No logic.

// Objects, selectors and keys
export { type LabelSelector, parseLabelSelector } from './api/selectors.js';
export { DeletedFinalStateUnknown, ExplicitKey, splitMetaNamespaceKey } from './api/kubernetesObject.js';
export { KeyError } from './cache/keyFunc.js';

// Client
export type { LoginProvider } from './client/clientOptions.js';
export type { ClientWrite, Scale, SubresourceClient } from './client/kubeClient.js';
export type { Discovery } from './client/discovery/createDiscovery.js';
export { DecodeError } from './api/errors/decodeError.js';

// Sources
export { listerWatcher } from './source/listerWatcher.js';
export { reflect } from './source/reflector/reflect.js';
export { listPages, type ListPagesEvent } from './source/pages/listPages.js';
export { mergeSources } from './source/mergeSources.js';
export { pollSource } from './source/recording/pollSource.js';
export { recordSource } from './source/recording/recordSource.js';
export { replaySource } from './source/recording/replaySource.js';
export type { ListChunk, ListerWatcher, ListRequest, WatchChunk, WatchRequest } from './api/listerWatcher.js';
export type { SourceEvent } from './api/events.js';

// Cache
export { createIndexer } from './cache/store/createIndexer.js';
export { createStore } from './cache/store/memoryStore.js';
export { createUndeltaStore } from './cache/store/createUndeltaStore.js';
export type { Indexer, IndexFunc, Store } from './cache/store/store.js';
export { transaction, type TransactionalStore, TransactionError } from './cache/store/transaction.js';
export { labelIndexFunc, metaNamespaceIndexFunc, namespaceIndex, ownerUidIndexFunc } from './cache/store/indexFuncs.js';

// From source events to subscribers
export { trampoline } from './rx/trampoline.js';
export { scanToIndex } from './delta/index/cache.js';
export { type SharedChanges, shareWithSnapshot } from './delta/share/shareWithSnapshot.js';
export { deltaFifo } from './delta/fifo/deltaFifo.js';
export { createDeltaFifo, type DeltaFifo } from './delta/fifo/createDeltaFifo.js';
export { processDeltas, type StoreProcessor } from './delta/index/processDeltas.js';
export { compressDeltas } from './delta/fifo/compressDeltas.js';
export { type DeltaProcessor, RequeueError } from './delta/fifo/deltaProcessor.js';
export type { Delta } from './api/events.js';

// Parts of an informer
export { readYourWrites } from './informer/parts/readYourWrites.js';
export { requests } from './informer/parts/requests.js';
export { sharding } from './informer/parts/sharding.js';
export { tracing } from './informer/parts/tracing.js';
export { verification } from './informer/verify/verifier.js';
export { verifyInformer } from './informer/verify/verifyInformer.js';
export type { Verification } from './informer/verify/verifyInformer.js';
export { warmStart } from './informer/warm/warmStart.js';
export type { CacheSnapshot, SavedSnapshot, SnapshotStore } from './informer/warm/snapshotStore.js';
export type { Trace, TraceStep } from './api/traceStep.js';
export type { InformerPart } from './informer/parts/part.js';
