import { configOf, json, oneFile, plain, secure, type ConnectCase } from './connectCase.js';

const values: Readonly<Record<string, string>> = {
  null: 'null',
  empty: '""',
  number: '5',
  yes: 'yes',
  'quoted yes': '"yes"',
  list: '[a]',
  mapping: '{a: b}',
};

const exec = 'apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, interactiveMode: Never';

/** The root of a kubeconfig as text, by sections. */
function yaml(parts: Partial<Record<'root' | 'context' | 'cluster' | 'user' | 'users', string>>): string {
  const { root = '', context = '', cluster = '', user = 'token: t', users = `[{name: u, user: {${user}}}]` } = parts;
  return `current-context: c
contexts: [{name: c, context: {cluster: k, user: u${context}}}]
clusters: [{name: k, cluster: {server: "https://127.0.0.1:{secure}", certificate-authority-data: "{b64:root}"${cluster}}}]
users: ${users}
${root}`;
}

type Field = readonly [name: string, write: (value: string) => string];

const fields: readonly Field[] = [
  ['kind', (value) => yaml({ root: `kind: ${value}` })],
  ['apiVersion', (value) => yaml({ root: `apiVersion: ${value}` })],
  ['preferences.colors', (value) => yaml({ root: `preferences: {colors: ${value}}` })],
  ['extensions', (value) => yaml({ root: `extensions: ${value}` })],
  ['namespace', (value) => yaml({ context: `, namespace: ${value}` })],
  ['tls-server-name', (value) => yaml({ cluster: `, tls-server-name: ${value}` })],
  ['disable-compression', (value) => yaml({ cluster: `, disable-compression: ${value}` })],
  ['proxy-url', (value) => yaml({ cluster: `, proxy-url: ${value}` })],
  ['extension', (value) => yaml({ cluster: `, extensions: [{name: x, extension: ${value}}]` })],
  ['token', (value) => yaml({ user: `token: ${value}, as: a` })],
  ['as', (value) => yaml({ user: `token: t, as: ${value}` })],
  ['as-groups', (value) => yaml({ user: `token: t, as: a, as-groups: ${value}` })],
  ['as-user-extra', (value) => yaml({ user: `token: t, as: a, as-user-extra: ${value}` })],
  ['client-key-data', (value) => yaml({ user: `token: t, client-key-data: ${value}` })],
  [
    'auth-provider.config',
    (value) => yaml({ users: `[{name: u, user: {token: t}}, {name: v, user: {auth-provider: {name: oidc, config: ${value}}}}]` }),
  ],
  ['exec.args', (value) => yaml({ user: `token: t, exec: {${exec}, args: ${value}}` })],
  ['exec.env', (value) => yaml({ user: `token: t, exec: {${exec}, env: ${value}}` })],
  ['exec.env.value', (value) => yaml({ user: `token: t, exec: {${exec}, env: [{name: A, value: ${value}}]}` })],
  ['exec.provideClusterInfo', (value) => yaml({ user: `token: t, exec: {${exec}, provideClusterInfo: ${value}}` })],
  ['users', (value) => yaml({ root: `users: ${value}` })],
  ['users.name', (value) => yaml({ users: `[{name: u, user: {token: t}}, {name: ${value}, user: {}}]` })],
];

function types(): readonly ConnectCase[] {
  return fields.flatMap(([field, write]) =>
    Object.entries(values).map(([name, value]) => oneFile(`read: ${field} is ${name}`, write(value))),
  );
}

function booleans(): readonly ConnectCase[] {
  const words = [
    'true',
    'True',
    'TRUE',
    'tRUE',
    'y',
    'Y',
    'on',
    'off',
    'No',
    'n',
    '"true"',
    '1',
    '!!bool "true"',
    '!!bool yes',
    '!!str true',
    '~',
    '',
  ];
  return words.map((word) =>
    oneFile(
      `read: insecure-skip-tls-verify is ${word}`,
      `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters:
- name: k
  cluster:
    server: "https://127.0.0.1:{secure}"
    insecure-skip-tls-verify: ${word}
users: [{name: u, user: {token: t}}]
`,
    ),
  );
}

const scalars = [
  '12345678',
  '0x1F',
  '0o17',
  '017',
  '089',
  '1_000',
  '1e3',
  '.5',
  '1.',
  '.inf',
  '.nan',
  '2020-01-01',
  '1:20',
  '0b11',
  '0b12',
  '+1',
  '-',
  '1a',
  '.a',
  '!x y',
  '!!int "5"',
  '!!binary dG9r',
  '!!binary "dG9"',
  '!!timestamp a',
  '1e400',
  '0xFFFFFFFFFFFFFFFFF',
  '0o',
  "'it''s'",
  '"a\\tb"',
  'a#b',
  'a #b',
  '<<',
  '=',
  'null',
  'Null',
  'nULL',
  'NO',
];

function tokens(): readonly ConnectCase[] {
  return scalars.map((scalar) =>
    oneFile(
      `read: the user name ${scalar}`,
      `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://127.0.0.1:{secure}", certificate-authority-data: "{b64:root}"}}]
users:
- name: u
  user:
    password: p
    username: ${scalar}
`,
    ),
  );
}

function encodings(): readonly ConnectCase[] {
  // Ports are filled in before the text is encoded.
  const text = yaml({ user: 'token: t, as: größe' });
  const of = (name: string, encode: (filled: string) => string): ConnectCase => oneFile(`read: ${name}`, encode(text));
  return [
    of('UTF-8', (filled) => filled),
    of('UTF-8 with a byte order mark', (filled) => `\ufeff${filled}`),
    of('UTF-16, little end first', (filled) => `utf16le:\ufeff${filled}`),
    of('UTF-16, big end first', (filled) => `utf16be:\ufeff${filled}`),
    of('UTF-16 without a mark', (filled) => `utf16le:${filled}`),
    of('Latin-1', (filled) => `latin1:${filled}`),
    of('CRLF', (filled) => filled.replaceAll('\n', '\r\n')),
    of('a control character', (filled) => filled.replace('größe', '"a\u0007"')),
    of('a control character of Latin-1', (filled) => filled.replace('größe', '"a\u0090"')),
    of('two byte order marks', (filled) => `\ufeff\ufeff${filled}`),
    of('CR alone', (filled) => filled.replaceAll('\n', '\r')),
    of('NEL', (filled) => filled.replaceAll('\n', '\u0085')),
    of('a line separator within quotes', (filled) => filled.replace('größe', '"a\u2028b"')),
    of('tabs of JSON', () => JSON.stringify(configOf(secure), null, '\t')),
    of('tabs that indent', (filled) => filled.replace('users: [{', 'users:\n\t- {').replace(/\]\n$/, '\n')),
  ];
}

function documents(): readonly ConnectCase[] {
  const text = yaml({});
  const of = (name: string, content: string): ConnectCase => oneFile(`read: ${name}`, content);
  return [
    of('a document mark before', `---\n${text}`),
    of('two document marks before', `---\n---\n${text}`),
    of('a document mark behind', `${text}---\n`),
    of('a second document', `${text}---\n${yaml({ user: 'token: second' })}`),
    of('a second document that is broken', `${text}---\na: [`),
    of('an end of the document', `${text}...\n`),
    of('text behind the end', `${text}...\na: [`),
    of('a directive', `%YAML 1.1\n---\n${text}`),
    of('comments alone', '# nothing\n'),
    of('a list', '[a]'),
    of('a text', 'text'),
    of('an unknown field', `${text}unknown: {a: [b]}\n`),
    of('a field in another case', yaml({ user: 'Token: t' })),
    of('a field twice', yaml({ user: 'token: a, token: b' })),
    of('a section twice', `${text}users: [{name: u, user: {token: last}}]\n`),
    of('a user twice', yaml({ users: '[{name: u, user: {token: a}}, {name: u, user: {token: b}}]' })),
    of('a context twice', `${text}contexts: [{name: c, context: {cluster: k, user: u}}, {name: c}]\n`),
    of('users without names', yaml({ users: '[{name: u, user: {token: a}}, {user: {}}]' })),
    of('two users without names', yaml({ users: '[{name: u, user: {token: a}}, {user: {}}, {user: {}}]' })),
    of('null among users', yaml({ users: '[{name: u, user: {token: a}}, null]' })),
    of('a user that is null', yaml({ users: '[{name: u, user: null}, {name: v}]' })),
    of('an anchor', `base: &base {token: anchored}\n${yaml({ users: '[{name: u, user: *base}]' })}`),
    of('an anchor that is unknown', yaml({ users: '[{name: u, user: *base}]' })),
    of('a merge key first', `base: &base {token: merged, as: a}\n${yaml({ users: '[{name: u, user: {<<: *base, token: own}}]' })}`),
    of('a merge key last', `base: &base {token: merged, as: a}\n${yaml({ users: '[{name: u, user: {token: own, <<: *base}}]' })}`),
    of('a merge key of a list', `a: &a {token: a}\nb: &b {token: b, as: b}\n${yaml({ users: '[{name: u, user: {<<: [*a, *b]}}]' })}`),
    of('a merge key of a text', yaml({ users: '[{name: u, user: {<<: text, token: t}}]' })),
    of('a key that is a number', yaml({ user: 'token: t, as: a, as-user-extra: {5: [v]}' })),
    of('a key that is a boolean', yaml({ user: 'token: t, as: a, as-user-extra: {yes: [v]}' })),
    of('a key that is null', yaml({ user: 'token: t, as: a, as-user-extra: {~: [v]}' })),
    of('null in a list', yaml({ user: 'token: t, as: a, as-groups: [a, null]' })),
    of('base64 with line breaks', yaml({}).replace('"{b64:root}"', '"{b64lines:root}"')),
    of('base64 with blanks', yaml({}).replace('{b64:root}', ' {b64:root}')),
    of('base64 without padding', yaml({ user: 'token: t, client-key-data: YQ' })),
    of('base64 of URLs', yaml({ user: 'token: t, client-key-data: _-__' })),
    of('another kind', `${text}kind: Pod\n`),
    of('another version', `${text}apiVersion: v2\n`),
    of('an infinite number in an unknown field', `${text}unknown: [.inf]\n`),
    of('a merge key of an alias of a list', `a: &a [{token: a}]\n${yaml({ users: '[{name: u, user: {token: t, <<: *a}}]' })}`),
    of('an escaped slash', yaml({ user: 'token: "a\\/b"' })),
    of('an escaped pair of surrogates', yaml({ user: 'token: t, as: "\\ud83d\\ude00"' })),
    of('a directive of YAML 1.2', `%YAML 1.2\n---\n${text}`),
    of('a line of a tab', `${text}\t\n`),
    of('an anchor with signs', `a: &a.b c\n${text}`),
    of('a long key', `${'k'.repeat(1_100)}: v\n${text}`),
    of('brackets over lines that are not indented', `a: [\nb\n]\n${text}`),
    of('quotes over lines that are not indented', `a: "b\nc"\n${text}`),
    oneFile('read: JSON', json(configOf(plain))),
    ...['\n}', ' a', '\n{}', '\na: [', ','].map((more) => of(`JSON with ${JSON.stringify(more)} behind`, json(configOf(plain)) + more)),
    of('JSON without its end', json(configOf(plain)).slice(0, -1)),
  ];
}

/** How the text of a kubeconfig is read. */
export function readingCases(): readonly ConnectCase[] {
  return [...types(), ...booleans(), ...tokens(), ...encodings(), ...documents()];
}
