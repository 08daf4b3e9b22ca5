export { createManager, type Manager } from './createManager.js';
export { select, type ManagedSelection, type SelectOptions } from './select.js';
export type { HealthCheck } from './ownChecks.js';
export type { ManagerWarning, PathHandler } from './probeServer.js';
export type { ManagedProcess, ManagerLogger, ManagerOptions } from './managerOptions.js';
export type {
  Controller,
  ControllerContext,
  ControllerOptions,
  ControllerShard,
  ManagedChildrenOptions,
  ManagedReconcileConfig,
  WhenEnded,
} from './controllerContext.js';
export type { ManagerHealth, ManagerResult } from './managerRun.js';
export { snapshotFile } from './snapshot/snapshotFile.js';
