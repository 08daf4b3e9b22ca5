import { configOf, oneFile, type ConnectCase } from './connectCase.js';

const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const pools: Readonly<Record<string, string>> = {
  root: '{pem:root}',
  intermediate: '{pem:intermediate}',
  leaf: '{pem:leaf}',
  'another root': '{pem:wrong}',
  'root and another': '{pem:wrong}{pem:root}',
  'root beside a broken one': `${broken}{pem:root}`,
  'root before a broken one': `{pem:root}${broken}`,
  'root within text': 'text\n{pem:root}text\n',
  'root beside a key': '{key:alice}{pem:root}',
  'root that is expired': '{pem:oldRoot}',
  'a broken one': broken,
  'a key': '{key:alice}',
  text: 'text',
};

const token = { token: 't' };

function anchors(): readonly ConnectCase[] {
  return Object.entries(pools).flatMap(([name, pem]) =>
    (['secure', 'leafAlone', 'expired'] as const).map((server) =>
      oneFile(
        `trust: ${name}, by a server that is ${server}`,
        configOf({ server: `https://127.0.0.1:{${server}}`, 'certificate-authority': 'ca.pem' }, token),
        { files: { 'ca.pem': pem } },
      ),
    ),
  );
}

/** Files that hold the root's certificate, more or less. */
const forms: Readonly<Record<string, string>> = {
  DER: 'base64:{der64:root}',
  CRLF: 'crlf:{pem:root}',
  'CR alone': 'cr:{pem:root}',
  'a byte order mark': '\ufeff{pem:root}',
  'a byte order mark, and a line': '\ufeff\n{pem:root}',
  'UTF-16': 'utf16le:\ufeff{pem:root}',
  'a blank before': ' {pem:root}',
  'text in the same line before': 'text{pem:root}',
  'text between': '{pem:wrong}text: a\n\n# text\n{pem:root}',
  'no line break between': 'joined:{pem:wrong}{pem:root}',
  'one long line': 'flat:{pem:root}',
  'lines of one letter': 'thin:{pem:root}',
  'blanks behind lines': 'spaced:{pem:root}',
  'empty lines within': 'airy:{pem:root}',
  'no end': 'endless:{pem:root}',
  'no line break at the end': 'cut:{pem:root}',
  'another type': 'trusted:{pem:root}',
  'the type of X509': 'x509:{pem:root}',
  'headers within': 'headed:{pem:root}',
  'a first block without an end': '-----BEGIN CERTIFICATE-----\nAAAA\n{pem:root}',
  'an end without a block': '-----END CERTIFICATE-----\n{pem:root}',
  'a certificate with more behind it': 'longer:{pem:root}',
  'the same twice': '{pem:root}{pem:root}',
  base64: '{b64:root}',
  'line breaks alone': '\n\n',
};

function shapes(): readonly ConnectCase[] {
  const server = { server: 'https://127.0.0.1:{secure}' };
  const data: Readonly<Record<string, string>> = { PEM: '{pem:root}', DER: '{der64:root}', text: 'dGV4dA==', 'a line break': 'Cg==' };
  return [
    ...Object.entries(forms).map(([name, text]) =>
      oneFile(`trust: a file with ${name}`, configOf({ ...server, 'certificate-authority': 'ca.pem' }, token), {
        files: { 'ca.pem': text },
      }),
    ),
    ...Object.entries(data).map(([name, text]) =>
      oneFile(`trust: data of ${name}`, configOf({ ...server, 'certificate-authority-data': text }, token)),
    ),
  ];
}

/** Values of `tls-server-name`. */
function serverNames(): readonly ConnectCase[] {
  const trusted = { 'certificate-authority-data': '{b64:root}' };
  const names = [
    'api.test.',
    'API.test',
    'api.test:443',
    '*.wild.test',
    'a.WILD.test',
    ' api.test',
    '',
    'a_b.wild.test',
    '.test',
    '::1',
    '[::1]',
    '.',
    'api.test..',
    '.wild.test',
    '-.wild.test',
    'ä.wild.test',
    'a.one',
    'A.one.',
    'one',
  ];
  return [
    ...names.map((name) =>
      oneFile(
        `trust: the server name ${JSON.stringify(name)}`,
        configOf({ server: 'https://127.0.0.1:{named}', ...trusted, 'tls-server-name': name }, token),
      ),
    ),
    ...['::1', '[::1]', '10.1.2.3', 'x.test.', 'X.test', 'a_b', 'a b', 'größe.test'].map((name) =>
      oneFile(
        `trust: insecure, with the server name ${JSON.stringify(name)}`,
        configOf({ server: 'https://127.0.0.1:{secure}', 'insecure-skip-tls-verify': true, 'tls-server-name': name }, token),
      ),
    ),
    ...['::ffff:127.0.0.1', '[127.0.0.1]', '127.0.0.1.', '.', 'localhost/'].map((name) =>
      oneFile(
        `trust: by the server name ${JSON.stringify(name)}`,
        configOf({ server: 'https://127.0.0.1:{secure}', ...trusted, 'tls-server-name': name }, token),
      ),
    ),
    oneFile('trust: a server name over http', configOf({ server: 'http://127.0.0.1:{plain}', 'tls-server-name': 'x y' }, token)),
  ];
}

function names(): readonly ConnectCase[] {
  const server = (port: string, host = '127.0.0.1') => ({
    server: `https://${host}:{${port}}`,
    'certificate-authority-data': '{b64:root}',
  });
  const of = (name: string, cluster: Readonly<Record<string, unknown>>, more: Partial<ConnectCase> = {}): ConnectCase =>
    oneFile(`trust: ${name}`, configOf(cluster, token), more);
  return [
    of('a common name alone', server('commonName', 'localhost')),
    of('a common name alone, by an address', server('commonName')),
    of('a name that is not there', server('named')),
    of('a name that is checked instead', { ...server('named'), 'tls-server-name': 'api.test' }),
    of('a wrong name that is checked instead', { ...server('named'), 'tls-server-name': 'other.test' }),
    of('a wildcard', { ...server('named'), 'tls-server-name': 'a.wild.test' }),
    of('a wildcard of two levels', { ...server('named'), 'tls-server-name': 'a.b.wild.test' }),
    of('an address that is checked instead', { ...server('secure', 'localhost'), 'tls-server-name': '127.0.0.1' }),
    of('a wrong address that is checked instead', { ...server('secure', 'localhost'), 'tls-server-name': '127.0.0.2' }),
    of('insecure', { server: 'https://127.0.0.1:{secure}', 'insecure-skip-tls-verify': true }),
    of('insecure, with a name', { server: 'https://127.0.0.1:{secure}', 'insecure-skip-tls-verify': true, 'tls-server-name': 'sent.test' }),
    of('insecure, an expired server', { server: 'https://127.0.0.1:{expired}', 'insecure-skip-tls-verify': true }),
    of('insecure, a common name', { server: 'https://localhost:{commonName}', 'insecure-skip-tls-verify': true }),
    of('insecure beside an authority', { ...server('secure'), 'insecure-skip-tls-verify': true }),
    of('insecure beside an authority, over http', {
      server: 'http://127.0.0.1:{plain}',
      'certificate-authority-data': '{b64:root}',
      'insecure-skip-tls-verify': true,
    }),
    of('an authority over http', { server: 'http://127.0.0.1:{plain}', 'certificate-authority-data': '{b64:root}' }),
    of('a broken authority over http', { server: 'http://127.0.0.1:{plain}', 'certificate-authority-data': 'AAAA' }),
    of('data and a file', { ...server('secure'), 'certificate-authority': 'ca.pem' }, { files: { 'ca.pem': '{pem:root}' } }),
    of('a file that is missing', { server: 'https://127.0.0.1:{secure}', 'certificate-authority': 'ca.pem' }),
    of('a file that is missing, over http', { server: 'http://127.0.0.1:{plain}', 'certificate-authority': 'ca.pem' }),
    of('no authority', { server: 'https://127.0.0.1:{secure}' }),
    of('an empty file', { server: 'https://127.0.0.1:{secure}', 'certificate-authority': 'ca.pem' }, { files: { 'ca.pem': '' } }),
    of(
      'roots of the system in a file',
      { server: 'https://127.0.0.1:{secure}' },
      { files: { 'roots.pem': '{pem:root}' }, env: { SSL_CERT_FILE: '{dir}/roots.pem' } },
    ),
    of(
      'roots of the system in a folder',
      { server: 'https://127.0.0.1:{secure}' },
      { files: { 'roots/a.pem': '{pem:root}' }, env: { SSL_CERT_DIR: '{dir}/roots' } },
    ),
    of(
      'roots of the system beside an authority',
      { ...server('secure'), 'certificate-authority-data': '{b64:wrong}' },
      { files: { 'roots.pem': '{pem:root}' }, env: { SSL_CERT_FILE: '{dir}/roots.pem' } },
    ),
  ];
}

/** Which servers are trusted. */
export function trustCases(): readonly ConnectCase[] {
  return [...anchors(), ...names(), ...shapes(), ...serverNames()];
}
