import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

/** What is imported by name from outside, and two modules that keep a file of their own: one that browsers do without, one that each format has its own of. */
const files = ['index', 'testing/index', 'workqueue/index', 'metrics/index', 'client/node/connectNode', 'client/auth/loadClientNode'];
const programs = ['cli/main'];

const loaderStaysApart: Plugin = {
  name: 'loader-stays-apart',
  setup: (building) => {
    // Imported by what becomes client/node/connectNode.js, and by nothing else: the path is right there.
    building.onResolve({ filter: /^\.\.\/auth\/loadClientNode\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * Bundles the sources into few files: loading 250 small ones takes six times as long. What several files need is in chunks that they share, so
 * there is one copy of everything in a process.
 */
export async function bundle(format: 'esm' | 'cjs', directory: string): Promise<void> {
  const entries = format === 'esm' ? [...files, ...programs] : files;
  const { outputFiles } = await build({
    entryPoints: entries.map((name) => join(source, `${name}.ts`)),
    outbase: source,
    outdir: directory,
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    packages: 'external',
    plugins: [loaderStaysApart],
    write: false,
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    const code = format === 'esm' ? text : await commonJs(text, relative(directory, path));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
  }
}

/** The chunks are made as ES modules, since only those can be split; then each is rewritten by itself. */
async function commonJs(code: string, file: string): Promise<string> {
  const result = await transform(code, {
    sourcefile: file,
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    // Jest, older bundlers and Electron cannot follow an `import()` in CommonJS.
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
  });
  return result.code;
}
