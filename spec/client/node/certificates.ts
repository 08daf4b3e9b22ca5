import type { IncomingMessage } from 'node:http';
import type { PeerCertificate } from 'node:tls';
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

// X.509 certificates by hand, so that specs need no openssl.

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const text = (value: string) => der(0x0c, Buffer.from(value));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((value) => {
    const digits = [value & 0x7f];
    for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const nameOf = (commonName: string) => sequence(der(0x31, sequence(oid('2.5.4.3'), text(commonName))));
const utcTime = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

/** The extension of an authority. */
export const isAuthority: Buffer = sequence(
  oid('2.5.29.19'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
);

/** The extension with the names and addresses of a server. */
export function alternativeNames(names: readonly string[], addresses: readonly (readonly number[])[] = []): Buffer {
  const all = [...names.map((name) => der(0x82, Buffer.from(name))), ...addresses.map((address) => der(0x87, Buffer.from(address)))];
  return sequence(oid('2.5.29.17'), der(0x04, sequence(...all)));
}

const forLocalhost = alternativeNames(['localhost'], [[127, 0, 0, 1]]);

/**
 * A certificate and its key, as PEM text.
 */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

/** Issues a certificate that ends a number of days from now; by itself without an issuer. */
export function issue(
  commonName: string,
  extension: Uint8Array,
  issuer?: Issuer,
  days = 1,
): Certificate & { readonly keyObject: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const day = 86_400_000;
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? commonName),
    sequence(utcTime(new Date(Date.now() - 9 * day)), utcTime(new Date(Date.now() + days * day))),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', tbs, issuer?.key ?? privateKey);
  const certificate = sequence(tbs, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    keyObject: privateKey,
  };
}

/** An authority, a server for localhost and two clients, all valid for one day. */
export function certificates(): {
  readonly ca: string;
  readonly server: Certificate;
  readonly alice: Certificate;
  readonly bob: Certificate;
} {
  const authority = issue('spec authority', isAuthority);
  const issuer = { name: 'spec authority', key: authority.keyObject };
  const of = (name: string, extension: Uint8Array) => issue(name, extension, issuer);
  return { ca: authority.cert, server: of('localhost', forLocalhost), alice: of('alice', forLocalhost), bob: of('bob', forLocalhost) };
}

/**
 * The user whose certificate a request came with.
 */
export function userOf({ socket }: Pick<IncomingMessage, 'socket'>): string | undefined {
  const { subject } = (socket as unknown as { getPeerCertificate(): Partial<PeerCertificate> }).getPeerCertificate();
  return subject?.CN === undefined ? undefined : String(subject.CN);
}
