import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findBrowser } from '../../spec/e2e/browsers.js';
import { ChromiumPage } from '../../spec/e2e/chromiumPage.js';
import { asUnpublished } from '../release/published.js';
import { type GuideStep, stepsOf } from './stepsOf.js';

/** How long anything that a guide asks for may take. */
const timeoutMs = 300_000;
/** How long a page, or a program that is left running, may take to show what the guide says. */
const shownMs = 60_000;

interface Shell {
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** What it has printed so far. */
  readonly printed: () => string;
}

/** Runs a command as the leader of a group, so that it can be ended with all that it started. */
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

/** Waits until a text has each of these lines, which `read` is asked for again and again; what it was last where it never has. */
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

/** Opens a page, and waits until it shows what it should, and then until it shows something else: it is live. */
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

/** The commands of a guide change folders, so it is one reader who follows it, in one shell after the other. */
class Reader {
  private readonly tarball: string;
  private readonly left: Shell[] = [];
  private folder: string;

  constructor(folder: string, tarball: string) {
    this.folder = folder;
    this.tarball = tarball;
  }

  /** What went wrong; nothing when all was as the guide says. */
  async do(step: GuideStep): Promise<string | undefined> {
    if (step.kind === 'write') {
      await writeFile(join(this.folder, step.file), step.code);
      return undefined;
    }
    if (step.kind === 'leave') return this.leave(step.command, step.output);
    if (step.kind === 'open') return openPage(step.url, step.output);
    // The package is not published yet: what is packed takes its place.
    const command = step.command.replace(/(?<=npm install )rx-informer\b/, this.tarball);
    const running = shell(`${command}\npwd >&2`, this.folder);
    const timer = setTimeout(() => end(running), timeoutMs);
    const { code, stdout, stderr } = await running.ended;
    clearTimeout(timer);
    if (code !== 0) return `${step.command}ended with ${String(code)}\n${stdout}${stderr}`;
    this.folder = stderr.trimEnd().split('\n').at(-1) ?? this.folder;
    return step.output === undefined || step.output === stdout ? undefined : `${step.command}printed\n${stdout}in place of\n${step.output}`;
  }

  /** A reader goes on when the program says what the guide says, or anything. */
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

/** Does what a guide says, to the letter, from a folder that has the tarball and nothing else: its files, its commands, and what they print. Returns what went wrong. */
export async function followGuide(page: string, tarball: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-guide-'));
  const reader = new Reader(folder, tarball);
  const started = performance.now();
  try {
    await copyFile(tarball, join(folder, basename(tarball)));
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
