// An API server in the box
export { startApiServer, type TestApiServer } from './startApiServer.js';
export type { RunningApiServer } from './runningApiServer.js';
export { type RealApiServer, startRealApiServer } from './real/startRealApiServer.js';
export { startEitherApiServer } from './startEitherApiServer.js';
export type { ApiServerOptions } from './apiServerOptions.js';
export type { Fault } from './faults/fault.js';
export type { User } from './auth/user.js';
export type { UsedRights } from './rbac/usedRights.js';
export type { StoreSnapshot } from './store/store.js';
export { startWorkload, type Workload } from './workload/startWorkload.js';
