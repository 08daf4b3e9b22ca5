import { describe, expect, it } from '@jest/globals';
import { isOlderVersion } from '../../../src/api/kubernetesObject.js';
import { watchLine } from '../../../src/source/reflector/watching.js';

describe('isOlderVersion', () => {
  it.each([
    ['9', '10', true],
    ['10', '10', false],
    ['11', '10', false],
    ['9007199254740993', '9007199254740994', true],
    ['9007199254740994', '9007199254740993', false],
    ['a', '10', false],
    ['9', 'b', false],
    ['', '10', false],
  ])('from %j, where %j was seen: %p', (current, last, expected) => {
    expect(isOlderVersion(current, last)).toBe(expected);
  });
});

describe('watchLine.problem', () => {
  it.each([undefined, null, 'text', {}, { metadata: null }])('is one where the object is %j (RW-19)', (object) => {
    expect(watchLine.problem({ type: 'ADDED', object } as never, undefined)).toBe('ADDED whose object has no metadata');
  });
});

describe('watchLine.error', () => {
  const status = { code: 410, reason: 'Expired', message: 'too old' };

  it.each<[string, object]>([
    ['a Status', { kind: 'Status', apiVersion: 'v1', ...status }],
    ['one made by hand, without its kind', status],
  ])('is the one of %s', (_, object) => {
    expect(watchLine.error(object)).toMatchObject({ name: 'ApiError', code: 410, reason: 'Expired' });
  });

  it.each([undefined, null, {}, { kind: 'Pod', code: 410 }])('is of the watch itself for %j', (object) => {
    expect(watchLine.error(object)).toMatchObject({ name: 'InformerError', code: 'ERR_WATCH' });
  });
});
