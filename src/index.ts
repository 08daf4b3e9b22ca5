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
export { parseLabelSelector } from './api/selectors/parseLabelSelector.js';
export type { LabelOperator, LabelRequirement, LabelSelector, LabelSelectorObject } from './api/selectors/labelSelector.js';
export { escapeFieldValue, parseFieldSelector, type FieldRequirement } from './api/selectors/fieldSelector.js';
export { defaults } from './api/defaults.js';

// Errors
export { ApiError, type ApiErrorInit } from './api/errors/apiError.js';
export { DecodeError } from './api/errors/decodeError.js';
export { InformerError, type InformerErrorCode, type InformerErrorInit } from './api/errors/informerError.js';
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
} from './api/errors/apiErrorPredicates.js';
export type { Status, StatusCause, StatusDetails } from './api/errors/status.js';

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
export type { Discovery } from './client/discovery/discovery.js';
export { RequestError, type RequestErrorInit } from './client/requests/requestError.js';
export { toClientNode } from './client/toClientNode.js';
export type { ClientNodeObject } from './client/auth/clientNodeObject.js';

// Sources
export { listerWatcher } from './source/listerWatcher.js';
export type { ListerWatcherOptions, SourceRequest } from './source/listerWatcherOptions.js';
export { reflect } from './source/reflector/reflect.js';
export type { ReflectOptions } from './source/reflector/reflectOptions.js';
export type { BackoffOptions } from './source/reflector/backoffOptions.js';
export type { ListSemantics } from './source/pages/listSemantics.js';
export { listPages, type ListPagesEvent, type ListPagesOptions } from './source/pages/listPages.js';
export { mergeSources } from './source/mergeSources.js';
export { pollSource, type PollSourceOptions } from './source/recording/pollSource.js';
export { recordSource, type RecordSourceOptions } from './source/recording/recordSource.js';
export type { RecordedResource } from './source/recording/recording.js';
export { replaySource, type ReplaySourceOptions } from './source/recording/replaySource.js';
export type { ListChunk, ListerWatcher, ListRequest, ResourceVersionMatch, WatchRequest } from './api/listerWatcher.js';
export type { InitReason, LinkState, SourceEvent, SourceStatus } from './api/events/sourceEvent.js';
export type { WatchEvent, WatchProgress } from './api/events/watchEvent.js';
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
} from './api/events/traceStep.js';

// Cache
export { createIndexer } from './cache/store/createIndexer.js';
export { createStore } from './cache/store/createStore.js';
export { createUndeltaStore } from './cache/store/createUndeltaStore.js';
export { createReadYourWrites } from './cache/writes/createReadYourWrites.js';
export type { NotedDelete, ReadYourWrites, ReadYourWritesOptions } from './cache/writes/readYourWrites.js';
export type { Store } from './cache/store/store.js';
export type { Indexer, Indexers, IndexFunc } from './cache/store/indexer.js';
export type { IndexErrorHandler } from './cache/store/indexSet.js';
export type { IndexerOptions, StoreOptions } from './cache/store/storeOptions.js';
export type { IndexSnapshot } from './cache/snapshot/indexSnapshot.js';
export { emptySnapshot, snapshotWith, type SnapshotChange } from './cache/snapshot/snapshotWith.js';
export { transaction, type TransactionalStore, type TransactionStep } from './cache/store/transaction.js';
export { TransactionError } from './cache/store/transactionError.js';
export { metaNamespaceKey } from './cache/keys/metaNamespaceKey.js';
export { splitMetaNamespaceKey } from './cache/keys/splitMetaNamespaceKey.js';
export { keyOfObjectName, type ObjectName } from './cache/keys/objectName.js';
export { objectNameOf, type NamedObject } from './cache/keys/objectNameOf.js';
export { ExplicitKey } from './cache/keys/explicitKey.js';
export { DeletedFinalStateUnknown } from './cache/keys/deletedFinalStateUnknown.js';
export type { KeyFunc, ObjectOrKey } from './cache/keys/keyFunc.js';
export { KeyError } from './cache/keys/keyError.js';
export { metaNamespaceIndexFunc, namespaceIndex } from './cache/store/namespaceIndex.js';
export { ownerUidIndexFunc } from './cache/store/ownerUidIndexFunc.js';
export { labelIndexFunc } from './cache/store/labelIndexFunc.js';
export { edit, type Edited } from './cache/edit/edit.js';
export type { JsonPatchOperation } from './cache/edit/jsonPatch.js';
export { compareResourceVersions } from './cache/keys/compareResourceVersions.js';
export { deepFreeze } from './api/deepFreeze.js';
export { shareUnchanged } from './cache/store/shareUnchanged.js';

// From source events to subscribers
export { trampoline } from './delta/index/trampoline.js';
export { scanToIndex } from './delta/index/scanToIndex.js';
export type { ScanToIndexOptions } from './delta/index/scanToIndexOptions.js';
export type { ObjectIntakeOptions } from './delta/index/objectIntake.js';
export { createKeyMemory, type KeyMemory } from './delta/index/keyMemory.js';
export type { StoreOf } from './delta/storeOf.js';
export { shareWithSnapshot, type ShareWithSnapshotOptions } from './delta/share/shareWithSnapshot.js';
export type { BufferOptions, BufferPolicy } from './delta/buffers/bufferOptions.js';
export { deltaFifo } from './delta/fifo/deltaFifo.js';
export type { DeltaFifoOptions } from './delta/fifo/deltaFifoOptions.js';
export { createDeltaFifo } from './delta/fifo/createDeltaFifo.js';
export type { DeltaFifo, DeltaFifoStoreOptions, PopProcess } from './delta/fifo/deltaFifoStore.js';
export { processDeltas, type StoreProcessor } from './delta/index/processDeltas.js';
export type { ProcessDeltasOptions } from './delta/index/deltaApplication.js';
export type { DeltaHandler } from './delta/fifo/deltaHandler.js';
export type { KnownObjects } from './delta/fifo/knownObjects.js';
export { compressDeltas, type DeltaCompression } from './delta/fifo/compressDeltas.js';
export type { DeltaProcessor, ListBoundary, ProcessContext } from './delta/fifo/deltaProcessor.js';
export { RequeueError } from './delta/fifo/requeueError.js';
export type { Delta, Deltas, DeltaType } from './api/events/delta.js';
export type { AddedEvent, DeletedEvent, ResourceEvent, SyncedEvent, UpdatedEvent } from './api/events/resourceEvent.js';

// Operators
export { ofType } from './operators/filters/ofType.js';
export { filterObjects, type ObjectPredicate } from './operators/filters/filterObjects.js';
export { inNamespaces } from './operators/filters/inNamespaces.js';
export { withLabels } from './operators/filters/withLabels.js';
export { ownedBy } from './operators/filters/ownedBy.js';
export { filterUpdates } from './operators/filters/filterUpdates.js';
export {
  annotationsChanged,
  changed,
  generationChanged,
  labelsChanged,
  specChanged,
  statusChanged,
  type UpdatePredicate,
} from './operators/filters/updatePredicates.js';
export { allOf, anyOf, not, type ObjectsPredicate } from './operators/filters/predicateLogic.js';
export { conflateByKey, type ConflateByKeyOptions } from './operators/timing/conflateByKey.js';
export { debounceByKey, type DebounceByKeyOptions } from './operators/timing/debounceByKey.js';
export { resync, type ResyncOptions } from './operators/timing/resync.js';
export { groupByKey, type ObjectEvent } from './operators/keys/groupByKey.js';
export { pairwiseByKey } from './operators/keys/pairwiseByKey.js';
export { mergeMapByKey, type MergeMapByKeyOptions } from './operators/keys/mergeMapByKey.js';
export { processEvents, type ProcessEventsOptions } from './operators/keys/processEvents.js';
export { untilDeleted } from './operators/filters/untilDeleted.js';
export { toMap } from './operators/folds/toMap.js';
export { toObjects } from './operators/folds/toObjects.js';
export { isReady } from './operators/readiness/isReady.js';
export { conditionOf, isConditionTrue, type Condition, type WithConditions } from './operators/readiness/conditions.js';

// Informers
export { createInformer, type InformerClient } from './informer/createInformer.js';
export type { SharedInformer } from './informer/sharedInformer.js';
export type { InformerControl } from './informer/session/informerControl.js';
export { createInformerFactory } from './informer/factory/createInformerFactory.js';
export type {
  BuiltInInformers,
  InformerFactoryOptions,
  InformerSelection,
  SharedInformerFactory,
} from './informer/factory/informerFactory.js';
export { type ClientNodeInformer, type ClientNodeVerb, makeInformer } from './informer/compat/makeInformer.js';
export { createMetadataInformer, type MetadataInformerOptions } from './informer/createMetadataInformer.js';
export type { PartialObjectMetadata } from './informer/partialObjectMetadata.js';
export { createObjectInformer, type ObjectInformer, type ObjectInformerOptions } from './informer/createObjectInformer.js';
export { waitForCacheSync, type CacheSyncResult, type Syncable, type SyncOutcome } from './informer/waiting/waitForCacheSync.js';
export { until, type EventCondition } from './informer/waiting/until.js';
export { waitUntil, type WaitUntilOptions } from './informer/waiting/waitUntil.js';
export type { InformerDeltaFifoOptions } from './informer/session/deltaFifoStage.js';
export type { InformerOptions, ResourceInformerOptions, SourceInformerOptions } from './informer/informerOptions.js';
export type { EventsOptions, ProcessOptions } from './informer/handlers/consumerOptions.js';
export type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './informer/handlers/eventHandler.js';
export type { Lister, NamespaceLister, Selection } from './informer/lister.js';
export type { Logger } from './informer/logger.js';
export type { WaitOptions } from './informer/waiting/waitOptions.js';
export type { InformerHealth } from './api/events/informerHealth.js';

// Controllers
export { reconcile } from './controller/reconcile/reconcile.js';
export type { ReconcileConfig, SourceValue, SyncedCache } from './controller/reconcile/reconcileConfig.js';
export type { ReconcileRequest, ReconcileResult } from './controller/reconcile/reconcileRun.js';
export type {
  FailedOutcome,
  Outcome,
  SourceCompletedOutcome,
  SourceFailedOutcome,
  StartedOutcome,
  StoppedOutcome,
  SucceededOutcome,
  TriggerFailedOutcome,
} from './controller/reconcile/outcome.js';
export type { Trigger, TriggerCause, TriggerError, TriggerReason } from './controller/reconcile/trigger.js';
export { owned, type OwnedOptions } from './controller/owners/owned.js';
export { mapped } from './controller/reconcile/mapped.js';
export { applyObject, applyStatus, type ApplyOptions } from './controller/status/applyObject.js';
export { ensureFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from './controller/status/finalizers.js';
export {
  controllerOf,
  isControlledBy,
  ownerReferenceOf,
  setControllerReference,
  type OwnerReferenceOptions,
} from './controller/owners/ownerReferences.js';
export { setCondition, type ConditionToSet } from './controller/status/setCondition.js';
export {
  createEventRecorder,
  type EventFailure,
  type EventRecorder,
  type EventRecorderOptions,
} from './controller/status/createEventRecorder.js';
export type { EventToRecord } from './controller/status/eventObject.js';
export { schedulerClock } from './controller/reconcile/schedulerClock.js';
