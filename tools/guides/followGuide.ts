import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GuideStep, stepsOf } from './stepsOf.js';

/** How long anything that a guide asks for may take. */
const timeoutMs = 300_000;

interface Shell {
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
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
  return { process: child, ended };
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
    if (step.kind === 'leave') {
      const left = shell(step.command, this.folder);
      this.left.push(left);
      // A reader goes on when it says that it is there.
      await Promise.race([once(left.process.stdout ?? left.process, 'data'), left.ended]);
      return undefined;
    }
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

  end(): void {
    for (const each of this.left) end(each);
  }
}

/** Does what a guide says, to the letter, from an empty folder: its files, its commands, and what they print. Returns what went wrong. */
export async function followGuide(page: string, tarball: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-guide-'));
  const reader = new Reader(folder, tarball);
  const started = performance.now();
  try {
    for (const step of stepsOf(await readFile(page, 'utf8'))) {
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
