import { describe, expect, it } from '@jest/globals';
import { isStatus } from '../../../src/api/errors/apiError.js';

describe('isStatus', () => {
  it.each([{ kind: 'Status', apiVersion: 'v1' }, { kind: 'Status' }, { kind: 'Status', apiVersion: 'meta.k8s.io/v1', code: 410 }])(
    'knows %j',
    (value) => {
      expect(isStatus(value)).toBe(true);
    },
  );

  it.each([
    undefined,
    null,
    'Status',
    [],
    {},
    { kind: 'Pod', apiVersion: 'v1' },
    { kind: 'Status', apiVersion: 'example.com/v1' },
    { status: 'Failure' },
  ])('does not take %j for one', (value) => {
    expect(isStatus(value)).toBe(false);
  });
});
