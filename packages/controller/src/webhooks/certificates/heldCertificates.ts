import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { V1Secret } from 'rx-informer';
import { certificateProblem } from './certificateSource.js';
import { isIssuedBy } from './issueCertificates.js';

/** The certificates in a Secret, each in PEM. The names of the entries are those of cert-manager, and `ca.key`. */
export interface HeldCertificates {
  /** The authorities that are trusted, the newest first, which issues. */
  readonly authorities: readonly string[];
  /** The key of the newest authority. */
  readonly authorityKey: string;
  readonly cert: string;
  readonly key: string;
}

/** The rules of rotation. */
export interface RotationRules {
  readonly now: number;
  /** The host names that the certificate must have. */
  readonly names: readonly string[];
  /** How long certificates are valid; authorities are `authorityLifetimes` as long. */
  readonly lifetimeMs: number;
}

/** How many times as long an authority is valid. */
export const authorityLifetimes = 10;

function parsed(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

/** The certificates in a Secret; empty texts for missing ones. */
export function heldIn(secret: V1Secret | undefined): HeldCertificates {
  const textOf = (entry: string): string => Buffer.from(secret?.data?.[entry] ?? '', 'base64').toString('utf8');
  const authorities = textOf('ca.crt').match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----\n?/g) ?? [];
  return { authorities, authorityKey: textOf('ca.key'), cert: textOf('tls.crt'), key: textOf('tls.key') };
}

/** The entries of the Secret. */
export function entriesOf({ authorities, authorityKey, cert, key }: HeldCertificates): Readonly<Record<string, string>> {
  const texts = { 'ca.crt': authorities.join(''), 'ca.key': authorityKey, 'tls.crt': cert, 'tls.key': key };
  return Object.fromEntries(Object.entries(texts).map(([entry, text]) => [entry, Buffer.from(text).toString('base64')]));
}

/** When the newest authority is due to be replaced; 0 for now, since there is none that can issue. */
export function authorityDue({ authorities, authorityKey }: HeldCertificates, { lifetimeMs }: RotationRules): number {
  const authority = parsed(authorities[0]);
  try {
    if (authority?.checkPrivateKey(createPrivateKey(authorityKey)) !== true) return 0;
  } catch {
    return 0;
  }
  return endOf(authority) - (authorityLifetimes * lifetimeMs) / 3;
}

/** Old authorities stay trusted until they expire: replicas and API servers learn of a new one at different times. */
export function withAuthority({ authorities }: HeldCertificates, added: string, now: number): readonly string[] {
  const isValid = (certificate: X509Certificate | undefined): boolean => certificate !== undefined && endOf(certificate) > now;
  return [added, ...authorities.filter((one) => isValid(parsed(one)))];
}

/**
 * When the certificate is due to be replaced; 0 for now, since it cannot be served or lacks a name. A new authority issues only after it has been
 * published for a while: API servers read the bundle from a cache of theirs.
 */
export function certificateDue({ authorities, cert, key }: HeldCertificates, { now, names, lifetimeMs }: RotationRules): number {
  const [leaf, authority] = [parsed(cert), parsed(authorities[0])];
  if (leaf === undefined || authority === undefined || certificateProblem({ cert, key }, now) !== undefined) return 0;
  const isTrusted = authorities.some((one) => isIssuedBy(leaf, new X509Certificate(one)));
  const hasNames = names.every((name) => leaf.checkHost(name) !== undefined);
  if (!isTrusted || !hasNames) return 0;
  if (isIssuedBy(leaf, authority)) return endOf(leaf) - lifetimeMs / 3;
  const settleMs = Math.min(300_000, lifetimeMs / 10);
  return endOf(authority) - authorityLifetimes * lifetimeMs + settleMs;
}
