export { createRelay, type Relay, type RelayOptions } from './serve/createRelay.js';
export type { RelayOf, RelayShape } from './log/relayTypes.js';
export type { RelayKind, RelaySources, RelayView } from './log/relaySources.js';
export { accessReviews, type AccessReviewsOptions } from './rights/accessReviews.js';
export type { Authorizer, RelayAccess, RelayUser } from './rights/authorizer.js';
export type { RelayAuditEvent, RelayFigures, RelayLimits } from './serve/relayCore.js';
export type { RelayRequest } from './serve/requestChecks.js';
