import { createBoundedBuffer } from './boundedBuffer.js';
import type { BufferOptions } from './bufferOptions.js';
import { createConflatingBuffer } from './conflatingBuffer.js';
import { DroppingBuffer } from './droppingBuffer.js';
import type { EventBuffer } from './eventBuffer.js';
import type { StoreContent } from '../share/storeContent.js';

const defaultCapacity = 1024;

/**
 * @throws TypeError when an option is wrong.
 */
export function checkBufferOptions({ buffer, capacity }: BufferOptions): void {
  if (buffer !== undefined && !['unbounded', 'conflate', 'dropOldest', 'error'].includes(buffer)) {
    throw new TypeError(`Expected \`buffer\` to be 'unbounded', 'conflate', 'dropOldest' or 'error', got ${JSON.stringify(buffer)}`);
  }
  if (capacity !== undefined && (!Number.isSafeInteger(capacity) || capacity < 1)) {
    throw new TypeError(`Expected \`capacity\` to be an integer >= 1, got ${String(capacity)}`);
  }
}

/**
 * Makes the buffer of one consumer of the events of `store`.
 */
export function createEventBuffer<T>(
  { buffer = 'unbounded', capacity = defaultCapacity }: BufferOptions,
  store: StoreContent<T>,
): EventBuffer<T> {
  switch (buffer) {
    case 'conflate':
      return createConflatingBuffer();
    case 'dropOldest':
      return new DroppingBuffer(capacity, store);
    case 'error':
      return createBoundedBuffer(capacity);
    default:
      return createBoundedBuffer(Infinity);
  }
}
