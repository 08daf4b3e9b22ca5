import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, ReplaySubject } from 'rxjs';
import { resources } from 'rx-informer';
import { runCli } from '../../src/runCli.js';
import { createManager } from '@rx-informer/controller/manager';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { commandLine } from '../../../../spec/e2e/serverProcess.js';
import { ask, lookAt, tokenOf } from '../../../inspector/spec/ask.js';
import { FakeTerminal } from '../fakeTerminal.js';

const { configmaps } = resources.core.v1;

/** The inspector that a command has opened. */
async function opened(terminal: FakeTerminal): Promise<{ readonly url: string; readonly port: number }> {
  await terminal.shows(/inspector: http:\S+/);
  const [, url = ''] = /inspector: (\S+)/.exec(terminal.written.err) ?? [];
  return { url, port: Number(new URL(url).port) };
}

describe('the command line', () => {
  let server: TestApiServer;
  let folder: string;

  beforeEach(async () => {
    server = await startApiServer();
    folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
    await server.client.create(configmaps, { metadata: { name: 'settings', namespace: 'default' } });
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  it('shows what a command does, saves it, and shows it again', async () => {
    const terminal = new FakeTerminal();
    const watching = runCli(['watch', 'configmaps', '--inspect', '--server', server.url], terminal);
    const inspector = await opened(terminal);
    await terminal.shows(/settings/);
    expect(await lookAt(inspector, {})).toMatchObject({
      things: [{ facts: { kind: 'informer', name: 'configmaps', objects: 1, subscribers: 1 } }],
    });
    const { text } = await ask(inspector.port, '/export', tokenOf(inspector));
    terminal.pressInterrupt();
    expect(await watching).toBe(130);
    await expect(ask(inspector.port, '/')).rejects.toThrow();

    const file = join(folder, 'inspection.jsonl');
    await writeFile(file, text);
    const later = new FakeTerminal();
    const replaying = runCli(['replay', '--inspect', file], later);
    const again = await opened(later);
    const { things, title } = (await lookAt(again, { panel: 'objects' })) as unknown as { things: { id: number }[]; title: string };
    expect(title).toMatch(/^rx-informer watch, as it was at 20/);
    expect(await lookAt(again, { panel: 'objects', of: things[0]?.id, key: 'default/settings' })).toMatchObject({
      open: { object: { metadata: { name: 'settings' } } },
    });
    later.pressInterrupt();
    expect(await replaying).toBe(130);

    const plain = new FakeTerminal();
    expect(await runCli(['replay', file], plain)).toBe(1);
    expect(plain.written.err).toContain('was written by the inspector; open it with --inspect');
  });

  it('shows what was saved until it is asked to end, though nothing else runs in its process', async () => {
    const file = join(folder, 'inspection.jsonl');
    await writeFile(file, `${JSON.stringify({ inspection: 1, title: 'program', at: 0, warnings: [], requests: [] })}\n`);
    const child = spawn(process.execPath, [...commandLine, 'replay', file, '--inspect'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'exit');
    const terminal = new FakeTerminal();
    child.stderr.setEncoding('utf8').on('data', (text: string) => terminal.stderr.write(text));
    const inspector = await opened(terminal);
    expect(await ask(inspector.port, '/look', tokenOf(inspector))).toMatchObject({ status: 200 });
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });

  it('shows what the workload of an api-server does', async () => {
    const terminal = new FakeTerminal();
    const serving = runCli(['api-server', '--workload', '--inspect'], terminal);
    const inspector = await opened(terminal);
    const loops = async (): Promise<readonly unknown[]> =>
      ((await lookAt(inspector, { panel: 'queues' })) as unknown as { things: unknown[] }).things;
    // Each check is a new request; the time limit of the spec ends the search.
    while ((await loops()).length < 6) expect(terminal.written.err).not.toMatch(/rx-informer:/);
    terminal.pressInterrupt();
    expect(await serving).toBe(130);
  });

  it('says that a port is taken', async () => {
    const terminal = new FakeTerminal();
    const { port } = new URL(server.url);
    expect(await runCli(['watch', 'configmaps', `--inspect=${port}`, '--server', server.url], terminal)).toBe(1);
    expect(terminal.written.err).toMatch(/cannot open the inspector: .*EADDRINUSE/);
  });

  it('prints what a manager runs, to nobody but this machine', async () => {
    const lines = new ReplaySubject<string>(Infinity);
    const note = (line: string): void => lines.next(line);
    const manager = createManager({
      client: server.client,
      process: false,
      logger: { info: note, error: note },
      port: 0,
      host: '127.0.0.1',
    });
    manager.add('maps', ({ informer, reconcile }) =>
      reconcile({ sources: { maps: informer(configmaps).resource$ }, reconcile: () => Promise.resolve({}) }),
    );
    const ended = manager.run();
    await firstValueFrom(lines.pipe(filter((line) => line === 'caches are complete')), { defaultValue: '' });
    const port = manager.port() ?? 0;
    const answer = await fetch(`http://127.0.0.1:${String(port)}/dump`);
    expect(await answer.json()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'manager', name: 'maps', state: 'running' }),
        expect.objectContaining({ kind: 'informer', name: 'configmaps', content: expect.arrayContaining(['default/settings']) as unknown }),
        expect.objectContaining({ kind: 'controller', name: 'maps' }),
      ]),
    );
    expect(await ask(port, '/dump', { host: 'evil.example' })).toMatchObject({ status: 403 });
    expect(await ask(port, '/dump', { origin: `http://127.0.0.1:${port}` })).toMatchObject({ status: 403 });
    await manager.stop();
    await ended;
  });
});
