// Objects, resources and selectors
export type { KubernetesList, KubernetesObject, UnstructuredObject } from './api/kubernetesObject.js';
export type * from './api/kubernetes/index.js';
export { resources } from './api/resources.js';
export { customResource, type Resource, type Verb } from './api/resource.js';

// Errors
export { ApiError, isAlreadyExists, isConflict, isExpired, isForbidden, isNotFound } from './api/errors/apiError.js';
export { InformerError } from './api/errors/informerError.js';

// Client
export { createClient } from './client/createClient.js';
export type { ClientOptions } from './client/clientOptions.js';
export type { KubeClient } from './client/kubeClient.js';
export { RequestError } from './client/requests/requestError.js';

// Cache
export type { IndexSnapshot } from './cache/snapshotWith.js';
export { metaNamespaceKey } from './api/kubernetesObject.js';
export { edit, type Edited } from './cache/edit.js';

// From source events to subscribers
export type { AddedEvent, DeletedEvent, InformerHealth, ObjectEvent, ResourceChange } from './api/events.js';
export type { ResourceEvent, SyncedEvent, UpdatedEvent } from './api/events.js';

// Operators
export { filterObjects, inNamespaces, ofType, ownedBy, withLabels } from './operators/filters/filterObjects.js';
export { filterUpdates } from './operators/filters/filterUpdates.js';
export {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  partChanged,
  specChanged,
  statusChanged,
} from './operators/filters/filterUpdates.js';
export { allOf, anyOf, noneOf } from './operators/filters/filterUpdates.js';
export { conflateByKey } from './operators/timing/conflateByKey.js';
export { debounceByKey } from './operators/timing/debounceByKey.js';
export { resync } from './operators/timing/resync.js';
export { groupByKey } from './operators/keys/groupByKey.js';
export { pairwiseByKey } from './operators/keys/pairwiseByKey.js';
export { untilDeleted } from './operators/filters/untilDeleted.js';
export { toMap, toObjects } from './operators/folds/toMap.js';
export { type Condition, conditionOf, isConditionTrue, isReady } from './operators/readiness/isReady.js';

// Informers
export { createInformer } from './informer/createInformer.js';
export type { HandlerRegistration, SharedInformer } from './informer/sharedInformer.js';
export { createInformerFactory } from './informer/composed/createInformerFactory.js';
export type { InformerFactoryOptions, SharedInformerFactory } from './informer/composed/createInformerFactory.js';
export { createMetadataInformer } from './informer/composed/createMetadataInformer.js';
export type { PartialObjectMetadata } from './informer/composed/createMetadataInformer.js';
export { createObjectInformer, type ObjectInformer } from './informer/composed/createObjectInformer.js';
export { podLogs, type PodLogLine } from './client/logs/podLogs.js';
export { permittedNamespaces } from './client/permittedNamespaces.js';
export { waitForCacheSync } from './informer/waiting/waitForCacheSync.js';
export { waitUntil } from './informer/waiting/waitUntil.js';
export type { ResourceInformerOptions } from './informer/informerOptions.js';
export type { ResourceEventHandler } from './delta/resourceEventHandler.js';
export type { Collection, Lister } from './informer/collection.js';
export type { IndexReader } from './cache/store/store.js';
