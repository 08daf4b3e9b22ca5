import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What Firefox asks the network for of its own accord is switched off, and what a page's console says goes to standard output. */
const firefoxSettings = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.dom.window.dump.enabled': true,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'devtools.console.stdout.content': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
};

function prepareFirefox(profile: string): void {
  const lines = Object.entries(firefoxSettings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
}

/** The name of a browser that the specs know. */
export type BrowserName = 'Chromium' | 'Firefox';

interface Family {
  readonly name: BrowserName;
  readonly commands: readonly string[];
  /** Debian's package. */
  readonly package: string;
  readonly args: (profile: string) => readonly string[];
  readonly prepare: (profile: string) => void;
}

const families: Readonly<Record<BrowserName, Family>> = {
  Chromium: {
    name: 'Chromium',
    commands: ['chromium', 'chromium-browser', 'google-chrome'],
    package: 'chromium',
    args: (profile: string): readonly string[] => [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--enable-logging=stderr'],
      `--user-data-dir=${profile}`,
    ],
    prepare: () => undefined,
  },
  Firefox: {
    name: 'Firefox',
    commands: ['firefox', 'firefox-esr'],
    package: 'firefox-esr',
    args: (profile: string): readonly string[] => ['--headless', '--no-remote', '--profile', profile],
    prepare: prepareFirefox,
  },
};

/** A browser without a window, with one page open. */
export interface Browser {
  /** What it wrote about itself and the page's console so far. */
  messages(): string;
  close(): Promise<void>;
}

/** A browser that is installed. */
export interface InstalledBrowser {
  readonly command: string;
  readonly version: string;
  /** Opens a page. */
  open(url: string): Browser;
}

function openIn({ name, args, prepare }: Family, command: string, url: string): Browser {
  const profile = mkdtempSync(join(tmpdir(), `rx-informer-${name.toLowerCase()}-`));
  prepare(profile);
  // Debian's commands are scripts: as the leader of a group each can be ended with all its processes.
  const child = spawn(command, [...args(profile), url], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const messages: string[] = [];
  for (const pipe of [child.stdout, child.stderr]) pipe.setEncoding('utf8').on('data', (text: string) => messages.push(text));
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

/** The browser of this name, undefined where it is not installed. Says so then. */
export function findBrowser(name: BrowserName): InstalledBrowser | undefined {
  const family = families[name];
  for (const command of family.commands) {
    try {
      const version = execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
      return { command, version, open: (url) => openIn(family, command, url) };
    } catch {
      continue;
    }
  }
  console.warn(`${name} is not installed: its specs are skipped. Debian has it in the package ${family.package}.`);
  return undefined;
}
