import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resources } from 'rx-informer';
import { runCli } from '../src/runCli.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { FakeTerminal } from './fakeTerminal.js';

const { secrets } = resources.core.v1;
const inDefault = { namespace: 'default' };

describe('rx-informer record and replay', () => {
  let server: TestApiServer;
  let folder: string;

  beforeEach(async () => {
    server = await startApiServer();
    folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
  });

  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const run = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = new FakeTerminal();
    return { code: await runCli(args, terminal), ...terminal.written };
  };

  it('keep what happened, without the contents of Secrets, and show it again', async () => {
    const file = join(folder, 'secrets.ndjson');
    const { client } = server;
    await client.create(secrets, { metadata: { name: 'first', ...inDefault }, data: { a: 'aHVudGVyMg==' } });
    const terminal = new FakeTerminal();
    const recording = runCli(['record', 'secrets', file, '--server', server.url], terminal);
    await terminal.shows(/recording secrets from version \d+/);
    await client.create(secrets, { metadata: { name: 'second', ...inDefault } });
    await client.delete(secrets, 'first', inDefault);
    while (!(await readFile(file, 'utf8')).includes('"deleted"')) await new Promise((resolve) => setImmediate(resolve));
    terminal.pressInterrupt();
    expect(await recording).toBe(130);
    expect(terminal.written.err).toMatch(/\d+ events in /);
    expect(await readFile(file, 'utf8')).not.toContain('aHVudGVyMg');
    expect((await stat(file)).mode & 0o077).toBe(0);

    const { code, out } = await run('replay', file, '--speed', 'max', '-o', 'name');
    expect([code, out]).toEqual([0, 'secret/first\nsecret/second\nsecret/first deleted\n']);
    expect((await run('replay', file, '--speed', '1000')).out).toMatch(/NAMESPACE +NAME +TYPE.*\nadded +default +first/);
  });

  it('goes to the output where the file is -', async () => {
    const terminal = new FakeTerminal();
    const recording = runCli(['record', 'namespaces', '-', '--server', server.url], terminal);
    await terminal.shows(/"ready"/);
    terminal.pressInterrupt();
    expect(await recording).toBe(130);
    const lines = terminal.written.out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toHaveLength(lines.length);
    expect(terminal.written.out).toContain('"kube-system"');
  });

  it.each([
    [['replay', '{}/nope'], 1, 'cannot read '],
    [['replay', '{}/empty'], 1, 'is empty; expected a recording'],
    [['replay', '{}/odd'], 1, 'Expected line 1 of the recording to be JSON'],
    [['replay', '{}/odd', '--speed', 'fast'], 2, 'expected a number above 0, or max, got "fast"'],
    [['record', 'secrets', '{}/no/such/folder'], 1, 'cannot write '],
    [['record', 'secrets', '{}/odd'], 1, 'exists already; expected the name of a new file, or -'],
  ])('say in one line what is wrong with %j', async (args, code, message) => {
    await writeFile(join(folder, 'empty'), '');
    await writeFile(join(folder, 'odd'), 'hello\n');
    const connection = args[0] === 'record' ? ['--server', server.url] : [];
    const result = await run(...args.map((arg) => arg.replace('{}', folder)), ...connection);
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
    expect(result.err.trim().split('\n')).toHaveLength(1);
  });
});
