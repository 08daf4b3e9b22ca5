import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TlsIdentity } from '../auth/credentials.js';
import { kubeconfigError } from '../requests/requestError.js';
import { contentOf, type UserEntry } from './kubeconfig.js';

/** Whether a key belongs to the first certificate of a text. */
export function isPair(cert: Buffer, key: Buffer): boolean {
  try {
    return cert.includes('-----BEGIN ') && new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** The last valid pair of a user's files, used while the files are being replaced. */
export interface CertificateMemory {
  pair?: { readonly cert: Buffer; readonly key: Buffer };
}

function dataOrFile(user: UserEntry, field: 'client-certificate' | 'client-key'): Promise<Buffer> | Buffer {
  const data = user.fields[`${field}-data`];
  return data.length > 0 ? data : contentOf(user, field, user.fields[field]);
}

/**
 * The certificate of a user, with its key. A certificate and its key are two files: while one is missing or does not match the other, the last matching pair is
 * used.
 */
export async function clientCertificate(user: UserEntry, memory: CertificateMemory): Promise<TlsIdentity> {
  const { 'client-certificate': file, 'client-certificate-data': data } = user.fields;
  if (file === '' && data.length === 0) return {};
  const { pair } = memory;
  try {
    const [cert, key] = [await dataOrFile(user, 'client-certificate'), await dataOrFile(user, 'client-key')];
    if (pair?.cert.equals(cert) === true && pair.key.equals(key)) return pair;
    if (isPair(cert, key)) return (memory.pair = { cert, key });
    throw kubeconfigError(
      `Expected the client certificate and the key of ${user.name} in the kubeconfig ${user.file} to be a pair, as PEM, got others`,
    );
  } catch (error) {
    if (pair === undefined) throw error;
    return pair;
  }
}
