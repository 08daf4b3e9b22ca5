// Control loops
export { reconcile } from './reconcile/reconcile.js';
export type { ReconcileConfig, ReconcileSource, SourceCollection, SyncedCache } from './reconcile/reconcileConfig.js';
export type { ReconcileRequest, ReconcileResult } from './reconcile/reconcileRun.js';
export type {
  FailedOutcome,
  Outcome,
  SourceCompletedOutcome,
  SourceFailedOutcome,
  StartedOutcome,
  StoppedOutcome,
  StuckOutcome,
  SucceededOutcome,
  TriggerFailedOutcome,
} from './reconcile/outcome.js';
export { retryAfter, terminal } from './reconcile/terminal.js';
export type { SourceValue, Trigger, TriggerCause, TriggerError, TriggerReason } from './reconcile/trigger.js';
export { ownerKeys, type OwnerKeysOptions } from './owners/ownerKeys.js';
export { mapsTo, owns, type MappedCollection, type OwnsOptions } from './owners/owns.js';
export { type CachedChildren, children, type ChildrenAcross, type ChildrenOptions, type ChildrenResult } from './children/children.js';
export { mappedKeys } from './reconcile/mappedKeys.js';
export { applyObject, applyStatus, type ApplyOptions, type CurrentObjects } from './status/applyObject.js';
export { ensureFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from './status/finalizers.js';
export {
  controllerOf,
  isControlledBy,
  ownerReferenceOf,
  setControllerReference,
  type OwnerReferenceOptions,
} from './owners/ownerReferences.js';
export { setCondition, type ConditionToSet } from './status/setCondition.js';
export type { Condition } from 'rx-informer/internal';
export { createEventRecorder, type EventFailure, type EventRecorder, type EventRecorderOptions } from './status/createEventRecorder.js';
export type { EventToRecord } from './status/eventObject.js';

// Leader election
export { electLeader, type LeaderElection } from './leader/electLeader.js';
export type { Leader, Leadership } from './leader/leadership.js';
export { LeaderElectionError, type LeaderElectionErrorCode } from './leader/leaderElectionError.js';
export type { LeaderElectionOptions, LeaderMetricsSink } from './leader/leaderElectionOptions.js';

// Shards
export { joinShards, type Shards } from './shards/joinShards.js';
export type { Shard } from './shards/shardMember.js';
export type { ShardOptions } from './shards/shardOptions.js';
export type { ShardReconcileConfig, ShardRequest } from './shards/shardedReconcile.js';
export type { ShardField } from 'rx-informer/internal';

// Definitions
export {
  defineResource,
  type DefinedColumn,
  type DefinedResource,
  type DefinedVersion,
  type Frozen,
  type ObjectOf,
  type ResourceDefinition,
  type VersionObject,
} from './definitions/defineResource.js';
export { type InputOf, jsonSchema, type JsonSchemaOptions, type ResourceSchema } from './definitions/schemaSource.js';
