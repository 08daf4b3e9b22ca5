import { afterEach, describe, expect, it } from '@jest/globals';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import { objectIdentity } from '../../../src/api/kubernetesObject.js';
import { isTransformed } from '../../../src/api/transformed.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Indexer } from '../../../src/cache/store/store.js';
import {
  CacheWriter,
  createIdentityMemory,
  createObjectIntake,
  failed,
  type ObjectIntake,
  type ObjectIntakeOptions,
} from '../../../src/delta/index/cacheWriter.js';
import type { ScanToIndexOptions } from '../../../src/delta/index/scanToIndex.js';
import { brief, type Pod, pod } from '../pods.js';

function intakeOf(options: ObjectIntakeOptions<Pod, object> = {}): ObjectIntake<Pod, object> & { readonly errors: readonly string[] } {
  const errors: string[] = [];
  const onError = ({ code, message }: InformerError): number => errors.push(`${code} ${message}`);
  return { ...createObjectIntake<Pod, object>({ onError, ...options }), errors };
}

describe('createObjectIntake', () => {
  describe('keys', () => {
    it('are namespace and name, or what `keyFunc` says', () => {
      expect(intakeOf().keyOf(pod('a', '1'))).toBe('default/a');
      expect(intakeOf({ keyFunc: ({ metadata }) => metadata.uid ?? '' }).keyOf(pod('a', '1'))).toBe('uid-a');
    });

    it.each<[string, unknown, string]>([
      ['an empty text', '', 'an empty one'],
      ['a number', 7, 'number'],
      ['nothing', undefined, 'undefined'],
    ])('are never %s', (_, key, got) => {
      const intake = intakeOf({ keyFunc: () => key as string });
      expect(intake.keyOf(pod('a', '1'))).toBeUndefined();
      expect(intake.errors).toEqual([
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
      ['production', undefined, false],
      ['production', true, true],
      ['test', false, false],
    ])('are frozen in %s with `freeze: %j`: %j (MD-01)', (mode, freeze, isFrozen) => {
      process.env['NODE_ENV'] = mode;
      const value = intakeOf({ freeze }).valueOf('default/a', pod('a', '1'), undefined);
      expect(Object.isFrozen(value)).toBe(isFrozen);
    });

    it('share what has not changed with the one before, unless they come shared', () => {
      const before = { ...pod('a', '1'), spec: { size: 1 } };
      const next = (): Pod => ({ ...pod('a', '2'), spec: { size: 1 } });
      const valueOf = (options: ObjectIntakeOptions<Pod, object>): Pod => intakeOf(options).valueOf('default/a', next(), before) as Pod;
      expect(valueOf({})).toEqual(next());
      expect(valueOf({}).spec).toBe(before.spec);
      expect(valueOf({ comesShared: true })).toEqual(next());
      expect(valueOf({ comesShared: true }).spec).not.toBe(before.spec);
    });

    it('are known as transformed where they are', () => {
      const value = intakeOf({ transform: ({ value: left }) => ({ left }) }).valueOf('default/a', pod('a', '1'), undefined);
      expect(isTransformed(value as object)).toBe(true);
      expect(isTransformed(intakeOf().valueOf('default/a', pod('a', '1'), undefined) as object)).toBe(false);
    });

    it.each<[unknown, string]>([
      [null, 'null'],
      ['text', 'string'],
    ])('are no %j', (made, got) => {
      const intake = intakeOf({ transform: () => made as object, resource: 'pods' });
      expect(intake.valueOf('default/a', pod('a', '1'), undefined)).toBe(failed);
      expect(intake.errors).toEqual([
        `ERR_TRANSFORM The transform of pods "default/a" failed, the last good value is kept: Expected \`transform\` to return an object, got ${got}`,
      ]);
    });

    it('are left out in silence where nobody is to be told', () => {
      const intake = createObjectIntake<Pod, object>({ transform: () => 0 as never });
      expect(intake.valueOf('default/a', pod('a', '1'), undefined)).toBe(failed);
    });
  });
});

const of = (uid?: string, resourceVersion?: string): object => ({ metadata: { uid, resourceVersion } });

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

const circumstances = { initial: false, inferred: false, isNews: false };
const a1 = pod('a', '1');
const a2 = pod('a', '2');
const b1 = pod('b', '1');

function writerOf(more: Partial<Indexer<Pod>> = {}, options: Partial<ScanToIndexOptions<Pod>> = {}) {
  const store = createIndexer<Pod>({ initialObjects: [a1] });
  store.bookmark('1');
  // Only what every store has.
  const plain = Object.assign(store, { keyed: undefined, stage: undefined }, more) as unknown as Indexer<Pod>;
  const errors: string[] = [];
  const made = new CacheWriter<Pod, Pod>(plain, { ...options }, ({ code, message }: InformerError) => errors.push(`${code} ${message}`));
  return { store: plain, writer: made, errors, version: () => plain.lastStoreSyncResourceVersion() };
}

const refused = 'ERR_KEY The store refused a change: the disk is full';
const withoutIndex = 'ERR_INDEX_FUNC The object is cached without an entry in an index whose function failed: the disk is full';
const full = (): never => {
  throw new Error('the disk is full');
};

describe('CacheWriter', () => {
  it('counts a write that threw where the store holds its result', () => {
    const held = createIndexer<Pod>({ initialObjects: [a1] });
    const made = new CacheWriter<Pod, Pod>(
      Object.assign(held, {
        keyed: undefined,
        update: (object: Pod) => (held.replace([object], ''), full()),
        delete: () => (held.replace([], ''), full()),
      }) as unknown as Indexer<Pod>,
      {},
      () => undefined,
    );
    expect(made.upsert('default/a', a2, '2', circumstances).map(brief)).toEqual(['~default/a@2<1']);
    expect(held.lastStoreSyncResourceVersion()).toBe('2');
    expect(made.remove('default/a', pod('a', '3'), '3').map(brief)).toEqual(['-default/a@3']);
    expect(held.lastStoreSyncResourceVersion()).toBe('3');
  });

  it('does not count one that the store has refused, nor its version', () => {
    const { writer: made, errors, version, store } = writerOf({ update: full, delete: full });
    expect(made.upsert('default/a', a2, '2', circumstances)).toEqual([]);
    expect(made.remove('default/a', pod('a', '3'), '3')).toEqual([]);
    expect([errors, version(), store.getByKey('default/a')]).toEqual([[refused, refused], '1', a1]);
  });

  it.each<[string, readonly Pod[], string, boolean]>([
    ['the same objects and version', [a2, b1], '5', true],
    ['another object', [a2, pod('b', '2')], '5', false],
    ['one object less', [a2], '5', false],
    ['one object more', [a2, b1, pod('c', '1')], '5', false],
    ['another version', [a2, b1], '4', false],
  ])('counts a list whose replacement threw where the store holds %s', (_, held, version, isDone) => {
    const inner = createIndexer<Pod>({ initialObjects: held });
    const { writer: made, errors } = writerOf({
      replace: full,
      listKeys: () => inner.listKeys(),
      getByKey: (key) => inner.getByKey(key),
      lastStoreSyncResourceVersion: () => version,
      bookmark: (resourceVersion) => inner.bookmark(resourceVersion),
    });
    expect(made.replace(new Map([a2, b1].map((object) => [`default/${object.metadata.name}`, object])), '5', new Set())).toBe(isDone);
    expect(errors).toEqual([isDone ? withoutIndex : refused]);
  });

  it.each<[string, boolean, readonly Pod[], boolean]>([
    ['a part that is held', false, [a2, b1, pod('c', '1')], true],
    ['a part that is not', false, [a1, b1], false],
    ['a whole that is held', true, [a2, b1], true],
    ['a whole beside which there is more', true, [a2, b1, pod('c', '1')], false],
  ])('counts staged content whose publication threw: %s', (_, whole, held, isDone) => {
    const store = createIndexer<Pod>({ initialObjects: [...held] });
    store.bookmark('5');
    const { writer: made } = writerOf({
      listKeys: () => store.listKeys(),
      getByKey: (key) => store.getByKey(key),
      lastStoreSyncResourceVersion: () => '5',
    });
    const objects = new Map([a2, b1].map((object) => [`default/${object.metadata.name}`, object]));
    const staged = { objects, whole, verbatim: true, put: () => undefined, remove: () => undefined, publish: full };
    expect(made.replace(staged, '5', new Set())).toBe(isDone);
  });

  it('moves the version of the store with what cannot be transformed, and with what is not there', () => {
    const { writer: made, version } = writerOf({}, { transform: () => 0 as never });
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
    const { writer: made } = writerOf({}, { transform });
    made.upsert('default/a', a2, '2', circumstances);
    expect(made.identities.recall('default/a', {})).toEqual({ uid: 'uid-a', resourceVersion: '2' });
    // The value is the same, the version is another one.
    expect(made.upsert('default/a', pod('a', '3'), '3', circumstances)).toEqual([]);
    expect(made.identities.recall('default/a', {})).toEqual({ uid: 'uid-a', resourceVersion: '3' });
    made.remove('default/a', pod('a', '4'), '4');
    expect(made.identities.recall('default/a', {})).toEqual({ uid: '', resourceVersion: '' });
  });
});
