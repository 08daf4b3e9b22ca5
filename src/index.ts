// Objects, resources and selectors
export type {
  KubernetesList,
  KubernetesObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  UnstructuredObject,
} from './api/kubernetesObject.js';
export type * from './api/kubernetes/index.js';
export { resources, type Resources } from './api/resources.js';
export { builtInResources } from './api/builtInResources.js';
export { customResource, type CustomResourceNames } from './api/customResource.js';
export type { Resource, Verb } from './api/resource.js';
export { resourceName } from './api/resourceName.js';
export { resourcePath, type ResourcePathTarget } from './api/resourcePath.js';
export { apiVersionOf } from './api/apiVersionOf.js';
export { parseLabelSelector } from './api/parseLabelSelector.js';
export type { LabelOperator, LabelRequirement, LabelSelector, LabelSelectorObject } from './api/labelSelector.js';
export { escapeFieldValue, parseFieldSelector, type FieldRequirement } from './api/fieldSelector.js';
export { defaults } from './api/defaults.js';

// Errors
export { ApiError, type ApiErrorInit } from './api/apiError.js';
export { DecodeError } from './api/decodeError.js';
export { InformerError, type InformerErrorCode, type InformerErrorInit } from './api/informerError.js';
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
} from './api/apiErrorPredicates.js';
export type { Status, StatusCause, StatusDetails } from './api/status.js';

// Client
export { createClient } from './client/createClient.js';
export type { ClientOptions, Impersonation, KubeConfigLike } from './client/clientOptions.js';
export type {
  ClientWrite,
  DeleteOptions,
  GetOptions,
  KubeClient,
  ListOptions,
  ObjectOptions,
  PatchOptions,
  PatchType,
  ReadOptions,
  ReplaceOptions,
  RequestOptions,
  Scale,
  SelectionOptions,
  SubresourceClient,
  WriteOptions,
} from './client/kubeClient.js';
export type { Discovery } from './client/discovery.js';
export { RequestError, type RequestErrorInit } from './client/requestError.js';
export { toClientNode } from './client/toClientNode.js';
export type { ClientNodeObject } from './client/clientNodeObject.js';

// Sources
export { listerWatcher, type ListerWatcherOptions, type SourceRequest } from './source/listerWatcher.js';
export { reflect } from './source/reflect.js';
export type { ReflectOptions } from './source/reflectOptions.js';
export type { BackoffOptions } from './source/backoffDelay.js';
export type { ListSemantics } from './source/listSemantics.js';
export { listPages, type ListPagesEvent, type ListPagesOptions } from './source/listPages.js';
export { mergeSources } from './source/mergeSources.js';
export { poll, type PollOptions } from './source/poll.js';
export { record, type RecordOptions } from './source/record.js';
export type { RecordedResource } from './source/recording.js';
export { replay, type ReplayOptions } from './source/replay.js';
export type { ListChunk, ListerWatcher, ListRequest, ResourceVersionMatch, WatchRequest } from './api/listerWatcher.js';
export type { InitReason, LinkState, SourceEvent, SourceStatus } from './api/sourceEvent.js';
export type { WatchEvent, WatchProgress } from './api/watchEvent.js';
export type {
  InformerReadings,
  Trace,
  TraceCache,
  TraceClosed,
  TraceDelivery,
  TraceDeltas,
  TraceEnd,
  TraceLine,
  TraceOpened,
  TracePage,
  TraceRequest,
  TraceRequestBase,
  TraceSettled,
  TraceSource,
  TraceStep,
  TraceStepBase,
} from './api/traceStep.js';

// Cache
export { createIndexer } from './cache/createIndexer.js';
export { createStore } from './cache/createStore.js';
export { createUndeltaStore } from './cache/createUndeltaStore.js';
export { createReadYourWrites } from './cache/createReadYourWrites.js';
export type { NotedDelete, ReadYourWrites, ReadYourWritesOptions } from './cache/readYourWrites.js';
export type { Store } from './cache/store.js';
export type { Indexer, Indexers, IndexFunc } from './cache/indexer.js';
export type { IndexErrorHandler } from './cache/indexSet.js';
export type { IndexerOptions, StoreOptions } from './cache/storeOptions.js';
export type { IndexSnapshot } from './cache/indexSnapshot.js';
export { emptySnapshot, snapshotWith, type SnapshotChange } from './cache/snapshotWith.js';
export { transaction, type TransactionalStore, type TransactionStep } from './cache/transaction.js';
export { TransactionError } from './cache/transactionError.js';
export { metaNamespaceKey } from './cache/metaNamespaceKey.js';
export { splitMetaNamespaceKey } from './cache/splitMetaNamespaceKey.js';
export { keyOfObjectName, type ObjectName } from './cache/objectName.js';
export { objectNameOf, type NamedObject } from './cache/objectNameOf.js';
export { ExplicitKey } from './cache/explicitKey.js';
export { DeletedFinalStateUnknown } from './cache/deletedFinalStateUnknown.js';
export type { KeyFunc, ObjectOrKey } from './cache/keyFunc.js';
export { KeyError } from './cache/keyError.js';
export { metaNamespaceIndexFunc, namespaceIndex } from './cache/namespaceIndex.js';
export { ownerUidIndexFunc } from './cache/ownerUidIndexFunc.js';
export { labelIndexFunc } from './cache/labelIndexFunc.js';
export { edit, type Edited } from './cache/edit.js';
export type { JsonPatchOperation } from './cache/jsonPatch.js';
export { compareResourceVersions } from './cache/compareResourceVersions.js';
export { deepFreeze } from './api/deepFreeze.js';
export { shareUnchanged } from './cache/shareUnchanged.js';

// From source events to subscribers
export { trampoline } from './delta/trampoline.js';
export { scanToIndex } from './delta/scanToIndex.js';
export type { ScanToIndexOptions } from './delta/scanToIndexOptions.js';
export type { ObjectIntakeOptions } from './delta/objectIntake.js';
export { createKeyMemory, type KeyMemory } from './delta/keyMemory.js';
export type { StoreOf } from './delta/storeOf.js';
export { shareWithSnapshot, type ShareWithSnapshotOptions } from './delta/shareWithSnapshot.js';
export type { BufferOptions, BufferPolicy } from './delta/bufferOptions.js';
export { deltaFifo } from './delta/deltaFifo.js';
export type { DeltaFifoOptions } from './delta/deltaFifoOptions.js';
export { createDeltaFifo } from './delta/createDeltaFifo.js';
export type { DeltaFifo, DeltaFifoStoreOptions, PopProcess } from './delta/deltaFifoStore.js';
export { processDeltas, type StoreProcessor } from './delta/processDeltas.js';
export type { ProcessDeltasOptions } from './delta/deltaApplication.js';
export type { DeltaHandler } from './delta/deltaHandler.js';
export type { KnownObjects } from './delta/knownObjects.js';
export { compressDeltas, type DeltaCompression } from './delta/compressDeltas.js';
export type { DeltaProcessor, ListBoundary, ProcessContext } from './delta/deltaProcessor.js';
export { RequeueError } from './delta/requeueError.js';
export type { Delta, Deltas, DeltaType } from './api/delta.js';
export type { AddedEvent, DeletedEvent, ResourceEvent, SyncedEvent, UpdatedEvent } from './api/resourceEvent.js';

// Operators
export { ofType } from './operators/ofType.js';
export { filterObjects, type ObjectPredicate } from './operators/filterObjects.js';
export { inNamespaces } from './operators/inNamespaces.js';
export { withLabels } from './operators/withLabels.js';
export { ownedBy } from './operators/ownedBy.js';
export { filterUpdates } from './operators/filterUpdates.js';
export {
  annotationsChanged,
  changed,
  generationChanged,
  labelsChanged,
  specChanged,
  statusChanged,
  type UpdatePredicate,
} from './operators/updatePredicates.js';
export { allOf, anyOf, not, type ObjectsPredicate } from './operators/predicateLogic.js';
export { conflateByKey, type ConflateByKeyOptions } from './operators/conflateByKey.js';
export { debounceByKey, type DebounceByKeyOptions } from './operators/debounceByKey.js';
export { resync, type ResyncOptions } from './operators/resync.js';
export { groupByKey, type ObjectEvent } from './operators/groupByKey.js';
export { pairwiseByKey } from './operators/pairwiseByKey.js';
export { mergeMapByKey, type MergeMapByKeyOptions } from './operators/mergeMapByKey.js';
export { processEvents, type ProcessEventsOptions } from './operators/processEvents.js';
export { untilDeleted } from './operators/untilDeleted.js';
export { toMap } from './operators/toMap.js';
export { toObjects } from './operators/toObjects.js';
export { isReady } from './operators/isReady.js';
export { conditionOf, isConditionTrue, type Condition, type WithConditions } from './operators/conditions.js';

// Informers
export { createInformer, type InformerClient } from './informer/createInformer.js';
export type { SharedInformer } from './informer/sharedInformer.js';
export type { InformerControl } from './informer/informerControl.js';
export { createInformerFactory } from './informer/createInformerFactory.js';
export type { BuiltInInformers, InformerFactoryOptions, InformerSelection, SharedInformerFactory } from './informer/informerFactory.js';
export { type ClientNodeInformer, type ClientNodeVerb, makeInformer } from './informer/makeInformer.js';
export { createMetadataInformer, type MetadataInformerOptions } from './informer/createMetadataInformer.js';
export type { PartialObjectMetadata } from './informer/partialObjectMetadata.js';
export { createObjectInformer, type ObjectInformer, type ObjectInformerOptions } from './informer/createObjectInformer.js';
export { waitForCacheSync, type CacheSyncResult, type Syncable, type SyncOutcome } from './informer/waitForCacheSync.js';
export { until, type EventCondition } from './informer/until.js';
export { waitUntil, type WaitUntilOptions } from './informer/waitUntil.js';
export type { InformerDeltaFifoOptions } from './informer/deltaFifoStage.js';
export type { InformerOptions, ResourceInformerOptions, SourceInformerOptions } from './informer/informerOptions.js';
export type { EventsOptions, ProcessOptions } from './informer/consumerOptions.js';
export type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './informer/eventHandler.js';
export type { Lister, NamespaceLister, Selection } from './informer/lister.js';
export type { Logger } from './informer/logger.js';
export type { WaitOptions } from './informer/waitOptions.js';
export type { InformerHealth } from './api/informerHealth.js';

// Controllers
export { reconcile } from './controller/reconcile.js';
export type { ReconcileConfig, SourceValue, SyncedCache } from './controller/reconcileConfig.js';
export type { ReconcileRequest, ReconcileResult } from './controller/reconcileRun.js';
export type {
  FailedOutcome,
  Outcome,
  SourceCompletedOutcome,
  SourceFailedOutcome,
  StartedOutcome,
  StoppedOutcome,
  SucceededOutcome,
  TriggerFailedOutcome,
} from './controller/outcome.js';
export type { Trigger, TriggerCause, TriggerError, TriggerReason } from './controller/trigger.js';
export { owned, type OwnedOptions } from './controller/owned.js';
export { mapped } from './controller/mapped.js';
export { applyObject, applyStatus, type ApplyOptions } from './controller/applyObject.js';
export { ensureFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from './controller/finalizers.js';
export {
  controllerOf,
  isControlledBy,
  ownerReferenceOf,
  setControllerReference,
  type OwnerReferenceOptions,
} from './controller/ownerReferences.js';
export { setCondition, type ConditionToSet } from './controller/setCondition.js';
export { createEventRecorder, type EventFailure, type EventRecorder, type EventRecorderOptions } from './controller/createEventRecorder.js';
export type { EventToRecord } from './controller/eventObject.js';
export { schedulerClock } from './controller/schedulerClock.js';
