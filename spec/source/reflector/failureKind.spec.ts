import { describe, expect, it } from '@jest/globals';
import { ApiError, apiErrorOfStatus } from '../../../src/api/errors/apiError.js';
import { DecodeError } from '../../../src/api/errors/decodeError.js';
import { InformerError } from '../../../src/api/errors/informerError.js';
import { failureKind } from '../../../src/source/reflector/report.js';
import { connectionError, expiredStatus, statusError, tooLargeResourceVersionStatus } from '../../../src/testing/fakes/serverErrors.js';

describe('failureKind', () => {
  it.each([
    ['expired', apiErrorOfStatus(expiredStatus('1', '2'))],
    ['expired', statusError(410, 'Gone', '')],
    ['expired', new ApiError({ code: 410, message: 'a proxy says gone' })],
    ['tooLargeResourceVersion', apiErrorOfStatus(tooLargeResourceVersionStatus('9', '8'))],
    ['tooManyRequests', statusError(429, 'TooManyRequests', '')],
    ['tooManyRequests', statusError(429, 'Expired', '')],
    ['unauthorized', statusError(401, 'Unauthorized', '')],
    ['notServed', statusError(404, 'NotFound', '')],
    ['refused', statusError(500, 'InternalError', '')],
    ['unsupported', statusError(422, 'Invalid', '')],
    ['unsupported', statusError(400, 'BadRequest', '')],
    ['refused', statusError(403, 'Forbidden', '')],
    ['refused', statusError(504, 'Timeout', '')],
    ['refused', new InformerError({ code: 'ERR_WATCH', message: '' })],
    ['decode', new InformerError({ code: 'ERR_DECODE', message: '' })],
    ['decode', new DecodeError('no JSON', 7)],
    ['decode', new SyntaxError('Unexpected token')],
    ['credentials', Object.assign(new Error('no token'), { code: 'ERR_CREDENTIALS' })],
    ['connection', connectionError('ECONNREFUSED')],
    ['connection', new Error('socket hang up')],
    ['connection', undefined],
  ])('calls it %s: %s (RT-14)', (kind, error) => {
    expect(failureKind(error)).toBe(kind);
  });
});
