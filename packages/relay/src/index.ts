export { createRelay, type Relay } from './serve/createRelay.js';
export type { RelayOf } from './log/relayTypes.js';
export { accessReviews } from './rights/accessReviews.js';
export type { Authorizer, RelayUser } from './rights/authorizer.js';
