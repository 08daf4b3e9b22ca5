import { describe, expect, it } from '@jest/globals';
import { redact, redactedMessage, rootCause, systemCode } from '../../../src/client/auth/redact.js';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

describe('redact', () => {
  it.each([
    ['a bearer token', 'got Bearer abc123, sorry', 'got Bearer ***, sorry'],
    ['a password', 'authorization: basic dXNlcjpwYXNz', 'authorization: basic ***'],
    ['a JSON Web Token', `token "${jwt}" is invalid`, 'token "***" is invalid'],
    ['a JSON Web Token that is cut off', 'at eyJhbGciOiJS', 'at ***'],
    ['who logs in by URL', 'GET https://user:pass@example.com/a', 'GET https://***@example.com/a'],
    ['a private key', 'key -----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY----- end', 'key *** end'],
    ['a token in a query', 'cannot get https://idp/x?refresh_token=abc.def&scope=a', 'cannot get https://idp/x?refresh_token=***&scope=a'],
    ['a token in an environment', 'token=s3cr3t is refused', 'token=*** is refused'],
    ['a quoted value', `password="a b c" is wrong`, 'password=*** is wrong'],
    ['a field of JSON', `got {"access_token": "a\\"b", "expires": 3}`, 'got {"access_token": "***", "expires": 3}'],
    ['a field of a header or YAML', 'refresh_token: abc, client-secret: def', 'refresh_token: ***, client-secret: ***'],
    ['a private key that is cut off', 'key -----BEGIN PRIVATE KEY-----\nMHcC', 'key ***'],
  ])('hides %s', (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'secrets "my-token" not found',
    'spec.containers[0].env[0].valueFrom.secretKeyRef: Required value',
    'the token: has expired',
    'metadata.name=web,token notin (a)',
  ])('leaves what is no secret: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('leaves one line of bounded length', () => {
    expect(redact(' a\n\tb ')).toBe('a b');
    expect(redact('x'.repeat(1_000))).toHaveLength(200);
  });

  it('hides a secret that would be cut in two', () => {
    expect(redact(`${'x'.repeat(190)} ${jwt}`)).not.toContain('eyJ');
  });
});

describe('redactedMessage', () => {
  it('does not repeat what could not be parsed', () => {
    let error: unknown;
    try {
      JSON.parse('secret-token');
    } catch (caught) {
      error = caught;
    }
    expect(redactedMessage(error)).toBe('malformed JSON');
  });

  it('takes the first of several failures that have no word of their own', () => {
    expect(redactedMessage(new AggregateError([new Error('a'), new Error('b')]))).toBe('a');
    expect(redactedMessage(new AggregateError([]))).toBe('');
  });

  it('tells of what is no error, too', () => {
    expect(redactedMessage('Bearer x')).toBe('Bearer ***');
  });
});

describe('systemCode', () => {
  it('finds the code in the causes', () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = new TypeError('fetch failed', { cause });
    expect([systemCode(error), systemCode(new Error('a')), systemCode(undefined)]).toEqual(['ECONNREFUSED', undefined, undefined]);
    expect(rootCause(error)).toBe(cause);
  });
});
