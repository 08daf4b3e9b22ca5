// What the packages of this repository need and users do not: it may change in any version.
export { brand } from './api/brand.js';
export { builtInResources } from './api/builtInResources.js';
export { longestTimerMs, systemClock, Tokens } from './api/clock.js';
export { deepFreeze } from './api/deepFreeze.js';
export { defaults } from './api/defaults.js';
export { duplicate, type FieldError, forbiddenField, invalidValue, notSupported, required } from './api/definitions/fieldErrors.js';
export { schemaAtPath } from './api/definitions/schemaAtPath.js';
export { atRoot, extensionErrors, partsOf, placeErrors, rootErrors, type Surroundings } from './api/definitions/schemaErrors.js';
export { structuralErrors } from './api/definitions/structuralErrors.js';
export {
  additionalOf,
  fieldSchemaOf,
  isUnwantedNull,
  itemsOf,
  propertyOf,
  schemasAt,
  type StructuralSchema,
  textsAt,
  typeFields,
} from './api/definitions/structuralSchema.js';
export { columnErrors, selectableErrors, subresourceErrors } from './api/definitions/versionErrors.js';
export type { Drop } from './api/drops.js';
export { entryOf } from './api/entryOf.js';
export { apiErrorIn, isTooManyRequests, type StatusCause, type StatusDetails } from './api/errors/apiError.js';
export { errorOf, type InformerErrorCode, messageOf } from './api/errors/informerError.js';
export type { InitReason, LeaveReason, SourceStatus } from './api/events.js';
export { corsMessage, fetchExchange } from './api/fetchExchange.js';
export { firstWhere } from './api/firstWhere.js';
export { inProduction } from './api/inProduction.js';
export { isEqualJson } from './api/isEqualJson.js';
export {
  asJsonObject,
  asString,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  textAt,
  valueAt,
} from './api/json.js';
export { jsonTextOf } from './api/jsonTextOf.js';
export {
  compareResourceVersions,
  labelsInMetadata,
  type ListMeta,
  namespaceOfKey,
  resourceVersionOf,
  uidOf,
} from './api/kubernetesObject.js';
export { initialEventsEndAnnotation, type WatchEvent } from './api/listerWatcher.js';
export { onAbort } from './api/onAbort.js';
export {
  checkOptions,
  type Complete,
  definedOf,
  describeValue,
  expectArgument,
  type OptionRules,
  randomOf,
  rules,
  similarTo,
} from './api/options.js';
export {
  boolean as aBoolean,
  function as aFunction,
  object as anObject,
  scheduler as aScheduler,
  either,
  nonEmptyString,
} from './api/optionRules.js';
export { parseQuantity } from './api/parseQuantity.js';
export { apiVersionOf, isResource, notAResource, pluralOf, resourceName } from './api/resource.js';
export { type Describable, describable, type Figures, registry, type RequestFollower, type Running, runningKey } from './api/running.js';
export { type FieldRequirement, type LabelMap, labelSelectorOf, parseFieldSelector, type Selection } from './api/selectors.js';
export { Fnv1a64, hashSlot, type ShardField, slotCount } from './api/shardFilter.js';
export type { InformerReadings, TraceEnd, TraceLine, TracePage, TraceRequest } from './api/traceStep.js';
export { noteCopy } from './api/transformed.js';
export { emptySnapshot, type SnapshotChange, snapshotWith } from './cache/snapshotWith.js';
export { type Content, contentOf, type StagedContent } from './cache/store/content.js';
export { checkedValues } from './cache/store/indexedStore.js';
export type { Indexers } from './cache/store/store.js';
export { type Forbidding, readGuard } from './cache/store/readGuard.js';
export type { RequestOptions, SelectionOptions, SendOptions } from './client/kubeClient.js';
export type { PodLogsOptions } from './client/logs/podLogs.js';
export type { RightsFigures } from './client/permittedNamespaces.js';
export { Transitions } from './delta/buffers/pendingEvents.js';
export { collectionPort } from './informer/collection.js';
export type { InformerSelection } from './informer/composed/createInformerFactory.js';
export type { MetadataInformerOptions } from './informer/composed/createMetadataInformer.js';
export { createLister } from './informer/createLister.js';
export { CollectionHealth, isStale } from './informer/session/collectionHealth.js';
export { createQuiet, type Logger } from './informer/session/errorReporter.js';
export type { InformerFigures } from './informer/session/informerFigures.js';
export { type CollectionFigures, LiveCollection } from './informer/session/liveCollection.js';
export type { InformerControl } from './informer/sharedInformer.js';
export type { Syncable } from './informer/waiting/waitForCacheSync.js';
export type { SnapshotScope } from './informer/warm/snapshotStore.js';
export { hasReadiness } from './operators/readiness/isReady.js';
export { dateOf, monotonicScheduler, schedulerOf } from './rx/schedulerOf.js';
export { TokenBucket } from './rx/tokenBucket.js';
export { Trampoline } from './rx/trampoline.js';
export { headerOf } from './source/recording/recording.js';
export { lastApplied, withoutData } from './source/recording/withoutData.js';
export type { ReflectOptions } from './source/reflector/reflectOptions.js';
export type { FakeListerWatcherOptions } from './testing/fakes/fakeListerWatcher.js';
export type { WatchGuarantee } from './testing/suites/guarantees/watchGuarantees.js';
export type { HistoryWrite, Selects } from './testing/suites/guarantees/watchHistory.js';
export type { ServedSourceFactory } from './testing/suites/sourceConvergence.js';
export type { QueueFigures } from './workqueue/createWorkQueue.js';
export { KeyedHeap } from './workqueue/keyedHeap.js';
export { PriorityOrder, type QueueOrder } from './workqueue/queueOrder.js';
export type { QueueReadings } from './workqueue/workQueue.js';
