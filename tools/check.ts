// The gate: every check of the project, in order, up to the first that fails.
//
//   npm run check                     everything
//   npm run check -- --skip tests     all but the named stages (comma-separated), for a caller that has just run them
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

interface Stage {
  readonly name: string;
  readonly commands: readonly string[];
}

const stages: readonly Stage[] = [
  { name: 'types', commands: ['tsc'] },
  { name: 'lint', commands: ['eslint .', 'prettier --check --log-level warn .'] },
  { name: 'layers', commands: ['depcruise --config .dependency-cruiser.js src'] },
  { name: 'tests', commands: ['npm test -- --coverage'] },
  { name: 'build', commands: ['npm run build'] },
  { name: 'built', commands: ['npm run test:built'] },
  { name: 'package', commands: ['publint --strict', 'attw --pack .'] },
  { name: 'docs', commands: ['npm run docs'] },
  { name: 'knip', commands: ['knip'] },
];

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs one shell command with the project's own binaries first in the path; tells whether it succeeded, and what it printed. */
function run(command: string): Promise<{ ok: boolean; output: string }> {
  const env = { ...process.env, PATH: `${root}node_modules/.bin:${process.env['PATH'] ?? ''}` };
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk));
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ ok: code === 0, output: output.join('') }));
  });
}

async function passes({ name, commands }: Stage): Promise<boolean> {
  const started = performance.now();
  for (const command of commands) {
    const { ok, output } = await run(command);
    if (ok) continue;
    console.log(output);
    console.log(`${name.padEnd(10)} FAILED: ${command}`);
    return false;
  }
  console.log(`${name.padEnd(10)} ok  ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s`);
  return true;
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

for (const stage of stagesToRun()) {
  if (await passes(stage)) continue;
  process.exitCode = 1;
  break;
}
