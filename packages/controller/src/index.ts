// Control loops
export { reconcile } from './reconcile/reconcile.js';
export type { ReconcileConfig, SourceCollection } from './reconcile/reconcileConfig.js';
export type { ReconcileRequest, ReconcileResult } from './reconcile/reconcileRun.js';
export type { Outcome } from './reconcile/outcome.js';
export { retryAfter, terminal } from './reconcile/terminal.js';
export { ownerKeys } from './owners/ownerKeys.js';
export { mapsTo, owns } from './owners/owns.js';
export { children } from './children/children.js';
export { mappedKeys } from './reconcile/mappedKeys.js';
export { applyObject, applyStatus } from './status/applyObject.js';
export { ensureFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from './status/finalizers.js';
export { controllerOf, isControlledBy, ownerReferenceOf, setControllerReference } from './owners/ownerReferences.js';
export { setCondition } from './status/setCondition.js';
export { createEventRecorder, type EventRecorder } from './status/createEventRecorder.js';

// Leader election
export { electLeader, type LeaderElection } from './leader/electLeader.js';
export type { Leader, Leadership } from './leader/leadership.js';
export { LeaderElectionError } from './leader/leaderElectionError.js';

// Shards
export { joinShards, type Shards } from './shards/joinShards.js';
export type { Shard } from './shards/shardMember.js';
export type { ShardRequest } from './shards/shardedReconcile.js';

// Definitions
export { defineResource, type DefinedResource, type ObjectOf } from './definitions/defineResource.js';
export { jsonSchema, type ResourceSchema } from './definitions/schemaSource.js';
