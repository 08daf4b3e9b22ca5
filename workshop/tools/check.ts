// The gate: every check of the project, two at a time, since most use one core. A failure does not stop the others, so that one run shows
// all failures.
//
//   npm run check                       everything
//   npm run check -- --skip tests       all but the named stages (comma-separated)
//   npm run check -- --only types,lint  these stages
//
// It installs the dependencies of the workshop where they are missing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface Stage {
  readonly name: string;
  readonly command: string;
  /** Needs dist, so it starts after `build`. */
  readonly built?: true;
  /** Uses all cores, or packs packages, whose manifests are others meanwhile. */
  readonly alone?: true;
}

const workshop = 'npm run -s --prefix workshop';

/** The longest first: short ones fill the gaps. */
const stages: readonly Stage[] = [
  { name: 'tests', command: 'npm test -- --coverage', alone: true },
  { name: 'lint', command: `${workshop} lint` },
  { name: 'types', command: `${workshop} types` },
  { name: 'build', command: 'npm run build' },
  { name: 'installed', command: 'node workshop/tools/test.mjs installed' },
  { name: 'built', command: 'npm run test:built', built: true, alone: true },
  { name: 'docs', command: 'npm run docs', built: true },
  { name: 'examples', command: `${workshop} examples`, built: true },
  { name: 'api', command: `${workshop} api-report -- --check` },
  { name: 'package', command: `${workshop} package`, built: true, alone: true },
  { name: 'claims', command: `${workshop} claims` },
  { name: 'format', command: `${workshop} format` },
  { name: 'layers', command: `${workshop} layers` },
  { name: 'unused', command: `${workshop} unused` },
  { name: 'catalog', command: `${workshop} catalog -- --check` },
  { name: 'warm', command: `${workshop} warm-files` },
  { name: 'budget', command: `${workshop} budget`, built: true, alone: true },
  { name: 'consumers', command: `${workshop} consumers`, built: true, alone: true },
];

const root = join(import.meta.dirname, '../..');

/** Runs a command. Returns whether it succeeded, and its output. */
function run(command: string): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: string[] = [];
    for (const pipe of [child.stdout, child.stderr]) {
      pipe.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk));
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output: output.join('') }));
  });
}

async function passes({ name, command }: Stage): Promise<boolean> {
  const started = performance.now();
  const { ok, output } = await run(command);
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  if (!ok) console.log(output);
  console.log(`${name.padEnd(10)} ${ok ? 'ok    ' : 'FAILED'} ${seconds} s${ok ? '' : `: ${command}`}`);
  return ok;
}

function stagesToRun(): Stage[] {
  const text = { type: 'string', default: '' } as const;
  const { skip, only } = parseArgs({ options: { skip: text, only: text } }).values;
  const [skipped, chosen] = [skip, only].map((names) => names.split(',').filter((name) => name !== '')) as [string[], string[]];
  const unknown = [...skipped, ...chosen].find((name) => !stages.some((stage) => stage.name === name));
  if (unknown !== undefined) throw new TypeError(`Expected stages of ${stages.map((stage) => stage.name).join(', ')}, got ${unknown}`);
  return stages.filter(({ name }) => !skipped.includes(name) && (chosen.length === 0 || chosen.includes(name)));
}

if (!existsSync(join(root, 'workshop/node_modules'))) {
  const { status } = spawnSync('npm', ['ci', '--prefix', 'workshop', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The dependencies of the workshop could not be installed');
}
const waiting = stagesToRun();
const running = new Map<string, Promise<void>>();
const failed: string[] = [];

/** The next stage that may start now. */
function next(): Stage | undefined {
  if (running.size >= availableParallelism()) return undefined;
  const isBuilt = !running.has('build') && !waiting.some(({ name }) => name === 'build');
  const index = waiting.findIndex(({ built, alone }) => (built !== true || isBuilt) && (alone !== true || running.size === 0));
  return waiting.splice(index, index < 0 ? 0 : 1)[0];
}

async function runStage(stage: Stage): Promise<void> {
  if (!(await passes(stage))) failed.push(stage.name);
  running.delete(stage.name);
}

while (waiting.length > 0 || running.size > 0) {
  for (let stage = next(); stage !== undefined; stage = next()) {
    running.set(stage.name, runStage(stage));
    if (stage.alone === true) break;
  }
  await Promise.race(running.values());
}
if (failed.length > 0) {
  console.log(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
