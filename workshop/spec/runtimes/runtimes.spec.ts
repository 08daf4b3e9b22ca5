import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BehaviorSubject, filter, firstValueFrom, timeout } from 'rxjs';
import { resources, type V1ConfigMap } from 'rx-informer';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { gzipGateway } from '../../../spec/e2e/gzipGateway.js';
import { findRuntimes } from './findRuntimes.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let folder: string;

/** The package as its users install it, in a separate folder, with its dependencies. */
async function install(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'rx-informer-runtimes-'));
  const modules = join(folder, 'node_modules');
  await mkdir(modules, { recursive: true });
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  await cp(join(root, 'workshop/spec/runtimes/program.mjs'), join(folder, 'program.mjs'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies: { 'rx-informer': '*' } }));
}

/** A running program, and its output. */
class Program {
  private readonly line$ = new BehaviorSubject<readonly string[]>([]);
  private readonly child: ChildProcess;
  private readonly complaints: string[] = [];

  constructor([file, ...args]: readonly [string, ...string[]], url: string) {
    this.child = spawn(file, [...args, join(folder, 'program.mjs'), url], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    createInterface({ input: this.child.stdout ?? process.stdin }).on('line', (line) => this.line$.next([...this.line$.value, line]));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.complaints.push(text));
  }

  async tells(line: string): Promise<readonly string[]> {
    const told = this.line$.pipe(
      filter((lines) => lines.includes(line)),
      timeout(20_000),
    );
    const lines = await firstValueFrom(told, { defaultValue: undefined }).catch(() => undefined);
    if (lines === undefined) throw new Error(`Expected ${line}, got ${JSON.stringify(this.line$.value)} ${this.complaints.join('')}`);
    return lines;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

beforeAll(install, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const { here, missing } = findRuntimes();
if (missing.length > 0) console.warn(`Not here, and not tested: ${missing.join(', ')}. npm run test:runtimes gets them.`);

describe.each(here)('an informer in $name', ({ command }) => {
  let server: TestApiServer;
  let program: Program | undefined;

  beforeEach(async () => {
    server = await startApiServer();
    for (let at = 0; at < 300; at += 1) put(`old-${at}`, 'x'.repeat(1_000));
  });

  afterEach(async () => {
    await program?.end();
    await server.close();
  });

  const put = (name: string, value: string): void => {
    const configMap: V1ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { value } };
    server.objects.put(configMap);
  };
  const start = (url = server.url): Program => {
    program = new Program(command, url);
    return program;
  };
  const remove = async (): Promise<void> => {
    for (let at = 0; at < 300; at += 1) await server.client.delete(resources.core.v1.configmaps, `old-${at}`, { namespace: 'default' });
  };

  it('follows a server that compresses streamed lists member by member, over cut connections and an expired history', async () => {
    // As Kubernetes 1.37 does for whoever asks for it.
    server.faults.inject({ type: 'compress', verb: 'watch' });
    const running = start(await gzipGateway(server.url));
    await running.tells('synced');
    put('a', '1');
    await running.tells('added default/a 1');
    server.faults.cutConnections();
    put('a', '2');
    await running.tells('updated default/a 2');
    await remove();
    server.faults.expire();
    server.faults.cutConnections();
    put('b', '3');
    put('last', '4');
    const lines = await running.tells('holds a=2 b=3 last=4');
    expect(lines.filter((line) => line.startsWith('added default/old-'))).toHaveLength(300);
    expect(lines.filter((line) => line.startsWith('deleted default/old-'))).toHaveLength(300);
  });

  it('waits for a server that warms up, and lists where the end of a stream never comes', async () => {
    await remove();
    server.faults.inject({ type: 'answer', code: 429, body: 'Too many requests, please try again later.', retryAfterSeconds: 1, count: 2 });
    server.faults.inject({ type: 'withhold', what: 'marker' });
    const running = start();
    await running.tells('synced');
    put('last', '1');
    const lines = await running.tells('holds last=1');
    // A stream that is refused for now is asked for again.
    expect(lines.slice(0, 2)).toEqual(['error ERR_WATCH_LIST', 'error ERR_WATCH_LIST']);
  });
});
