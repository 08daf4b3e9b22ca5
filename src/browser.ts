// The entry `rx-informer/browser`: what only pages need.
export { type SnapshotDatabase, snapshotDatabase, type SnapshotDatabaseOptions } from './informer/warm/snapshotDatabase.js';
