import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { foreignText } from '../../../src/api/errors/foreignText.js';
import { hideSent, rememberSecret } from '../../../src/api/errors/sentSecrets.js';
import { anyCharacter } from '../../anyCharacter.js';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

describe('foreignText', () => {
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
    expect(foreignText(text)).toBe(expected);
  });

  it.each([
    'secrets "my-token" not found',
    'spec.containers[0].env[0].valueFrom.secretKeyRef: Required value',
    'the token: has expired',
    'metadata.name=web,token notin (a)',
  ])('leaves what is no secret: %s', (text) => {
    expect(foreignText(text)).toBe(text);
  });

  it('leaves one line that no terminal acts on', () => {
    expect(foreignText('a\r\n\tb\u001b[2J\u0007\u009b\u2028\u202e\ud800')).toBe('a\\r\\n\\tb\\u001b[2J\\u0007\\u009b\\u2028\\u202e\\ud800');
  });

  it.each([
    ['what fits', 'x'.repeat(1_024), 'x'.repeat(1_024)],
    ['one byte more', 'x'.repeat(1_025), `${'x'.repeat(984)}… (41 characters cut)`],
    ['characters of three bytes', 'é€'.repeat(1_000), `${'é€'.repeat(196)}é… (1607 characters cut)`],
    ['no character in two', '😀'.repeat(1_000), `${'😀'.repeat(246)}… (1508 characters cut)`],
    ['a text of a megabyte', 'x'.repeat(1_000_000), `${'x'.repeat(984)}… (999016 characters cut)`],
  ])('has 1,024 bytes at most, and counts what is cut: %s', (_, text, expected) => {
    expect(foreignText(text)).toBe(expected);
    expect(new TextEncoder().encode(expected).length).toBeLessThanOrEqual(1_024);
  });

  it('hides a secret that would be cut in two', () => {
    expect(foreignText(`${'x'.repeat(980)} ${jwt}`)).not.toContain('eyJ');
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 3_000, size: 'max' }), (text) => {
        const once = foreignText(text);
        expect(foreignText(once)).toBe(once);
      }),
    );
  });
});

const token = 'CANARY-tok-123456';

describe('rememberSecret', () => {
  beforeAll(() => ['p@ss "wörd"/+', token].forEach(rememberSecret));

  it.each([
    ['as it is', `token ${token} is not valid`, 'token *** is not valid'],
    ['cut off', `token ${token.slice(0, 9)}`, 'token ***'],
    ['its end', `...${token.slice(-8)}`, '...***'],
    ['in a URL', `GET /?a=${encodeURIComponent('p@ss "wörd"/+')}&b`, 'GET /?a=***&b'],
    ['in a URL with small letters', `GET /?a=${encodeURIComponent('p@ss "wörd"/+').toLowerCase()}&b`, 'GET /?a=***&b'],
    ['in a form', `a=${new URLSearchParams([['', 'p@ss "wörd"/+']]).toString().slice(1)}&b`, 'a=***&b'],
    ['in JSON', JSON.stringify({ a: 'p@ss "wörd"/+' }), '{"a":"***"}'],
    ['twice', `${token}${token} ${token}`, '****** ***'],
    ['over two lines', `${token.slice(0, 8)}\n${token.slice(8)}`, '***\\n***'],
  ])('hides what was sent: %s', (_, text, expected) => {
    expect(foreignText(text)).toBe(expected);
  });

  it.each(['', 'u:', 'us:', 'user:'])('hides what was sent in base64, behind %j', (before) => {
    for (const secret of [token, 'p@ss "wörd"/+']) {
      const encoded = Buffer.from(`${before}${secret}`).toString('base64');
      for (const text of [encoded, Buffer.from(`${before}${secret}`).toString('base64url')]) {
        const shown = foreignText(`got ${text}.`);
        expect(shown).toContain('***');
        expect(Buffer.from(shown.slice(4), 'base64').toString()).not.toContain(secret.slice(0, 6));
        expect(shown.length).toBeLessThan(24);
      }
    }
  });

  it('hides what is split over texts that belong together', () => {
    expect(hideSent([`bad: ${token.slice(0, 5)}`, `${token.slice(5)} it was`, 'fine'])).toEqual(['bad: ***', '*** it was', 'fine']);
  });

  it('leaves what has less than eight characters in common', () => {
    expect(foreignText(`${token.slice(0, 7)} ${token.slice(-7)}`)).toBe('CANARY- -123456');
    rememberSecret('tiny123');
    expect(foreignText('tiny123')).toBe('tiny123');
  });

  it('remembers the last hundred that were used', () => {
    for (let n = 0; n < 150; n += 1) {
      rememberSecret(`rotated-${String(n).padStart(4, '0')}-${'abcdefghij'[n % 10] ?? ''}`.repeat(2));
      rememberSecret(token);
    }
    expect(foreignText(token)).toBe('***');
    expect(foreignText('rotated-0149-j'.repeat(2))).toBe('***');
  });

  it('leaves no piece of eight characters of a secret, wherever it stands', () => {
    const ascii = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'X', 'Y', 'Z', '0', '1', '9', '-', '_', '.', '~', '+', '/', '='),
      minLength: 8,
      maxLength: 3_000,
    });
    fc.assert(
      fc.property(ascii, fc.string(), fc.string(), fc.nat(), fc.nat(), (secret, before, after, from, size) => {
        rememberSecret(secret);
        const start = from % (secret.length - 7);
        const piece = secret.slice(start, start + 8 + (size % 900));
        const shown = foreignText(`${before.slice(0, 20)}\n${piece}\n${after}`);
        for (let at = 0; at + 8 <= piece.length; at += 1) expect(shown).not.toContain(piece.slice(at, at + 8));
      }),
    );
  });
});
