import { describe, expect, it } from '@jest/globals';
import { InformerError } from 'rx-informer';
import { linkLine } from '../../src/output/looks.js';

const base = { since: 0, resourceVersion: '7', synced: true, degraded: [] } as const;

describe('linkLine', () => {
  it('says at which version the cache is live', () => {
    expect(linkLine({ ...base, state: 'watching' }, 0)).toBe('live at resource version 7');
  });

  it('says when and why it reconnects', () => {
    const error = new InformerError({ code: 'ERR_WATCH', message: 'socket hang up' });
    expect(linkLine({ ...base, state: 'retrying', attempt: 2, nextAttemptAt: 3_500, error }, 1_000)).toBe(
      'reconnecting in 2.5 s (attempt 3): socket hang up',
    );
  });

  it('counts what has arrived of a long list', () => {
    expect(linkLine({ ...base, state: 'listing', received: 12_500 }, 0)).toBe('listing: 12,500 objects so far');
    expect(linkLine({ ...base, state: 'listing' }, 0)).toBe('listing');
  });
});
