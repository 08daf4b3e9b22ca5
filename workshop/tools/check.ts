// The gate: every check of the project, two at a time, since most use one core. A failure does not stop the others, so that one run shows
// all failures.
//
//   npm run check everything npm run check -- --skip tests all but the named stages (comma-separated)
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface Stage {
  readonly name: string;
  readonly command: string;
  /** Needs dist, so it starts after `build`. */
  readonly built?: true;
  /** Uses all cores. */
  readonly alone?: true;
}

/** The longest first: short ones fill the gaps. */
const stages: readonly Stage[] = [
  { name: 'tests', command: 'npm test -- --coverage', alone: true },
  { name: 'build', command: 'npm run build' },
  { name: 'lint', command: 'npm run check:lint' },
  { name: 'built', command: 'npm run test:built', built: true },
  { name: 'docs', command: 'npm run docs', built: true },
  { name: 'examples', command: 'npm run check:examples', built: true },
  { name: 'types', command: 'npm run check:types' },
  { name: 'api', command: 'npm run check:api-report' },
  { name: 'package', command: 'npm run check:package', built: true },
  { name: 'claims', command: 'npm run check:docs' },
  { name: 'format', command: 'npm run check:format' },
  { name: 'layers', command: 'npm run check:layers' },
  { name: 'unused', command: 'npm run check:unused' },
  { name: 'catalog', command: 'npm run catalog:check' },
  { name: 'budget', command: 'npm run check:budget', built: true, alone: true },
  { name: 'consumers', command: 'node --import ./workshop/tools/register-ts-node.mjs workshop/tools/checkConsumers.ts', built: true, alone: true },
];

const root = fileURLToPath(new URL('../..', import.meta.url));

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
  const { values } = parseArgs({ options: { skip: { type: 'string', default: '' } } });
  const skipped = values.skip.split(',').filter((name) => name !== '');
  const unknown = skipped.find((name) => !stages.some((stage) => stage.name === name));
  if (unknown !== undefined) {
    throw new TypeError(`Expected \`--skip\` to name stages of ${stages.map((stage) => stage.name).join(', ')}, got ${unknown}`);
  }
  return stages.filter((stage) => !skipped.includes(stage.name));
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
