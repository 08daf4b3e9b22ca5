export { createManager, type Manager } from './createManager.js';
export { select, type ManagedSelection } from './select.js';
export type { ManagerOptions } from './managerOptions.js';
export type { Controller } from './controllerContext.js';
export type { ManagerResult, ManagerHealth } from './managerRun.js';
export { snapshotFile } from './snapshot/snapshotFile.js';
