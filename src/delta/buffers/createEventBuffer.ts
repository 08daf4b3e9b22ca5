import { createBoundedBuffer } from './boundedBuffer.js';
import type { BufferOptions } from './bufferOptions.js';
import { ConflatingBuffer } from './conflatingBuffer.js';
import { CatchUpBuffer } from './catchUpBuffer.js';
import type { EventBuffer, StoreContent } from './eventBuffer.js';

const defaultCapacity = 1024;

/** Makes the buffer of one consumer of the events of `store`. */
export function createEventBuffer<T>(
  { buffer = 'unbounded', capacity = defaultCapacity }: BufferOptions,
  store: StoreContent<T>,
): EventBuffer<T> {
  switch (buffer) {
    case 'conflate':
      return new ConflatingBuffer();
    case 'catchUp':
      return new CatchUpBuffer(capacity, store);
    case 'error':
      return createBoundedBuffer(capacity);
    default:
      return createBoundedBuffer(Infinity);
  }
}
