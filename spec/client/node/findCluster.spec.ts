import { writeFileSync } from 'node:fs';
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

describe('findCluster', () => {
  it('takes the current context of ~/.kube/config', async () => {
    folder.write('home/.kube/config', kubeconfigOf(cluster, { token: 't' }, { namespace: 'team' }));
    await expect(find()).resolves.toMatchObject({
      context: 'c',
      server: 'https://example.com:6443',
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
    await expect(find({}, { KUBECONFIG })).resolves.toMatchObject({ server: 'https://example.com:6443' });
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
    await expect(find({}, { KUBECONFIG })).resolves.toMatchObject({ context: 'y', server: 'https://first', user: { file: second } });
    await expect(find({ context: 'x' }, { KUBECONFIG })).resolves.toMatchObject({ context: 'x', server: 'https://first' });
  });

  it('takes one file where told to, and only that', async () => {
    const file = folder.write('one', kubeconfigOf(cluster));
    folder.write('home/.kube/config', kubeconfigOf({ server: 'https://home' }));
    await expect(find({ kubeConfigFile: file }, { KUBECONFIG: '/nowhere' })).resolves.toMatchObject({ server: 'https://example.com:6443' });
    const missing = path.join(folder.path, 'missing');
    await expect(messageOf(find({ kubeConfigFile: missing }))).resolves.toBe(`Expected a readable kubeconfig at ${missing}, got no file`);
  });

  it('takes the service account of its pod where there is no kubeconfig', async () => {
    const env = inPod();
    folder.write('service-account/namespace', 'team\n');
    folder.write('service-account/ca.crt', 'ca');
    const found = await find({}, env);
    expect(found).toMatchObject({ context: undefined, server: 'https://10.0.0.1:443', namespace: 'team' });
    expect(found.user?.fields).toEqual({ tokenFile: path.join(folder.path, 'service-account', 'token') });
    expect(found.cluster.fields).toMatchObject({ 'certificate-authority': path.join(folder.path, 'service-account', 'ca.crt') });
    await expect(find({}, { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' })).resolves.toMatchObject({
      server: 'https://[fd00::1]:443',
      namespace: 'team',
    });
  });

  it('takes an empty kubeconfig for none, and a full one for more than the pod', async () => {
    const env = inPod();
    const file = folder.write('home/.kube/config', '');
    await expect(find({}, env)).resolves.toMatchObject({ server: 'https://10.0.0.1:443' });
    folder.write('home/.kube/config', kubeconfigOf(cluster));
    await expect(find({}, { ...env, KUBECONFIG: file })).resolves.toMatchObject({ server: 'https://example.com:6443' });
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
      `Found no cluster to talk to: expected a kubeconfig at ${home}, or to run in a pod with a service account`,
    );
    const KUBECONFIG = ['/nowhere/a', '/nowhere/b'].join(path.delimiter);
    await expect(messageOf(find({}, { KUBECONFIG }))).resolves.toBe(
      'Found no cluster to talk to: expected a kubeconfig at /nowhere/a or /nowhere/b (from KUBECONFIG), or to run in a pod with a service account',
    );
  });

  it('names the contexts when the wanted one is unknown', async () => {
    const file = folder.write('home/.kube/config', kubeconfigOf(cluster));
    await expect(messageOf(find({ context: 'd' }))).resolves.toBe(
      `Found no context "d" in the kubeconfig ${file}: expected one of c; did you mean \`c\`?`,
    );
  });

  const secret = 'c2VjcmV0';
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
    [
      'no server',
      kubeconfigOf({}),
      'Expected `server` of the cluster k in the kubeconfig FILE to be an http or https URL without a user, got none',
    ],
    [
      'a server with a password',
      kubeconfigOf({ server: `https://u:${secret}@host` }),
      'Expected `server` of the cluster k in the kubeconfig FILE to be an http or https URL without a user, got another text',
    ],
    [
      'a server of another protocol',
      kubeconfigOf({ server: 'ftp://host' }),
      'Expected `server` of the cluster k in the kubeconfig FILE to be an http or https URL without a user, got another text',
    ],
    ['something else than YAML', `a: [${secret}`, 'Expected the kubeconfig FILE to be YAML, got something else in line 1, column 13'],
    ['a list', [secret], 'Expected the kubeconfig FILE to be a mapping, got a list'],
    ['users that are no list', { users: secret }, 'Expected `users` in the kubeconfig FILE to be a list, got string'],
    [
      'a user without a name',
      { users: [{ name: 'a' }, { user: { token: secret } }] },
      'Expected `users[1].name` in the kubeconfig FILE to be a text, got undefined',
    ],
    [
      'a user that is no mapping',
      { users: [{ name: 'a', user: secret }] },
      'Expected `user` of a in the kubeconfig FILE to be a mapping, got string',
    ],
    ['a context that is a number', { 'current-context': 5 }, 'Expected `current-context` in the kubeconfig FILE to be a text, got number'],
    [
      'a namespace that is a number',
      kubeconfigOf(cluster, undefined, { namespace: 5 }),
      'Expected `namespace` of c in the kubeconfig FILE to be a text, got number',
    ],
  ])('says what is wrong with a kubeconfig that has %s', async (_, content, message) => {
    const file = folder.write('config', content);
    const actual = await messageOf(find({ kubeConfigFile: file }));
    expect(actual).toBe(message.replace('FILE', file));
    expect(actual).not.toContain(secret);
  });
});
