import { configOf, oneFile, plain, secure, type ConnectCase } from './connectCase.js';

type Fields = Readonly<Record<string, unknown>>;

const exec: Fields = { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin', interactiveMode: 'Never' };
const plugin = `#!/bin/sh
echo run >> "$0.runs"
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"plugged"}}'
`;
const files = {
  'folder/': '',
  crlf: 'from-a-file\r\n',
  lines: 'from\na-file\n',
  marked: '\ufefffrom-a-file',
  blanks: ' \n\t\n',
  letters: 'größe',
  both: '{pem:alice}{key:alice}',
  texted: 'text\n{pem:alice}',
  'crlf.pem': 'crlf:{pem:alice}',
  'alice.der': 'base64:{der64:alice}',
  plugin,
  token: 'from-a-file',
  empty: '',
  'alice.pem': '{pem:alice}',
  'alice.key': '{key:alice}',
  'bob.key': '{key:bob}',
};

/** A certificate, or its key, in files of these contents. */
const certificateForms: Readonly<Record<string, string>> = {
  'a byte order mark': '\ufeff{pem:alice}',
  'a blank before': ' {pem:alice}',
  'its key before': '{key:alice}{pem:alice}',
  'empty lines within': 'airy:{pem:alice}',
  'lines of one letter': 'thin:{pem:alice}',
  'one long line': 'flat:{pem:alice}',
  'blanks behind lines': 'spaced:{pem:alice}',
  'another type': 'trusted:{pem:alice}',
  'the type of X509': 'x509:{pem:alice}',
  'a first block without an end': '-----BEGIN CERTIFICATE-----\nAAAA\n{pem:alice}',
  'no base64 behind': '{pem:alice}-----BEGIN CERTIFICATE-----\n$$$\n-----END CERTIFICATE-----\n',
  'no line break between': 'joined:{pem:alice}{pem:intermediate}',
  base64: '{b64:alice}',
};
const keyForms: Readonly<Record<string, string>> = {
  'a byte order mark': '\ufeff{key:alice}',
  'text before': 'text\n{key:alice}',
  'another before': '{key:bob}{key:alice}',
  'another behind': '{key:alice}{key:bob}',
  CRLF: 'crlf:{key:alice}',
  'its parameters before': '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n{key:alice}',
};

function forms(): readonly ConnectCase[] {
  const of = (name: string, more: ConnectCase['files']): ConnectCase =>
    oneFile(`user: ${name}`, configOf(secure, { 'client-certificate': 'alice.pem', 'client-key': 'alice.key' }), {
      files: { ...files, ...more },
    });
  return [
    ...Object.entries(certificateForms).map(([name, content]) => of(`a certificate file with ${name}`, { 'alice.pem': content })),
    ...Object.entries(keyForms).map(([name, content]) => of(`a key file with ${name}`, { 'alice.key': content })),
  ];
}

const methods: Readonly<Record<string, Fields>> = {
  token: { token: 'token' },
  tokenFile: { tokenFile: 'token' },
  basic: { username: 'jürgen', password: 'pä:ss' },
  certificate: { 'client-certificate-data': '{b64:alice}', 'client-key-data': '{key64:alice}' },
  exec: { exec },
  provider: { 'auth-provider': { name: 'oidc' } },
};

function pairs(): readonly ConnectCase[] {
  const names = Object.keys(methods);
  const chosen = names.flatMap((name, at) => [[name], ...names.slice(at + 1).map((other) => [name, other])]);
  return chosen.flatMap((both) =>
    (['https', 'http'] as const).map((protocol) => {
      const user = Object.assign({}, ...both.map((name) => methods[name])) as Fields;
      return oneFile(`user: ${both.join(' and ')} over ${protocol}`, configOf(protocol === 'https' ? secure : plain, user), { files });
    }),
  );
}

const users: Readonly<Record<string, Fields>> = {
  'a user name alone': { username: 'u' },
  'a token with blanks around it': { token: ' t ' },
  'a token file that is missing': { tokenFile: 'missing' },
  'a token file that is missing, and a token': { tokenFile: 'missing', token: 'token' },
  'a token file that is empty, and a token': { tokenFile: 'empty', token: 'token' },
  'a token file and a user name': { tokenFile: 'token', username: 'u' },
  'a certificate without a key': { 'client-certificate-data': '{b64:alice}', token: 't' },
  'a key without a certificate': { 'client-key-data': '{key64:alice}', token: 't' },
  'a certificate by files': { 'client-certificate': 'alice.pem', 'client-key': 'alice.key' },
  'a certificate as data and a key by a file': { 'client-certificate-data': '{b64:alice}', 'client-key': 'alice.key' },
  'a certificate twice': { 'client-certificate-data': '{b64:alice}', 'client-certificate': 'alice.pem', 'client-key': 'alice.key' },
  'a key twice': { 'client-certificate': 'alice.pem', 'client-key': 'alice.key', 'client-key-data': '{key64:alice}' },
  "a certificate with another's key": { 'client-certificate': 'alice.pem', 'client-key': 'bob.key' },
  'a certificate file that is missing': { 'client-certificate': 'missing', 'client-key': 'alice.key' },
  'a key file that is missing': { 'client-certificate': 'alice.pem', 'client-key': 'missing' },
  'a certificate that is none': { 'client-certificate-data': 'AAAA', 'client-key-data': 'AAAA' },
  'a token file and an empty token': { tokenFile: 'token', token: '' },
  'a token file that is a folder': { tokenFile: 'folder', token: 'token' },
  'a token file with CRLF': { tokenFile: 'crlf' },
  'a token file of two lines': { tokenFile: 'lines' },
  'a token file with a byte order mark': { tokenFile: 'marked' },
  'a token file of blanks, and a token': { tokenFile: 'blanks', token: 'token' },
  'a token file outside ASCII': { tokenFile: 'letters' },
  'a token file that begins with a tilde': { tokenFile: '~/token', token: 'token' },
  'a token outside ASCII': { token: 'größe' },
  'a token with a blank within': { token: 'a b' },
  'a token with a tab within': { token: 'a\tb' },
  'a token with a line break behind': { token: 't\n' },
  'a user name with a colon': { username: 'a:b', password: 'c' },
  'a user name of letters outside Latin-1': { username: '日本', password: 'ü' },
  'an empty user name and a token': { username: '', token: 't' },
  'a password and a token': { password: 'p', token: 't' },
  'a password and a token file': { password: 'p', tokenFile: 'token' },
  'a password and a plugin': { password: 'p', exec },
  'a token file of two lines, and a token': { tokenFile: 'lines', token: 'token' },
  'a certificate chain': { 'client-certificate-data': '{b64:alice+intermediate}', 'client-key-data': '{key64:alice}' },
  'a certificate behind its authority': { 'client-certificate-data': '{b64:intermediate+alice}', 'client-key-data': '{key64:alice}' },
  'a certificate and key in one file': { 'client-certificate': 'both', 'client-key': 'both' },
  'a certificate with text before': { 'client-certificate': 'texted', 'client-key': 'alice.key' },
  'a certificate with CRLF': { 'client-certificate': 'crlf.pem', 'client-key': 'alice.key' },
  'a certificate as DER': { 'client-certificate': 'alice.der', 'client-key': 'alice.key' },
  'an empty certificate file': { 'client-certificate': 'empty', 'client-key': 'alice.key' },
  'a certificate file that is a folder': { 'client-certificate': 'folder', 'client-key': 'alice.key' },
  'a provider without a name': { 'auth-provider': { config: {} } },
  'an unknown provider': { 'auth-provider': { name: 'unknown' } },
};

const impersonated: Readonly<Record<string, Fields>> = {
  'a user': { as: 'alice' },
  'letters outside ASCII': { as: 'Škoda', 'as-groups': ['größe', '日本'] },
  'blanks around': { as: ' alice ' },
  'a user, uid, groups and extra': {
    as: 'a',
    'as-uid': '7',
    'as-groups': ['x', 'y'],
    'as-user-extra': { 'Example.com/Scope': ['v', 'w'] },
  },
  'extra with signs': { as: 'a', 'as-user-extra': { "a!#$%&'*+-.^_`|~b": ['v'], 'a b(c)/d:e?f': ['v'], Größe: ['ü'] } },
  'empty groups': { as: 'a', 'as-groups': [] },
  'an empty group': { as: 'a', 'as-groups': [''] },
  'a line break': { as: 'a\nb' },
  'a tab': { as: 'a\tb' },
  'a service account': { as: 'system:serviceaccount:default:a' },
  'a blank alone': { as: ' ' },
  'a group twice': { as: 'a', 'as-groups': ['x', 'x'] },
  'groups with commas': { as: 'a', 'as-groups': ['x,y', ' z '] },
  'an empty uid': { as: 'a', 'as-uid': '' },
  'extra without values': { as: 'a', 'as-user-extra': { a: [], b: null } },
  'extra with an empty value': { as: 'a', 'as-user-extra': { a: [''] } },
  'extra without a key': { as: 'a', 'as-user-extra': { '': ['v'] } },
  'extra in two cases': { as: 'a', 'as-user-extra': { A: ['v'], a: ['w'] } },
  'extra with a percent sign': { as: 'a', 'as-user-extra': { 'a%2fb': ['v%20w'] } },
  'extra with a line break': { as: 'a', 'as-user-extra': { a: ['v\nw'] } },
  'extra with a key of a line break': { as: 'a', 'as-user-extra': { 'a\nb': ['v'] } },
  'a group with a line break': { as: 'a', 'as-groups': ['v\r\nw'] },
  'a null character': { as: 'a\u0000b' },
  'an escape character': { as: 'a\u001bb' },
  'letters beyond the first plane': { as: '😀' },
  'an empty user': { as: '', 'as-groups': [] },
  'an empty user with groups': { as: '', 'as-groups': ['x'] },
  'groups without a user': { 'as-groups': ['x'] },
  'a uid without a user': { 'as-uid': '7' },
  'extra without a user': { 'as-user-extra': { a: ['b'] } },
  'empty extra without a user': { 'as-user-extra': {} },
};

/** Who the user is. */
export function userCases(): readonly ConnectCase[] {
  return [
    ...pairs(),
    ...forms(),
    ...Object.entries(users).map(([name, user]) => oneFile(`user: ${name}`, configOf(secure, user), { files })),
    ...Object.entries(users)
      .slice(6)
      .map(([name, user]) => oneFile(`user: ${name}, over http`, configOf(plain, user), { files })),
    ...Object.entries(impersonated).flatMap(([name, user]) => [
      oneFile(`user: acts as ${name}`, configOf(secure, { token: 't', ...user })),
      oneFile(`user: acts as ${name}, over http`, configOf(plain, user)),
    ]),
  ];
}
