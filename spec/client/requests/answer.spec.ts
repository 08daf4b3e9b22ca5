import { describe, expect, it } from '@jest/globals';
import { answerError, type Answer } from '../../../src/client/requests/answer.js';

const utf8 = new TextEncoder();

function errorOf(status: number, headers: Answer['headers'], body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return answerError({ status, headers, body: utf8.encode(text) }, 'GET /api/v1/pods');
}

const json = { 'content-type': 'application/json' };

describe('answerError', () => {
  it('says what the Status says', () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'nope', reason: 'Forbidden', code: 403 };
    expect(errorOf(403, json, status)).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'nope',
      status,
      retryAfterMs: undefined,
      request: 'GET /api/v1/pods',
    });
  });

  it('takes the code of the answer where the Status has none', () => {
    expect(errorOf(404, json, { kind: 'Status', apiVersion: 'v1' })).toMatchObject({ code: 404, reason: '' });
  });

  it('leaves out fields of a Status that have another type than theirs', () => {
    const odd = { kind: 'Status', message: { a: 1 }, reason: 5, code: '5', details: { retryAfterSeconds: '1', causes: 'x' } };
    expect(errorOf(500, json, odd)).toMatchObject({
      code: 500,
      reason: '',
      message: 'The API server sent a Status without a message',
      retryAfterMs: undefined,
    });
  });

  it.each([
    ['the header', { ...json, 'retry-after': '7' }, 1, 7_000],
    ['the header, even when it says at once', { ...json, 'retry-after': '0' }, 1, 0],
    ['the Status', json, 3, 3_000],
    ['the Status, not a date in the header (RT-03)', { ...json, 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 3, 3_000],
    ['nothing', json, undefined, undefined],
  ])('knows when to try again from %s', (_, headers, retryAfterSeconds, expected) => {
    const error = errorOf(429, headers, { kind: 'Status', details: { retryAfterSeconds }, reason: 'TooManyRequests', message: 'm' });
    expect(error).toMatchObject({ code: 429, reason: 'TooManyRequests', retryAfterMs: expected });
  });

  it.each([
    [
      'plain text',
      429,
      { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' },
      'Too many requests,\nplease try again later.',
      ': Too many requests,\\nplease try again later.',
    ],
    [
      'a page of HTML',
      502,
      { 'content-type': 'text/html' },
      `<html>${'x'.repeat(200)}</html>`,
      ` and a page of HTML, which no API server sends: ${'x'.repeat(200)}`,
    ],
    ['HTML without its type', 503, {}, ' <!DOCTYPE html><title>a</title>', ' and a page of HTML, which no API server sends: a'],
    [
      'a login page',
      401,
      { 'content-type': 'text/html' },
      '<html><head><title>Rancher</title><style>a{}</style></head><script>b()</script><body><h1>Log\nin</h1><!-- c --></body></html>',
      ' and a page of HTML, which no API server sends: Rancher Log in',
    ],
    ['nothing', 500, {}, '', ''],
    ['JSON that is no Status', 500, json, { error: 'Bearer c2VjcmV0' }, ': {"error":"Bearer ***"}'],
    ['credentials repeated', 401, { 'content-type': 'text/plain' }, 'invalid Bearer c2VjcmV0', ': invalid Bearer ***'],
  ])('is short about %s', (_, code, headers, body, message) => {
    const error = errorOf(code, headers, body);
    expect(error).toMatchObject({ code, reason: '', status: undefined, message: `GET /api/v1/pods was answered with ${code}${message}` });
  });

  it('is short about a long text', () => {
    expect(errorOf(500, {}, 'x'.repeat(5_000)).message).toBe(
      `GET /api/v1/pods was answered with 500: ${'x'.repeat(944)}… (4056 characters cut)`,
    );
  });
});
