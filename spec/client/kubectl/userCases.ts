import { configOf, oneFile, plain, secure, type ConnectCase } from './connectCase.js';

type Fields = Readonly<Record<string, unknown>>;

const exec: Fields = { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin', interactiveMode: 'Never' };
const plugin = `#!/bin/sh
echo run >> "$0.runs"
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"plugged"}}'
`;
const files = { plugin, token: 'from-a-file', empty: '', 'alice.pem': '{pem:alice}', 'alice.key': '{key:alice}', 'bob.key': '{key:bob}' };

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
  'groups without a user': { 'as-groups': ['x'] },
  'a uid without a user': { 'as-uid': '7' },
  'extra without a user': { 'as-user-extra': { a: ['b'] } },
  'empty extra without a user': { 'as-user-extra': {} },
};

/** Who the user is. */
export function userCases(): readonly ConnectCase[] {
  return [
    ...pairs(),
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
