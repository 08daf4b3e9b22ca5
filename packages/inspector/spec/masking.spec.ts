import { describe, expect, it } from '@jest/globals';
import { maskingOf } from '../src/masking.js';
import type { Running } from 'rx-informer/internal';

const pods = { figures: () => ({ kind: 'informer', resource: 'pods', selection: 'all' }) } as unknown as Running;
const pod = { kind: 'Pod', metadata: { name: 'a' }, spec: { nodeName: 'n' } };
const secret = { kind: 'Secret', metadata: { name: 's' }, data: { password: 'aHVudGVy' } };

describe('maskingOf', () => {
  it('compares objects of a known kind in parts, but not those into which a transform has put a Secret', () => {
    const { isOpen, shown } = maskingOf(pods);
    const withSecret = { ...pod, joined: [{ of: secret }] };
    expect([isOpen(pod), isOpen(withSecret)]).toEqual([true, false]);
    expect(JSON.stringify(shown(withSecret))).not.toContain('aHVudGVy');
  });
});
