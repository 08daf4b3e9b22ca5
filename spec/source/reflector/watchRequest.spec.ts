import { describe, expect, it } from '@jest/globals';
import { watchRequest } from '../../../src/source/reflector/watchRequest.js';

describe('watchRequest', () => {
  it('asks for bookmarks, and for an end between one and two times the shortest (RW-01, RW-02)', () => {
    const seconds = [0, 0.5, 0.999].map((chance) => watchRequest('10', false, { watchTimeoutSeconds: 300, random: () => chance }));
    expect(seconds).toEqual(
      [300, 450, 599].map((timeoutSeconds) => ({ resourceVersion: '10', allowWatchBookmarks: true, timeoutSeconds })),
    );
  });

  it('asks a streamed list to be at least as new as a version, or most recent without one (WL-02)', () => {
    const settings = { watchTimeoutSeconds: 7, random: () => 0 };
    const streamed = { allowWatchBookmarks: true, timeoutSeconds: 7, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    expect(watchRequest('', true, settings)).toEqual(streamed);
    expect(watchRequest('10', true, settings)).toEqual({ ...streamed, resourceVersion: '10' });
  });
});
