// The entry `rx-informer/browser`: for pages, beside what they share with programs.
export { type SnapshotDatabase, snapshotDatabase, type SnapshotDatabaseOptions } from './snapshotDatabase.js';
