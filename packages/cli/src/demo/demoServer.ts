import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CliError } from '../cliError.js';

const stopMs = 3_000;

/** The actions that the server carries out on request, under the path `/-/`. */
type Action = 'expire' | 'cut-connections' | 'faults';

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** The API server of the demonstration, in a process of its own: it is watched over a real network connection, and can be killed. */
export class DemoServer {
  /** Its URL, which stays the same after a restart. */
  url = '';
  private readonly folder: string;
  private child: ChildProcess | undefined;

  /** @param folder - the folder for its objects, which survive a restart, and for temporary files. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Starts the server at its former port. Throws a CliError when the process ends before it listens. */
  async start(): Promise<void> {
    const [, program = ''] = process.argv;
    const port = this.url === '' ? '0' : new URL(this.url).port;
    const args = ['api-server', '--workload', 'lively', '--control', '--port', port, '--data', join(this.folder, 'objects.ndjson')];
    const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TMPDIR: this.folder, TEMP: this.folder, TMP: this.folder },
    });
    this.child = child;
    let said = '';
    const announced = new Promise<string>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const [url] = /https?:\/\/[\d.:]+/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      });
    });
    const url = await Promise.race([announced, once(child, 'exit').then(() => undefined)]);
    if (url === undefined) throw new CliError(`the API server did not start: ${said.trim() || 'it said nothing'}`);
    this.url = url;
  }

  /** Kills the process. */
  kill(): void {
    this.child?.kill('SIGKILL');
  }

  /** Requests an action that affects the server's clients. */
  async control(action: Action, body: object = {}): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/-/${action}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new CliError(`the API server answered ${String(answer.status)}`);
    await answer.body?.cancel();
  }

  /** Ends the process, and waits until it has exited. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || hasEnded(child)) return;
    const gone = once(child, 'exit');
    const kill = setTimeout(() => child.kill('SIGKILL'), stopMs);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(kill);
  }
}
