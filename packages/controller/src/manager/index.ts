export { createManager, type Manager } from './createManager.js';
export { select, type ManagedSelection } from './select.js';
export type { Controller } from './controllerContext.js';
export type { ManagerResult } from './managerRun.js';
export { snapshotFile } from './snapshot/snapshotFile.js';
