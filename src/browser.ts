// The entry `rx-informer/browser`: what only pages need.
export { type SnapshotDatabase, snapshotDatabase } from './informer/warm/snapshotDatabase.js';
