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
export { resources } from './api/resources.js';
export { builtInResources } from './api/builtInResources.js';
export { customResource } from './api/customResource.js';
export type { Resource } from './api/resource.js';
export { resourceName } from './api/resourceName.js';
export type { LabelSelectorObject } from './api/selectors/labelSelector.js';

// Errors
export { ApiError } from './api/errors/apiError.js';
export { InformerError, type InformerErrorCode } from './api/errors/informerError.js';
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
} from './api/errors/apiErrorPredicates.js';
export type { Status } from './api/errors/status.js';

// Client
export { createClient } from './client/createClient.js';
export type { ClientOptions } from './client/clientOptions.js';
export type { ClientWrite, KubeClient, ListOptions, PatchType } from './client/kubeClient.js';
export { RequestError } from './client/requests/requestError.js';
export { toClientNode } from './client/toClientNode.js';

// Cache
export type { Indexers } from './cache/store/indexer.js';
export type { IndexSnapshot } from './cache/snapshot/indexSnapshot.js';
export { metaNamespaceKey } from './cache/keys/metaNamespaceKey.js';
export { splitMetaNamespaceKey } from './cache/keys/splitMetaNamespaceKey.js';
export { ownerUidIndexFunc } from './cache/store/ownerUidIndexFunc.js';
export { labelIndexFunc } from './cache/store/labelIndexFunc.js';
export { edit, type Edited } from './cache/edit/edit.js';

// From source events to subscribers
export type { AddedEvent, DeletedEvent, LeaveReason, ResourceEvent, SyncedEvent, UpdatedEvent } from './api/events/resourceEvent.js';

// Operators
export { ofType } from './operators/filters/ofType.js';
export { filterObjects, type ObjectPredicate } from './operators/filters/filterObjects.js';
export { inNamespaces } from './operators/filters/inNamespaces.js';
export { withLabels } from './operators/filters/withLabels.js';
export { ownedBy } from './operators/filters/ownedBy.js';
export { filterUpdates } from './operators/filters/filterUpdates.js';
export {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  partChanged,
  specChanged,
  statusChanged,
  type UpdatePredicate,
} from './operators/filters/updatePredicates.js';
export { allOf, anyOf, noneOf } from './operators/filters/predicateLogic.js';
export { conflateByKey } from './operators/timing/conflateByKey.js';
export { debounceByKey } from './operators/timing/debounceByKey.js';
export { resync } from './operators/timing/resync.js';
export { groupByKey } from './operators/keys/groupByKey.js';
export { pairwiseByKey } from './operators/keys/pairwiseByKey.js';
export { untilDeleted } from './operators/filters/untilDeleted.js';
export { toMap } from './operators/folds/toMap.js';
export { toObjects } from './operators/folds/toObjects.js';
export { isReady } from './operators/readiness/isReady.js';
export { conditionOf, isConditionTrue } from './operators/readiness/conditions.js';

// Informers
export { createInformer } from './informer/createInformer.js';
export type { SharedInformer } from './informer/sharedInformer.js';
export { createInformerFactory } from './informer/factory/createInformerFactory.js';
export type { SharedInformerFactory } from './informer/factory/informerFactory.js';
export { makeInformer } from './informer/compat/makeInformer.js';
export { createMetadataInformer } from './informer/createMetadataInformer.js';
export type { PartialObjectMetadata } from './informer/partialObjectMetadata.js';
export { createObjectInformer, type ObjectInformer } from './informer/createObjectInformer.js';
export { permittedNamespaces } from './informer/permittedNamespaces.js';
export { waitForCacheSync } from './informer/waiting/waitForCacheSync.js';
export { until } from './informer/waiting/until.js';
export { waitUntil } from './informer/waiting/waitUntil.js';
export type { InformerOptions, ResourceInformerOptions } from './informer/informerOptions.js';
export type { HandlerRegistration, ResourceEventHandler } from './informer/handlers/eventHandler.js';
export type { Lister } from './informer/lister.js';
export type { Logger } from './informer/logger.js';
export type { InformerHealth } from './api/events/informerHealth.js';

// Changes and collections
export type { ChangeCause, ObjectEvent, ResourceChange } from './api/events/resourceChange.js';
export type { Collection } from './informer/collection.js';
export type { IndexReader } from './cache/store/indexReader.js';
