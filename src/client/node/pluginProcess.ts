import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** What a plugin's process is started with. */
interface PluginProcessInit {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Whether it may prompt the user at the terminal. Such a process has no deadline. */
  readonly interactive: boolean;
  /** Deadline in milliseconds, unless interactive. */
  readonly timeoutMs: number;
}

/** How a plugin's process ended. Exactly one of `code` and `signal` is set, unless it ran out of time. */
interface PluginExit {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
}

const maxOutput = 1024 * 1024;

/** How long to wait for output after the exit: a daemon that the plugin started may keep the pipe open. */
const drainMs = 250;

/** Whether the process gets a process group of its own. An interactive one must not: only a terminal's foreground group can read from it. */
const hasOwnGroup = (interactive: boolean): boolean => !interactive && process.platform !== 'win32';

function signalAll(child: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (group) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // No process of the group is left.
  }
}

/** The output of a plugin, collected while it runs. */
function outputOf(child: ChildProcess): Pick<PluginExit, 'stdout' | 'stderr'> {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      if (output[name].length < maxOutput) output[name] += text;
    });
  }
  return output;
}

/** The processes of one client's credential plugins. */
export class PluginProcesses {
  private readonly running = new Set<() => void>();
  private readonly killAfterMs: number;
  private closed = false;

  /** A process that ignores SIGTERM gets SIGKILL after `killAfterMs`, by default 2 s. */
  constructor(killAfterMs = 2_000) {
    this.killAfterMs = killAfterMs;
  }

  /** Runs a plugin, and all processes that it starts, to the end. Rejects with the system's Error when it cannot be started, and after `close`. */
  async run({ command, args, env, interactive, timeoutMs }: PluginProcessInit): Promise<PluginExit> {
    if (this.closed) throw new Error('the client is closed');
    // A user at the terminal must see the plugin's prompts.
    const stdio: StdioOptions = [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'];
    const group = hasOwnGroup(interactive);
    const child = spawn(command, args, { env, stdio, windowsHide: true, detached: group });
    const output = outputOf(child);
    const closed = new Promise((resolve) => child.on('close', resolve));
    // A signal that cannot be sent is an error, too, also after the end.
    child.on('error', () => undefined);
    let timedOut = false;
    let killer: NodeJS.Timeout | undefined;
    const end = (): void => {
      signalAll(child, 'SIGTERM', group);
      killer ??= setTimeout(() => signalAll(child, 'SIGKILL', group), this.killAfterMs);
    };
    const late = (): void => {
      timedOut = true;
      end();
    };
    const deadline = interactive ? undefined : setTimeout(late, timeoutMs);
    this.running.add(end);
    try {
      const [code, signal] = (await once(child, 'exit')) as [PluginExit['code'], PluginExit['signal']];
      await Promise.race([closed, delay(drainMs, undefined, { ref: false })]);
      // After the leader has been killed, members of its group may be left that ignore SIGTERM: the kill timer ends them.
      if (killer === undefined && code !== 0) signalAll(child, 'SIGTERM', group);
      return { ...output, code, signal, timedOut };
    } catch (error) {
      clearTimeout(killer);
      throw error;
    } finally {
      clearTimeout(deadline);
      child.stdout?.destroy();
      child.stderr?.destroy();
      this.running.delete(end);
    }
  }

  /** Ends all running plugins; no further ones can be run. */
  close(): void {
    this.closed = true;
    for (const end of [...this.running]) end();
  }
}
