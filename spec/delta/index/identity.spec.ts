import { describe, expect, it } from '@jest/globals';
import { createIdentityMemory, objectIdentity, isOtherObject, isRecreated, isSameVersion } from '../../../src/delta/index/identity.js';

const of = (uid?: string, resourceVersion?: string): object => ({ metadata: { uid, resourceVersion } });

describe('objectIdentity', () => {
  it('counts what is missing as empty', () => {
    for (const object of [{}, { metadata: {} }, of()]) expect(objectIdentity(object)).toStrictEqual({ uid: '', resourceVersion: '' });
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

describe('createIdentityMemory', () => {
  it.each([
    ['uid', of('v', '5')],
    ['version', of('u', '6')],
    ['uid and version', {}],
  ])('remembers an identity where a value has another %s', (_, value) => {
    const memory = createIdentityMemory(true);
    memory.remember('a', value, { uid: 'u', resourceVersion: '5' });
    expect(memory.recall('a', value)).toEqual({ uid: 'u', resourceVersion: '5' });
    expect(memory.recall('b', value)).toEqual(objectIdentity(value));
    memory.forget('a');
    expect(memory.recall('a', value)).toEqual(objectIdentity(value));
  });

  it('goes by the value again where that tells its own', () => {
    const memory = createIdentityMemory(true);
    memory.remember('a', {}, { uid: 'u', resourceVersion: '5' });
    memory.remember('a', of('u', '6'), { uid: 'u', resourceVersion: '6' });
    expect(memory.recall('a', of('u', '7'))).toEqual({ uid: 'u', resourceVersion: '7' });
  });

  it('goes by the values alone where they are what was sent', () => {
    const memory = createIdentityMemory(false);
    memory.remember('a', {}, { uid: 'u', resourceVersion: '5' });
    expect(memory.recall('a', of('v', '1'))).toEqual({ uid: 'v', resourceVersion: '1' });
    memory.forget('a');
  });
});
