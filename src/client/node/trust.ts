import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { entryOf } from '../../api/entryOf.js';
import type { TlsIdentity } from '../auth/credentials.js';
import { codedError, kubeconfigError } from '../requests/requestError.js';
import { fromBase64 } from './goYaml.js';
import { type ClusterEntry, contentOf } from './kubeconfig.js';
import { addressOf, type Environment } from './proxyFor.js';

/** The PEM blocks of a type, as Go finds them, without their headers: others, and those that are no base64, are passed over. */
export function blocksIn(pem: string, type: string, headers: string = '(?:[^\\n:]*:[^\\n]*\\n)*'): readonly string[] {
  const form = `(?<![^\\n])-----BEGIN (${type})-----[ \\t\\r]*\\n${headers}([^-:]+\\n)-----END \\1-----[ \\t\\r]*(?![^\\n])`;
  return [...pem.matchAll(new RegExp(form, 'g'))].flatMap(([, name = '', content = '']) => {
    const base64 = fromBase64(content.replace(/[ \t]/g, ''))
      ?.toString('base64')
      .replace(/.{64}(?=.)/g, '$&\n');
    return base64 === undefined ? [] : [`-----BEGIN ${name}-----\n${base64}\n-----END ${name}-----\n`];
  });
}

/** The certificates of a PEM text, without broken ones. */
function certificatesIn(pem: string): readonly string[] {
  // Authorities have no headers.
  const blocks = blocksIn(pem, 'CERTIFICATE', '').map((block) => block.trim());
  return blocks.filter((block) => {
    try {
      // Nothing may be behind the certificate.
      return new X509Certificate(block).toString().trim() === block;
    } catch {
      return false;
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

/** The texts of the files that can be read. */
async function readAll(files: readonly string[]): Promise<readonly string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => undefined)));
  return texts.filter((text) => text !== undefined);
}

async function readFolder(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return readAll(names.map((name) => path.join(folder, name)));
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
  const [bundle = ''] = await readAll(file === '' ? bundles : [file]);
  const texts = [bundle, ...(await Promise.all(searched.map(readFolder))).flat()];
  const found = [...new Set(texts.flatMap(certificatesIn))];
  if (found.length === 0 && file === '' && directory === '') return undefined;
  const more = await readAll(extra === '' ? [] : [extra]);
  return [...found, ...more.flatMap(certificatesIn)];
}

/** What the machine trusts is read once for each place, as in Go. */
const known = new Map<string, Promise<readonly string[] | undefined>>();

function trustedHere(env: Environment): Promise<readonly string[] | undefined> {
  const place = JSON.stringify([env['SSL_CERT_FILE'], env['SSL_CERT_DIR'], env['NODE_EXTRA_CA_CERTS']]);
  return entryOf(known, place, () => systemRoots(env));
}

/** What is sent of a host's name: no brackets, no dots at its end, and nothing of an address. */
export function sentName(host: string): string {
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
  return net.isIP(name) === 0 ? name : '';
}

/** What Go takes for a host's name. */
const isName = /^([a-z0-9_][\w-]*\.)*[a-z0-9_][\w-]*\.?$/;

/** A certificate must name the host in its alternative names, as in Go: its common name is not looked at, and an asterisk stands for the first of several labels. */
function checkName(expected: string, certificate: tls.PeerCertificate): Error | undefined {
  const host = expected.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (net.isIP(host) !== 0) return tls.checkServerIdentity(addressOf(host) ?? host, certificate);
  const { subjectaltname: names = '' } = certificate;
  const label = host.replace(/\.$/, '');
  const taken = isName.test(host) ? [host, label, label.replace(/^[^.]+(?=\.)/, '*')] : [host];
  if (names.split(', ').some((name) => taken.includes(name.toLowerCase().replace(/^dns:/, '')))) return undefined;
  return codedError('ERR_TLS_CERT_ALTNAME_INVALID', `the server's certificate is for ${names || 'no name'}, not for ${host}`);
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

/** The TLS options by which what is no cluster's is verified: a proxy in front of a server without TLS. */
export const systemTls = async (env: Environment): Promise<TlsIdentity> => ({ ca: await trustedHere(env) });

/** The TLS options by which a kubeconfig's cluster is verified. */
export async function clusterTls(cluster: ClusterEntry, env: Environment): Promise<TlsIdentity> {
  const { 'tls-server-name': name, 'insecure-skip-tls-verify': insecure } = cluster.fields;
  const named = name === '' ? {} : { servername: sentName(name), checkedName: name };
  return { ...named, ...(insecure ? { rejectUnauthorized: false } : { ca: await anchorsOf(cluster, env) }) };
}

/** Options of `node:tls` by which a server is verified as Go does. */
export const goVerification = (checked: string | undefined): tls.ConnectionOptions => ({
  // Any certificate of the pool is an anchor: a root, an intermediate, or the server's own.
  allowPartialTrustChain: true,
  checkServerIdentity: (host, certificate) => checkName(checked ?? host, certificate),
});
