import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform, type TransformResult } from 'esbuild';
import { entries } from './entries.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

/** What is imported by name from outside, and two modules that keep a file of their own: one that browsers do without, one that each format has its own of. */
const files = [...entries.values(), 'client/node/connectNode', 'client/auth/loadClientNode'];
const programs = ['cli/main'];

const loaderStaysApart: Plugin = {
  name: 'loader-stays-apart',
  setup: (building) => {
    // Imported by what becomes client/node/connectNode.js, and by nothing else: the path is right there.
    building.onResolve({ filter: /^\.\.\/auth\/loadClientNode\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** What is loaded by an `import()`: without these, what they share with the main entry would be in chunks apart. */
const lazy = ['apiserver/createApiServer', 'inspector/startInspector', 'inspector/inspection', 'testing/real/startRealApiServer'];

const main = join(source, 'index.ts');
/** A work queue is of use without an informer. All others are imported beside the main entry. */
const loadedAlone = [main, join(source, 'workqueue/index.ts')];

/** How a module imports the main entry. */
const relativeTo = (path: string): string => `./${relative(dirname(path), main)}`.replaceAll('\\', '/');

/** There is one chunk for each set of entries that reach the same modules: so all of what the main entry needs is in few. */
const mainIsReached: Plugin = {
  name: 'main-is-reached',
  setup: (building) => {
    const reaching = new Set(
      [...files, ...lazy, ...programs].map((name) => join(source, `${name}.ts`)).filter((path) => !loadedAlone.includes(path)),
    );
    building.onLoad({ filter: /\.ts$/ }, async ({ path }) =>
      reaching.has(path) ? { contents: `${await readFile(path, 'utf8')}import '${relativeTo(path)}';\n`, loader: 'ts' } : undefined,
    );
  },
};

/**
 * Bundles the sources into few files: loading 250 small ones takes six times as long, and 35 half as long again as six. What several files need is in chunks that they
 * share, so there is one copy of everything in a process.
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
    plugins: [loaderStaysApart, mainIsReached],
    // What is rewritten afterwards takes its map along inside.
    sourcemap: format === 'esm' ? 'linked' : 'inline',
    write: false,
    logLevel: 'warning',
    // api/disposable holds types only.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  for (const { path, text: written } of outputFiles) {
    const text = withoutBareImports(written);
    await mkdir(dirname(path), { recursive: true });
    if (format === 'esm') {
      await writeFile(path, isServersMap(path) ? withoutSources(text) : text);
      continue;
    }
    const { code, map } = await commonJs(text, relative(directory, path));
    await writeFile(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
    await writeFile(`${path}.map`, map);
  }
}

/** Whether this is the source map of the embedded API server. */
function isServersMap(path: string): boolean {
  return /^createApiServer-.*\.js\.map$/.test(basename(path));
}

/** A map that names files and lines without their text: that of the embedded server alone takes 1.2 MB. */
function withoutSources(map: string): string {
  return JSON.stringify({ ...(JSON.parse(map) as object), sourcesContent: undefined });
}

/**
 * Splitting leaves imports of chunks that give a file nothing. No module of ours has side effects, and bundlers warn of each of them. The line stays, empty, for the source map.
 */
function withoutBareImports(code: string): string {
  return code.replaceAll(/^import "\.[^"]*";$/gm, '');
}

/** The chunks are made as ES modules, since only those can be split; then each is rewritten by itself. */
function commonJs(code: string, file: string): Promise<TransformResult<{ readonly sourcemap: 'external' }>> {
  return transform(code, {
    sourcefile: file,
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    // Jest, older bundlers and Electron cannot follow an `import()` in CommonJS.
    supported: { 'dynamic-import': false },
    sourcemap: 'external',
    // The sources themselves are in the maps of the ES modules: a second copy of them is a tenth of the package.
    sourcesContent: false,
    logLevel: 'warning',
  });
}
