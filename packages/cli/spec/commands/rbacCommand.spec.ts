import { mkdtemp, rm, watch, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { runCli } from '../../src/runCli.js';
import { startApiServer } from '@rx-informer/api-server';
import { FakeTerminal } from '../fakeTerminal.js';

/** A program that lists pods like a client that reads the kubeconfig of the environment. */
const lister = `
const { readFileSync } = require('node:fs');
const [, server] = /"server":"([^"]+)"/.exec(readFileSync(process.env.KUBECONFIG, 'utf8'));
fetch(server + '/apis/example.com/v1/widgets', { headers: { 'user-agent': 'lister/1' } }).then((answer) => process.exit(answer.ok ? 0 : 7));
`;

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;

describe('rx-informer rbac', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  const run = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = new FakeTerminal();
    return { code: await runCli(['rbac', ...args], terminal), ...terminal.written };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rbac-'));
    await writeFile(file('lister.cjs'), lister);
    await writeFile(file('crd.yaml'), widgets);
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: op }\nrules:\n  - ';
    await writeFile(file('right.yaml'), `${role}{ apiGroups: [example.com], resources: [widgets], verbs: [list] }\n`);
    await writeFile(file('wrong.yaml'), `${role}{ apiGroups: [example.com], resources: [widgets], verbs: [get] }\n`);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('runs a program against a server of its own and writes the role for what it used', async () => {
    const { code, out } = await run('--preload', file('crd.yaml'), '--role-name', 'op', '--', process.execPath, file('lister.cjs'));
    expect(code).toBe(0);
    expect(parse(out)).toEqual({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'op' },
      rules: [{ apiGroups: ['example.com'], resources: ['widgets'], verbs: ['list'] }],
    });
  });

  it('warns that a server without objects does not show everything', async () => {
    const asks = lister.replace('/apis/example.com/v1/widgets', '/api/v1/pods');
    await writeFile(file('asks.cjs'), asks);
    const { code, err } = await run('--', process.execPath, file('asks.cjs'));
    expect([code, err]).toEqual([0, expect.stringContaining('there was no object in the server')]);
  });

  it('compares manifests and fails where they grant less, and with --exact where they grant more', async () => {
    const check = (manifest: string, ...more: readonly string[]) =>
      run('--preload', file('crd.yaml'), '--check', file(manifest), ...more, '--', process.execPath, file('lister.cjs'));
    expect(await check('right.yaml', '--exact')).toEqual({ code: 0, out: '', err: '' });
    const { code, err } = await check('wrong.yaml', '--exact');
    expect(code).toBe(1);
    expect(err).toContain('- { apiGroups: [example.com], resources: [widgets], verbs: [list] }');
    expect(err).toContain('ClusterRole op: - { apiGroups: [example.com], resources: [widgets], verbs: [get] }');
  });

  it('says when the program has failed', async () => {
    const { code, err } = await run('--', process.execPath, file('lister.cjs'));
    expect(code).toBe(1);
    expect(err).toMatch(/ended with 7: the rights may be incomplete/);
    expect((await run('--', join(folder, 'nothing'))).err).toContain('cannot run');
  });

  it('writes what a program has used that a signal ends', async () => {
    const terminal = new FakeTerminal();
    const waits = lister.replace(
      'process.exit(answer.ok ? 0 : 7)',
      `require('node:fs').writeFileSync(${JSON.stringify(file('ready'))}, '')`,
    );
    await writeFile(file('waits.cjs'), `${waits}setInterval(() => 0, 1000);`);
    const changes = watch(folder);
    const ended = runCli(['rbac', '--preload', file('crd.yaml'), '--', process.execPath, file('waits.cjs')], terminal);
    for await (const { filename } of changes) if (filename === 'ready') break;
    terminal.getSignal('SIGTERM');
    expect([await ended, terminal.written.err]).toEqual([143, '']);
    expect(terminal.written.out).toContain('widgets');
  });

  it('says when the program did not talk to the server, which would grant nothing and pass every check', async () => {
    for (const check of [[], ['--check', file('right.yaml')]]) {
      const { code, out, err } = await run(...check, '--', process.execPath, '--eval', '0');
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain('sent no request to the server: it must use the one in the environment variable KUBECONFIG');
    }
  });

  it('asks a server that other processes may control', async () => {
    const server = await startApiServer({ control: true });
    await fetch(`${server.url}/api/v1/pods`, { headers: { 'user-agent': 'lister/1' } });
    const { code, out } = await run('--server', server.url, '--user-agent', 'lister', '--service-account', 'a/b');
    expect(code).toBe(0);
    expect(out).toMatch(/kind: ClusterRole\n.*---\n.*kind: ClusterRoleBinding/s);
    expect((await run('--server', server.url, '--user-agent', 'nobody')).err).toContain('Expected requests of nobody');
    await server.close();
    const closed = await startApiServer();
    expect((await run('--server', closed.url)).err).toContain('to be an api-server with --control');
    await closed.close();
  });

  it.each([
    [[], 'expected either a command'],
    [['--server', 'http://x', '--', 'y'], 'expected either a command'],
    [['--exact', '--', 'y'], 'expected --check'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
