import { describe, expect, it } from '@jest/globals';
import { listRequest } from '../../../src/source/pages/listRequest.js';

describe('listRequest', () => {
  it('leaves out what is not asked for (PG-02, RL-03)', () => {
    expect(listRequest({ resourceVersion: '' }, 0)).toEqual({});
    expect(listRequest({ resourceVersion: '0' }, 500)).toEqual({ resourceVersion: '0', limit: 500 });
    expect(listRequest({ resourceVersion: '5', resourceVersionMatch: 'Exact' }, 0)).toEqual({
      resourceVersion: '5',
      resourceVersionMatch: 'Exact',
    });
  });
});
