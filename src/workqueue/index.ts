// Queues
export type { WorkQueue } from './workQueue.js';
export { createWorkQueue } from './createWorkQueue.js';
export { createDelayingQueue, type DelayingQueue } from './createDelayingQueue.js';
export { createRateLimitingQueue, type RateLimitingQueue } from './createRateLimitingQueue.js';

// Rate limiters
export type { RateLimiter } from './rateLimiters.js';
export { exponentialFailure, fastSlow, maxOf, tokenBucket, withMaxWait } from './rateLimiters.js';
export { defaultControllerRateLimiter, defaultItemBasedRateLimiter } from './rateLimiters.js';

// Ports
export type { Clock } from '../api/clock.js';
export type { QueueMetricsSink } from './workQueue.js';
