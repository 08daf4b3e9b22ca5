import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, resources } from 'rx-informer';
import { runCli } from '../src/runCli.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { FakeTerminal } from './fakeTerminal.js';

describe('runCli', () => {
  let server: TestApiServer;

  beforeAll(async () => {
    server = await startApiServer();
    const metadata = { name: 'web', namespace: 'default', labels: { app: 'web' } };
    await server.client.create(resources.core.v1.pods, { metadata, spec: { containers: [{ name: 'c', image: 'x' }] } });
  });

  afterAll(async () => {
    await server.close();
  });

  const run = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = new FakeTerminal();
    return { code: await runCli(args, terminal), ...terminal.written };
  };
  /** Watches until something is shown, then presses Ctrl-C. */
  const watch = async (shown: RegExp, args: readonly string[], isTTY = false): Promise<{ code: number; out: string }> => {
    const terminal = new FakeTerminal(isTTY);
    const ended = runCli(['watch', ...args, '--server', server.url], terminal);
    await terminal.shows(shown);
    terminal.pressInterrupt();
    return { code: await ended, out: terminal.written.out };
  };

  it('is left by q with the table and the state as they were, and without a word about keys', async () => {
    const terminal = new FakeTerminal(true);
    const ended = runCli(['watch', 'pods', '--server', server.url], terminal);
    await terminal.shows(/1 pods, 0 changes \| live at resource version \d+ \| \? for keys/);
    terminal.press('j');
    await terminal.shows(/▶ web/);
    terminal.press('q');
    expect(await ended).toBe(0);
    const last = terminal.written.out.split('\u001b[J').at(-1) ?? '';
    expect(last).toMatch(/^NAME .*\nweb .*\n● 1 pods, 0 changes \| live at resource version \d+\n$/);
    expect(terminal.press('j')).toBe(false);
  });

  it('says that a named object does not exist yet, on a terminal and in a pipe', async () => {
    const terminal = new FakeTerminal(true);
    const ended = runCli(['watch', 'pod/nosuch', '--server', server.url], terminal);
    await terminal.shows(/no such pod yet: nosuch \| live/);
    terminal.press('q');
    expect(await ended).toBe(0);
    const piped = new FakeTerminal();
    const over = runCli(['watch', 'pod/nosuch', 'pod/web', '--server', server.url], piped);
    await piped.shows(/web/);
    await piped.shows(/no such pod yet/);
    piped.pressInterrupt();
    await over;
    expect(piped.written.err).toBe('rx-informer: no such pod yet: nosuch\n');
  });

  it('leaves the version out of a state line that would not fit, and not the filter or the key for help', async () => {
    const terminal = new FakeTerminal(true);
    const ended = runCli(['watch', 'pods', '--server', server.url], terminal);
    await terminal.shows(/live at resource version \d+ \| \? for keys/);
    for (const key of '/no-object-of-the-hundred-columns') terminal.press(key);
    expect(terminal.written.out).toMatch(/0 changes \| live \| \/no-object-of-the-hundred-columns▏: 0 of 1 \| \? for keys$/);
    terminal.press('\r');
    terminal.press('q');
    expect(await ended).toBe(0);
  });

  it('prints its help and is done', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    expect(out).toMatch(/watch.*demo.*api-server/s);
  });

  it.each([
    [['watch'], "missing required argument 'kind'"],
    [['watch', 'pods', '--nope'], "unknown option '--nope'"],
    [
      ['watch', 'pods', '-o', 'xml'],
      "argument 'xml' is invalid. expected one of table, wide, diff, json, yaml, name, events, jsonpath=TEMPLATE",
    ],
    [['watch', 'pods', '-o', 'jsn'], 'did you mean `json`?'],
    [['watch', 'pods', '-o', 'jsonpath'], "argument 'jsonpath' is invalid. expected jsonpath=TEMPLATE\n"],
    [['watch', 'pods', '-o', 'custom-columns='], 'expected custom-columns=HEADER:PATH,...\n'],
    [['watch', 'pods', '-o', 'jsonpath={.a'], 'Expected every brace to be closed'],
    [['watch', 'pod/web', 'service'], 'expected kind/name, got "service"'],
    [['watch', 'pods', 'a=b'], 'expected the name of an object, got "a=b"'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
    [['bogus'], "unknown command 'bogus'"],
    [['api-server', '--port', '70000'], 'expected a port from 0 to 65535, got "70000"'],
    [['demo', '--duration', 'long'], 'expected a duration such as 20s, 500ms or 1m30s, or a number of seconds, got "long"'],
    [['watch', 'pods', '-l', 'a=(', '--server', 'http://127.0.0.1:1'], 'Unable to parse the label selector "a=("'],
    [['watch', 'pods', '--field-selector', 'a', '--server', 'http://127.0.0.1:1'], 'Unable to parse the field selector "a"'],
    [
      ['watch', 'pods', '--server', 'localhost:8001'],
      'expected the address of an API server, such as http://127.0.0.1:8001, got "localhost:8001"',
    ],
    [['rbac', '--server', 'http://127.0.0.1:1/?a'], 'expected the address of an API server'],
  ])('refuses %j in one line, with exit code 2', async (args, message) => {
    const { code, out, err } = await run(...args);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(`rx-informer: `);
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('suggests similar kinds for an unknown one', async () => {
    const { code, err } = await run('watch', 'podz', '--server', server.url);
    expect(code).toBe(2);
    expect(err).toMatch(/^rx-informer: .*"podz".*pods.*\n$/);
  });

  it('says that a namespace does not exist', async () => {
    const { code, err } = await run('watch', 'pods', '-n', 'nope', '--server', server.url);
    expect(code).toBe(1);
    expect(err).toBe('rx-informer: namespace "nope" not found; expected an existing one, or -A for all\n');
  });

  it('says that the server cannot be reached', async () => {
    const { code, err } = await run('watch', 'pods', '--server', 'http://127.0.0.1:1');
    expect(code).toBe(1);
    expect(err).toMatch(/^rx-informer: .*ECONNREFUSED.*nothing listens there.*\n$/);
  });

  it('says that a kubeconfig cannot be read', async () => {
    const { code, err } = await run('watch', 'pods', '--kubeconfig', 'does/not/exist');
    expect(code).toBe(1);
    expect(err).toMatch(/^rx-informer: .*does\/not\/exist.*\n$/);
  });

  it.each([
    [['pods', '-o', 'name'], /^pod\/web$/m],
    [['pods', '-n', '', '-o', 'name'], /^pod\/web$/m],
    [['po', '-o', 'json'], /^\{"type":"added","object":\{"kind":"Pod".*"name":"web"/m],
    [['Pod', '-o', 'yaml'], /^---\n# added default\/web\napiVersion: v1|^---\n# added default\/web\nkind: Pod/m],
    [['pods', '-A', '-o', 'events'], /^added {4}default\/web at resource version \d+ \(initial\)\nsynced {3}at resource version \d+$/m],
    [['pods', '-l', 'app=web'], /^EVENT +NAME +READY +STATUS +RESTARTS +AGE\nadded +web +0\/1 +Pending +0 +\d+s$/m],
    [['pods', '-A', '--field-selector', 'metadata.name=web'], /^EVENT +NAMESPACE +NAME.*\nadded +default +web/m],
    [['pods', 'web', '-o', 'name'], /^pod\/web\n$/],
    [['pod/web', '-o', 'wide'], /^EVENT +NAME +READY +STATUS +RESTARTS +AGE +IP +NODE.*\nadded +web /m],
    [['pods,namespaces'], /^added +pod\/web .*[^]*^added +namespace\/default |^added +namespace\/default .*[^]*^added +pod\/web /m],
    [['pods', '-o', 'jsonpath={.metadata.name}{"\\t"}{.metadata.labels.app}'], /^web\tweb\n$/],
    [['pods', '-o', 'custom-columns=POD:.metadata.name,NODE:spec.nodeName'], /^EVENT +POD +NODE\nadded +web +<none>$/m],
    [['namespaces', '-n', 'default'], /^EVENT +NAME +STATUS +AGE\nadded +default +Active/m],
  ])('shows %j as it is asked to', async (args, expected) => {
    const { code, out } = await watch(expected, args);
    expect(code).toBe(130);
    expect(out).toMatch(expected);
  });

  it('draws a table with the state of the link on a terminal', async () => {
    const { code, out } = await watch(/live at resource version/, ['pods', '-A'], true);
    expect(code).toBe(130);
    expect(out).toMatch(/NAMESPACE +NAME +READY/);
    expect(out).toMatch(/● 1 pods, 0 changes \| live at resource version \d+/);
    expect(out.endsWith('\n')).toBe(true);
  });

  it('colours by state where colour is wanted', async () => {
    const { out } = await watch(/Pending/, ['pods', '--color', 'always']);
    expect(out.replaceAll('\u001b', 'ESC')).toMatch(/ESC\[32madded *ESC\[39m.*ESC\[33mPending *ESC\[39m/);
    expect((await watch(/Pending/, ['pods', '--color', 'auto'])).out).not.toContain('\u001b');
  });

  it('shows what each update changes', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['watch', 'configmaps', '-o', 'diff', '--server', server.url], terminal);
    const { configmaps } = resources.core.v1;
    await server.client.create(configmaps, { metadata: { name: 'settings', namespace: 'default' }, data: { a: '1', b: '2' } });
    await terminal.shows(/added +default\/settings at resource version \d+\n/);
    await server.client.patch(configmaps, 'settings', 'merge', { data: { a: '3', b: null, c: '4' } }, { namespace: 'default' });
    await terminal.shows(/\+ \.data\.c/);
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
    expect(terminal.written.out).toMatch(
      /updated default\/settings at resource version \d+\n {2}~ \.data\.a: "1" → "3"\n {2}- \.data\.b: "2"\n {2}\+ \.data\.c: "4"\n/,
    );
  });

  it('ends in good order when nobody reads its output any more', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['watch', 'pods', '-o', 'name', '--server', server.url], terminal);
    await terminal.shows(/pod\/web/);
    terminal.stopReading();
    expect(await ended).toBe(0);
  });

  it('fails with a word when its output cannot be written', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['watch', 'pods', '-o', 'name', '--server', server.url], terminal);
    await terminal.shows(/pod\/web/);
    terminal.fillDisk();
    expect(await ended).toBe(1);
    expect(terminal.written.err).toContain('rx-informer: the output cannot be written: ENOSPC: no space left on device');
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile('packages/cli/package.json', 'utf8')) as { version: string };
    expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('shows the objects of the names given, and no others', async () => {
    // One is read after the other, or before it.
    const { out } = await watch(/default\n.*kube-system\n|kube-system\n.*default\n/s, [
      'namespaces',
      'default',
      'kube-system',
      '-o',
      'jsonpath={.metadata.name}',
    ]);
    expect(out.trim().split('\n').sort()).toEqual(['default', 'kube-system']);
  });

  it('ends when one of several kinds cannot be shown', async () => {
    const { code, err } = await run('watch', 'pods,podz', '--server', server.url);
    expect([code, err]).toEqual([2, expect.stringMatching(/"podz".*did you mean `pods`/)]);
  });

  const complete = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { out } = await run('complete', '--', ...words);
    return out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/\t.*/, ''));
  };

  it.each(['bash', 'zsh', 'fish'])('prints a completion for %s, which asks the program', async (shell) => {
    const { code, out } = await run('completion', shell);
    expect([code, out]).toEqual([0, expect.stringContaining(' complete -- ')]);
  });

  it('completes in bash what the program says, one word from each line', async () => {
    const { out } = await run('completion', 'bash');
    const folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
    const program = join(folder, 'rx-informer');
    await writeFile(program, '#!/bin/sh\nprintf "%s\\twhat it is\\n" "$@"\n', { mode: 0o755 });
    const script = `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rx_informer; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const shown = execFileSync('bash', ['-c', script, 'bash', program, 'watch', 'deplo'], { encoding: 'utf8' });
    await rm(folder, { recursive: true });
    expect(shown).toBe('complete\n--\nwatch\ndeplo\n');
  });

  it('completes commands, options, and the values that an option has', async () => {
    expect(await complete('wat')).toEqual(['watch']);
    expect(await complete('api-server', '--kub')).toEqual(['--kubeconfig']);
    expect(await complete('watch', 'pods', '--color', 'a')).toEqual(['always', 'auto']);
    expect(await complete('watch', 'pods', '-o', 'js')).toEqual(['json', 'jsonpath=']);
    expect(await complete('completion', 'f')).toEqual(['fish']);
    expect(await complete('replay', '')).toEqual([]);
    expect(await complete('bogus', '')).toEqual([]);
  });

  it('completes the kinds of the cluster, custom resources too, its objects and its namespaces', async () => {
    const names = { plural: 'gizmos', kind: 'Gizmo' };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
    const definition = { metadata: { name: 'gizmos.example.com' }, spec: { group: 'example.com', scope: 'Namespaced', names, versions } };
    await server.client.create(resources.apiextensions.v1.customresourcedefinitions, definition);
    const to = ['--server', server.url];
    expect(await complete('watch', ...to, 'gizm')).toEqual(['gizmos']);
    expect(await complete('watch', ...to, 'pods,gizm')).toEqual(['pods,gizmos']);
    expect(await complete('watch', ...to, '-n', 'default', 'pods', 'w')).toEqual(['web']);
    expect(await complete('why', ...to, '-n', 'default', 'pod/w')).toEqual(['pod/web']);
    expect(await complete('why', ...to, '-n', 'default', 'pod/web', 'pod/w')).toEqual(['pod/web']);
    expect(await complete('watch', ...to, 'pods', '-n', 'def')).toEqual(['default']);
    expect(await complete('logs', ...to, '-n', 'default', 'w')).toEqual(['web']);
    expect(await complete('logs', ...to, '-n', 'default', 'pod/w')).toEqual(['pod/web']);
    expect(await complete('logs', ...to, '-n', 'default', 'web', 'w')).toEqual([]);
  });

  it.each([
    ['.spec.size', /^EVENT +NAME +SIZE +AGE\nadded +first +3 +\d+s$/m],
    // A path that kubectl understands, and this command does not.
    ['.spec.parts[?(@.size>2)].name', /^EVENT +NAME +AGE\nadded +first +\d+s$/m],
  ])('shows a custom resource with the columns of its definition, such as %s', async (jsonPath, expected) => {
    const plural = `shown${jsonPath.length}`;
    const additionalPrinterColumns = [
      { name: 'Size', type: 'integer', jsonPath },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'Far', type: 'string', jsonPath: '.spec.far', priority: 1 },
    ];
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    server.objects.put({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural, kind: `Kind${plural}` },
        versions: [{ name: 'v1', served: true, storage: true, schema, additionalPrinterColumns }],
      },
    } as never);
    server.objects.put({
      apiVersion: 'example.com/v1',
      kind: `Kind${plural}`,
      metadata: { name: 'first', namespace: 'default' },
      spec: { size: 3 },
    } as never);
    const { code, out } = await watch(expected, [plural]);
    expect(code).toBe(130);
    expect(out).toMatch(expected);
  });

  it('shows events of events.k8s.io, whose fields have other names than those that columns read', async () => {
    const metadata = { name: 'first', namespace: 'default' };
    server.objects.put({
      apiVersion: 'v1',
      kind: 'Event',
      metadata,
      involvedObject: { kind: 'Pod', name: 'web' },
      message: 'Pulled it',
      reason: 'Pulled',
      type: 'Normal',
      lastTimestamp: new Date().toISOString(),
    } as never);
    const { out } = await watch(/first/, ['events.events.k8s.io', '-o', 'wide']);
    expect(out).toMatch(/^added +\d+s +Normal +Pulled +pod\/web .*Pulled it .*first$/m);
  });

  it('completes built-in kinds where no cluster answers', async () => {
    expect(await complete('watch', '--server', 'http://127.0.0.1:1', 'deplo')).toEqual(['deployments']);
  });

  it('scaffolds an operator, but not in a folder with something in it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
    const { code, out } = await run('create', join(folder, 'shop-operator'));
    expect([code, out]).toEqual([0, expect.stringContaining('npm test')]);
    const made = JSON.parse(await readFile(join(folder, 'shop-operator/package.json'), 'utf8')) as { readonly name: string };
    expect(made.name).toBe('shop-operator');
    const again = await run('create', join(folder, 'shop-operator'));
    await writeFile(join(folder, 'file'), '');
    const file = await run('create', join(folder, 'file'));
    await rm(folder, { recursive: true });
    expect([file.code, file.err]).toEqual([2, expect.stringContaining('to be a new folder, got a file\n')]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('to be a new folder')]);
  });

  it('writes the kubeconfig of an API server where it is asked to, but over no other file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
    const file = join(folder, 'config');
    for (let times = 0; times < 2; times += 1) {
      const terminal = new FakeTerminal();
      const ended = runCli(['api-server', '--kubeconfig', file], terminal);
      await terminal.shows(/API server at http/);
      const client = createClient({ kubeConfigFile: file });
      expect((await client.list(resources.core.v1.namespaces)).items).toHaveLength(4);
      client.close();
      terminal.pressInterrupt();
      expect(await ended).toBe(130);
      expect(terminal.written.out).toBe(`${file}\n`);
    }
    await writeFile(file, 'current-context: production\n');
    const { code, err } = await run('api-server', '--kubeconfig', file);
    expect([code, err]).toEqual([1, expect.stringContaining('is a file of another program')]);
    expect(await readFile(file, 'utf8')).toBe('current-context: production\n');
    await rm(folder, { recursive: true });
  });

  it('opens an API server to other machines and web pages for whoever has the token in a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
    const file = join(folder, 'token');
    await writeFile(file, ' secret\n', { mode: 0o600 });
    const terminal = new FakeTerminal();
    const origin = 'https://dashboard.example';
    const ended = runCli(['api-server', '--bind', '0.0.0.0', '--token-file', file, '--allow-origin', origin], terminal);
    await terminal.shows(/API server at http/);
    const url = /http:[\d./:]+/.exec(terminal.written.err)?.[0] ?? '';
    const ask = async (headers: Record<string, string>): Promise<readonly [number, string | null]> => {
      const answer = await fetch(`${url}/api/v1/namespaces`, { headers });
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    const authorization = 'Bearer secret';
    expect(await ask({ authorization, origin })).toEqual([200, origin]);
    expect(await ask({ authorization: 'Bearer wrong', origin })).toEqual([401, origin]);
    expect(await ask({ authorization, origin: 'https://other.example' })).toEqual([403, null]);
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
    await writeFile(file, '\n');
    const missing = join(folder, 'missing');
    expect((await run('api-server', '--token-file', file)).err).toContain(`Expected ${JSON.stringify(file)} to hold a token, got nothing`);
    expect((await run('api-server', '--token-file', missing)).err).toContain(`cannot read ${missing}: `);
    const refused = await run('api-server', '--bind', '0.0.0.0');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('expected --token or --token-file, since --bind 0.0.0.0 opens the server to other machines');
    await rm(folder, { recursive: true });
  });

  it('runs an API server until it is interrupted', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['api-server'], terminal);
    await terminal.shows(/API server at http/);
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
    expect(terminal.written.out).toMatch(/^\S+kubeconfig\n$/);
  });

  it('runs an API server with TLS that asks for a token and can be controlled', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['api-server', '--tls', '--token', 'secret', '--control'], terminal);
    await terminal.shows(/API server at https/);
    const client = createClient({ kubeConfigFile: terminal.written.out.trim() });
    expect((await client.list(resources.core.v1.namespaces)).items).toHaveLength(4);
    client.close();
    const url = /https:[\d./:]+/.exec(terminal.written.err)?.[0] ?? '';
    const codeOf = (path: string, authorization: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { rejectUnauthorized: false, agent: false, headers: { authorization } };
        get(`${url}${path}`, options, (answer) => resolve(answer.resume().statusCode)).once('error', reject);
      });
    expect([await codeOf('/-/faults', 'Bearer secret'), await codeOf('/-/faults', 'Bearer wrong')]).toEqual([200, 401]);
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
  });

  it('takes the token of an API server from a file, which lists of processes do not show', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
    const file = join(folder, 'token');
    await writeFile(file, 'from-the-file\n');
    const terminal = new FakeTerminal();
    const ended = runCli(['api-server', '--token-file', file], terminal);
    await terminal.shows(/API server at http/);
    const server = /http:[\d./:]+/.exec(terminal.written.err)?.[0] ?? '';
    const codeOf = async (authorization: string): Promise<number> =>
      (await fetch(`${server}/api/v1/namespaces`, { headers: { authorization } })).status;
    expect([await codeOf('Bearer from-the-file'), await codeOf('Bearer other')]).toEqual([200, 401]);
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
    await writeFile(file, '\n');
    const refused = await run('api-server', '--token-file', file);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('to hold a token, got nothing')]);
    const missing = await run('api-server', '--token-file', join(folder, 'none'));
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('cannot read ')]);
    expect((await run('api-server', '--token-file', file, '--token', 'x')).err).toContain(
      "'--token-file <file>' cannot be used with option '--token <token>'",
    );
    await rm(folder, { recursive: true });
  });
});
