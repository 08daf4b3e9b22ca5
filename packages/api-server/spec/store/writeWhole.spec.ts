import { describe, expect, it } from '@jest/globals';
import { writeWhole } from '../../src/store/writeWhole.js';

describe('writeWhole', () => {
  it('goes on where a write stopped short', () => {
    const written: string[] = [];
    writeWhole(3, Buffer.from('abcdef'), (_, bytes, from) => {
      written.push(bytes.subarray(from, from + 4).toString());
      return Math.min(4, bytes.length - from);
    });
    expect(written).toEqual(['abcd', 'ef']);
  });

  it('throws when the file takes no more', () => {
    let calls = 0;
    const write = (): number => (calls++ === 0 ? 2 : 0);
    expect(() => writeWhole(3, Buffer.from('abcdef'), write)).toThrow('Expected the file to take 6 bytes, it took 2');
  });

  it('writes nothing where there is nothing', () => {
    expect(() => writeWhole(3, Buffer.alloc(0), () => 0)).not.toThrow();
  });
});
