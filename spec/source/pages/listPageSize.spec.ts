import { describe, expect, it } from '@jest/globals';
import { listPageSize } from '../../../src/source/pages/listPageSize.js';

describe('listPageSize', () => {
  it.each([
    ['', undefined, false, 500],
    ['0', undefined, false, 500],
    ['10', undefined, false, 0],
    ['10', undefined, true, 500],
    ['0', 100, false, 100],
    ['10', 100, false, 100],
    ['', 0, true, 0],
  ])('version %j, own size %p, pages seen before %p: %p (RL-04, PG-02)', (resourceVersion, pageSize, paginated, expected) => {
    expect(listPageSize({ resourceVersion }, pageSize, paginated)).toBe(expected);
  });

  it('asks for pages where it is said how the version is meant', () => {
    expect(listPageSize({ resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' }, undefined, false)).toBe(500);
  });
});
