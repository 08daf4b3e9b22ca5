import { describe, expect, it } from '@jest/globals';
import { watchListResourceVersion } from '../../../src/source/reflector/watchListResourceVersion.js';

const first = { lastResourceVersion: '', versionUnavailable: false };
const later = { lastResourceVersion: '10', versionUnavailable: false };
const unavailable = { lastResourceVersion: '10', versionUnavailable: true };

describe('watchListResourceVersion', () => {
  it('is none at first, then the last version, and none when that is not to be had (WL-02, WL-08)', () => {
    expect([first, later, unavailable].map((state) => watchListResourceVersion(state, 'any'))).toEqual(['', '10', '']);
  });

  it('is none where the most recent state is wanted', () => {
    expect([first, later, unavailable].map((state) => watchListResourceVersion(state, 'mostRecent'))).toEqual(['', '', '']);
  });

  it('begins at the version that the list must not be older than', () => {
    expect([first, later, unavailable].map((state) => watchListResourceVersion(state, { notOlderThan: '5' }))).toEqual(['5', '10', '']);
  });
});
