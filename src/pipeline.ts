// The entry `rx-informer/pipeline`: the parts of the pipeline, and the types that signatures elsewhere mention. No logic.

// Objects, resources and selectors
export type { Resources } from './api/resources.js';
export type { CustomResourceNames } from './api/resource.js';
export type { Verb } from './api/resource.js';
export { parseLabelSelector } from './api/selectors.js';
export type { LabelOperator, LabelRequirement, LabelSelector } from './api/selectors.js';

// Errors
export type { ApiErrorInit } from './api/errors/apiError.js';
export { DecodeError } from './api/errors/decodeError.js';
export type { InformerErrorInit } from './api/errors/informerError.js';
export { isInternalError, isTooLargeResourceVersion } from './api/errors/apiError.js';
export type { StatusCause, StatusDetails } from './api/errors/apiError.js';

// Client
export type { Impersonation, KubeConfigLike, LoginProvider } from './client/clientOptions.js';
export type {
  DeleteOptions,
  GetOptions,
  ObjectOptions,
  PatchOptions,
  ReadOptions,
  ReplaceOptions,
  RequestOptions,
  Scale,
  SelectionOptions,
  SendOptions,
  SubresourceClient,
  WriteOptions,
} from './client/kubeClient.js';
export type { Discovery } from './client/discovery/createDiscovery.js';
export type { RequestErrorInit } from './client/requests/requestError.js';

// Sources
export type { ShardSelection } from './source/shardedSource.js';
export type { ShardFilter } from './api/shardFilter.js';
export { listerWatcher } from './source/listerWatcher.js';
export type { ListerWatcherOptions, SourceRequest } from './source/listerWatcher.js';
export { reflect } from './source/reflector/reflect.js';
export type { ReflectOptions } from './source/reflector/reflectOptions.js';
export type { BackoffOptions } from './source/reflector/reflectOptions.js';
export type { ListSemantics } from './source/reflector/reflectOptions.js';
export { listPages, type ListPagesEvent, type ListPagesOptions } from './source/pages/listPages.js';
export { mergeSources } from './source/mergeSources.js';
export { pollSource, type PollSourceOptions } from './source/recording/pollSource.js';
export { recordSource, type RecordSourceOptions } from './source/recording/recordSource.js';
export type { RecordedResource } from './source/recording/recording.js';
export { replaySource, type ReplaySourceOptions } from './source/recording/replaySource.js';
export type { ListChunk, ListerWatcher, ListRequest, ResourceVersionMatch, WatchRequest } from './api/listerWatcher.js';
export type { InitReason, LeaveReason, LinkState, SourceEvent, SourceStatus } from './api/events.js';
export type { WatchChunk, WatchEvent } from './api/listerWatcher.js';
export type { Drop, DropReason } from './api/drops.js';
export type {
  InformerReadings,
  Trace,
  TraceEnd,
  TraceLine,
  TracePage,
  TraceRequest,
  TraceRequestBase,
  TraceStep,
  TraceStepBase,
} from './api/traceStep.js';

// Cache
export type { JsonPatchOperation } from './cache/edit.js';
export { createIndexer } from './cache/store/createIndexer.js';
export { createStore } from './cache/store/memoryStore.js';
export { createUndeltaStore } from './cache/store/createUndeltaStore.js';
export { createReadYourWrites } from './cache/createReadYourWrites.js';
export type { NotedDelete, ReadYourWrites, ReadYourWritesOptions } from './cache/createReadYourWrites.js';
export type { Store } from './cache/store/store.js';
export type { LabelMap } from './api/selectors.js';
export type { Indexer, IndexFunc } from './cache/store/store.js';
export type { IndexErrorHandler } from './cache/store/indexSet.js';
export type { IndexerOptions, StoreOptions } from './cache/store/memoryStore.js';
export { transaction, type TransactionalStore, type TransactionStep } from './cache/store/transaction.js';
export { TransactionError } from './cache/store/transaction.js';
export { keyOfObjectName, type ObjectName } from './api/kubernetesObject.js';
export { objectNameOf, type NamedObject } from './api/kubernetesObject.js';
export { ExplicitKey } from './api/kubernetesObject.js';
export { DeletedFinalStateUnknown } from './api/kubernetesObject.js';
export type { KeyFunc, ObjectOrKey } from './cache/keyFunc.js';
export { KeyError } from './cache/keyFunc.js';
export { metaNamespaceIndexFunc, namespaceIndex } from './cache/store/indexFuncs.js';

// From source events to subscribers
export { trampoline } from './rx/trampoline.js';
export { scanToIndex } from './delta/index/cache.js';
export type { ScanToIndexOptions } from './delta/index/cache.js';
export type { CacheOptions, ValueOptions } from './delta/index/cachedObjects.js';
export type { StoreOf } from './cache/store/store.js';
export { shareWithSnapshot } from './delta/share/shareWithSnapshot.js';
export type { SharedChanges, ShareWithSnapshotOptions } from './delta/share/shareWithSnapshot.js';
export type { BufferOptions, BufferPolicy } from './delta/buffers/eventBuffer.js';
export { deltaFifo } from './delta/fifo/deltaFifo.js';
export type { DeltaFifoOptions } from './delta/fifo/deltaProcessor.js';
export { createDeltaFifo } from './delta/fifo/createDeltaFifo.js';
export type { DeltaFifo, DeltaFifoStoreOptions, PopProcess } from './delta/fifo/createDeltaFifo.js';
export { processDeltas, type StoreProcessor } from './delta/index/processDeltas.js';
export type { ProcessDeltasOptions } from './delta/index/processDeltas.js';
export type { DeltaHandler } from './delta/checkHandler.js';
export type { KnownObjects } from './delta/fifo/deltaProcessor.js';
export { compressDeltas, type DeltaCompression } from './delta/fifo/compressDeltas.js';
export type { DeltaProcessor, ListBoundary, ProcessContext } from './delta/fifo/deltaProcessor.js';
export { RequeueError } from './delta/fifo/deltaProcessor.js';
export type { Delta, Deltas, DeltaType } from './api/events.js';

// Operators
export type { ObjectsPredicate } from './operators/filters/filterUpdates.js';
export type { ConflateByKeyOptions } from './operators/timing/conflateByKey.js';
export type { DebounceByKeyOptions } from './operators/timing/debounceByKey.js';
export type { ResyncOptions } from './operators/timing/resync.js';
export type { EventPair } from './operators/keys/pairwiseByKey.js';
export type { ChangeOrEvent, ObjectOf } from './operators/changes/changeOrEvent.js';
export type { ChangeOfType, EventTypeOf, OfType } from './operators/filters/filterObjects.js';
export type { WithConditions } from './operators/readiness/isReady.js';

// Informers
export type { InformerClient, InformerPart, InformerRequestOptions } from './informer/parts/part.js';
export type { InformerControl } from './informer/sharedInformer.js';
export type { BuiltInInformers, InformerFactoryOptions, InformerSelection } from './informer/composed/createInformerFactory.js';
export type { PodCollection, PodLogsOptions } from './client/logs/podLogs.js';
export type { PermittedNamespacesOptions } from './client/permittedNamespaces.js';
export type { MetadataInformerOptions } from './informer/composed/createMetadataInformer.js';
export type { ObjectInformerOptions } from './informer/composed/createObjectInformer.js';
export type { CacheSyncResult, Syncable, SyncOutcome } from './informer/waiting/waitForCacheSync.js';
export type { EventCondition } from './informer/waiting/until.js';
export type { WaitUntilOptions } from './informer/waiting/until.js';
export type { SourceInformerOptions } from './informer/informerOptions.js';
export { requests } from './informer/parts/requests.js';
export { sharding } from './informer/parts/sharding.js';
export { tracing } from './informer/parts/tracing.js';
export type { ReadYourWritesPartOptions } from './informer/parts/readYourWrites.js';
export type { VerificationOptions } from './informer/verify/verification.js';
export type { WarmStartOptions } from './informer/warm/snapshotStore.js';
export type { CacheSnapshot, SavedSnapshot, SnapshotScope, SnapshotStore } from './informer/warm/snapshotStore.js';
export type { EventsOptions, ProcessOptions } from './informer/consuming/process.js';
export type { HandlerOptions } from './informer/resourceEventHandler.js';
export type { NamespaceLister, Selection } from './informer/collection.js';
export type { DifferingObject, Verification, VerifiedObject } from './informer/verify/verification.js';
export type { VerifyOptions } from './informer/verify/verification.js';
export type { WaitOptions } from './informer/waiting/waitFor.js';

// Collections
export { collectionPort, type CollectionPort } from './informer/collection.js';
export { Trampoline } from './rx/trampoline.js';
