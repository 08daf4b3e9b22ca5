import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Observable } from 'rxjs';

/** A certificate with its private key, both in PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Where a webhook server has its certificate from. */
export interface CertificateSource {
  /** The certificate, and each later one that replaces it. Never fails. */
  readonly certificate$: Observable<KeyedCertificate>;
  /** Why there is no certificate, or why it is not being renewed. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

/** What is wrong with a certificate; undefined for one that can be served. */
export function certificateProblem({ cert, key }: KeyedCertificate, now: number): string | undefined {
  let leaf: X509Certificate;
  try {
    leaf = new X509Certificate(cert);
    if (!leaf.checkPrivateKey(createPrivateKey(key))) return 'the key does not belong to the certificate';
    // The certificates behind the first one are read here, too: of a file that is being written, a part may be there.
    createSecureContext({ cert, key });
  } catch {
    // The message of the library could quote the key.
    return 'the certificate or its key cannot be read';
  }
  return Date.parse(leaf.validTo) <= now ? `the certificate has expired at ${leaf.validTo}` : undefined;
}
