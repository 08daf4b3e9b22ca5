import { get } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import { runCli } from '../../src/cli/runCli.js';
import { startApiServer, type TestApiServer } from '../../src/testing/startApiServer.js';
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

  it('prints its help and is done', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    expect(out).toMatch(/watch.*demo.*api-server/s);
  });

  it.each([
    [['watch'], "missing required argument 'kind'"],
    [['watch', 'pods', '--nope'], "unknown option '--nope'"],
    [['watch', 'pods', '-o', 'xml'], "argument 'xml' is invalid. Allowed choices are table, json, yaml, name, events."],
    [['bogus'], "unknown command 'bogus'"],
    [['api-server', '--port', '70000'], 'expected a port from 0 to 65535, got "70000"'],
    [['demo', '--duration', 'long'], 'expected a duration such as 20s, 500ms or 1m30s, got "long"'],
    [['watch', 'pods', '-l', 'a=(', '--server', 'http://127.0.0.1:1'], 'Unable to parse the label selector "a=("'],
    [['watch', 'pods', '--field-selector', 'a', '--server', 'http://127.0.0.1:1'], 'Unable to parse the field selector "a"'],
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
    [['po', '-o', 'json'], /^\{"type":"added","object":\{"kind":"Pod".*"name":"web"/m],
    [['Pod', '-o', 'yaml'], /^---\n# added default\/web\napiVersion: v1|^---\n# added default\/web\nkind: Pod/m],
    [['pods', '-A', '-o', 'events'], /^added {4}default\/web at resource version \d+ \(initial\)\nsynced {3}at resource version \d+$/m],
    [['pods', '-l', 'app=web'], /^EVENT +NAME +READY +STATUS +RESTARTS +AGE\nadded +web +0\/1 +Pending +0 +\d+s$/m],
    [['pods', '-A', '--field-selector', 'metadata.name=web'], /^EVENT +NAMESPACE +NAME.*\nadded +default +web/m],
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
});
