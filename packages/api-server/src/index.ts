// An API server in the box
export { startApiServer, type TestApiServer } from './startApiServer.js';
export type { RunningApiServer } from './runningApiServer.js';
export { type RealApiServer, startRealApiServer } from './real/startRealApiServer.js';
export type { RealApiServerOptions } from './real/realApiServerOptions.js';
export { type EitherApiServerOptions, startEitherApiServer } from './startEitherApiServer.js';
export type { WebhookService } from './admission/webhookService.js';
export type { ApiServerOptions } from './apiServerOptions.js';
export type { AccessAttributes } from './auth/accessAttributes.js';
export type { AccessOptions } from './auth/accessControl.js';
export type { ApiServerFaults } from './faults/faults.js';
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
} from './faults/fault.js';
export type { FaultScope, FaultVerb } from './faults/faultScope.js';
export type { InjectedFault } from './faults/faultSet.js';
export type { User } from './auth/user.js';
export type { KeyedCertificate } from './auth/certificateAuthority.js';
export type { ServerCredentials } from './kubeconfigOf.js';
export type { HookedRequest } from './hooks.js';
export type { ApiServerProfile } from './profile.js';
export type { ActivityLog, RecordedRequest, RecordedWrite } from './activityLog.js';
export type { ObjectAccess, ObjectReference } from './objectAccess.js';
export type { Manifests } from './manifests.js';
export type { UsedRight } from './rbac/rightsLog.js';
export type { PolicyRule } from './rbac/policyRule.js';
export type { UsedRole } from './rbac/usedRoles.js';
export type { GrantedByOptions, RbacDifferences, RbacOptions, UsedRights } from './rbac/usedRights.js';
export type { StoreSnapshot } from './store/store.js';
export { startWorkload, type Workload, type WorkloadOptions } from './workload/startWorkload.js';
export type { PodLifeOptions } from './workload/podLife.js';
