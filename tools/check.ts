// The gate: every check of the project, in order. All of them run, so that one run shows all that fails.
//
//   npm run check                     everything
//   npm run check -- --skip tests     all but the named stages (comma-separated), for a caller that has just run them
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const stages = [
  { name: 'format', command: 'npm run check:format' },
  { name: 'types', command: 'npm run check:types' },
  { name: 'lint', command: 'npm run check:lint' },
  { name: 'layers', command: 'npm run check:layers' },
  { name: 'catalog', command: 'npm run catalog:check' },
  { name: 'api', command: 'npm run check:api-report' },
  { name: 'tests', command: 'npm test -- --coverage' },
  { name: 'build', command: 'npm run build' },
  { name: 'built', command: 'npm run test:built' },
  { name: 'package', command: 'npm run check:package' },
  { name: 'consumers', command: 'node --import ./tools/register-ts-node.mjs tools/checkConsumers.ts' },
  { name: 'budget', command: 'npm run check:budget' },
  { name: 'examples', command: 'npm run check:examples' },
  { name: 'claims', command: 'npm run check:docs' },
  { name: 'docs', command: 'npm run docs' },
  { name: 'unused', command: 'npm run check:unused' },
] as const;

type Stage = (typeof stages)[number];

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command; tells whether it succeeded, and what it printed. */
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

const failed: string[] = [];
for (const stage of stagesToRun()) {
  if (!(await passes(stage))) failed.push(stage.name);
}
if (failed.length > 0) {
  console.log(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
