import { describe, expect, it } from '@jest/globals';
import type { PeerCertificate } from 'node:tls';
import { goVerification } from '../../../src/client/node/trust.js';

/** What is wrong with a certificate for a host. */
const fault = (subjectaltname: string, host: string) =>
  goVerification(host).checkServerIdentity?.('other', { subjectaltname } as PeerCertificate);

describe('goVerification', () => {
  it.each([
    ['DNS:*.test', 'a.test'],
    ['DNS:a.test', 'A.test.'],
    ['DNS:a.test.', 'a.test.'],
  ])('takes a certificate for %s as that of %s', (names, host) => {
    expect(fault(names, host)).toBeUndefined();
  });

  it.each([
    ['DNS:*', 'kubernetes'],
    ['DNS:*', 'a.test'],
    ['DNS:*.test', 'a.b.test'],
    ['DNS:a.*', 'a.test'],
  ])('does not take a certificate for %s as that of %s', (names, host) => {
    expect(fault(names, host)).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });
});
