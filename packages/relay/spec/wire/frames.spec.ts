import { describe, expect, it } from '@jest/globals';
import { frameReader, frameText } from '../../src/wire/frames.js';

describe('frameReader', () => {
  it('takes frames in pieces', () => {
    const read = frameReader();
    const text = frameText({ bye: 'poll' });
    expect([read(text.slice(0, 7)), read(text.slice(7))]).toEqual([[], [{ bye: 'poll' }]]);
  });

  it('keeps no frame without an end: a compressed bomb ends at 32 MB', () => {
    const read = frameReader();
    const part = 'x'.repeat(2 ** 20);
    const all = (): void => {
      for (let count = 0; count < 40; count += 1) read(part);
    };
    expect(all).toThrow('Expected a frame of at most 33554432 characters');
  });
});
