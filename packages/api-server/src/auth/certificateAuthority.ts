import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bitString, der, integer, objectIdentifier, octetString, sequence, set, tagged, truth, utcTime, utf8String } from './der.js';
import type { User } from './user.js';

/** A certificate and its key, as PEM. */
export type KeyedCertificate = Readonly<{ cert: string; key: string }>;

const ids = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
} as const;

const dayMs = 86_400_000;
const signatureAlgorithm = sequence(objectIdentifier(ids.ecdsaWithSha256));

interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

interface Validity {
  readonly from: number;
  readonly to: number;
}

function nameOf({ commonName, organizations = [] }: Subject): Buffer {
  const attribute = (id: string, text: string): Buffer => set(sequence(objectIdentifier(id), utf8String(text)));
  return sequence(...organizations.map((organization) => attribute(ids.organization, organization)), attribute(ids.commonName, commonName));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [truth(true)] : []), octetString(value));
}

function pem(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${bytes
    .toString('base64')
    .replace(/(.{64})/g, '$1\n')
    .trimEnd()}\n-----END ${label}-----\n`;
}

function newKey(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** The PEM form that k3s also uses: some clients recognize the kind of a key by its first line only. */
function keyPem(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}

const authorityName: Subject = { commonName: 'rx-informer' };

/**
 * Issues certificates for one server, trusted by its own clients only.
 */
export class CertificateAuthority {
  /** The authority's own certificate, as PEM. */
  readonly cert: string;
  private readonly key: KeyObject;
  private readonly now: number;

  constructor(now: number) {
    const { publicKey, privateKey } = newKey();
    this.now = now;
    this.key = privateKey;
    // digitalSignature and keyCertSign
    const extensions = [
      extension(ids.basicConstraints, true, sequence(truth(true))),
      extension(ids.keyUsage, true, bitString(Buffer.from([0x84]), 2)),
    ];
    this.cert = this.sign(authorityName, publicKey, { from: now - dayMs, to: now + 3_650 * dayMs }, extensions);
  }

  /** A certificate for a server on this machine, under the address that it listens on, and more names. */
  issueServer(address = '127.0.0.1', ...more: readonly string[]): KeyedCertificate {
    const dns = (name: string): Buffer => der(0x82, Buffer.from(name));
    const ip = (...bytes: readonly number[]): Buffer => der(0x87, Buffer.from(bytes));
    const own = isIPv4(address) && address !== '127.0.0.1' ? [ip(...address.split('.').map(Number))] : [];
    const names = sequence(dns('localhost'), ip(127, 0, 0, 1), ip(...Array<number>(15).fill(0), 1), ...own, ...more.map(dns));
    return this.issue({ commonName: 'localhost' }, ids.serverAuthentication, this.now + 3_650 * dayMs, [
      extension(ids.alternativeNames, false, names),
    ]);
  }

  /** A certificate for a client: the user's name and groups are its subject. */
  issueClient({ name, groups }: User, validUntil: number = this.now + 365 * dayMs): KeyedCertificate {
    return this.issue({ commonName: name, organizations: groups }, ids.clientAuthentication, validUntil, []);
  }

  private issue(subject: Subject, purpose: string, to: number, more: readonly Buffer[]): KeyedCertificate {
    const { publicKey, privateKey } = newKey();
    const extensions = [
      extension(ids.basicConstraints, true, sequence()),
      extension(ids.keyUsage, true, bitString(Buffer.from([0x80]), 7)),
      extension(ids.extendedKeyUsage, false, sequence(objectIdentifier(purpose))),
      ...more,
    ];
    return { cert: this.sign(subject, publicKey, { from: Math.min(this.now, to) - dayMs, to }, extensions), key: keyPem(privateKey) };
  }

  private sign(subject: Subject, publicKey: KeyObject, { from, to }: Validity, extensions: readonly Buffer[]): string {
    const toBeSigned = sequence(
      tagged(0, integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      signatureAlgorithm,
      nameOf(authorityName),
      sequence(utcTime(from), utcTime(to)),
      nameOf(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      tagged(3, sequence(...extensions)),
    );
    return pem('CERTIFICATE', sequence(toBeSigned, signatureAlgorithm, bitString(sign('sha256', toBeSigned, this.key))));
  }
}
