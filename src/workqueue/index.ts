// Queues
export type { AddOptions, TakeOptions, Taken, WorkQueue, WorkQueueState } from './workQueue.js';
export { createWorkQueue, type WorkQueueOptions } from './createWorkQueue.js';
export { createDelayingQueue, type DelayingQueue, type DelayingQueueOptions } from './createDelayingQueue.js';
export { createRateLimitingQueue, type RateLimitingQueue, type RateLimitingQueueOptions } from './createRateLimitingQueue.js';

// Order
export type { QueueOrder } from './queueOrder.js';
export { createPriorityOrder } from './queueOrder.js';

// Rate limiters
export type { RateLimiter } from './rateLimiters.js';
export { exponentialFailure, type ExponentialFailureOptions } from './rateLimiters.js';
export { fastSlow, type FastSlowOptions } from './rateLimiters.js';
export { tokenBucket, type TokenBucketOptions } from './rateLimiters.js';
export { maxOf } from './rateLimiters.js';
export { withMaxWait, type WithMaxWaitOptions } from './rateLimiters.js';
export { defaultControllerRateLimiter, type DefaultControllerRateLimiterOptions } from './rateLimiters.js';
export { defaultItemBasedRateLimiter } from './rateLimiters.js';

// Ports
export type { Clock } from '../api/clock.js';
export type { QueueMetricsSink, QueueReadings } from './workQueue.js';
