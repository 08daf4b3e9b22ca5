import { configOf, json, oneFile, plain, secure, type ConnectCase } from './connectCase.js';

const main = json(configOf(secure, { token: 'main' }));
const other = json(configOf(secure, { token: 'other' }));
const split = {
  contexts: json({ 'current-context': 'c', contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }] }),
  clusters: json({ clusters: [{ name: 'k', cluster: secure }] }),
  users: json({ users: [{ name: 'u', user: { token: 'split' } }] }),
};

function lists(): readonly ConnectCase[] {
  const of = (name: string, KUBECONFIG: string, files: ConnectCase['files'] = {}): ConnectCase => ({
    name: `find: ${name}`,
    files: { main, other, ...files },
    env: { KUBECONFIG },
  });
  return [
    of('one file', '{dir}/main'),
    of('two files', '{dir}/main:{dir}/other'),
    of('two files, in the other order', '{dir}/other:{dir}/main'),
    of('a missing file first', '{dir}/missing:{dir}/main'),
    of('a missing file last', '{dir}/main:{dir}/missing'),
    of('a missing file alone', '{dir}/missing'),
    of('empty parts', ':{dir}/main::'),
    of('only empty parts', '::', { '.kube/config': main }),
    of('a file twice', '{dir}/main:{dir}/main'),
    of('a folder', '{dir}/folder', { 'folder/': '' }),
    of('a folder beside a file', '{dir}/main:{dir}/folder', { 'folder/': '' }),
    of('a broken file', '{dir}/broken', { broken: 'a: [' }),
    of('a broken file beside a file', '{dir}/main:{dir}/broken', { broken: 'a: [' }),
    of('an empty file beside a file', '{dir}/empty:{dir}/main', { empty: '' }),
    of('a tilde', '~/main'),
    of('an entry split over files', '{dir}/contexts:{dir}/clusters:{dir}/users', split),
    of('an entry split over files, in another order', '{dir}/users:{dir}/clusters:{dir}/contexts', split),
    of('an entry without its cluster', '{dir}/contexts:{dir}/users', split),
    of('fields that do not mix', '{dir}/part:{dir}/main', {
      part: json({ clusters: [{ name: 'k', cluster: { 'tls-server-name': 'x' } }] }),
    }),
    of('the first current context', '{dir}/current:{dir}/main', { current: json({ 'current-context': 'missing' }) }),
    of('an empty current context first', '{dir}/current:{dir}/main', { current: json({ 'current-context': '' }) }),
    of('a blank before a file', ' {dir}/main'),
    of('a blank behind a file', '{dir}/main '),
    of('a slash behind a file', '{dir}/main/'),
    of('two slashes in a path', '{dir}//main'),
    of('a file by two paths', '{dir}/main:{dir}/./main'),
    of('a path up and down', '{dir}/folder/../main', { 'folder/': '' }),
    of('quotes around a file', '"{dir}/main"'),
    of('a semicolon between files', '{dir}/main;{dir}/other'),
    of('a comma between files', '{dir}/main,{dir}/other'),
    of('a missing folder', '{dir}/missing/config:{dir}/main'),
    of('a path through a file', '{dir}/main/config:{dir}/other'),
    of('a current context that is null first', '{dir}/current:{dir}/main', { current: 'current-context: null' }),
    of('a user that is empty first', '{dir}/part:{dir}/main', { part: json({ users: [{ name: 'u', user: {} }] }) }),
    of('a context that is empty first', '{dir}/part:{dir}/main', { part: json({ contexts: [{ name: 'c', context: {} }] }) }),
    of('paths of two folders', '{dir}/a/config:{dir}/b/config', {
      'a/config': json({ users: [{ name: 'u', user: { tokenFile: 'token' } }] }),
      'a/token': 'of-a',
      'b/config': json(configOf({ server: secure['server'], 'certificate-authority': 'ca.pem' }, { tokenFile: 'token' })),
      'b/token': 'of-b',
      'b/ca.pem': '{pem:root}',
      'a/ca.pem': '{pem:wrong}',
    }),
    of('an entry of a file that is of another kind', '{dir}/part:{dir}/main', { part: json({ kind: 'Pod', users: [] }) }),
    of('contexts that differ in case', '{dir}/part:{dir}/main', { part: json({ 'current-context': 'C' }) }),
    of('a name in another section', '{dir}/main', {
      main: json({ ...configOf(secure), extensions: [{ name: 'k', extension: { a: 1 } }] }),
    }),
    { name: 'find: an empty KUBECONFIG', files: { '.kube/config': main }, env: { KUBECONFIG: '' } },
    { name: 'find: a KUBECONFIG that is missing, and a home', files: { '.kube/config': main }, env: { KUBECONFIG: '{dir}/missing' } },
    { name: 'find: a flag', files: { main, other }, env: { KUBECONFIG: '{dir}/other' }, kubeconfig: '{dir}/main' },
    { name: 'find: a flag that is missing', files: { main }, env: { KUBECONFIG: '{dir}/main' }, kubeconfig: '{dir}/missing' },
  ];
}

const pem = { 'pki/ca.pem': '{pem:root}', 'pki/alice.pem': '{pem:alice}', 'pki/alice.key': '{key:alice}', 'pki/token': 'from-a-file\n' };

/** Paths in entries begin at the folder of their file. */
function paths(): readonly ConnectCase[] {
  const server = { server: secure['server'] };
  const forms = { relative: 'pki/', dotted: './pki/', absolute: '{dir}/pki/', up: '../pki/' };
  return Object.entries(forms).flatMap(([form, at]) => {
    const place = form === 'up' ? 'sub/config' : 'config';
    const of = (what: string, cluster: Readonly<Record<string, unknown>>, user: unknown): ConnectCase => ({
      name: `find: ${what} by a path that is ${form}`,
      files: { ...pem, [place]: json(configOf({ ...server, ...cluster }, user)) },
      env: { KUBECONFIG: `{dir}/${place}` },
    });
    return [
      of('an authority', { 'certificate-authority': `${at}ca.pem` }, { token: 't' }),
      of('a certificate', secure, { 'client-certificate': `${at}alice.pem`, 'client-key': `${at}alice.key` }),
      of('a token', secure, { tokenFile: `${at}token` }),
    ];
  });
}

function contexts(): readonly ConnectCase[] {
  const of = (name: string, config: object, more: Partial<ConnectCase> = {}): ConnectCase => oneFile(`find: ${name}`, config, more);
  return [
    of('a current context without an entry', configOf(secure, {}, {}, { 'current-context': 'missing' })),
    of('no current context', configOf(secure, {}, {}, { 'current-context': '' })),
    of('a context that is asked for', configOf(secure, { token: 'asked' }, {}, { 'current-context': 'missing' }), { context: 'c' }),
    of('a context that is asked for and missing', configOf(secure), { context: 'missing' }),
    of('a context without a cluster', configOf(secure, {}, { cluster: '' })),
    of('a context with an unknown cluster', configOf(secure, {}, { cluster: 'missing' })),
    of('a context without a user, over http', configOf(plain, undefined)),
    of('a context with an unknown user, over http', configOf(plain, {}, { user: 'missing' })),
    of('a context with a namespace', configOf(secure, { token: 't' }, { namespace: 'team' })),
    of('a context with a namespace that is no name', configOf(secure, { token: 't' }, { namespace: 'A B' })),
    of('an empty mapping', {}),
    of('a cluster without a server', configOf({ 'tls-server-name': 'x' })),
    of('a cluster that is empty', configOf({})),
    of('a context that is null', configOf(secure, {}, {}, { contexts: [{ name: 'c', context: null }] })),
    of('a context without a name', configOf(secure, {}, {}, { contexts: [{ context: { cluster: 'k' } }] })),
    of('a context that is asked for by an empty text', configOf(secure, { token: 't' }), { context: '' }),
    of('a context with a blank in its name', configOf(secure, {}, {}, { 'current-context': 'c ' })),
    of('a cluster alone', { clusters: [{ name: 'k', cluster: secure }] }),
    of('a context with a dot in its name', {
      ...configOf(secure, { token: 't' }),
      'current-context': 'a.b/c:d@e',
      contexts: [{ name: 'a.b/c:d@e', context: { cluster: 'k', user: 'u' } }],
    }),
  ];
}

/** Where the kubeconfig is, and what in it counts. */
export function findingCases(): readonly ConnectCase[] {
  return [...lists(), ...paths(), ...contexts()];
}
