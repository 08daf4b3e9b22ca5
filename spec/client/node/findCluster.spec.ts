import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import path from 'node:path';
import { findCluster, type FoundCluster } from '../../../src/client/node/findCluster.js';
import { RequestError } from '../../../src/client/requests/requestError.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from './temporaryFolder.js';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

type Options = Parameters<typeof findCluster>[0];

function find(options: Options = {}, env: Record<string, string> = {}): Promise<FoundCluster> {
  return findCluster(options, { env, home: path.join(folder.path, 'home'), serviceAccount: path.join(folder.path, 'service-account') });
}

function inPod(): Record<string, string> {
  folder.write('service-account/token', 'pod-token');
  return { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
}

const cluster = { server: 'https://example.com:6443/' };

async function messageOf(found: Promise<FoundCluster>): Promise<string> {
  const error: unknown = await found.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ code: 'ERR_KUBECONFIG' });
  return (error as RequestError).message;
}

const hint = '; `npx @rx-informer/cli api-server` starts a cluster for tests';

describe('findCluster', () => {
  it('takes the current context of ~/.kube/config', async () => {
    folder.write('home/.kube/config', kubeconfigOf(cluster, { token: 't' }, { namespace: 'team' }));
    await expect(find()).resolves.toMatchObject({
      context: 'c',
      server: { url: 'https://example.com:6443' },
      namespace: 'team',
      user: { name: 'u' },
    });
  });

  it('takes the namespace default, and no user, where the context names none', async () => {
    folder.write('home/.kube/config', kubeconfigOf(cluster));
    await expect(find()).resolves.toMatchObject({ namespace: 'default', user: undefined });
  });

  it('takes the files of KUBECONFIG instead, without those that do not exist', async () => {
    folder.write('home/.kube/config', kubeconfigOf({ server: 'https://home' }));
    const file = folder.write('a', kubeconfigOf(cluster));
    const KUBECONFIG = ['', path.join(folder.path, 'missing'), file].join(path.delimiter);
    await expect(find({}, { KUBECONFIG })).resolves.toMatchObject({ server: { url: 'https://example.com:6443' } });
  });

  it('reads merge keys, as kubectl does', async () => {
    const text = `
      base: &base { token: t }
      current-context: x
      contexts: [{ name: x, context: { cluster: k, user: u } }]
      clusters: [{ name: k, cluster: { server: 'https://first' } }]
      users:
        - name: u
          user:
            <<: *base
            as: jane`;
    const file = path.join(folder.path, 'merged');
    writeFileSync(file, text);
    await expect(find({}, { KUBECONFIG: file })).resolves.toMatchObject({ user: { fields: { token: 't', as: 'jane' } } });
  });

  it('merges files so that the first one with a name or a current context wins', async () => {
    const first = folder.write('first', {
      contexts: [{ name: 'x', context: { cluster: 'k', user: 'u' } }],
      clusters: [{ name: 'k', cluster: { server: 'https://first' } }],
    });
    const second = folder.write('sub/second', {
      'current-context': 'y',
      contexts: [
        { name: 'x', context: { cluster: 'other' } },
        { name: 'y', context: { cluster: 'k', user: 'u' } },
      ],
      clusters: [
        { name: 'k', cluster: { server: 'https://second' } },
        { name: 'other', cluster: { server: 'https://other' } },
      ],
      users: [{ name: 'u', user: { token: 't' } }],
    });
    const third = folder.write('third', { 'current-context': 'z' });
    const KUBECONFIG = [first, second, third].join(path.delimiter);
    await expect(find({}, { KUBECONFIG })).resolves.toMatchObject({
      context: 'y',
      server: { url: 'https://first' },
      user: { file: second },
    });
    await expect(find({ context: 'x' }, { KUBECONFIG })).resolves.toMatchObject({ context: 'x', server: { url: 'https://first' } });
  });

  it('takes one file where told to, and only that', async () => {
    const file = folder.write('one', kubeconfigOf(cluster));
    folder.write('home/.kube/config', kubeconfigOf({ server: 'https://home' }));
    await expect(find({ kubeConfigFile: file }, { KUBECONFIG: '/nowhere' })).resolves.toMatchObject({
      server: { url: 'https://example.com:6443' },
    });
    const missing = path.join(folder.path, 'missing');
    await expect(messageOf(find({ kubeConfigFile: missing }))).resolves.toBe(`Expected a readable kubeconfig at ${missing}, got no file`);
  });

  it('takes the service account of its pod where there is no kubeconfig', async () => {
    const env = inPod();
    folder.write('service-account/namespace', 'team\n');
    folder.write('service-account/ca.crt', 'ca');
    const found = await find({}, env);
    expect(found).toMatchObject({ context: undefined, server: { url: 'https://10.0.0.1:443' }, namespace: 'team' });
    expect(found.user?.fields).toMatchObject({ tokenFile: path.join(folder.path, 'service-account', 'token') });
    expect(found.cluster.fields).toMatchObject({ 'certificate-authority': path.join(folder.path, 'service-account', 'ca.crt') });
    await expect(find({}, { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' })).resolves.toMatchObject({
      server: { url: 'https://[fd00::1]:443' },
      namespace: 'team',
    });
  });

  it('takes the namespace of its pod only beside the token of a service account', async () => {
    folder.write('home/.kube/config', kubeconfigOf(cluster));
    const env = { ...inPod(), POD_NAMESPACE: 'team' };
    await expect(find({}, env)).resolves.toMatchObject({ namespace: 'team' });
    await expect(find({}, { ...env, KUBERNETES_SERVICE_PORT: '' })).resolves.toMatchObject({ namespace: 'default' });
    rmSync(path.join(folder.path, 'service-account', 'token'));
    await expect(find({}, env)).resolves.toMatchObject({ namespace: 'default' });
  });

  it('takes an empty kubeconfig for none, and a full one for more than the pod', async () => {
    const env = inPod();
    const file = folder.write('home/.kube/config', '');
    await expect(find({}, env)).resolves.toMatchObject({ server: { url: 'https://10.0.0.1:443' } });
    folder.write('home/.kube/config', kubeconfigOf(cluster));
    await expect(find({}, { ...env, KUBECONFIG: file })).resolves.toMatchObject({ server: { url: 'https://example.com:6443' } });
  });

  it('takes the service account of its pod where the kubeconfig names no context', async () => {
    const pod = inPod();
    const file = folder.write('home/.kube/config', { ...kubeconfigOf(cluster), 'current-context': '' });
    for (const options of [{}, { kubeConfigFile: file }])
      await expect(find(options, pod)).resolves.toMatchObject({ server: { url: 'https://10.0.0.1:443' } });
    await expect(find({ context: 'c' }, pod)).resolves.toMatchObject({ context: 'c' });
  });

  it('knows the proxy in front of the server: its own, else the one of the environment', async () => {
    const env = { HTTPS_PROXY: 'http://proxy' };
    folder.write('home/.kube/config', kubeconfigOf(cluster));
    await expect(find({}, env)).resolves.toMatchObject({ proxyUrl: 'http://proxy' });
    await expect(find({}, { ...env, NO_PROXY: 'example.com' })).resolves.toMatchObject({ proxyUrl: undefined });
    folder.write('home/.kube/config', kubeconfigOf({ ...cluster, 'proxy-url': 'http://own' }));
    await expect(find({}, env)).resolves.toMatchObject({ proxyUrl: 'http://own' });
    folder.write('home/.kube/config', kubeconfigOf({ ...cluster, 'proxy-url': 'ftp://jane:p%40ss@own' }));
    await expect(find({}, env)).rejects.toThrow(
      /^Expected `proxy-url` of the cluster k in the kubeconfig .*config to be an http, https or socks5 URL, got "ftp:\/\/\*\*\*@own"$/,
    );
  });

  it('says where it looked when there is nothing', async () => {
    const home = path.join(folder.path, 'home', '.kube', 'config');
    await expect(messageOf(find())).resolves.toBe(
      `Found no cluster to talk to: expected a kubeconfig at ${home} or a pod with a service account${hint}`,
    );
    const KUBECONFIG = ['/nowhere/a', '/nowhere/b'].join(path.delimiter);
    await expect(messageOf(find({}, { KUBECONFIG }))).resolves.toBe(
      'Found no cluster to talk to: expected a kubeconfig at /nowhere/a or /nowhere/b (from KUBECONFIG) or a pod with a service account' +
        hint,
    );
  });

  it('names the contexts when the wanted one is unknown', async () => {
    const file = folder.write('home/.kube/config', kubeconfigOf(cluster));
    await expect(messageOf(find({ context: 'd' }))).resolves.toBe(
      `Found no context "d" in the kubeconfig ${file}: expected one of c; did you mean \`c\`?`,
    );
  });

  const secret = 'c2VjcmV0';
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'plugin', interactiveMode: 'Never' };
  it.each([
    [
      'no current context',
      { contexts: [{ name: 'a', context: { cluster: 'k' } }] },
      'Expected a `current-context` in the kubeconfig FILE, or `context` to name one of a',
    ],
    [
      'a cluster that is not there',
      { ...kubeconfigOf({}), clusters: [] },
      'Found no cluster "k" in the kubeconfig FILE, which the context c names: there is no cluster',
    ],
    [
      'a user that is not there',
      { ...kubeconfigOf(cluster, {}), users: [{ name: 'v' }] },
      'Found no user "u" in the kubeconfig FILE, which the context c names: expected one of v; did you mean `v`?',
    ],
    ['no server', kubeconfigOf({}), 'Expected `server` of the cluster k in the kubeconfig FILE to be an http or https URL, got none'],
    [
      'a server of another protocol',
      kubeconfigOf({ server: 'ftp://host' }),
      'Expected `server` of the cluster k in the kubeconfig FILE to be an http or https URL, got another text',
    ],
    ['something else than YAML', `a: [${secret}`, 'Expected the kubeconfig FILE to be YAML, got something else in line 1, column 13'],
    ['a list', [secret], 'Expected the kubeconfig FILE to be a mapping, got a list'],
    ['users that are no list', { users: secret }, 'Expected `users` in the kubeconfig FILE to be a list, got another text'],
    [
      'a user that is no mapping',
      { users: [{ name: 'a', user: secret }] },
      'Expected `users[0].user` in the kubeconfig FILE to be a mapping, got another text',
    ],
    [
      'two users of one name',
      { users: [{ name: 'a', user: { token: secret } }, { name: 'a' }] },
      'Expected `users` in the kubeconfig FILE to be a list without repeated names ("a" is repeated), got a list',
    ],
    [
      'a token that is a number',
      kubeconfigOf(cluster, { token: 2_023_406_814 }),
      'Expected `users[0].user.token` in the kubeconfig FILE to be a text, got a number',
    ],
    [
      'a switch that is a text',
      kubeconfigOf({ ...cluster, 'insecure-skip-tls-verify': 'true' }),
      'Expected `clusters[0].cluster.insecure-skip-tls-verify` in the kubeconfig FILE to be a boolean, got another text',
    ],
    [
      'an argument that is a number',
      kubeconfigOf(cluster, { exec: { ...exec, args: ['a', 1] } }),
      'Expected `users[0].user.exec.args[1]` in the kubeconfig FILE to be a text, got a number',
    ],
    [
      'data that are no base64',
      kubeconfigOf({ ...cluster, 'certificate-authority-data': `${secret} ${secret}` }),
      'Expected `clusters[0].cluster.certificate-authority-data` in the kubeconfig FILE to be bytes in base64, got another text',
    ],
    [
      'a field that nothing uses',
      { preferences: { colors: 'yes' } },
      'Expected `preferences.colors` in the kubeconfig FILE to be a boolean, got another text',
    ],
    ['another kind', { kind: secret }, 'Expected `kind` of the kubeconfig FILE to be Config or absent, got another text'],
    [
      'a token and a user name',
      kubeconfigOf(cluster, { token: secret, username: 'u' }),
      'Expected one of `token` and `username` of u in the kubeconfig FILE, got both',
    ],
    [
      'a certificate without a key',
      kubeconfigOf(cluster, { 'client-certificate-data': secret }),
      'Expected `client-key` of u beside its certificate in the kubeconfig FILE, got none',
    ],
    [
      'a certificate twice',
      kubeconfigOf(cluster, { 'client-certificate-data': secret, 'client-certificate': 'cert.pem' }),
      'Expected one of `client-certificate` and `client-certificate-data` of u in the kubeconfig FILE, got both',
    ],
    [
      'an authority twice',
      kubeconfigOf({ ...cluster, 'certificate-authority-data': secret, 'certificate-authority': 'ca.pem' }),
      'Expected one of `certificate-authority` and `certificate-authority-data` of k in the kubeconfig FILE, got both',
    ],
    [
      'an authority that nothing is checked by',
      kubeconfigOf({ ...cluster, 'certificate-authority-data': secret, 'insecure-skip-tls-verify': true }),
      'Expected one of `insecure-skip-tls-verify` and `certificate-authority` of k in the kubeconfig FILE, got both',
    ],
    [
      'a plugin without a command',
      kubeconfigOf(cluster, { exec: { ...exec, command: null } }),
      'Expected `command` of `exec` of the user u in the kubeconfig FILE, got none',
    ],
    [
      'a plugin of an old version',
      kubeconfigOf(cluster, { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } }),
      'Expected `apiVersion` of `exec` of the user u to be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1 in the kubeconfig FILE, got another version',
    ],
    [
      'a plugin without a mode',
      kubeconfigOf(cluster, { exec: { ...exec, interactiveMode: '' } }),
      'Expected `interactiveMode` of `exec` of the user u to be Never, IfAvailable or Always in the kubeconfig FILE, got none',
    ],
    [
      'a variable without a name',
      kubeconfigOf(cluster, { exec: { ...exec, env: [{ value: secret }] } }),
      'Expected a `name` of `env[0]` of `exec` of the user u in the kubeconfig FILE, got none',
    ],
    [
      'a plugin and a provider',
      kubeconfigOf(cluster, { exec, 'auth-provider': { name: 'oidc' } }),
      'Expected one of `exec` and `auth-provider` of u in the kubeconfig FILE, got both',
    ],
    [
      'groups without whom to act as',
      kubeconfigOf(cluster, { 'as-groups': ['a'] }),
      'Expected `as` of u to name whom the user acts as in the kubeconfig FILE, got only `as-uid`, `as-groups` or `as-user-extra`',
    ],
    [
      'a context that is a number',
      { 'current-context': 5 },
      'Expected `current-context` in the kubeconfig FILE to be a text, got a number',
    ],
    [
      'a namespace that is a number',
      kubeconfigOf(cluster, undefined, { namespace: 5 }),
      'Expected `contexts[0].context.namespace` in the kubeconfig FILE to be a text, got a number',
    ],
  ])('says what is wrong with a kubeconfig that has %s', async (_, content, message) => {
    const file = folder.write('config', content);
    const actual = await messageOf(find({ kubeConfigFile: file }));
    expect(actual).toBe(message.replace('FILE', file));
    expect(actual).not.toContain(secret);
  });
});
