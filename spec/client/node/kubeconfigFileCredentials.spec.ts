import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import type { CredentialSource } from '../../../src/client/auth/credentials.js';
import { findCluster } from '../../../src/client/node/findCluster.js';
import { kubeconfigFileCredentials } from '../../../src/client/node/kubeconfigFileCredentials.js';
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
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Writes a kubeconfig and gives its credentials. */
async function credentialsOf(user?: Record<string, unknown>, cluster: Record<string, unknown> = {}): Promise<CredentialSource> {
  const kubeConfigFile = folder.write('config', kubeconfigOf({ server, ...cluster }, user));
  const find = () => findCluster({ kubeConfigFile }, { env: {}, home: '', serviceAccount: '' });
  return kubeconfigFileCredentials(await find(), find, () => now);
}

const headersOf = async (user: Record<string, unknown>) => (await (await credentialsOf(user)).get()).headers;

/** A credential plugin that counts its runs in a file beside it, and prints the result of `code` for `runs`. */
function plugin(
  code: string,
  more: Record<string, unknown> = {},
): { readonly exec: Record<string, unknown>; readonly runs: () => Promise<number> } {
  const script = folder.write(
    'plugin.mjs',
    `import { appendFileSync, readFileSync } from 'node:fs';
     appendFileSync(new URL('runs', import.meta.url), '.');
     const runs = readFileSync(new URL('runs', import.meta.url)).length;
     const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
     const print = (status) => console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: info.apiVersion, status }));
     ${code}`,
  );
  return {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: [script], interactiveMode: 'Never', ...more },
    runs: async () => (await readFile(path.join(folder.path, 'runs'), 'utf8')).length,
  };
}

describe('kubeconfigFileCredentials', () => {
  it('is anonymous without a user', async () => {
    await expect((await credentialsOf()).get()).resolves.toEqual({ headers: {}, tls: {} });
  });

  it.each([
    ['a token', { token: 'abc' }, { authorization: 'Bearer abc' }],
    ['a user name and a password', { username: 'u', password: 'pä:ss' }, { authorization: `Basic ${base64('u:pä:ss')}` }],
    ['a token before a password', { token: 'abc', username: 'u' }, { authorization: 'Bearer abc' }],
    [
      'impersonation',
      { as: 'alice', 'as-uid': '7', 'as-groups': ['a', 'b'], 'as-user-extra': { 'Example.com/Team': ['x', 'y'] } },
      {
        'impersonate-user': 'alice',
        'impersonate-uid': '7',
        'impersonate-group': ['a', 'b'],
        'impersonate-extra-example.com%2Fteam': ['x', 'y'],
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
    folder.write('pki/ca.pem', 'CA file');
    folder.write('pki/cert.pem', 'first');
    folder.write('pki/key.pem', 'key file');
    const user = { 'client-certificate': 'pki/cert.pem', 'client-key': 'pki/key.pem' };
    const source = await credentialsOf(user, { 'certificate-authority': 'pki/ca.pem', 'tls-server-name': 'name' });
    const texts = async () => Object.values((await source.get()).tls).map(String);
    await expect(texts()).resolves.toEqual(['first', 'key file', 'CA file', 'name']);
    folder.write('pki/cert.pem', 'second');
    await expect(texts()).resolves.toEqual(['second', 'key file', 'CA file', 'name']);
    const data = await credentialsOf(
      { ...user, 'client-certificate-data': base64('data') },
      { 'certificate-authority-data': base64('CA data') },
    );
    expect(Object.values((await data.get()).tls).map(String)).toEqual(['data', 'key file', 'CA data', 'undefined']);
  });

  it('trusts any server only where told to', async () => {
    const insecure = await credentialsOf({}, { 'insecure-skip-tls-verify': true });
    const other = await credentialsOf({}, { 'insecure-skip-tls-verify': 'yes' });
    expect([(await insecure.get()).tls, (await other.get()).tls]).toMatchObject([{ rejectUnauthorized: false }, {}]);
    expect((await other.get()).tls).not.toHaveProperty('rejectUnauthorized');
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
    ['empty', (file: string) => writeFileSync(file, '')],
    ['missing', (file: string) => rmSync(file)],
  ])('keeps the last token of a token file that is %s for a moment, until it is refused', async (_, spoil) => {
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
    await expect(token()).rejects.toThrow(/^Expected /);
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

  it.each([{ 'as-groups': ['a'] }, { 'as-uid': '7' }, { 'as-user-extra': { a: ['b'] } }])(
    'sends nothing for %j without the name of whom to act as',
    async (user) => {
      await expect(headersOf({ token: 'abc', ...user })).rejects.toThrow(
        /^Expected `as` of u in the kubeconfig \S+ to name whom the user acts as/,
      );
    },
  );

  it('reads the kubeconfig again when they are refused, and not before', async () => {
    const source = await credentialsOf({ token: 'one' });
    folder.write('config', kubeconfigOf({ server }, { token: 'two' }));
    const before = (await source.get()).headers;
    source.renew?.();
    expect([before, (await source.get()).headers]).toEqual([{ authorization: 'Bearer one' }, { authorization: 'Bearer two' }]);
  });

  it('does not follow its context to another server', async () => {
    const source = await credentialsOf({ token: 'one' });
    folder.write('config', kubeconfigOf({ server: 'https://other' }, { token: 'two' }));
    source.renew?.();
    await expect(source.get()).rejects.toThrow(
      'The context c now leads to another server than https://example.com; that needs another client',
    );
    folder.write('config', kubeconfigOf({ server }, { token: 'three' }));
    await expect(source.get()).resolves.toMatchObject({ headers: { authorization: 'Bearer three' } });
  });

  it.each([
    [
      'a token of two lines',
      { token: 'abc\nc2VjcmV0' },
      'Expected the token of u in the kubeconfig FILE to be a token in one line of ASCII characters, got others',
    ],
    ['a token that is a number', { token: 2_023_406_814 }, 'Expected `token` of u in the kubeconfig FILE to be a text, got number'],
    [
      'a token file that is missing',
      { tokenFile: 'missing' },
      /^Expected `tokenFile` of u in the kubeconfig FILE to be a readable file, got ENOENT for .*missing$/,
    ],
    [
      'a certificate that is missing',
      { 'client-certificate': 'missing' },
      /^Expected `client-certificate` of u in the kubeconfig FILE to be a readable file, got ENOENT/,
    ],
  ])('says what is wrong with %s', async (_, user, message) => {
    const error: unknown = await headersOf(user).catch((caught: unknown) => caught);
    const text = (error as Error).message.replace(path.join(folder.path, 'config'), 'FILE');
    expect(text).toMatch(message);
    expect(text).not.toMatch(/c2VjcmV0|2023406814/);
  });
});

describe('kubeconfigFileCredentials with a credential plugin', () => {
  const oneMinute = "print({ token: 't' + runs, expirationTimestamp: new Date(Date.parse('2030-01-01T00:00:00Z') + runs * 60_000) });";
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
    const { exec } = plugin("print({ token: 't' + runs });");
    const source = await credentialsOf({ exec });
    const tokens = [await tokenOf(source)];
    now += 86_400_000;
    tokens.push(await tokenOf(source));
    source.renew?.();
    tokens.push(await tokenOf(source));
    expect(tokens).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2']);
  });

  it('runs it at once for a credential that was refused, however lately it came', async () => {
    const { exec, runs } = plugin("print({ token: 't' + runs });");
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
    const { exec, runs } = plugin("print({ token: 't' + runs });");
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

  it('does not run it for each request where a clock that is fast has its credentials end before they come', async () => {
    const { exec, runs } = plugin("print({ token: 't' + runs, expirationTimestamp: '2029-12-31T23:00:00Z' });");
    const source = await credentialsOf({ exec });
    const tokens: unknown[] = [];
    for (let second = 0; second < 60; second += 1) {
      tokens.push(await tokenOf(source));
      now += 1_000;
    }
    expect(new Set(tokens).size).toBe(6);
    await expect(runs()).resolves.toBe(6);
  });

  it('takes a client certificate from it', async () => {
    const { exec } = plugin("print({ clientCertificateData: 'cert', clientKeyData: 'key' });");
    await expect((await credentialsOf({ exec })).get()).resolves.toMatchObject({ headers: {}, tls: { cert: 'cert', key: 'key' } });
  });

  it('tells it what it may know: versions, environment, and the cluster if it asks', async () => {
    const { exec } = plugin("print({ token: Buffer.from(JSON.stringify({ ...info, mode: process.env.MODE })).toString('base64') });", {
      env: [{ name: 'MODE', value: 'spec' }],
      provideClusterInfo: true,
    });
    folder.write('ca.pem', 'CA');
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }];
    const token = String(await tokenOf(await credentialsOf({ exec }, { 'certificate-authority': 'ca.pem', extensions })));
    expect(JSON.parse(Buffer.from(token.slice('Bearer '.length), 'base64').toString())).toEqual({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: { interactive: false, cluster: { server, 'certificate-authority-data': base64('CA'), config: { audience: 'a' } } },
      mode: 'spec',
    });
  });

  it.each([
    [
      'that is not there',
      '',
      { command: 'no-such-plugin', installHint: 'install it' },
      /^cannot run no-such-plugin \(ENOENT\): install it$/,
    ],
    [
      'that fails',
      "console.error('first\\nlast: Bearer c2VjcmV0'); process.exit(3);",
      {},
      /^\S+ ended with exit code 3: last: Bearer \*\*\*$/,
    ],
    [
      'that is killed',
      "process.kill(process.pid, 'SIGKILL'); await new Promise(() => setTimeout(() => {}, 5_000));",
      {},
      /^\S+ was ended by SIGKILL$/,
    ],
    ['that prints no JSON', "console.log('c2VjcmV0');", {}, /^expected \S+ to print an ExecCredential as JSON, got something else$/],
    [
      'of another version',
      "console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'v0', status: { token: 'c2VjcmV0' } }));",
      {},
      /^expected \S+ to print an ExecCredential of client.authentication.k8s.io\/v1 with a `status`, got another object$/,
    ],
    ['that gives nothing', 'print({});', {}, /^expected \S+ to give a token, or a certificate with its key, got neither$/],
    [
      'whose token cannot be sent',
      "print({ token: 'c2VjcmV0\\n1' });",
      {},
      /^Expected the token of the plugin of u to be a token in one line of ASCII characters, got others$/,
    ],
  ])('says what is wrong with one %s', async (_, code, more, message) => {
    const { exec } = plugin(code, more);
    const error: unknown = await (await credentialsOf({ exec })).get().catch((caught: unknown) => caught);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('c2VjcmV0');
  });

  it('says what an incomplete plugin lacks', async () => {
    await expect(credentialsOf({ exec: { command: 'x' } })).rejects.toThrow(
      /^Expected `exec` of the user u in the kubeconfig .* to have a `command` and an `apiVersion`$/,
    );
  });

  it('finds a command beside the kubeconfig', async () => {
    folder.write('bin/run.mjs', '');
    const { exec } = plugin("print({ token: 't' });");
    const relative = path.relative(folder.path, process.execPath);
    await expect(tokenOf(await credentialsOf({ exec: { ...exec, command: relative } }))).resolves.toBe('Bearer t');
  });

  it('hides the secrets that a plugin was given, when it quotes them', async () => {
    const { exec } = plugin(
      "console.error(process.env.CLIENT_SECRET, process.env.PROFILE, process.argv.slice(2).join(' ')); process.exit(1);",
    );
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
    const { exec, runs } = plugin('await new Promise(() => setTimeout(() => {}, 60_000));');
    const source = await credentialsOf({ exec });
    const failed = source.get().catch((error: unknown) => error);
    while ((await runs().catch(() => 0)) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    source.close?.();
    await expect(failed).resolves.toMatchObject({ message: expect.stringMatching(/was ended by SIGTERM$/) as unknown });
  });
});

describe('the processes of credential plugins', () => {
  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const untilGone = async (pid: number): Promise<void> => {
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('are ended with all that they have started, even if they ignore being asked to', async () => {
    const child = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000);";
    const { exec } = plugin(
      `const { spawn } = await import('node:child_process'); const { writeFileSync } = await import('node:fs');
       process.on('SIGTERM', () => {});
       const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'ignore' });
       writeFileSync(${JSON.stringify(path.join(folder.path, 'pids'))}, process.pid + ' ' + child.pid);
       setInterval(() => {}, 1_000);`,
    );
    const source = await credentialsOf({ exec });
    const failed = source.get().catch((error: unknown) => error);
    let pids: number[] = [];
    while (pids.length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const text = await readFile(path.join(folder.path, 'pids'), 'utf8').catch(() => '');
      pids = text === '' ? [] : text.split(' ').map(Number);
    }
    source.close?.();
    for (const pid of pids) await untilGone(pid);
    await expect(failed).resolves.toMatchObject({ message: expect.stringMatching(/was ended by SIGKILL$/) as unknown });
    await expect(source.get()).rejects.toThrow(/the client is closed/);
  });

  it('are not waited for when a daemon that they leave behind holds their output', async () => {
    const { exec } = plugin(
      `const { spawn } = await import('node:child_process'); const { writeFileSync } = await import('node:fs');
       const daemon = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'inherit', detached: true });
       writeFileSync(${JSON.stringify(path.join(folder.path, 'daemon'))}, String(daemon.pid));
       daemon.unref(); print({ token: 't' }); process.exit(0);`,
    );
    const source = await credentialsOf({ exec });
    await expect(source.get()).resolves.toMatchObject({ headers: { authorization: 'Bearer t' } });
    const pid = Number(await readFile(path.join(folder.path, 'daemon'), 'utf8'));
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });
});

describe('PluginProcesses', () => {
  it('ends a process that hangs at its deadline', async () => {
    const args = ['-e', 'setInterval(() => {}, 1_000)'];
    const exit = await new PluginProcesses().run({ command: process.execPath, args, env: process.env, interactive: false, timeoutMs: 50 });
    expect(exit).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
  });
});

describe('kubeconfigFileCredentials with what only client-node knows', () => {
  it('logs in with an auth provider', async () => {
    const far = base64(JSON.stringify({ exp: 4_000_000_000 })).replace(/=+$/, '');
    const idToken = `${base64('{}').replace(/=+$/, '')}.${far}.sig`;
    const source = await credentialsOf(
      { 'auth-provider': { name: 'oidc', config: { 'id-token': idToken } } },
      { 'certificate-authority-data': base64('CA') },
    );
    const { headers, tls } = await source.get();
    expect([headers, String(tls.ca)]).toEqual([{ authorization: `Bearer ${idToken}` }, 'CA']);
  });

  it('goes through the proxy of its cluster', async () => {
    const source = await credentialsOf({ token: 't' }, { 'proxy-url': 'http://proxy.example.com:3128' });
    const { proxy, headers } = await source.get();
    expect([proxy, headers]).toEqual([{ url: 'http://proxy.example.com:3128' }, { authorization: 'Bearer t' }]);
  });

  it('goes through a proxy of SOCKS by an agent of client-node', async () => {
    const source = await credentialsOf({ token: 't' }, { 'proxy-url': 'socks5://proxy.example.com:1080' });
    const { proxy } = await source.get();
    await expect(proxy?.agent?.()).resolves.toBeInstanceOf(http.Agent);
  });
});
