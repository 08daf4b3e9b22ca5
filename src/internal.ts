// What the packages of this repository need and users do not: it may change in any version.
import './api/disposable.js';
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
export { entryOf } from './api/entryOf.js';
export { apiErrorIn } from './api/errors/apiError.js';
export { errorOf, messageOf } from './api/errors/informerError.js';
export { corsMessage, fetchExchange } from './api/fetchExchange.js';
export { firstWhere } from './api/firstWhere.js';
export { inProduction } from './api/inProduction.js';
export { asJsonObject, asString, isJsonArray, isJsonObject, type Json, jsonEqual, type JsonObject, valueAt } from './api/json.js';
export { jsonTextOf } from './api/jsonTextOf.js';
export {
  compareResourceVersions,
  labelsInMetadata,
  type ListMeta,
  namespaceOfKey,
  resourceVersionOf,
  uidOf,
} from './api/kubernetesObject.js';
export { initialEventsEndAnnotation } from './api/listerWatcher.js';
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
export { aBoolean, aFunction, anObject, aScheduler, either, nonEmptyString } from './api/optionRules.js';
export { parseQuantity } from './api/parseQuantity.js';
export { apiVersionOf, isResource, notAResource, pluralOf, resourceName } from './api/resource.js';
export { type Describable, describable, type Figures, registry, type RequestFollower, type Running, runningKey } from './api/running.js';
export { type FieldRequirement, labelSelectorOf, parseFieldSelector } from './api/selectors.js';
export { Fnv1a64, hashSlot, type ShardField, slotCount } from './api/shardFilter.js';
export { columnsOf } from './api/tables/columnsOf.js';
export { listAt, numberAt, textAt } from './api/tables/fieldAt.js';
export { humanDuration } from './api/tables/humanDuration.js';
export { parseJsonPath } from './api/tables/jsonPath.js';
export { ageColumn, ageOf, column, nameColumn, type TableColumn } from './api/tables/tableColumn.js';
export { noteCopy } from './api/transformed.js';
export { emptySnapshot, type SnapshotChange, snapshotWith } from './cache/snapshotWith.js';
export { type Content, contentOf, type StagedContent } from './cache/store/content.js';
export { checkedValues } from './cache/store/indexSet.js';
export { type Forbidding, readGuard } from './cache/store/readGuard.js';
export { isRecord } from './client/parseJson.js';
export { Transitions } from './delta/buffers/pendingEvents.js';
export { createLister } from './informer/createLister.js';
export type { InformerFigures } from './informer/session/informerFigures.js';
export type { RightsFigures } from './client/permittedNamespaces.js';
export { CollectionHealth, isStale } from './informer/session/collectionHealth.js';
export { createQuiet } from './informer/session/errorReporter.js';
export { type CollectionFigures, LiveCollection } from './informer/session/liveCollection.js';
export { isEqualJson } from './operators/folds/isEqualJson.js';
export { type Condition, hasReadiness } from './operators/readiness/isReady.js';
export { inTurns } from './rx/inTurns.js';
export { dateOf, monotonicScheduler, schedulerOf } from './rx/schedulerOf.js';
export { TokenBucket } from './rx/tokenBucket.js';
export { headerOf } from './source/recording/recording.js';
export { lastApplied, withoutData } from './source/recording/withoutData.js';
export type { QueueFigures } from './workqueue/createWorkQueue.js';
export { createAgingOrder } from './workqueue/queueOrder.js';
