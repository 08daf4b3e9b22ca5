import { afterEach, describe, expect, it } from '@jest/globals';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import { isTransformed } from '../../../src/api/transformed.js';
import { createObjectIntake, failed, type ObjectIntake, type ObjectIntakeOptions } from '../../../src/delta/index/objectIntake.js';
import { type Pod, pod } from '../pods.js';

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
