// Handlers and consumers of events one at a time. Pages get them from `consumers.page.ts`, which loads them at the first use.
export { createHandler } from './createHandler.js';
export { processed, slicedEvents } from './process.js';
