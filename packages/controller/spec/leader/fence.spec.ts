import { describe, expect, it } from '@jest/globals';
import { fence, fenceAnnotation } from '../../src/leader/fence.js';

const site = { metadata: { name: 'site', uid: 'u', resourceVersion: '7', annotations: { note: 'x' } } };

describe('fence', () => {
  it('notes the token on a copy', () => {
    const fenced = fence(site, 4);
    expect(fenced.metadata).toEqual({ ...site.metadata, annotations: { note: 'x', [fenceAnnotation]: '4' } });
    expect(site.metadata.annotations).toEqual({ note: 'x' });
    expect(fence({ metadata: { name: 'new' } }, 4).metadata).toEqual({ name: 'new', annotations: { [fenceAnnotation]: '4' } });
  });

  it('refuses an object that a later leader has written, and takes that of an earlier one', () => {
    const written = fence(site, 5);
    expect(() => fence(written, 4)).toThrow('site was written by leader number 5, and this is number 4: a later leader is at work');
    expect(fence(written, 5).metadata.annotations[fenceAnnotation as 'note']).toBe('5');
    expect(fence(written, 6).metadata.annotations[fenceAnnotation as 'note']).toBe('6');
  });

  it('wants the version that lets the server refuse a stale write', () => {
    expect(() => fence({ metadata: { name: 'site', uid: 'u' } }, 4)).toThrow(/^Expected site to have a `metadata.resourceVersion`/);
  });
});
