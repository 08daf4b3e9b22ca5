import { describe, expect, it } from '@jest/globals';
import { apiErrorOfStatus } from '../../../src/api/errors/apiErrorOfStatus.js';
import { afterListFailure } from '../../../src/source/reflector/afterListFailure.js';
import { connectionError, expiredStatus, statusError, tooLargeResourceVersionStatus } from '../../../src/testing/fakes/serverErrors.js';

const expired = apiErrorOfStatus(expiredStatus('1', '2'));
const tooLarge = apiErrorOfStatus(tooLargeResourceVersionStatus('9', '8'));

describe('afterListFailure', () => {
  it.each([
    ['10', expired, { next: 'mostRecent', code: 'ERR_LIST' }],
    ['0', expired, { next: 'mostRecent', code: 'ERR_LIST' }],
    ['10', tooLarge, { next: 'mostRecent', code: 'ERR_LIST' }],
    ['', expired, { next: 'later', code: 'ERR_LIST' }],
    ['', tooLarge, { next: 'later', code: 'ERR_LIST' }],
    ['10', statusError(401, 'Unauthorized', ''), { next: 'later', code: 'ERR_AUTH' }],
    ['10', statusError(404, 'NotFound', ''), { next: 'later', code: 'ERR_NOT_SERVED' }],
    ['10', new SyntaxError(), { next: 'later', code: 'ERR_DECODE' }],
    ['10', connectionError('ECONNREFUSED'), { next: 'later', code: 'ERR_LIST' }],
  ])('at version %j, after %s: %j (RL-07)', (resourceVersion, error, expected) => {
    expect(afterListFailure(error, resourceVersion)).toEqual(expected);
  });
});
