import { describe, expect, it } from '@jest/globals';
import type { ListSemantics } from '../../../src/source/pages/listSemantics.js';
import { relistResourceVersion } from '../../../src/source/reflector/relistResourceVersion.js';

const first = { lastResourceVersion: '', versionUnavailable: false };
const later = { lastResourceVersion: '10', versionUnavailable: false };
const unavailable = { lastResourceVersion: '10', versionUnavailable: true };

describe('relistResourceVersion', () => {
  it.each<[ListSemantics, object, object, object]>([
    ['any', { resourceVersion: '0' }, { resourceVersion: '10' }, { resourceVersion: '' }],
    ['mostRecent', { resourceVersion: '' }, { resourceVersion: '' }, { resourceVersion: '' }],
    [
      { notOlderThan: '5' },
      { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' },
      { resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' },
      { resourceVersion: '' },
    ],
    [{ exact: '5' }, { resourceVersion: '5', resourceVersionMatch: 'Exact' }, { resourceVersion: '10' }, { resourceVersion: '' }],
  ])('%j: %j, then %j, then %j when that is not to be had (RL-01, RL-02)', (semantics, atFirst, afterwards, fallback) => {
    expect(relistResourceVersion(first, semantics)).toEqual(atFirst);
    expect(relistResourceVersion(later, semantics)).toEqual(afterwards);
    expect(relistResourceVersion(unavailable, semantics)).toEqual(fallback);
  });

  it('does not say how the version is meant, unless asked to (RL-03)', () => {
    expect(relistResourceVersion(first, 'any')).not.toHaveProperty('resourceVersionMatch');
    expect(relistResourceVersion(later, 'any')).not.toHaveProperty('resourceVersionMatch');
  });
});
