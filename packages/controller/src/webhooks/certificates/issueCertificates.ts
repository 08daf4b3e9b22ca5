import type * as x509 from '@peculiar/x509';
import { createPrivateKey, KeyObject, webcrypto, type X509Certificate } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { messageOf } from 'rx-informer/internal';
import type { KeyedCertificate } from './certificateSource.js';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Certificates are valid since a day: clocks differ. */
const backdateMs = 86_400_000;

/** Loads the library, and what it needs to be loaded before. */
async function loadX509(): Promise<typeof x509> {
  try {
    await import('reflect-metadata');
    return await import('@peculiar/x509');
  } catch (cause) {
    const remedy = 'install @peculiar/x509 and reflect-metadata, or give certificates as files';
    throw new Error(`Own certificates of webhooks need a library: ${remedy} (${messageOf(cause)})`, { cause });
  }
}

function keyText(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const bytes = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

/** The time of a certificate, to be valid for `lifetimeMs` from now. */
export interface CertificateTime {
  readonly now: number;
  readonly lifetimeMs: number;
}

const validity = ({ now, lifetimeMs }: CertificateTime): { readonly notBefore: Date; readonly notAfter: Date } => ({
  notBefore: new Date(now - backdateMs),
  notAfter: new Date(now + lifetimeMs),
});

/** Makes a certificate authority. Its name contains the time, so that several of one bundle are told apart. */
export async function makeAuthority(time: CertificateTime): Promise<KeyedCertificate> {
  const lib = await loadX509();
  const keys = await newKeys();
  const cert = await lib.X509CertificateGenerator.createSelfSigned(
    {
      name: `CN=rx-informer webhooks ${new Date(time.now).toISOString()}`,
      ...validity(time),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new lib.BasicConstraintsExtension(true, undefined, true),
        new lib.KeyUsagesExtension(lib.KeyUsageFlags.keyCertSign | lib.KeyUsageFlags.digitalSignature, true),
        await lib.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { cert: `${cert.toString('pem')}\n`, key: keyText(keys.privateKey) };
}

/** Issues a certificate for a server with these names and addresses. */
export async function issueCertificate(
  authority: KeyedCertificate,
  names: readonly string[],
  time: CertificateTime,
): Promise<KeyedCertificate> {
  const lib = await loadX509();
  const keys = await newKeys();
  const isAddress = (name: string): boolean => isIPv4(name) || isIPv6(name);
  const cert = await lib.X509CertificateGenerator.create(
    {
      issuer: new lib.X509Certificate(authority.cert).subject,
      // The name in the subject has at most 64 characters, and nobody reads it: the alternative names count.
      subject: 'CN=webhooks',
      ...validity(time),
      publicKey: keys.publicKey,
      signingKey: await importKey(authority.key),
      signingAlgorithm: algorithm,
      extensions: [
        new lib.BasicConstraintsExtension(false, undefined, true),
        new lib.KeyUsagesExtension(lib.KeyUsageFlags.digitalSignature, true),
        new lib.ExtendedKeyUsageExtension([lib.ExtendedKeyUsage.serverAuth]),
        new lib.SubjectAlternativeNameExtension(names.map((value) => ({ type: isAddress(value) ? 'ip' : 'dns', value }))),
        await lib.AuthorityKeyIdentifierExtension.create(new lib.X509Certificate(authority.cert), false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { cert: `${cert.toString('pem')}\n`, key: keyText(keys.privateKey) };
}

/** Whether a certificate was issued by an authority. */
export function isIssuedBy(leaf: X509Certificate, authority: X509Certificate): boolean {
  return leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
}
