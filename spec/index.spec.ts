import { describe, expect, it } from '@jest/globals';

import * as entry from '../src/index.js';

describe('rx-informer', () => {
  it('has an entry that loads', () => {
    expect(entry).toBeDefined();
  });
});
