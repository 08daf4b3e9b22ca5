// Builds the package: `tsc` twice, once for ES modules (dist/esm) and once for CommonJS (dist/cjs).
//
// Where the two formats need different code, `src/x.ts` is the ES module and a hand-written `src/x.cjs` beside it is what CommonJS gets:
// it replaces the compiled dist/cjs/x.js, while both formats keep the declarations made from x.ts. src/client/loadClientNode is such a
// pair: @kubernetes/client-node holds ES modules only, and tsc would turn the `import()` of it into a `require()` in CommonJS, which
// Jest, older bundlers and Electron cannot follow. As the replaced module keeps its name, the rest of the source imports
// './loadClientNode.js' and knows nothing of formats, and so do specs and ts-node.
import { spawn } from 'node:child_process';
import { chmod, copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

function compile(project: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const tsc = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '--project', project], { cwd: root, stdio: 'inherit' });
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
  await Promise.all([compile('tsconfig.esm.json'), compile('tsconfig.cjs.json')]);
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
