// Runs the programs of the guides whose output is printed there, and compares: `ts` blocks with a file's name and a `text` block behind them. They use the
// package in dist, as `npm run build` made it.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { stepsOf } from './stepsOf.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const work = join(root, 'reports/guides');
const run = promisify(execFile);
let outputs = 0;

async function checkPage(page: string): Promise<void> {
  const steps = stepsOf(await readFile(page, 'utf8'));
  if (!steps.some((step) => step.kind === 'run' && step.output !== undefined)) return;
  const folder = join(work, basename(page, '.md'));
  await mkdir(folder, { recursive: true });
  for (const step of steps) {
    if (step.kind === 'write' && step.file.endsWith('.ts')) {
      const { code } = await transform(step.code, { loader: 'ts', format: 'esm' });
      await writeFile(join(folder, step.file.replace(/ts$/, 'js')), code);
    } else if (step.kind === 'run' && step.output !== undefined) {
      const [, file] = /^npx tsx (\S+)\.ts\n$/.exec(step.command) ?? [];
      if (file === undefined) continue; // followGuide runs the guides that need more than a program.
      outputs += 1;
      const { stdout } = await run(process.execPath, [`${file}.js`], { cwd: folder, timeout: 60_000 });
      if (stdout === step.output) continue;
      console.error(`${relative(root, page)}:${String(step.line)} prints\n${stdout}in place of\n${step.output}`);
      process.exitCode = 1;
    }
  }
}

await rm(work, { recursive: true, force: true });
for (const name of ['README.md', ...(await readdir(join(root, 'docs'))).map((each) => join('docs', each))]) {
  if (name.endsWith('.md')) await checkPage(join(root, name));
}
console.log(`${String(outputs)} printed outputs`);
if (outputs === 0) throw new Error('Expected guides that print outputs');
