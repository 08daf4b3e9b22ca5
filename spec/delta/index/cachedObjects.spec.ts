import { afterEach, describe, expect, it } from '@jest/globals';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import { objectIdentity } from '../../../src/api/kubernetesObject.js';
import { isTransformed } from '../../../src/api/transformed.js';
import { contentOf } from '../../../src/cache/store/content.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { CachedObjects, type CacheOptions, failed } from '../../../src/delta/index/cachedObjects.js';
import { brief, type Pod, pod } from '../pods.js';

function objectsOf(options: CacheOptions<Pod, object> = {}) {
  const errors: string[] = [];
  const onError = ({ code, message }: InformerError): number => errors.push(`${code} ${message}`);
  const store = createIndexer<object>();
  return { objects: new CachedObjects<Pod, object>(store, contentOf(store), { onError, ...options }), errors };
}

describe('CachedObjects', () => {
  describe('keys', () => {
    it('are namespace and name, or what `keyFunc` says', () => {
      expect(objectsOf().objects.keyOf(pod('a', '1'))).toBe('default/a');
      expect(objectsOf({ keyFunc: ({ metadata }) => metadata.uid ?? '' }).objects.keyOf(pod('a', '1'))).toBe('uid-a');
    });

    it.each<[string, unknown, string]>([
      ['an empty text', '', 'an empty one'],
      ['a number', 7, 'number'],
      ['nothing', undefined, 'undefined'],
    ])('are never %s', (_, key, got) => {
      const { objects, errors } = objectsOf({ keyFunc: () => key as string });
      expect(objects.keyOf(pod('a', '1'))).toBeUndefined();
      expect(errors).toEqual([
        `ERR_KEY An object of objects has no key and is left out: Expected \`keyFunc\` to return a non-empty string, got ${got}`,
      ]);
    });
  });

  describe('values', () => {
    const env = process.env['NODE_ENV'];
    afterEach(() => {
      if (env === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = env;
    });

    it.each<[string, boolean | undefined, boolean]>([
      ['test', undefined, true],
      ['production', undefined, true],
      ['production', false, false],
      ['test', false, false],
    ])('are frozen in %s with `freeze: %j`: %j (MD-01)', (mode, freeze, isFrozen) => {
      process.env['NODE_ENV'] = mode;
      const value = objectsOf({ freeze }).objects.valueOf('default/a', pod('a', '1'), undefined);
      expect(Object.isFrozen(value)).toBe(isFrozen);
    });

    it('are frozen whole, also where a transform or a source has frozen them in part (MD-01)', () => {
      const made = (): object => Object.freeze({ ...pod('a', '1'), spec: Object.freeze({ containers: [{ name: 'c' }] }) });
      for (const options of [{ transform: made }, {}]) {
        let value: { spec: { containers: object[] } } | undefined;
        for (let turn = 0; turn < 2; turn += 1) {
          value = objectsOf(options).objects.valueOf('default/a', made() as Pod, value) as { spec: { containers: object[] } };
          expect([value, value.spec, value.spec.containers, value.spec.containers[0]].every((part) => Object.isFrozen(part))).toBe(true);
          expect(value).toEqual(made());
        }
      }
      const ring: { self?: object } = {};
      ring.self = Object.freeze([ring]);
      expect(objectsOf({ transform: () => ring }).objects.valueOf('default/a', pod('a', '1'), undefined)).toBe(ring);
    });

    it('share what has not changed with the one before, unless they come shared or are not frozen', () => {
      const before = { ...pod('a', '1'), spec: { size: 1 } };
      const next = (): Pod => ({ ...pod('a', '2'), spec: { size: 1 } });
      const valueOf = (options: CacheOptions<Pod, object>): Pod => objectsOf(options).objects.valueOf('default/a', next(), before) as Pod;
      expect(valueOf({})).toEqual(next());
      expect(valueOf({}).spec).toBe(before.spec);
      for (const options of [{ comesShared: true }, { freeze: false }]) {
        expect(valueOf(options)).toEqual(next());
        expect(valueOf(options).spec).not.toBe(before.spec);
      }
    });

    it('are known as transformed where they are', () => {
      const value = objectsOf({ transform: ({ value: left }) => ({ left }) }).objects.valueOf('default/a', pod('a', '1'), undefined);
      expect(isTransformed(value as object)).toBe(true);
      expect(isTransformed(objectsOf().objects.valueOf('default/a', pod('a', '1'), undefined) as object)).toBe(false);
    });

    it.each<[unknown, string]>([
      [null, 'null'],
      ['text', 'string'],
    ])('are no %j', (made, got) => {
      const { objects, errors } = objectsOf({ transform: () => made as object, resource: 'pods' });
      expect(objects.valueOf('default/a', pod('a', '1'), undefined)).toBe(failed);
      expect(errors).toEqual([
        `ERR_TRANSFORM The transform of pods "default/a" failed, the last good value is kept: Expected \`transform\` to return an object, got ${got}`,
      ]);
    });

    it('are left out in silence where nobody is to be told', () => {
      const store = createIndexer<object>();
      const objects = new CachedObjects<Pod, object>(store, contentOf(store), { transform: () => 0 as never });
      expect(objects.valueOf('default/a', pod('a', '1'), undefined)).toBe(failed);
    });
  });
});

const of = (uid?: string, resourceVersion?: string): object => ({ metadata: { uid, resourceVersion } });

describe('identities', () => {
  const transform = (object: Pod): object => object;

  it.each([
    ['uid', of('v', '5')],
    ['version', of('u', '6')],
    ['uid and version', {}],
  ])('are remembered where a value has another %s', (_, value) => {
    const { objects } = objectsOf({ transform });
    objects.remember('a', value, { uid: 'u', resourceVersion: '5' });
    expect(objects.identityOf('a', value)).toEqual({ uid: 'u', resourceVersion: '5' });
    expect(objects.identityOf('b', value)).toEqual(objectIdentity(value));
    objects.forget('a');
    expect(objects.identityOf('a', value)).toEqual(objectIdentity(value));
  });

  it('are those of the value again where that has its own', () => {
    const { objects } = objectsOf({ transform });
    objects.remember('a', {}, { uid: 'u', resourceVersion: '5' });
    objects.remember('a', of('u', '6'), { uid: 'u', resourceVersion: '6' });
    expect(objects.identityOf('a', of('u', '7'))).toEqual({ uid: 'u', resourceVersion: '7' });
  });

  it('are those of the values alone where values are what was sent', () => {
    const { objects } = objectsOf();
    objects.remember('a', {}, { uid: 'u', resourceVersion: '5' });
    expect(objects.identityOf('a', of('v', '1'))).toEqual({ uid: 'v', resourceVersion: '1' });
  });
});

const circumstances = { initial: false, inferred: false, isNews: false, isCurrent: false };
const a1 = pod('a', '1');
const a2 = pod('a', '2');
const b1 = pod('b', '1');

function writerOf(options: CacheOptions<Pod> = {}) {
  const store = createIndexer<Pod>({ initialObjects: [a1] });
  store.bookmark('1');
  return { writer: new CachedObjects<Pod, Pod>(store, contentOf(store), options), version: () => store.lastStoreSyncResourceVersion() };
}

describe('writes', () => {
  it('moves the version of the store with what cannot be transformed, and with what is not there', () => {
    const { writer: made, version } = writerOf({ transform: () => 0 as never });
    expect(made.upsert('default/a', a2, '2', circumstances)).toEqual([]);
    expect(version()).toBe('2');
    expect(made.remove('default/b', b1, '3')).toEqual([]);
    expect(version()).toBe('3');
    made.upsert('default/a', a2, undefined, circumstances);
    made.upsert('default/a', a2, '', circumstances);
    expect(version()).toBe('3');
  });

  it('leaves the version as it was where it does not know the final state', () => {
    const { writer: made, version } = writerOf();
    expect(made.remove('default/a', undefined, undefined).map(brief)).toEqual(['-default/a@1 finalStateUnknown inferred']);
    expect(version()).toBe('1');
  });

  it('leaves the version as it was with an object that has none', () => {
    const { writer: made, version } = writerOf();
    expect(made.upsert('default/b', pod('b', ''), '', circumstances).map(brief)).toEqual(['+default/b@']);
    expect(version()).toBe('1');
  });

  it('forgets what it knew of an object that is gone', () => {
    const transform = ({ metadata: { namespace, name } }: Pod): Pod => ({ metadata: { namespace, name } });
    const { writer: made } = writerOf({ transform });
    made.upsert('default/a', a2, '2', circumstances);
    expect(made.identityOf('default/a', {} as Pod)).toEqual({ uid: 'uid-a', resourceVersion: '2' });
    // The value is the same, the version is another one.
    expect(made.upsert('default/a', pod('a', '3'), '3', circumstances)).toEqual([]);
    expect(made.identityOf('default/a', {} as Pod)).toEqual({ uid: 'uid-a', resourceVersion: '3' });
    made.remove('default/a', pod('a', '4'), '4');
    expect(made.identityOf('default/a', {} as Pod)).toEqual({ uid: '', resourceVersion: '' });
  });
});
