// Queues
export type { AddOptions, TakeOptions, Taken, WorkQueue, WorkQueueState } from './workQueue.js';
export { createWorkQueue, type WorkQueueOptions } from './createWorkQueue.js';
export { createDelayingQueue, type DelayingQueue, type DelayingQueueOptions } from './createDelayingQueue.js';
export { createRateLimitingQueue, type RateLimitingQueue, type RateLimitingQueueOptions } from './createRateLimitingQueue.js';

// Order
export type { QueueOrder } from './queueOrder.js';
export { createAgingOrder, type AgingOrderOptions } from './createAgingOrder.js';
export { createPriorityOrder } from './createPriorityOrder.js';

// Rate limiters
export type { RateLimiter } from './rateLimiter.js';
export { exponentialFailure, type ExponentialFailureOptions } from './exponentialFailure.js';
export { fastSlow, type FastSlowOptions } from './fastSlow.js';
export { tokenBucket, type TokenBucketOptions } from './tokenBucket.js';
export { maxOf } from './maxOf.js';
export { withMaxWait, type WithMaxWaitOptions } from './withMaxWait.js';
export { defaultControllerRateLimiter, type DefaultControllerRateLimiterOptions } from './defaultControllerRateLimiter.js';
export { defaultItemBasedRateLimiter } from './defaultItemBasedRateLimiter.js';

// Ports
export { type Clock, systemClock } from '../api/clock.js';
export type { QueueMetricsSink, QueueReadings } from './queueMetricsSink.js';
