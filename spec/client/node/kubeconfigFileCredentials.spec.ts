import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { CredentialSource } from '../../../src/client/auth/credentials.js';
import type { LoginProvider } from '../../../src/client/clientOptions.js';
import { findCluster } from '../../../src/client/node/findCluster.js';
import { KubeconfigFileCredentials } from '../../../src/client/node/kubeconfigFileCredentials.js';
import { RequestError } from '../../../src/client/requests/requestError.js';
import { PluginProcesses } from '../../../src/client/node/pluginProcess.js';
import { certificates } from './certificates.js';
import { kubeconfigOf, temporaryFolder, type TemporaryFolder } from './temporaryFolder.js';

let folder: TemporaryFolder;
let now = 0;
beforeEach(() => {
  folder = temporaryFolder();
  now = Date.parse('2030-01-01T00:00:00Z');
});
afterEach(() => folder.remove());

const server = 'https://example.com';
/** This machine's own certificates are not searched. */
const noRoots = { SSL_CERT_FILE: '/nowhere', SSL_CERT_DIR: '/nowhere' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Writes a kubeconfig and gives its credentials. */
async function credentialsOf(user?: Record<string, unknown>, cluster: Record<string, unknown> = {}): Promise<CredentialSource> {
  const kubeConfigFile = folder.write('config', kubeconfigOf({ server, ...cluster }, user));
  const find = () => findCluster({ kubeConfigFile }, { env: {}, home: '', serviceAccount: '' });
  return new KubeconfigFileCredentials({ first: await find(), findAgain: find, env: noRoots, now: () => now });
}

const messageOf = (error: unknown): string => (error as Error).message;

const headersOf = async (user: Record<string, unknown>) => (await (await credentialsOf(user)).get()).headers;

/** The command of the shell that prints a credential; a status in double quotes may use `$runs`. */
const print = (status: object): string => {
  const text = JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status });
  return `printf '%s' '${text}'`.replaceAll('$runs', `'"$runs"'`);
};

/** A credential plugin that counts its runs in a file beside it. The shell starts in a millisecond. */
function plugin(
  code: string,
  more: Record<string, unknown> = {},
): { readonly exec: Record<string, unknown>; readonly runs: () => Promise<number> } {
  const counter = path.join(folder.path, 'runs');
  const script = folder.write(
    'plugin.sh',
    `runs=0; [ -f '${counter}' ] && read -r runs < '${counter}'; runs=$((runs + 1)); echo "$runs" > '${counter}'
${code}
`,
  );
  return {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/sh', args: [script], interactiveMode: 'Never', ...more },
    runs: async () => Number(await readFile(counter, 'utf8')),
  };
}

describe('kubeconfigFileCredentials', () => {
  it('is anonymous without a user', async () => {
    await expect((await credentialsOf()).get()).resolves.toEqual({ headers: {}, tls: { ca: [] }, proxy: undefined, server });
  });

  it.each([
    ['a token', { token: 'abc' }, { authorization: 'Bearer abc' }],
    ['a user name and a password', { username: 'u', password: 'pä:ss' }, { authorization: `Basic ${base64('u:pä:ss')}` }],
    [
      'impersonation',
      { as: 'alice', 'as-uid': '7', 'as-groups': ['a', 'b'], 'as-user-extra': { 'Example.com/Team': ['x', 'y'] } },
      {
        'impersonate-user': 'alice',
        'impersonate-uid': '7',
        'impersonate-group': ['a', 'b'],
        'impersonate-extra-example.com%2fteam': ['x', 'y'],
      },
    ],
    [
      'impersonation of names that no header can hold as they are',
      { as: 'é', 'as-groups': ['日'], 'as-user-extra': { 'a(b)%': ['ü'] } },
      { 'impersonate-user': 'Ã©', 'impersonate-group': ['æ\u0097¥'], 'impersonate-extra-a%28b%29%25': ['Ã¼'] },
    ],
  ])('understands %s', async (_, user, headers) => {
    await expect(headersOf(user)).resolves.toEqual(headers);
  });

  it('takes certificates from the file, or from files beside it that may change', async () => {
    const { ca, alice, bob } = certificates();
    folder.write('pki/ca.pem', ca);
    folder.write('pki/cert.pem', alice.cert);
    folder.write('pki/key.pem', alice.key);
    const user = { 'client-certificate': 'pki/cert.pem', 'client-key': 'pki/key.pem' };
    const source = await credentialsOf(user, { 'certificate-authority': 'pki/ca.pem', 'tls-server-name': 'name' });
    const texts = async () => {
      const { tls } = await source.get();
      return [tls.cert, tls.key, tls.ca, tls.servername].map((each) => String(each).trim());
    };
    await expect(texts()).resolves.toEqual([alice.cert.trim(), alice.key.trim(), ca.trim(), 'name']);
    folder.write('pki/cert.pem', bob.cert);
    folder.write('pki/key.pem', bob.key);
    await expect(texts()).resolves.toEqual([bob.cert.trim(), bob.key.trim(), ca.trim(), 'name']);
    const data = await credentialsOf(
      { 'client-certificate-data': base64(alice.cert), 'client-key': folder.write('alice.key', alice.key) },
      { 'certificate-authority-data': base64(ca) },
    );
    const { tls } = await data.get();
    expect([tls.cert, tls.key, tls.ca].map((each) => String(each).trim())).toEqual([alice.cert.trim(), alice.key.trim(), ca.trim()]);
  });

  it.each(['\n', '\r\n'])('takes certificates and keys with headers, lines ending in %j, and bytes as a list of numbers', async (end) => {
    const { ca, alice } = certificates();
    const headed = (pem: string) => pem.replace(/^(-----BEGIN .*)$/m, '$1\nProc-Type: 4,CLEAR\nLocal-Name: a-b\n').replaceAll('\n', end);
    const source = await credentialsOf(
      { 'client-certificate-data': base64(headed(alice.cert)), 'client-key-data': [...Buffer.from(headed(alice.key))] },
      { 'certificate-authority-data': [...Buffer.from(headed(ca) + ca)] },
    );
    const { tls } = await source.get();
    expect([tls.cert, tls.key, tls.ca].map((each) => String(each).trim())).toEqual([alice.cert.trim(), alice.key.trim(), ca.trim()]);
    await expect(credentialsOf({}, { 'certificate-authority-data': [256] })).rejects.toThrow(/certificate-authority-data` .* got a list$/);
  });

  it('takes every certificate that is good, and refuses where none is', async () => {
    const { ca } = certificates();
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const one = await credentialsOf({}, { 'certificate-authority-data': base64(`text\n${broken}${ca}${broken}`) });
    expect((await one.get()).tls.ca).toEqual([ca.trim()]);
    const none = await credentialsOf({}, { 'certificate-authority-data': base64(broken) });
    await expect(none.get()).rejects.toThrow(
      /^Expected `certificate-authority-data` of k in the kubeconfig \S+ to hold a certificate as PEM, got none$/,
    );
  });

  it('checks an address as the name of the server, and sends none', async () => {
    const source = await credentialsOf({}, { 'tls-server-name': '10.0.0.1' });
    expect((await source.get()).tls).toMatchObject({ servername: '', checkedName: '10.0.0.1' });
  });

  it('trusts any server only where told to', async () => {
    const insecure = await credentialsOf({}, { 'insecure-skip-tls-verify': true });
    const other = await credentialsOf({}, { 'insecure-skip-tls-verify': false });
    expect((await insecure.get()).tls).toEqual({ rejectUnauthorized: false });
    expect((await other.get()).tls).not.toHaveProperty('rejectUnauthorized');
  });

  it.each([
    ['a token', { token: 'abc' }],
    ['a password', { username: 'u', password: 'p' }],
    ['a token file that is missing', { tokenFile: 'missing' }],
    ['a plugin', { exec: { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command: 'missing' } }],
  ])('sends nothing of %s over plain HTTP, and impersonates there', async (_, user) => {
    const source = await credentialsOf({ ...user, as: 'alice' }, { server: 'http://example.com' });
    await expect(source.get()).resolves.toEqual({
      headers: { 'impersonate-user': 'alice' },
      tls: {},
      proxy: undefined,
      server: 'http://example.com',
    });
  });

  it('takes the user of the URL before any other', async () => {
    const source = await credentialsOf({ token: 'abc' }, { server: 'https://jo:p%40ss@example.com' });
    await expect(source.get()).resolves.toMatchObject({ headers: { authorization: `Basic ${base64('jo:p@ss')}` }, server });
  });

  it('reads a token file before every request', async () => {
    folder.write('token', 'one\n');
    const source = await credentialsOf({ tokenFile: 'token', token: 'old' });
    const tokens = [(await source.get()).headers['authorization']];
    folder.write('token', 'two\n');
    tokens.push((await source.get()).headers['authorization']);
    rmSync(path.join(folder.path, 'token'));
    tokens.push((await source.get()).headers['authorization']);
    expect(tokens).toEqual(['Bearer one', 'Bearer two', 'Bearer two']);
  });

  it.each([
    ['empty', (file: string) => writeFileSync(file, ''), 'anonymous'],
    ['missing', (file: string) => rmSync(file), expect.stringMatching(/^Expected /)],
  ])('keeps the last token of a token file that is %s for a moment, until it is refused', async (_, spoil, then) => {
    const file = folder.write('token', 'one');
    const source = await credentialsOf({ tokenFile: 'token' });
    const token = async (): Promise<unknown> => (await source.get()).headers['authorization'];
    const tokens = [await token()];
    spoil(file);
    tokens.push(await token());
    folder.write('token', 'two');
    tokens.push(await token());
    expect(tokens).toEqual(['Bearer one', 'Bearer one', 'Bearer two']);
    spoil(file);
    source.renew?.();
    expect(await token().then((given) => given ?? 'anonymous', messageOf)).toEqual(then);
  });

  it('is anonymous, as kubectl is, with a token file that is empty', async () => {
    folder.write('token', '\n');
    await expect(headersOf({ tokenFile: 'token' })).resolves.toEqual({});
  });

  it('keeps the last certificate and key while the files do not fit, or one is missing', async () => {
    const { alice, bob } = certificates();
    const [cert, key] = [folder.write('cert.pem', alice.cert), folder.write('key.pem', alice.key)];
    const source = await credentialsOf({ 'client-certificate': 'cert.pem', 'client-key': 'key.pem' });
    const used = async (): Promise<string> => {
      const { tls } = await source.get();
      return `${String(tls.cert)}${String(tls.key)}`;
    };
    const seen = [await used()];
    writeFileSync(cert, bob.cert);
    seen.push(await used());
    rmSync(key);
    seen.push(await used());
    writeFileSync(key, '');
    seen.push(await used());
    writeFileSync(key, bob.key);
    seen.push(await used());
    const [first, second] = [alice, bob].map((each) => each.cert + each.key);
    expect(seen).toEqual([first, first, first, first, second]);
  });

  it('keeps the last authorities while their file is empty or missing', async () => {
    const [first, second] = [certificates(), certificates()].map(({ ca }) => ca.trim());
    const file = folder.write('ca.crt', String(first));
    const source = await credentialsOf({ token: 'one' }, { 'certificate-authority': 'ca.crt' });
    const trusted = async (): Promise<unknown> => (await source.get()).tls.ca;
    const seen = [await trusted()];
    writeFileSync(file, '');
    seen.push(await trusted());
    rmSync(file);
    source.renew?.();
    seen.push(await trusted());
    writeFileSync(file, String(second));
    seen.push(await trusted());
    expect(seen).toEqual([[first], [first], [first], [second]]);
  });

  it('asks a login that failed again', async () => {
    const kubeConfigFile = folder.write('config', kubeconfigOf({ server }, { 'auth-provider': { name: 'mine' } }));
    const find = () => findCluster({ kubeConfigFile }, { env: {}, home: '', serviceAccount: '' });
    const headers = { authorization: 'Bearer abc' };
    const kubeConfig = {
      getCurrentCluster: () => ({ server }),
      applyToHTTPSOptions: (options: object) => Promise.resolve(void Object.assign(options, { headers })),
    };
    let asked = 0;
    const provider = { login: () => ((asked += 1) === 1 ? Promise.reject(new Error('no network')) : kubeConfig) };
    const source = new KubeconfigFileCredentials({ first: await find(), findAgain: find, env: noRoots, provider });
    await expect(source.get()).rejects.toThrow('no network');
    await expect(source.get()).resolves.toMatchObject({ headers });
  });

  it('keeps a login while the kubeconfig says the same, since client-node has what it renewed in memory only', async () => {
    const userWith = (token: string) => ({ 'auth-provider': { name: 'oidc', config: { 'refresh-token': token } } });
    const kubeConfigFile = folder.write('config', kubeconfigOf({ server }, userWith('one')));
    const find = () => findCluster({ kubeConfigFile }, { env: {}, home: '', serviceAccount: '' });
    // A refresh token is good for one use.
    const provider: LoginProvider = {
      login: (_, { authProvider: { config } }) => ({
        getCurrentCluster: () => ({ server }),
        applyToHTTPSOptions: async (options) => {
          await Promise.resolve();
          Object.assign(config, { 'refresh-token': `${config['refresh-token'] ?? ''}+` });
          Object.assign(options, { headers: { authorization: `Bearer ${config['refresh-token']}` } });
        },
      }),
    };
    const source = new KubeconfigFileCredentials({ first: await find(), findAgain: find, env: noRoots, now: () => now, provider });
    const tokensOf = async (requests: number) => {
      const all = await Promise.all(Array.from({ length: requests }, () => source.get()));
      return all.map(({ headers }) => headers['authorization']);
    };
    const seen = [await tokensOf(1), await tokensOf(2)];
    const held = await source.get();
    now += 10_000;
    await source.failed(held, new RequestError({ code: 'ECONNREFUSED', message: 'no', request: 'GET /' }));
    source.renew();
    seen.push(await tokensOf(1));
    folder.write('config', kubeconfigOf({ server }, userWith('two')));
    source.renew();
    seen.push(await tokensOf(1));
    expect(seen).toEqual([['Bearer one+'], ['Bearer one++', 'Bearer one++'], ['Bearer one+++++'], ['Bearer two+']]);
  });

  it('asks a login again that has not answered for a minute', async () => {
    const kubeConfigFile = folder.write('config', kubeconfigOf({ server }, { 'auth-provider': { name: 'mine' } }));
    const find = () => findCluster({ kubeConfigFile }, { env: {}, home: '', serviceAccount: '' });
    let asked = 0;
    const kubeConfig = {
      getCurrentCluster: () => ({ server }),
      applyToHTTPSOptions: () => ((asked += 1) === 1 ? new Promise<void>(() => undefined) : Promise.resolve()),
    };
    const source = new KubeconfigFileCredentials({
      first: await find(),
      findAgain: find,
      env: noRoots,
      provider: { login: () => kubeConfig },
    });
    const clock = jest.spyOn(performance, 'now');
    try {
      clock.mockReturnValue(1_000);
      source.get().catch(() => undefined);
      while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
      clock.mockReturnValue(61_000);
      await expect(source.get()).resolves.toMatchObject({ headers: {} });
      expect(asked).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('takes the token beside a token file that is empty or missing', async () => {
    folder.write('token', '\n');
    await expect(headersOf({ tokenFile: 'token', token: 'old' })).resolves.toEqual({ authorization: 'Bearer old' });
    await expect(headersOf({ tokenFile: 'missing', token: 'old' })).resolves.toEqual({ authorization: 'Bearer old' });
  });

  it('takes sections that are null as absent', async () => {
    await expect(headersOf({ token: 'abc', exec: null, 'auth-provider': null, as: null, 'as-groups': null })).resolves.toEqual({
      authorization: 'Bearer abc',
    });
  });

  it('reads the kubeconfig again when they are refused, and not before', async () => {
    const source = await credentialsOf({ token: 'one' });
    folder.write('config', kubeconfigOf({ server }, { token: 'two' }));
    const before = (await source.get()).headers;
    source.renew?.();
    expect([before, (await source.get()).headers]).toEqual([{ authorization: 'Bearer one' }, { authorization: 'Bearer two' }]);
  });

  it('follows its context to another server, with what the kubeconfig has for that one', async () => {
    const source = await credentialsOf({ token: 'one' });
    folder.write('config', kubeconfigOf({ server: 'https://other' }, { token: 'two' }));
    await expect(source.get()).resolves.toMatchObject({ server, headers: { authorization: 'Bearer one' } });
    source.renew?.();
    await expect(source.get()).resolves.toMatchObject({
      server: 'https://other',
      headers: { authorization: 'Bearer two' },
      cluster: 1,
    });
  });

  it.each([
    [
      'a token of two lines',
      { token: 'abc\nc2VjcmV0' },
      'Expected the token of u in the kubeconfig FILE to be a token in one line of ASCII characters, got others',
    ],
    [
      'a token file that is missing',
      { tokenFile: 'missing' },
      /^Expected `tokenFile` of u in the kubeconfig FILE to be a readable file, got ENOENT for .*missing$/,
    ],
  ])('says what is wrong with %s', async (_, user, message) => {
    const error: unknown = await headersOf(user).catch((caught: unknown) => caught);
    const text = (error as Error).message.replace(path.join(folder.path, 'config'), 'FILE');
    expect(text).toMatch(message);
    expect(text).not.toMatch(/c2VjcmV0|2023406814/);
  });
});

describe('kubeconfigFileCredentials with a credential plugin', () => {
  const oneMinute = print({ token: 't$runs', expirationTimestamp: '2030-01-01T00:0$runs:00Z' });
  const tokenOf = async (source: CredentialSource) => (await source.get()).headers['authorization'];

  it('runs it again when its credential is about to end', async () => {
    const { exec, runs } = plugin(oneMinute);
    const source = await credentialsOf({ exec });
    const tokens = [await tokenOf(source), await tokenOf(source)];
    now += 54_000;
    tokens.push(await tokenOf(source));
    now += 2_000;
    tokens.push(await tokenOf(source));
    expect(tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t1', 'Bearer t2']);
    await expect(runs()).resolves.toBe(2);
  });

  it('keeps a credential without an end until it is refused', async () => {
    const { exec } = plugin(print({ token: 't$runs' }));
    const source = await credentialsOf({ exec });
    const tokens = [await tokenOf(source)];
    now += 86_400_000;
    tokens.push(await tokenOf(source));
    source.renew?.();
    tokens.push(await tokenOf(source));
    expect(tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('runs it at once for a credential that was refused, however lately it came', async () => {
    const { exec, runs } = plugin(print({ token: 't$runs' }));
    const source = await credentialsOf({ exec });
    const tokens = [await tokenOf(source)];
    now += 1_000;
    source.renew?.();
    tokens.push(await tokenOf(source), await tokenOf(source));
    now += 11_000;
    source.renew?.();
    tokens.push(await tokenOf(source));
    expect(tokens).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2', 'Bearer t3']);
    await expect(runs()).resolves.toBe(3);
  });

  it('does not run it again within ten seconds when what it gave for a refused credential is refused', async () => {
    const { exec, runs } = plugin(print({ token: 't$runs' }));
    const source = await credentialsOf({ exec });
    const tokens: unknown[] = [];
    for (let second = 0; second < 60; second += 1) {
      tokens.push(await tokenOf(source));
      source.renew?.();
      now += 1_000;
    }
    expect(new Set(tokens).size).toBe(7);
    await expect(runs()).resolves.toBe(7);
  });

  it('uses no credential beyond its end where the plugin gives out the last one until then', async () => {
    const { exec, runs } = plugin(print({ token: 't$runs', expirationTimestamp: '2030-01-01T00:00:04Z' }));
    const source = await credentialsOf({ exec });
    const tokens = [await tokenOf(source)];
    now += 3_999;
    tokens.push(await tokenOf(source));
    now += 1;
    tokens.push(await tokenOf(source));
    expect(tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
    await expect(runs()).resolves.toBe(2);
  });

  it('does not run it for each request where a clock that is fast has its credentials end before they come', async () => {
    const { exec, runs } = plugin(print({ token: 't$runs', expirationTimestamp: '2029-12-31T23:00:00Z' }));
    const source = await credentialsOf({ exec });
    const tokens: unknown[] = [];
    for (let second = 0; second < 60; second += 1) {
      tokens.push(await tokenOf(source));
      now += 1_000;
    }
    expect(new Set(tokens).size).toBe(6);
    await expect(runs()).resolves.toBe(6);
  });

  it.each([
    ['2030-01-02T00:01:00+24:00', 1],
    ['2030-01-01T00:00:00.5+24:00', 3],
    ['2029-12-31T0:02:00-24:00', 1],
    ['2030-01-01T01:01:00+00:60', 1],
  ])('runs it by the end %s of its credentials, as Go reads it: %d times', async (expirationTimestamp, times) => {
    const { exec, runs } = plugin(print({ token: 't', expirationTimestamp }));
    const source = await credentialsOf({ exec });
    for (let asked = 0; asked < 3; asked += 1) {
      await tokenOf(source);
      now += 10_000;
    }
    await expect(runs()).resolves.toBe(times);
  });

  it('does not run it for a cluster that is refused', async () => {
    const { exec, runs } = plugin(print({ token: 't' }));
    const source = await credentialsOf({ exec }, { 'certificate-authority-data': 'AAAA' });
    await expect(source.get()).rejects.toMatchObject({ code: 'ERR_KUBECONFIG' });
    await expect(runs()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('takes a client certificate from it', async () => {
    const { alice } = certificates();
    const { exec } = plugin(print({ clientCertificateData: alice.cert, clientKeyData: alice.key }));
    await expect((await credentialsOf({ exec })).get()).resolves.toMatchObject({ headers: {}, tls: { cert: alice.cert, key: alice.key } });
  });

  it('takes YAML from it', async () => {
    const { exec } = plugin("printf 'kind: ExecCredential\\napiVersion: client.authentication.k8s.io/v1\\nstatus: {token: t}\\n'");
    await expect(tokenOf(await credentialsOf({ exec }))).resolves.toBe('Bearer t');
  });

  it.each([
    ['a token', { token: 'own' }, 'Bearer own'],
    ['a password', { username: 'u' }, `Basic ${base64('u:')}`],
  ])('does not run it beside %s', async (_, user, authorization) => {
    const { exec, runs } = plugin(print({ token: 't' }));
    await expect(tokenOf(await credentialsOf({ exec, ...user }))).resolves.toBe(authorization);
    await expect(runs()).rejects.toThrow('ENOENT');
  });

  it('does not run one that needs a terminal where there is none', async () => {
    const { exec, runs } = plugin(print({ token: 't' }), { interactiveMode: 'Always' });
    await expect(tokenOf(await credentialsOf({ exec }))).rejects.toThrow(/ its `interactiveMode` is Always, and there is no terminal$/);
    await expect(runs()).rejects.toThrow('ENOENT');
  });

  it('gives it variables that are empty, and searches it in the PATH of this program', async () => {
    const { exec } = plugin(print({ token: '<EMPTY,PATH>' }).replace('EMPTY,PATH', `'"$EMPTY,$PATH"'`), {
      command: 'sh',
      env: [{ name: 'EMPTY', value: null }, { name: 'PATH' }],
    });
    await expect(tokenOf(await credentialsOf({ exec }))).resolves.toBe('Bearer <,>');
  });

  it('finds one that is installed later', async () => {
    const { exec } = plugin(print({ token: 't' }), { command: 'installed-later' });
    const PATH = process.env['PATH'];
    process.env['PATH'] = `${folder.path}${path.delimiter}${PATH}`;
    try {
      const source = await credentialsOf({ exec });
      await expect(tokenOf(source)).rejects.toThrow('cannot run installed-later (ENOENT)');
      await symlink('/bin/sh', path.join(folder.path, 'installed-later'));
      await expect(tokenOf(source)).resolves.toBe('Bearer t');
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  it('tells it what it may know: versions, environment, and the cluster if it asks', async () => {
    const told = path.join(folder.path, 'told');
    const { exec } = plugin(`printf '%s' "$MODE $KUBERNETES_EXEC_INFO" > '${told}'; ${print({ token: 't' })}`, {
      env: [{ name: 'MODE', value: 'spec' }],
      provideClusterInfo: true,
    });
    const { ca } = certificates();
    folder.write('ca.pem', ca);
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }];
    await tokenOf(await credentialsOf({ exec }, { server: `${server}/a b/ü%20/😀`, 'certificate-authority': 'ca.pem', extensions }));
    const [, mode, info = ''] = /^(\w+) (.*)\n$/.exec(await readFile(told, 'utf8')) ?? [];
    expect([mode, JSON.parse(info)]).toEqual([
      'spec',
      {
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        spec: {
          interactive: false,
          cluster: {
            server: `${server}/a%20b/%C3%BC%20/%F0%9F%98%80`,
            'certificate-authority-data': base64(ca),
            config: { audience: 'a' },
          },
        },
      },
    ]);
  });

  it.each([
    [
      'that is not there',
      '',
      { command: 'no-such-plugin', installHint: 'install it' },
      /^cannot run no-such-plugin \(ENOENT\): install it$/,
    ],
    ['that fails', "printf 'first\\nlast: Bearer c2VjcmV0\\n' >&2; exit 3", {}, /^\S+ ended with exit code 3: last: Bearer \*\*\*$/],
    ['that is killed', 'kill -KILL $$', {}, /^\S+ was ended by SIGKILL$/],
    ['that prints no JSON', 'echo c2VjcmV0', {}, /^expected \S+ to print an ExecCredential as JSON, got something else$/],
    [
      'of another version',
      `echo '{"kind":"ExecCredential","apiVersion":"v0","status":{"token":"c2VjcmV0"}}'`,
      {},
      /^expected \S+ to print an ExecCredential of client.authentication.k8s.io\/v1 with a `status`, got another object$/,
    ],
    [
      'whose time is none',
      print({ token: 'c2VjcmV0', expirationTimestamp: '2099-01-01T00:00:00+0000' }),
      {},
      /^expected \S+ to give an `expirationTimestamp` in the form 2030-01-31T12:00:00Z, got another text$/,
    ],
    [
      'that gives a half of a pair',
      print({ token: 'c2VjcmV0', clientCertificateData: 'c2VjcmV0' }),
      {},
      /^expected \S+ to give a token, or a certificate with its key, got a half of the pair$/,
    ],
    [
      'that gives a pair that is none',
      print({ clientCertificateData: 'c2VjcmV0', clientKeyData: 'c2VjcmV0' }),
      {},
      /^expected \S+ to give a certificate and the key of that certificate, as PEM, got others$/,
    ],
    ['whose token is a number', print({ token: 5 }), {}, /^Expected `status.token` to be a text, got a number, in what \S+ printed$/],
    [
      'that prints two objects',
      `${print({ token: 't' })}; ${print({ token: 't' })}`,
      {},
      /^expected \S+ to print an ExecCredential as JSON, got something else$/,
    ],
    ['that gives nothing', print({}), {}, /^expected \S+ to give a token, or a certificate with its key, got neither$/],
    [
      'whose token cannot be sent',
      print({ token: 'c2VjcmV0\n1' }),
      {},
      /^Expected the token of the plugin of u to be a token in one line of ASCII characters, got others$/,
    ],
  ])('says what is wrong with one %s', async (_, code, more, message) => {
    const { exec } = plugin(code, more);
    const error: unknown = await (await credentialsOf({ exec })).get().catch((caught: unknown) => caught);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('c2VjcmV0');
  });

  it('finds a command beside the kubeconfig', async () => {
    const { exec } = plugin(print({ token: 't' }));
    const relative = path.relative(folder.path, '/bin/sh');
    await expect(tokenOf(await credentialsOf({ exec: { ...exec, command: relative } }))).resolves.toBe('Bearer t');
  });

  it('hides the secrets that a plugin was given, when it quotes them', async () => {
    const { exec } = plugin('echo "$CLIENT_SECRET $PROFILE $*" >&2; exit 1');
    const env = Object.entries({ CLIENT_SECRET: 'bd74hq0xmz52', PROFILE: 'production' }).map(([name, value]) => ({ name, value }));
    const args = [
      ...(exec['args'] as string[]),
      '--oidc-client-secret=p1kw93ndt6qs',
      '--password',
      'w8vy2rlf5jcg',
      '--cluster',
      'production',
    ];
    await expect(tokenOf(await credentialsOf({ exec: { ...exec, env, args } }))).rejects.toThrow(
      /: \*\*\* production --oidc-client-secret=\*\*\* --password \*\*\* --cluster production$/,
    );
  });

  it('ends a plugin that runs when it is closed', async () => {
    const { exec, runs } = plugin('exec sleep 60');
    const source = await credentialsOf({ exec });
    const failed = source.get().catch((error: unknown) => error);
    while ((await runs().catch(() => 0)) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    source.close?.();
    await expect(failed).resolves.toMatchObject({ message: expect.stringMatching(/was ended by SIGTERM$/) as unknown });
  });
});

describe('PluginProcesses', () => {
  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const moment = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 5));
  const shell = (code: string, timeoutMs = 60_000) => ({
    command: '/bin/sh',
    args: ['-c', code],
    env: process.env,
    interactive: false,
    timeoutMs,
  });

  it('ends a process that hangs at its deadline', async () => {
    const exit = await new PluginProcesses().run(shell('exec sleep 60', 50));
    expect(exit).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
  });

  it('ends them with all that they have started, even if they ignore being asked to', async () => {
    const processes = new PluginProcesses(20);
    const file = path.join(folder.path, 'pids');
    const ended = processes.run(shell(`trap '' TERM; sleep 60 & echo "$$ $!" > '${file}.part'; mv '${file}.part' '${file}'; wait`));
    while (!existsSync(file)) await moment();
    const pids = (await readFile(file, 'utf8')).split(' ').map(Number);
    processes.close();
    while (pids.some(isRunning)) await moment();
    await expect(ended).resolves.toMatchObject({ signal: 'SIGKILL' });
    await expect(processes.run(shell('exit 0'))).rejects.toThrow(/the client is closed/);
  });

  it('does not wait when a daemon that they leave behind holds their output', async () => {
    const file = path.join(folder.path, 'daemon');
    const exit = await new PluginProcesses().run(shell(`sleep 60 & echo $! > '${file}'; echo done`));
    const pid = Number(await readFile(file, 'utf8'));
    expect([exit.stdout, isRunning(pid)]).toEqual(['done\n', true]);
    process.kill(pid);
  });
});

describe('kubeconfigFileCredentials behind a proxy', () => {
  it('goes through the proxy of its cluster', async () => {
    const source = await credentialsOf({ token: 't' }, { 'proxy-url': 'http://proxy.example.com:3128' });
    const { proxy, headers } = await source.get();
    expect([proxy, headers]).toEqual([{ url: 'http://proxy.example.com:3128' }, { authorization: 'Bearer t' }]);
  });
});
