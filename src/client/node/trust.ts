import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import type { TlsIdentity } from '../auth/credentials.js';
import { codedError, kubeconfigError } from '../requests/requestError.js';
import { type ClusterEntry, contentOf } from './kubeconfig.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The certificates of a PEM text, as Go finds them: other blocks, those with headers, and broken ones are passed over. */
export function certificatesIn(pem: string): readonly string[] {
  const blocks = pem.matchAll(/(?<![^\n])-----BEGIN CERTIFICATE-----[ \t\r]*\n([^-:]+\n)-----END CERTIFICATE-----[ \t\r]*(?![^\n])/g);
  return [...blocks].flatMap(([, base64 = '']) => {
    const bytes = Buffer.from(base64, 'base64');
    // Other signs would be passed over.
    if (bytes.toString('base64') !== base64.replace(/\s/g, '')) return [];
    try {
      const certificate = new X509Certificate(bytes);
      return certificate.raw.length === bytes.length ? [certificate.toString().trim()] : [];
    } catch {
      return [];
    }
  });
}

/** Where Linux and the BSDs keep the certificates that they trust. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
const folders = ['/etc/ssl/certs', '/etc/pki/tls/certs'];

const readOr = (file: string): Promise<string | undefined> => readFile(file, 'latin1').catch(() => undefined);

async function readFirst(files: readonly string[]): Promise<string> {
  for (const file of files) {
    const text = await readOr(file);
    if (text !== undefined) return text;
  }
  return '';
}

async function readFolder(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readOr(path.join(folder, name))));
  return texts.filter((text) => text !== undefined);
}

/**
 * The certificates that this machine trusts; undefined where Node's own have to do.
 *
 * @see Go's `crypto/x509/root_unix.go`
 */
async function systemRoots(env: Environment): Promise<readonly string[] | undefined> {
  if (process.platform === 'win32' || process.platform === 'darwin') return undefined;
  const { SSL_CERT_FILE: file = '', SSL_CERT_DIR: directory = '', NODE_EXTRA_CA_CERTS: extra = '' } = env;
  const searched = directory === '' ? folders : directory.split(':');
  const texts = [await readFirst(file === '' ? bundles : [file]), ...(await Promise.all(searched.map(readFolder))).flat()];
  const found = [...new Set(texts.flatMap(certificatesIn))];
  if (found.length === 0 && file === '' && directory === '') return undefined;
  return [...found, ...(extra === '' ? [] : certificatesIn((await readOr(extra)) ?? ''))];
}

/** What the machine trusts is read once for each place, as in Go. */
const known = new Map<string, Promise<readonly string[] | undefined>>();

function trustedHere(env: Environment): Promise<readonly string[] | undefined> {
  const place = JSON.stringify([env['SSL_CERT_FILE'], env['SSL_CERT_DIR'], env['NODE_EXTRA_CA_CERTS']]);
  const roots = known.get(place) ?? systemRoots(env);
  known.set(place, roots);
  return roots;
}

/** A certificate must name the host in its alternative names: its common name is not looked at, as in Go. */
function checkName(host: string, certificate: tls.PeerCertificate): Error | undefined {
  if (net.isIP(host) !== 0 || /(^|, )DNS:/.test(certificate.subjectaltname ?? '')) return tls.checkServerIdentity(host, certificate);
  return codedError('ERR_TLS_CERT_ALTNAME_INVALID', `the server's certificate names no host, expected ${host}`);
}

async function anchorsOf(cluster: ClusterEntry, env: Environment): Promise<readonly string[] | undefined> {
  const { 'certificate-authority': file, 'certificate-authority-data': data } = cluster.fields;
  if (file === '' && data.length === 0) return trustedHere(env);
  const pem = data.length > 0 ? data : await contentOf(cluster, 'certificate-authority', file);
  const anchors = certificatesIn(pem.toString('latin1'));
  if (anchors.length > 0) return anchors;
  const field = data.length > 0 ? 'certificate-authority-data' : 'certificate-authority';
  throw kubeconfigError(
    `Expected \`${field}\` of ${cluster.name} in the kubeconfig ${cluster.file} to hold a certificate as PEM, got none`,
  );
}

/** The TLS options by which a kubeconfig's cluster is verified. */
export async function clusterTls(cluster: ClusterEntry, env: Environment): Promise<TlsIdentity> {
  const { 'tls-server-name': given, 'insecure-skip-tls-verify': insecure } = cluster.fields;
  const name = given.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
  // An address is checked, but never sent.
  const servername = name === '' ? {} : net.isIP(name) === 0 ? { servername: name } : { servername: '' };
  if (insecure) return { ...servername, rejectUnauthorized: false };
  return {
    ca: await anchorsOf(cluster, env),
    ...servername,
    ...(net.isIP(name) !== 0 && { checkedName: name }),
  };
}

/** Options of `node:tls` by which a server is verified as Go does. */
export const goVerification = (checked: string | undefined): tls.ConnectionOptions => ({
  // Any certificate of the pool is an anchor: a root, an intermediate, or the server's own.
  allowPartialTrustChain: true,
  checkServerIdentity: (host, certificate) => checkName(checked ?? host, certificate),
});
