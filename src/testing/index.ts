// An API server in the box
export { startApiServer, type TestApiServer } from './startApiServer.js';
export type { RunningApiServer } from './runningApiServer.js';
export { type RealApiServer, startRealApiServer } from './real/startRealApiServer.js';
export type { RealApiServerOptions } from './real/realApiServerOptions.js';
export { type EitherApiServerOptions, startEitherApiServer } from './startEitherApiServer.js';
export type { WebhookService } from '../apiserver/admission/webhookService.js';
export type { ApiServerOptions } from '../apiserver/apiServerOptions.js';
export type { AccessAttributes } from '../apiserver/auth/accessAttributes.js';
export type { AccessOptions } from '../apiserver/auth/accessControl.js';
export type { ApiServerFaults } from '../apiserver/faults/faults.js';
export type {
  AnswerFault,
  CompressFault,
  CutFault,
  DelayFault,
  DripFault,
  EndWatchFault,
  EventFault,
  Fault,
  FreezeFault,
  StaleFault,
  TruncateFault,
  WithholdFault,
} from '../apiserver/faults/fault.js';
export type { FaultScope, FaultVerb } from '../apiserver/faults/faultScope.js';
export type { InjectedFault } from '../apiserver/faults/faultSet.js';
export type { User } from '../apiserver/auth/user.js';
export type { KeyedCertificate } from '../apiserver/auth/certificateAuthority.js';
export type { ServerCredentials } from './kubeconfigOf.js';
export type { HookedRequest } from '../apiserver/hooks.js';
export type { ApiServerProfile } from '../apiserver/profile.js';
export type { ActivityLog, RecordedRequest, RecordedWrite } from '../apiserver/activityLog.js';
export type { ObjectAccess, ObjectReference } from '../apiserver/objectAccess.js';
export type { Manifests } from '../apiserver/manifests.js';
export type { UsedRight } from '../apiserver/rbac/rightsLog.js';
export type { PolicyRule } from '../apiserver/rbac/policyRule.js';
export type { UsedRole } from '../apiserver/rbac/usedRoles.js';
export type { GrantedByOptions, RbacDifferences, RbacOptions, UsedRights } from '../apiserver/rbac/usedRights.js';
export type { StoreSnapshot } from '../apiserver/store/store.js';
export { startWorkload, type Workload, type WorkloadOptions } from './workload/startWorkload.js';
export type { PodLifeOptions } from './workload/podLife.js';

// Sources for tests
export { fakeCollection, type FakeCollection, type FakeCollectionOptions } from './fakes/fakeCollection.js';
export { FakeListerWatcher, type FakeListerWatcherOptions, type FakeRequest } from './fakes/fakeListerWatcher.js';
export { expiredStatus } from './fakes/serverErrors.js';

// Suites for parts of one's own
export { sourceConformance } from './suites/sourceConformance.js';
export type { SourceConformanceCase, SourceFactory } from './suites/sourceConformanceCase.js';
export { type ServedSourceFactory, sourceConvergence, type SourceConvergenceCase } from './suites/sourceConvergence.js';
export { checkSourceGrammar } from './suites/checkSourceGrammar.js';
export { checkWatchGuarantees, type GuaranteeViolation } from './suites/guarantees/checkWatchGuarantees.js';
export { type HistoryWrite, type Selects, WatchHistory } from './suites/guarantees/watchHistory.js';
export type { WatchGuarantee } from './suites/guarantees/watchGuarantees.js';
export type { ObservedEvent, WatchObservation } from './suites/guarantees/watchObservation.js';
export { observationsOfEvents } from './suites/guarantees/observationsOfEvents.js';
export { storeConformance } from './suites/storeConformance.js';
export type { StoreConformanceCase, StoreFactory } from './suites/storeConformanceCase.js';
export { checkOperatorLaw, type OperatorLaw } from './suites/checkOperatorLaw.js';
export type { SampleObject } from './fakes/randomHistory.js';

// Marbles, events and objects
export { createTestScheduler, type MarbleHelpers, runMarbles } from './marbles/runMarbles.js';
export { added, deleted, synced, updated } from './marbles/resourceEvents.js';
export { changeOf, type ChangeFields, snapshotOf } from './marbles/resourceChanges.js';
export {
  sourceAdded,
  sourceBookmark,
  sourceDeleted,
  sourceInit,
  sourceModified,
  sourcePage,
  sourceReady,
  sourceStatus,
} from './marbles/sourceEvents.js';
export { configMap, deployment, pod } from './fakes/fixtures.js';
export { objectOf } from './fakes/objectOf.js';
export type { Overrides } from './fakes/withOverrides.js';
export {
  type ExpectedEvent,
  type MatcherResult,
  type ResourceEventMatchers,
  resourceEventMatchers,
} from './marbles/resourceEventMatchers.js';

// Time
export { advanceBy } from './marbles/advanceBy.js';
export { createManualClock, type ManualClock } from './fakes/manualClock.js';
