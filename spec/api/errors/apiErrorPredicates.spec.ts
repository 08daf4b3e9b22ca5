import { describe, expect, it } from '@jest/globals';
import {
  ApiError,
  apiErrorOfStatus,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
  type StatusCause,
} from '../../../src/api/errors/apiError.js';
import { InformerError } from '../../../src/api/errors/informerError.js';

const answer = (code: number, reason = '', message = '') => apiErrorOfStatus({ code, reason, message });

const predicates = {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
};

/** The names of the predicates that return true. */
const holding = (error: unknown) =>
  Object.entries(predicates)
    .filter(([, holds]) => holds(error))
    .map(([name]) => name);

describe('the predicates about an ApiError', () => {
  it.each<[number, string, string[]]>([
    [404, 'NotFound', ['isNotFound']],
    [401, 'Unauthorized', ['isUnauthorized']],
    [403, 'Forbidden', ['isForbidden']],
    [409, 'Conflict', ['isConflict']],
    [409, 'AlreadyExists', ['isAlreadyExists']],
    [410, 'Gone', ['isExpired']],
    [410, 'Expired', ['isExpired']],
    [422, 'Invalid', []],
    [429, 'TooManyRequests', ['isTooManyRequests']],
    [500, 'InternalError', ['isInternalError']],
    [504, 'Timeout', []],
    [400, 'BadRequest', []],
  ])('tell what %i %s is (RT-14)', (code, reason, names) => {
    expect(holding(answer(code, reason))).toEqual(names);
  });

  it.each<[number, string[]]>([
    [401, ['isUnauthorized']],
    [403, ['isForbidden']],
    [404, ['isNotFound']],
    [409, ['isConflict']],
    [410, ['isExpired']],
    [422, []],
    [429, ['isTooManyRequests']],
    [500, ['isInternalError']],
    [503, []],
  ])('go by the code %i when the reason is missing or not known (RT-14)', (code, names) => {
    expect(holding(new ApiError({ code, message: 'from a proxy' }))).toEqual(names);
    expect(holding(answer(code, 'SomethingNew'))).toEqual(names);
  });

  it.each<[number, string, string[]]>([
    [404, 'Forbidden', ['isForbidden']],
    [410, 'BadRequest', []],
    [500, 'Timeout', []],
    [500, 'StoreReadError', []],
    [200, 'Expired', ['isExpired']],
    [0, 'Gone', ['isExpired']],
  ])('believe the known reason rather than the code: %i %s (RT-14)', (code, reason, names) => {
    expect(holding(answer(code, reason))).toEqual(names);
  });

  it('take 429 for too many requests whatever the reason is (RT-14)', () => {
    expect(isTooManyRequests(answer(429, 'InternalError'))).toBe(true);
    expect(isTooManyRequests(answer(500, 'TooManyRequests'))).toBe(true);
  });

  it('see the ApiError behind other errors', () => {
    const cause = answer(403, 'Forbidden');
    const error = new InformerError({ code: 'ERR_LIST', message: 'Cannot list pods', cause: new Error('request failed', { cause }) });
    expect(holding(error)).toEqual(['isForbidden']);
  });

  it('end at errors that are caused by themselves', () => {
    const error = new Error('round');
    error.cause = error;
    expect(holding(error)).toEqual([]);
  });

  it.each([undefined, null, 404, 'NotFound', new Error('404'), { code: 404, reason: 'NotFound' }])(
    'hold for no other value: %j',
    (value) => {
      expect(holding(value)).toEqual([]);
    },
  );
});

describe('isExpired', () => {
  it.each([answer(410, 'Expired'), answer(410, 'Gone'), answer(410), answer(200, 'Expired'), answer(410, 'Whatever')])(
    'knows the forms of a version that is no longer kept: $code $reason (RL-10)',
    (error) => {
      expect(isExpired(error)).toBe(true);
    },
  );

  it('does not take 410 with another known reason for it (RL-10)', () => {
    expect(isExpired(answer(410, 'InternalError'))).toBe(false);
  });
});

describe('isTooLargeResourceVersion', () => {
  const tooLarge = (reason: string, causes: readonly StatusCause[] | undefined, message = '') =>
    apiErrorOfStatus({ code: 504, reason, message, details: { ...(causes !== undefined && { causes }), retryAfterSeconds: 1 } });
  const legacyText = 'Timeout: Too large resource version: 5, current: 3';

  it('knows the cause of its own type (RL-09)', () => {
    expect(
      isTooLargeResourceVersion(tooLarge('Timeout', [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }])),
    ).toBe(true);
    expect(isTooLargeResourceVersion(tooLarge('Whatever', [{ reason: 'ResourceVersionTooLarge' }]))).toBe(true);
  });

  it('knows the message of a cause, and the message of the Status, of older servers (RL-09)', () => {
    expect(isTooLargeResourceVersion(tooLarge('Timeout', [{ message: 'Too large resource version' }]))).toBe(true);
    expect(isTooLargeResourceVersion(tooLarge('Timeout', undefined, legacyText))).toBe(true);
  });

  it('wants details and a timeout for the older forms (RL-09)', () => {
    expect(isTooLargeResourceVersion(apiErrorOfStatus({ code: 504, reason: 'Timeout', message: legacyText }))).toBe(false);
    expect(isTooLargeResourceVersion(tooLarge('BadRequest', [{ message: 'Too large resource version' }], legacyText))).toBe(false);
    expect(isTooLargeResourceVersion(tooLarge('Timeout', [{ message: 'something else' }], 'Timeout: etcd'))).toBe(false);
  });

  it('goes by the code 504 where there is no reason (RL-09)', () => {
    expect(isTooLargeResourceVersion(tooLarge('', undefined, legacyText))).toBe(true);
  });
});
