import { describe, expect, it } from '@jest/globals';
import { hasFormat } from '../../src/schema/formats.js';

describe('formats of texts', () => {
  const rules: readonly (readonly [format: string, right: readonly string[], wrong: readonly string[]])[] = [
    ['byte', ['YQ==', 'YWI=', 'YWJj'], ['', 'YQ', 'YQ=']],
    ['cidr', ['10.0.0.0/8', '010.0.0.0/08', '::/0', 'fd00::1/128'], ['10.0.0.0', '10.0.0.0/33', '::/129', '/8']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-2-1', '2024-01-01T00:00:00Z']],
    ['date-time', ['2024-02-29T23:59:59Z', '2024-02-29t00:00:00.5+02:00'], ['2024-02-29', '2024-02-30T00:00:00Z', '2024-02-29 00:00:00Z']],
    ['datetime', ['2024-02-29T23:59:59Z'], ['2024-02-29T24:00:00Z', '2024-02-29T00:00:00']],
    ['duration', ['1h30m', '-1.5h', '0', '22 ns', '3 weeks', 'about 2 days'], ['', '5', 'h', '3 fortnights']],
    ['email', ['a@example.com', 'A <a@example.com>'], ['a', '@', 'a@b@c']],
    ['hostname', ['localhost', 'a.example.com', 'café'], ['', 'a_b', '-a', 'a.example.c', `${'a'.repeat(64)}.com`]],
    ['ipv4', ['1.2.3.4', '01.002.3.4', '::ffff:1.2.3.4'], ['1.2.3.4:8080', '1.2.3', '1.2.3.256', '1.2.3.4.', '::1']],
    ['ipv6', ['::1', '1111:2222:3333:4444::', '::ffff:1.2.3.4'], ['1.2.3.4', '12:34:56', 'fe80::1%eth0', '']],
    ['k8s-short-name', ['a-b'], ['a.b', '-a', 'A', 'a'.repeat(64)]],
    ['k8s-long-name', ['a-b.c', `${'a'.repeat(64)}.b`], ['a..b', 'A']],
    [
      'uri',
      ['https://a.example:8080/b?c=%', '/', 'urn:a:b', 'http://[::1]/', '*'],
      ['', 'a/b', '1a:b', 'http://a b/', 'http://a:b/', '/%zz'],
    ],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], ['123e4567-e89b-12d3-a456-42661417400']],
    ['uuid3', ['123e4567-e89b-32d3-a456-426614174000'], ['123e4567-e89b-12d3-a456-426614174000']],
    ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-42d3-c456-426614174000']],
    ['uuid5', ['123e4567-e89b-52d3-a456-426614174000'], ['123e4567-e89b-52d3-c456-426614174000']],
  ];

  it.each(rules)('%s takes what is written so, and nothing else', (format, right, wrong) => {
    expect(right.filter((text) => hasFormat(text, format) !== true)).toEqual([]);
    expect(wrong.filter((text) => hasFormat(text, format) !== false)).toEqual([]);
  });

  it.each(['bsonobjectid', 'creditcard', 'hexcolor', 'isbn', 'isbn10', 'isbn13', 'mac', 'password', 'rgbcolor', 'ssn'])(
    '%s is known, and any text has it',
    (format) => {
      expect(hasFormat('x', format)).toBe(true);
    },
  );

  it.each(['uint128', 'toString'])('%s holds a text to nothing', (format) => {
    expect(hasFormat('x', format)).toBeUndefined();
  });
});
