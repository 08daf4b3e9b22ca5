export { createRelay, type Relay, type RelayOptions } from './serve/createRelay.js';
export type { RelayOf, RelayShape } from './log/relayTypes.js';
export { accessReviews } from './rights/accessReviews.js';
export type { Authorizer, RelayUser } from './rights/authorizer.js';
