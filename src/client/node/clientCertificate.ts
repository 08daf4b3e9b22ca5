import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TlsIdentity } from '../auth/credentials.js';
import { kubeconfigError } from '../requests/requestError.js';
import { contentOf, type UserEntry } from './kubeconfig.js';
import { blocksIn } from './trust.js';

interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** The certificates and the key in two PEM texts; undefined unless the key belongs to the first certificate. */
export function pairIn({ cert, key }: Pair): Pair | undefined {
  const certs = blocksIn(cert, 'CERTIFICATE');
  const [own = ''] = blocksIn(key, '(?:[A-Z0-9]+ )*PRIVATE KEY');
  try {
    return new X509Certificate(certs[0] ?? '').checkPrivateKey(createPrivateKey(own)) ? { cert: certs.join(''), key: own } : undefined;
  } catch {
    return undefined;
  }
}

/** The last valid pair of a user's files, used while the files are being replaced, and what it was read from. */
export interface CertificateMemory {
  pair?: { readonly cert: Buffer; readonly key: Buffer };
  content?: string;
}

async function dataOrFile(user: UserEntry, field: 'client-certificate' | 'client-key'): Promise<string> {
  const data = user.fields[`${field}-data`];
  return (data.length > 0 ? data : await contentOf(user, field, user.fields[field])).toString('latin1');
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
    const given = { cert: await dataOrFile(user, 'client-certificate'), key: await dataOrFile(user, 'client-key') };
    const content = given.cert + given.key;
    if (pair !== undefined && memory.content === content) return pair;
    const found = pairIn(given);
    if (found === undefined)
      throw kubeconfigError(
        `Expected the client certificate and the key of ${user.name} in the kubeconfig ${user.file} to be a pair, as PEM, got others`,
      );
    memory.content = content;
    return (memory.pair = { cert: Buffer.from(found.cert), key: Buffer.from(found.key) });
  } catch (error) {
    if (pair === undefined) throw error;
    return pair;
  }
}
