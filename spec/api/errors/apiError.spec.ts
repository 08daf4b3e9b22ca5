import { describe, expect, it, jest } from '@jest/globals';
import { rememberSecret } from '../../../src/api/errors/sentSecrets.js';
import { InformerError } from '../../../src/api/errors/informerError.js';
import { ApiError, apiErrorOfStatus, type Status } from '../../../src/api/errors/apiError.js';

const notFound: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'pods "web" not found',
  reason: 'NotFound',
  details: { name: 'web', kind: 'pods' },
  code: 404,
};

describe('ApiError', () => {
  it('carries what the server said', () => {
    const error = new ApiError({
      code: 404,
      message: 'pods "web" not found',
      status: notFound,
      request: 'GET /api/v1/namespaces/a/pods/web',
    });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('ApiError');
    expect(error).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'pods "web" not found',
      request: 'GET /api/v1/namespaces/a/pods/web',
    });
    expect(error.status).toStrictEqual(notFound);
  });

  it('has an empty reason without a Status', () => {
    expect(new ApiError({ code: 502, message: 'Bad Gateway', retryAfterMs: 1000 })).toMatchObject({
      code: 502,
      reason: '',
      retryAfterMs: 1000,
    });
  });

  it('is an instance of the class of another copy of the package', async () => {
    jest.resetModules();
    const other = await import('../../../src/api/errors/apiError.js');
    expect(other.ApiError).not.toBe(ApiError);
    const init = { code: 410, message: 'gone' };
    expect(new other.ApiError(init) instanceof ApiError).toBe(true);
    expect(new ApiError(init) instanceof other.ApiError).toBe(true);
  });

  it('is told from other errors', () => {
    expect(new Error('404') instanceof ApiError).toBe(false);
    expect(new InformerError({ code: 'ERR_LIST', message: 'no' }) instanceof ApiError).toBe(false);
    expect((undefined as unknown) instanceof ApiError).toBe(false);
  });
});

describe('apiErrorOfStatus', () => {
  it('takes code, message and reason from the Status', () => {
    const error = apiErrorOfStatus(notFound, 'GET /api/v1/pods');
    expect(error).toMatchObject({ code: 404, reason: 'NotFound', message: 'pods "web" not found', request: 'GET /api/v1/pods' });
    expect(error.retryAfterMs).toBeUndefined();
  });

  it('turns retryAfterSeconds into milliseconds', () => {
    expect(apiErrorOfStatus({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 7 } }).retryAfterMs).toBe(7000);
    expect(apiErrorOfStatus({ code: 429, details: { retryAfterSeconds: 0 } }).retryAfterMs).toBeUndefined();
  });

  it.each<[Status, string]>([
    [{ message: '', reason: 'Expired' }, 'Expired'],
    [{ reason: 'Expired', code: 410 }, 'Expired'],
    [{}, 'The API server sent a Status without a message'],
  ])('always has a message: %j', (status, message) => {
    expect(apiErrorOfStatus(status).message).toBe(message);
  });

  it('has the code 0 when the Status has none', () => {
    expect(apiErrorOfStatus({ reason: 'Expired' }).code).toBe(0);
  });

  it('hides credentials that a Status quotes', () => {
    const causes = [{ message: 'password=hunter2', field: 'a' }];
    const error = apiErrorOfStatus({ ...notFound, message: 'bad token: Bearer abc', details: { causes } });
    expect(JSON.stringify([error.message, error.status])).not.toMatch(/abc|hunter2/);
    expect(error.status?.details?.causes).toEqual([{ message: 'password=***', field: 'a' }]);
  });

  it('hides what was sent wherever a Status quotes it, also in pieces, and keeps the words that programs go by', () => {
    rememberSecret('NotFound-quoted-token');
    const error = apiErrorOfStatus({
      ...notFound,
      message: 'is it NotFo',
      details: {
        name: 'NotFound-quoted-token',
        causes: [
          { message: 'und-quo', field: '[NotFound-quoted-token]' },
          { message: 'ted-token', reason: 'was quoted-token' },
        ],
      },
    });
    expect(error.reason).toBe('NotFound');
    expect(error.status).toMatchObject({
      message: 'is it ***',
      details: {
        name: '***',
        causes: [
          { message: '***', field: '[***]' },
          { message: '***', reason: 'was ***' },
        ],
      },
    });
  });

  it('leaves out what has not the type of its field, and what is too much', () => {
    const causes = Array.from({ length: 1_000 }, (_, at) => ({ message: `cause ${at}` }));
    const sent = { ...notFound, message: 7, reason: {}, details: { causes, name: null }, more: 'x'.repeat(10) };
    const error = new ApiError({ code: 404, message: 'a\nb', status: sent as unknown as Status });
    expect([error.message, error.reason, error.status?.message, error.status?.details?.name]).toEqual(['a\\nb', '', undefined, undefined]);
    expect(error.status?.details?.causes).toHaveLength(100);
    expect(JSON.stringify(error.status)).not.toContain('xxx');
  });

  it('keeps what a list goes on with as it came', () => {
    const metadata = { continue: 'x'.repeat(3_000), resourceVersion: '7' };
    expect(apiErrorOfStatus({ metadata }).status).toEqual({ metadata });
  });
});
