// Builds the package: dist/esm and dist/cjs, each with declarations by `tsc` and few files of JavaScript by tools/bundle.ts, and dist/browser, the ES modules for pages.
//
// Where the two formats need different code, `src/x.ts` is the ES module, and a hand-written `src/x.cjs` beside it replaces the compiled
// dist/cjs/x.js. Both formats keep the declarations of x.ts. src/clientNode/loadClientNode is such a pair: @kubernetes/client-node holds
// ES modules only, and every other `import()` becomes a `require()` in CommonJS, since Jest, older bundlers and Electron cannot follow it
// there. Since the replaced module keeps its name, all other sources, the specs and ts-node import './loadClientNode.js' in both formats.
import { spawn } from 'node:child_process';
import { chmod, copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';
import { pageModules } from './pageModules.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

function declare(project: string, ...options: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = ['node_modules/typescript/bin/tsc', '--project', project, '--emitDeclarationOnly', ...options];
    const tsc = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    tsc.on('error', reject);
    tsc.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`tsc --project ${project} failed`));
    });
  });
}

async function replaceByHandWritten(): Promise<void> {
  for (const file of await readdir(join(root, 'src'), { recursive: true })) {
    if (!file.endsWith('.cjs')) continue;
    const compiled = join(dist, 'cjs', file.replace(/\.cjs$/, '.js'));
    await stat(compiled); // a file without its TypeScript counterpart is a mistake
    await copyFile(join(root, 'src', file), compiled);
  }
}

async function build(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await Promise.all([
    // `npm run check:types` checks the same sources with the same options.
    declare('tsconfig.esm.json', '--noCheck'),
    declare('tsconfig.cjs.json'),
    bundle('esm', join(dist, 'esm')),
    bundle('cjs', join(dist, 'cjs')),
    pageModules(join(dist, 'browser')),
  ]);
  await replaceByHandWritten();
  await writeFile(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
  await chmod(join(dist, 'esm/cli/main.js'), 0o755);
}

try {
  await build();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
