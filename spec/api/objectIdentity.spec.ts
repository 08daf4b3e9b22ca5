import { describe, expect, it } from '@jest/globals';
import { isOtherObject, isRecreated, isSameVersion, objectIdentity, uidOf } from '../../src/api/kubernetesObject.js';

const of = (uid?: string, resourceVersion?: string): object => ({ metadata: { uid, resourceVersion } });

describe('objectIdentity', () => {
  it('counts what is missing as empty', () => {
    for (const object of [{}, { metadata: {} }, of(), of(7 as never, 5 as never), of('', '')])
      expect(objectIdentity(object)).toStrictEqual({ uid: '', resourceVersion: '' });
    expect(uidOf(of('', '5'))).toBeUndefined();
    expect(objectIdentity(of('u', '5'))).toStrictEqual({ uid: 'u', resourceVersion: '5' });
  });
});

describe('isRecreated', () => {
  it('goes by uids, where both are known', () => {
    const judge = (before?: string, after?: string): boolean =>
      isRecreated(objectIdentity(of(before, '1')), objectIdentity(of(after, '2')));
    expect([judge('u', 'v'), judge('u', 'u'), judge('u'), judge(undefined, 'v'), judge()]).toEqual([true, false, false, false, false]);
  });
});

describe('isOtherObject', () => {
  it('goes by uids, where both are known', () => {
    const judge = (before?: string, after?: string): boolean => isOtherObject(of(before), of(after));
    expect([judge('u', 'v'), judge('u', 'u'), judge('u'), judge(undefined, 'v'), judge()]).toEqual([true, false, false, false, false]);
  });
});

describe('isSameVersion', () => {
  it('goes by uid and version, where there is one', () => {
    const judge = (before: object, after: object): boolean => isSameVersion(objectIdentity(before), objectIdentity(after));
    expect(judge(of('u', '5'), of('u', '5'))).toBe(true);
    expect([judge(of('u', '5'), of('v', '5')), judge(of('u', '5'), of('u', '6')), judge(of('u'), of('u'))]).toEqual([false, false, false]);
  });
});
