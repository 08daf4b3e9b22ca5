// The parts that an informer has on demand. Pages get those of `parts.page.ts`, which refuses most of them and loads others at the first use.
export { createHandler } from './consuming/createHandler.js';
export { processed, slicedEvents } from './consuming/process.js';
export { checkQueue, queuedCache } from './session/queuedCache.js';
export { InformerTrace } from './session/informerTrace.js';
export { createResyncClock } from './session/resyncClock.js';
export { createWritesView, ownWritesOf } from './session/writesView.js';
export { shardedSource } from '../source/shardedSource.js';
export { verifierOf } from './verify/verifier.js';
export { verifyInformer } from './verify/verifyInformer.js';
export { warmCacheOf } from './warm/warmStart.js';
