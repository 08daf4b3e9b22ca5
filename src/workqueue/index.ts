// Queues
export type { WorkQueue } from './workQueue.js';
export { createWorkQueue } from './createWorkQueue.js';
export { createDelayingQueue, type DelayingQueue } from './createDelayingQueue.js';
export { createRateLimitingQueue, type RateLimitingQueue } from './createRateLimitingQueue.js';

// Rate limiters
export type { RateLimiter } from './rateLimiters.js';
export { exponentialFailure } from './rateLimiters.js';
export { fastSlow } from './rateLimiters.js';
export { tokenBucket } from './rateLimiters.js';
export { maxOf } from './rateLimiters.js';
export { withMaxWait } from './rateLimiters.js';
export { defaultControllerRateLimiter } from './rateLimiters.js';
export { defaultItemBasedRateLimiter } from './rateLimiters.js';

// Ports
export type { Clock } from '../api/clock.js';
export type { QueueMetricsSink } from './workQueue.js';
