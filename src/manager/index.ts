export { createManager, type Manager } from './createManager.js';
export type { ManagedProcess, ManagerLogger, ManagerOptions } from './managerOptions.js';
export type { Controller, ControllerContext, ControllerOptions, ControllerShard } from './controllerContext.js';
export type { ManagerResult } from './managerResult.js';
export { snapshotFile } from './snapshot/snapshotFile.js';
