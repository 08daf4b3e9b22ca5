import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const commands = ['chromium', 'chromium-browser', 'google-chrome'];

/** The command and the version of the Chromium that is installed, undefined when there is none. */
export function findChromium(): { readonly command: string; readonly version: string } | undefined {
  for (const command of commands) {
    try {
      return { command, version: execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() };
    } catch {
      continue;
    }
  }
  return undefined;
}

/** A browser without a window, with one page open. */
export interface Browser {
  /** What it wrote about itself and the page's console so far. */
  messages(): string;
  close(): Promise<void>;
}

/** Opens a page. */
export function openPage(command: string, url: string): Browser {
  const profile = mkdtempSync(join(tmpdir(), 'rx-informer-chromium-'));
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--enable-logging=stderr'];
  // Debian's command is a script: as the leader of a group it can be ended with all its processes.
  const child = spawn(command, [...args, `--user-data-dir=${profile}`, url], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const messages: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => messages.push(text));
  const gone = once(child, 'close');
  return {
    messages: () => messages.join(''),
    close: async () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
