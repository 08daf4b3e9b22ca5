import { describe, expect, it } from '@jest/globals';
import { RequeueError } from '../../../src/delta/fifo/deltaProcessor.js';

describe('RequeueError', () => {
  it('has a cause where there is one', () => {
    const cause = new Error('later');
    expect(new RequeueError(cause).cause).toBe(cause);
    expect(new RequeueError()).not.toHaveProperty('cause');
  });
});
