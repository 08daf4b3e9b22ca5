import { describe, expect, it } from '@jest/globals';
import { PendingBytes } from '../../../src/client/decode/pendingBytes.js';

describe('PendingBytes', () => {
  it('puts parts together, one value after the other', () => {
    const pending = new PendingBytes(100, 'a value');
    for (const value of ['first', 'the second one']) {
      for (const byte of Buffer.from(value)) pending.push(Uint8Array.of(byte), 0);
      expect(pending).toHaveLength(value.length);
      expect(Buffer.from(pending.take()).toString()).toBe(value);
    }
    expect(pending).toHaveLength(0);
  });

  it('copies what it is given, whose memory may be used again', () => {
    const pending = new PendingBytes(100, 'a value');
    const part = Uint8Array.of(1, 2);
    pending.push(part, 0);
    part.fill(9);
    expect([...pending.take()]).toEqual([1, 2]);
  });

  it('takes a few bytes of memory for each byte, however small the parts are', () => {
    const pending = new PendingBytes(1_000_000, 'a value');
    for (let at = 0; at < 100_000; at += 1) pending.push(Uint8Array.of(at), 0);
    expect(pending.take().buffer.byteLength).toBeLessThan(4 * 100_000);
  });

  it('refuses a value that is too long, and names what it was', () => {
    const pending = new PendingBytes(4, 'a line');
    pending.push(new Uint8Array(3), 17);
    expect(() => pending.push(new Uint8Array(2), 17)).toThrow('Expected a line to have at most 4 bytes, got more');
  });

  it('does not keep the memory of a large value', () => {
    const pending = new PendingBytes(8_000_000, 'a value');
    pending.push(new Uint8Array(4_000_000), 0);
    pending.take();
    pending.push(new Uint8Array(1), 0);
    expect(pending.take().buffer.byteLength).toBeLessThan(10_000);
  });
});
