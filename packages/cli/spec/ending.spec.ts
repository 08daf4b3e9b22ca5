import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../src/runCli.js';
import { processTerminal } from '../src/terminal.js';
import { type TestApiServer, startApiServer } from '@rx-informer/api-server';
import { FakeTerminal } from './fakeTerminal.js';

describe('a command at a server that does not answer', () => {
  const sockets = new Set<Socket>();
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it.each(['watch pods', 'watch widgets', 'logs web', 'why pods web', 'verify pods', 'record pods -', 'types'])(
    'is ended by Ctrl-C without a word: %s',
    async (command) => {
      const terminal = new FakeTerminal(true);
      const asked = once(server, 'connection');
      const ended = runCli([...command.split(' '), '--server', url], terminal);
      await asked;
      terminal.pressInterrupt();
      expect(await ended).toBe(130);
      expect(terminal.written).toEqual({ out: '', err: '' });
    },
  );
});

describe('a command that a signal ends', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('has the exit code of shells: %s %i', async (signal, expected) => {
    const terminal = new FakeTerminal();
    const ended = runCli(['api-server'], terminal);
    await terminal.shows(/kubeconfig/);
    terminal.getSignal(signal);
    expect(await ended).toBe(expected);
  });

  it('tells the signals of its process apart', () => {
    const told: string[] = [];
    const stop = processTerminal.onInterrupt((signal) => told.push(signal));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.emit(signal, signal);
    stop();
    expect(told).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
  });
});

describe('a program in front of a server', () => {
  let server: TestApiServer;

  beforeAll(async () => {
    server = await startApiServer();
  });
  afterAll(() => server.close());

  it('goes on when nobody reads its messages any more', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['watch', 'namespaces', '-o', 'name', '--server', server.url], terminal);
    await terminal.shows(/namespace\/default/);
    terminal.stopReadingErrors();
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
  });

  it('has 80 columns and 24 rows on a terminal that does not know its size', async () => {
    const terminal = new FakeTerminal(true);
    Object.assign(terminal.stdout, { columns: 0, rows: 0 });
    const ended = runCli(['watch', 'namespaces', '--server', server.url], terminal);
    await terminal.shows(/NAME .*\n[^]*kube-system [^]*live at resource version \d+/);
    terminal.press('q');
    expect(await ended).toBe(0);
  });
});

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a file in a folder that cannot be made', () => {
  it('is refused at once', async () => {
    const terminal = new FakeTerminal();
    expect(await runCli(['api-server', '--kubeconfig', '/proc/none/kubeconfig'], terminal)).toBe(1);
    expect(terminal.written.err).toMatch(/^rx-informer: cannot write \/proc\/none\/kubeconfig: .*ENOENT/);
  });
});
