import { describe, expect, it } from '@jest/globals';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { objectIdentity } from '../../../src/api/kubernetesObject.js';
import { listDifference } from '../../../src/delta/index/listDifference.js';
import { createIdentityMemory, failed } from '../../../src/delta/index/cacheWriter.js';
import type { HalfList } from '../../../src/delta/index/intake.js';
import { brief, type Pod, pod } from '../pods.js';

function differenceOf(stored: readonly Pod[], listed: readonly (readonly [string, Pod | typeof failed])[], compared = false) {
  const half: HalfList<Pod> = {
    ...{ values: new Map(), failing: new Set(), untransformed: new Map(), identities: createIdentityMemory(true) },
    ...{ previousResourceVersion: '', mayBeOlder: false, staged: undefined },
  };
  for (const [key, value] of listed) {
    half.values.set(key, value);
    if (value !== failed) half.identities.remember(key, value, objectIdentity(value));
  }
  let matched = -1;
  const { events, kept, ...rest } = listDifference<Pod>({
    ...{ store: createIndexer<Pod>({ initialObjects: stored }), half, identities: createIdentityMemory(true), compared },
    vanished: (matches) => {
      matched = matches;
      return ['default/gone'];
    },
    isUntold: () => false,
    found: { initial: false, inferred: true },
  });
  return { ...rest, kept: [...kept.keys()], events: events.map(brief), matched };
}

describe('listDifference', () => {
  it('counts what the scope holds, and what of it was there', () => {
    const stored = [pod('a', '1'), pod('b', '1'), pod('bad', '1'), pod('gone', '1')];
    const listed = [
      ...[['default/a', pod('a', '1')] as const, ['default/b', pod('b', '2')] as const, ['default/c', pod('c', '2')] as const],
      ...[['default/bad', failed] as const, ['default/new', failed] as const],
    ];
    expect(differenceOf(stored, listed)).toEqual({
      size: 4,
      matched: 3,
      kept: ['default/a', 'default/bad'],
      vanished: new Set(['default/gone']),
      events: ['-default/gone@1 finalStateUnknown inferred', '~default/b@2<1 inferred', '+default/c@2 inferred'],
    });
  });

  it('keeps nothing that the list brings as it is', () => {
    expect(differenceOf([pod('a', '1')], [['default/a', pod('a', '2')]])).toMatchObject({ size: 1, matched: 1, kept: [] });
  });

  it('takes an object of a known version as it was listed where contents are compared', () => {
    expect(differenceOf([pod('a', '1')], [['default/a', pod('a', '1')]], true)).toMatchObject({
      kept: [],
      events: ['~default/a@1<1 inferred'],
    });
  });

  it('deletes and adds what was made anew', () => {
    expect(differenceOf([pod('a', '1')], [['default/a', pod('a', '2', { uid: 'other' })]]).events).toEqual([
      '-default/a@1 finalStateUnknown inferred',
      '+default/a@2 inferred',
    ]);
  });
});
