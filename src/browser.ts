// The entry `rx-informer/browser`: what only pages need.
export { snapshotDatabase } from './informer/warm/snapshotDatabase.js';
