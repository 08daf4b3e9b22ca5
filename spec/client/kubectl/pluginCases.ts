import { configOf, json, oneFile, plain, secure, type ConnectCase } from './connectCase.js';

type Fields = Readonly<Record<string, unknown>>;

const v1 = 'client.authentication.k8s.io/v1';
const beta = 'client.authentication.k8s.io/v1beta1';

/** A plugin that notes what it was given, and prints the file `out`, by the shell alone: each process more takes time. */
const plugin = `#!/bin/sh
{
  echo "args=$# $*"
  echo "A=<$A> B=<$B> C=<$C>"
  echo "info=$KUBERNETES_EXEC_INFO"
} >> "{dir}/runs"
while IFS= read -r line; do printf '%s\\n' "$line"; done < "{dir}/out"
printf '%s' "$line"
`;

const credential = (status: unknown, more: Fields = {}): string => json({ kind: 'ExecCredential', apiVersion: v1, status, ...more });
const given = credential({ token: 'plugged' });

function caseOf(name: string, exec: Fields, out: string = given, cluster: Fields = {}, more: Partial<ConnectCase> = {}): ConnectCase {
  const section = { apiVersion: v1, command: './plugin', interactiveMode: 'Never', ...exec };
  return oneFile(`plugin: ${name}`, configOf({ ...secure, ...cluster }, { exec: section }), {
    ...more,
    files: { plugin, out, ...more.files },
  });
}

function modes(): readonly ConnectCase[] {
  const versions = [v1, beta, 'client.authentication.k8s.io/v1alpha1', 'v1', ''];
  const spelt = ['Never', 'IfAvailable', 'Always', 'never', ''];
  const overHttp = (apiVersion: string): ConnectCase =>
    oneFile(`plugin: version ${apiVersion}, over http`, configOf(plain, { exec: { apiVersion, command: './plugin' } }));
  const cases = versions.flatMap((apiVersion) =>
    spelt.map((interactiveMode) =>
      caseOf(
        `version ${apiVersion}, mode ${interactiveMode}`,
        { apiVersion, interactiveMode },
        credential({ token: 'plugged' }, { apiVersion }),
      ),
    ),
  );
  return [...cases, ...versions.map(overHttp)];
}

const outputs: Readonly<Record<string, string>> = {
  JSON: given,
  'JSON in lines': JSON.stringify(JSON.parse(given), null, 2),
  'blanks around': `\n  ${given}\n\n`,
  YAML: `kind: ExecCredential\napiVersion: ${v1}\nstatus:\n  token: plugged\n`,
  'YAML, two documents': `kind: ExecCredential\napiVersion: ${v1}\nstatus:\n  token: plugged\n---\na: b\n`,
  'text before': `WARNING: soon\n${given}`,
  'text behind': `${given}\nWARNING: soon`,
  'two objects': `${given}${given}`,
  nothing: '',
  'another kind': credential({ token: 't' }, { kind: 'Pod' }),
  'no kind': json({ apiVersion: v1, status: { token: 't' } }),
  'another version': credential({ token: 't' }, { apiVersion: beta }),
  'no status': json({ kind: 'ExecCredential', apiVersion: v1 }),
  'a status that is null': credential(null),
  'an empty status': credential({}),
  'a token that is a number': credential({ token: 5 }),
  'a token that is null': credential({ token: null }),
  'a token with a line break': credential({ token: 'a\n' }),
  'an unknown field': credential({ token: 'plugged', unknown: [1] }, { unknown: 1 }),
  'a field in another case': credential({ Token: 'plugged' }),
  'a time': credential({ token: 'plugged', expirationTimestamp: '2999-01-01T00:00:00Z' }),
  'a time with a fraction and a zone': credential({ token: 'plugged', expirationTimestamp: '2999-01-01T00:00:00.5+02:00' }),
  'a time that is null': credential({ token: 'plugged', expirationTimestamp: null }),
  'a time that is empty': credential({ token: 'plugged', expirationTimestamp: '' }),
  'a time with an odd zone': credential({ token: 'plugged', expirationTimestamp: '2999-01-01T00:00:00+0000' }),
  'a time without a zone': credential({ token: 'plugged', expirationTimestamp: '2999-01-01T00:00:00' }),
  'a time that does not exist': credential({ token: 'plugged', expirationTimestamp: '2999-02-31T00:00:00Z' }),
  'a time that is a number': credential({ token: 'plugged', expirationTimestamp: 5 }),
  'half a pair': credential({ token: 't', clientCertificateData: 'text' }),
  'the other half of a pair': credential({ token: 't', clientKeyData: 'text' }),
  'a pair that is none': credential({ clientCertificateData: 'text', clientKeyData: 'text' }),
  'a time in the past': credential({ token: 'plugged', expirationTimestamp: '2001-01-01T00:00:00Z' }),
  'a time in the past, with a pair': '{pair+past:alice}',
  'a time in lower case': credential({ token: 'plugged', expirationTimestamp: '2999-01-01t00:00:00z' }),
  'a time with a leap second': credential({ token: 'plugged', expirationTimestamp: '2998-12-31T23:59:60Z' }),
  'a time without seconds': credential({ token: 'plugged', expirationTimestamp: '2999-01-01T00:00Z' }),
  'a time with a blank': credential({ token: 'plugged', expirationTimestamp: '2999-01-01 00:00:00Z' }),
  'a time with one digit of the hour': credential({ token: 'plugged', expirationTimestamp: '2999-01-01T0:00:00Z' }),
  'a time with a wide zone': credential({ token: 'plugged', expirationTimestamp: '2999-01-01T00:00:00+25:00' }),
  'a byte order mark': `\ufeff${given}`,
  'a specification': credential({ token: 'plugged' }, { spec: { interactive: true } }),
  'a specification that is a text': credential({ token: 'plugged' }, { spec: 'text' }),
  'a specification of a cluster of a number': credential({ token: 'plugged' }, { spec: { cluster: { server: 5 } } }),
  'a specification of a cluster without base64': credential(
    { token: 'plugged' },
    { spec: { cluster: { 'certificate-authority-data': '$' } } },
  ),
  'metadata of a text': credential({ token: 'plugged' }, { metadata: 'text' }),
  'a status of a list': credential([]),
  'a status of a text': credential('text'),
  'a list': `[${given}]`,
  'a text': '"text"',
  null: 'null',
  'a kind in another case': credential({ token: 't' }, { kind: 'execcredential' }),
  'a kind that is a number': credential({ token: 't' }, { kind: 5 }),
  'no version': json({ kind: 'ExecCredential', status: { token: 't' } }),
  'the internal version': credential({ token: 't' }, { apiVersion: 'client.authentication.k8s.io/__internal' }),
  'a token twice': `{"kind":"ExecCredential","apiVersion":"${v1}","status":{"token":"a","token":"b"}}`,
  'a field twice in another case': `{"kind":"ExecCredential","apiVersion":"${v1}","status":{"token":"a","TOKEN":"b"}}`,
  'a comma too many': given.replace('"}}', '",}}'),
  'a comment': `// soon\n${given}`,
  'YAML with a comment': `# soon\nkind: ExecCredential\napiVersion: ${v1}\nstatus:\n  token: plugged\n`,
  'YAML with a mark': `---\nkind: ExecCredential\napiVersion: ${v1}\nstatus:\n  token: plugged\n`,
  'YAML with a token of digits': `kind: ExecCredential\napiVersion: ${v1}\nstatus:\n  token: 5\n`,
  'a token outside ASCII': credential({ token: 'größe' }),
  'a token with blanks around': credential({ token: ' t ' }),
  'a token of a blank': credential({ token: ' ' }),
  'an empty token and half a pair': credential({ token: '', clientKeyData: 'text' }),
  'a pair of two': credential({ clientCertificateData: '{line:alice}', clientKeyData: '{keyline:bob}' }),
  'a pair': '{pair:alice}',
  'a pair with text before': credential({ clientCertificateData: 'text\n{line:alice}', clientKeyData: '{keyline:alice}' }).replaceAll(
    '\\\\',
    '\\',
  ),
  'a pair and a token': '{pair+token:alice}',
};

const shapes: Readonly<Record<string, Fields>> = {
  'no arguments': {},
  arguments: { args: ['a b', '', '$HOME', 'ä'] },
  'null among arguments': { args: ['a', null, 'b'] },
  'a number among arguments': { args: ['a', 1] },
  variables: {
    env: [
      { name: 'A', value: 'a b' },
      { name: 'B', value: '' },
    ],
  },
  'a variable that is null': { env: [{ name: 'C', value: null }] },
  'a variable without a value': { env: [{ name: 'C' }] },
  'a variable that is a number': { env: [{ name: 'A', value: 5 }] },
  'a variable without a name': { env: [{ value: 'a' }] },
  'a variable twice': {
    env: [
      { name: 'A', value: 'first' },
      { name: 'A', value: 'last' },
    ],
  },
  'a variable of the information': { env: [{ name: 'KUBERNETES_EXEC_INFO', value: 'own' }] },
  'a PATH': { env: [{ name: 'PATH', value: '/bin:/usr/bin' }] },
  'a command that is missing': { command: './missing' },
  'a command that is nowhere': { command: 'no-such-plugin', installHint: 'install it' },
  'null for arguments': { args: null, env: null },
  'a variable with an equals sign': { env: [{ name: 'A=B', value: 'c' }] },
  'a variable with an empty name': { env: [{ name: '', value: 'c' }] },
  'a variable of two lines': { env: [{ name: 'A', value: 'b\nc' }] },
  'an unknown field': { unknown: 1 },
  'an absolute command': { command: '{dir}/plugin' },
  'a command with a dot': { command: './sub/../plugin' },
  'a command with arguments': { command: './plugin a' },
  'a command that begins with a tilde': { command: '~/plugin' },
  'a command that is a folder': { command: './sub' },
  'a command with a slash behind': { command: './plugin/' },
  'an information flag that is a text': { provideClusterInfo: 'true' },
  'an empty command': { command: '' },
  'a command of a folder': { command: 'sub/plugin' },
  'a command that is no program': { command: './out' },
  'cluster information': { provideClusterInfo: true },
};

function information(): readonly ConnectCase[] {
  const told = { provideClusterInfo: true };
  const extension = (value: unknown, name = v1.replace('/v1', '/exec')): Fields => ({ extensions: [{ name, extension: value }] });
  return [
    caseOf('told of a name', told, given, { 'tls-server-name': 'localhost' }),
    caseOf('told of a cluster that is insecure', told, given, { 'certificate-authority-data': null, 'insecure-skip-tls-verify': true }),
    caseOf(
      'told of an authority by a file',
      told,
      given,
      { 'certificate-authority-data': null, 'certificate-authority': 'ca.pem' },
      { files: { 'ca.pem': '{pem:root}' } },
    ),
    caseOf('told of a proxy', told, given, { 'proxy-url': 'http://127.0.0.1:{proxy}' }),
    caseOf('told of compression', told, given, { 'disable-compression': true }),
    caseOf('told of an extension', told, given, extension({ a: [1, 'b', null, { c: true }] })),
    caseOf('told of an extension of null', told, given, extension(null)),
    caseOf('told of an extension of a text', told, given, extension('text')),
    caseOf('told of no other extension', told, given, extension({ a: 1 }, 'other')),
    caseOf('told of a server with a path', told, given, { server: 'https://127.0.0.1:{secure}/base/' }),
    caseOf('told by the older version', { ...told, apiVersion: beta }, credential({ token: 'plugged' }, { apiVersion: beta })),
    caseOf('told of an extension of a list', told, given, extension([1])),
    caseOf('told of an extension of large numbers', told, given, extension({ a: 1e21, b: 0.1, c: 12345678901, d: -0 })),
    caseOf('told of two extensions', told, given, {
      extensions: [1, 2].map((extension) => ({ name: v1.replace('/v1', '/exec'), extension: { extension } })),
    }),
    caseOf('told of a server in another case', told, given, { server: 'HTTPS://LOCALHOST:{secure}/' }),
    caseOf('told of a server with a query', told, given, { server: 'https://127.0.0.1:{secure}?a=b#c' }),
    caseOf('told of an authority with text around', told, given, { 'certificate-authority-data': 'dGV4dC4K{b64:root}' }),
    caseOf('not told', {}, given, extension({ a: 1 })),
  ];
}

/** Credential plugins. */
export function pluginCases(): readonly ConnectCase[] {
  const sub = { files: { 'sub/plugin': plugin } };
  return [
    ...modes(),
    ...Object.entries(outputs).map(([name, out]) => caseOf(`prints ${name}`, {}, out)),
    ...Object.entries(shapes).map(([name, exec]) => caseOf(`has ${name}`, exec, given, {}, sub)),
    ...information(),
    caseOf('fails', { command: './failing' }, given, {}, { files: { failing: '#!/bin/sh\nexit 3\n' } }),
    caseOf(
      'is found in the PATH',
      { command: 'on-the-path' },
      given,
      {},
      { files: { 'bin/on-the-path': plugin }, env: { PATH: '{dir}/bin:/usr/bin:/bin' } },
    ),
    caseOf('is not found beside the kubeconfig', { command: 'plugin' }),
    caseOf(
      'is found in its own PATH alone',
      { command: 'on-its-path', env: [{ name: 'PATH', value: '{dir}/bin:/usr/bin:/bin' }] },
      given,
      {},
      { files: { 'bin/on-its-path': plugin } },
    ),
  ];
}
