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
  /** Where it listens, after each restart as well. */
  url = '';
  private readonly folder: string;
  private child: ChildProcess | undefined;

  /**
   * @param folder - where it keeps its objects from one life to the next, and its temporary files.
   */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Starts it, at the port that it had before: throws a CliError when it ends in place of listening. */
  async start(): Promise<void> {
    const [, program = ''] = process.argv;
    const port = this.url === '' ? '0' : new URL(this.url).port;
    const args = ['api-server', '--workload', '--control', '--port', port, '--data', join(this.folder, 'objects.ndjson')];
    const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TMPDIR: this.folder, TEMP: this.folder, TMP: this.folder },
    });
    this.child = child;
    let said = '';
    const told = new Promise<string>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const [url] = /https?:\/\/[\d.:]+/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      });
    });
    const url = await Promise.race([told, once(child, 'exit').then(() => undefined)]);
    if (url === undefined) throw new CliError(`the API server did not start: ${said.trim() || 'it said nothing'}`);
    this.url = url;
  }

  /** Ends it without a warning. */
  kill(): void {
    this.child?.kill('SIGKILL');
  }

  /** Asks it to do something to its clients. */
  async control(action: Action, body: object = {}): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/-/${action}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new CliError(`the API server answered ${String(answer.status)}`);
    await answer.body?.cancel();
  }

  /** Ends it, and waits until it is gone. */
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
