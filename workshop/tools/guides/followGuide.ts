import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../../../spec/e2e/browsers.js';
import { ChromiumPage } from '../../../spec/e2e/chromiumPage.js';
import { asUnpublished } from '../release/published.js';
import { type GuideStep, stepsOf } from './stepsOf.js';

/** The timeout for every step of a guide. */
const timeoutMs = 300_000;
/** The timeout until a page or a running program shows the expected output. */
const shownMs = 60_000;

interface Shell {
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** The output so far. */
  readonly printed: () => string;
}

/** Runs a command in a process group of its own, so that it can be ended with all its children. */
function shell(command: string, cwd: string): Shell {
  const child = spawn('bash', ['-e', '-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { process: child, ended, printed: () => stdout };
}

/** Waits until a text, read repeatedly, contains each of these lines. Returns the last text if it never does. */
async function untilShown(output: string, read: () => string | Promise<string>): Promise<string | undefined> {
  const lines = output.trimEnd().split('\n');
  const until = performance.now() + shownMs;
  for (;;) {
    const text = await read();
    if (lines.every((line) => text.includes(line))) return undefined;
    if (performance.now() > until) return text;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Opens a page, and waits until it shows the expected text and then changes, which proves that it is live. */
async function openPage(url: string, output: string): Promise<string | undefined> {
  const browser = findBrowser('Chromium');
  if (browser === undefined) return undefined;
  const page = await ChromiumPage.start(browser.command);
  try {
    await page.open(url);
    const read = async (): Promise<string> => String(await page.evaluate('document.body.innerText'));
    const missing = await untilShown(output, read);
    if (missing !== undefined) return `${url} shows\n${missing}\nin place of\n${output}`;
    const first = await read();
    const until = performance.now() + shownMs;
    while ((await read()) === first) {
      if (performance.now() > until) return `${url} shows the same for ${String(shownMs / 1_000)} s`;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return undefined;
  } finally {
    await page.close();
  }
}

function end({ process: child }: Shell): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
}

/** Follows a guide step by step. The commands of a guide may change folders, so they share one state. */
class Reader {
  private readonly tarballs: string;
  private readonly left: Shell[] = [];
  private folder: string;

  constructor(folder: string) {
    this.folder = folder;
    this.tarballs = join(folder, 'tarballs/*.tgz');
  }

  /** The error of a step; undefined if it went as the guide says. */
  async do(step: GuideStep): Promise<string | undefined> {
    if (step.kind === 'write') {
      await writeFile(join(this.folder, step.file), step.code);
      return undefined;
    }
    if (step.kind === 'leave') return this.leave(step.command, step.output);
    if (step.kind === 'open') return openPage(step.url, step.output);
    // The packages are not published yet: all packed ones are installed at once, since they depend on each other.
    const command = step.command
      .replace(/(?<=npm install )rx-informer\b/, this.tarballs)
      .replaceAll(/(?<=npm install.*) @rx-informer\/[\w-]+/g, '');
    const running = shell(`${command}\npwd >&2`, this.folder);
    const timer = setTimeout(() => end(running), timeoutMs);
    const { code, stdout, stderr } = await running.ended;
    clearTimeout(timer);
    if (code !== 0) return `${step.command}ended with ${String(code)}\n${stdout}${stderr}`;
    this.folder = stderr.trimEnd().split('\n').at(-1) ?? this.folder;
    return step.output === undefined || step.output === stdout ? undefined : `${step.command}printed\n${stdout}in place of\n${step.output}`;
  }

  /** Leaves a program running when it has printed the expected output, or anything. */
  private async leave(command: string, output: string | undefined): Promise<string | undefined> {
    const left = shell(command, this.folder);
    this.left.push(left);
    if (output === undefined) {
      await Promise.race([once(left.process.stdout ?? left.process, 'data'), left.ended]);
      return undefined;
    }
    const missing = await untilShown(output, left.printed);
    return missing === undefined ? undefined : `${command}printed\n${missing}in place of\n${output}`;
  }

  end(): void {
    for (const each of this.left) end(each);
  }
}

/**
 * Follows a guide literally, in a folder with the tarballs and nothing else: its files, its commands and their output. Returns the error, if
 * any.
 */
export async function followGuide(page: string, tarballs: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-guide-'));
  const reader = new Reader(folder);
  const started = performance.now();
  try {
    await cp(tarballs, join(folder, 'tarballs'), { recursive: true });
    for (const step of stepsOf(asUnpublished(await readFile(page, 'utf8')))) {
      const problem = await reader.do(step);
      if (problem !== undefined) return `line ${String(step.line)}: ${problem}`;
      const seconds = ((performance.now() - started) / 1_000).toFixed(1).padStart(6);
      if (step.kind === 'run') console.log(`  ${seconds} s  ${step.command.trim().split('\n').at(-1) ?? ''}`);
    }
    return undefined;
  } finally {
    reader.end();
    await rm(folder, { recursive: true, force: true });
  }
}
