export { createRelay, type Relay, type RelayOptions } from './serve/createRelay.js';
export type { RelayOf, RelayShape } from './log/relayTypes.js';
export type { RelayKind, RelayView } from './log/relaySources.js';
export { accessReviews } from './rights/accessReviews.js';
export type { Authorizer, RelayUser } from './rights/authorizer.js';
export type { RelayAuditEvent } from './serve/relayCore.js';
