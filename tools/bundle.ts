import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform, type TransformResult } from 'esbuild';
import { entries } from './entries.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

/** The entries, and two modules that need a file of their own: one that is left out in browsers, and one that differs per format. */
const files = [...new Set([...entries.values(), 'client/node/connectNode', 'clientNode/index', 'clientNode/loadClientNode'])];
const programs = ['cli/main'];
/** It is not in the source: ESLint makes a comment of it, and then typescript-eslint builds all types anew, for a text that is not the file's. */
const hashbang = '#!/usr/bin/env node\n';

const loaderStaysApart: Plugin = {
  name: 'loader-stays-apart',
  setup: (building) => {
    // Only clientNode/index.js imports it, for which this path is right.
    building.onResolve({ filter: /^\.\/loadClientNode\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * The build of yaml for browsers, as a part of our ES modules. Its build for Node is CommonJS that calls `require`, which a bundler cannot put into one file of
 * ES modules.
 */
const yamlIsPart: Plugin = {
  name: 'yaml-is-part',
  setup: (building) => {
    building.onResolve({ filter: /^yaml$/ }, () => ({ path: join(root, 'node_modules/yaml/browser/index.js'), sideEffects: false }));
  },
};

/** Modules loaded by `import()`. As entries, they share chunks with the main entry. */
const lazy = ['apiserver/createApiServer', 'inspector/startInspector', 'inspector/inspection', 'testing/real/startRealApiServer'];

const main = join(source, 'index.ts');
/** Entries that are useful without the main entry. All others import it. */
const loadedAlone = [main, join(source, 'workqueue/index.ts')];

/** The path by which a module imports the main entry. */
const relativeTo = (path: string): string => `./${relative(dirname(path), main)}`.replaceAll('\\', '/');

/** Each set of entries that reach the same modules gets a chunk. If all entries import the main entry, its modules are in few chunks. */
const mainIsReached: Plugin = {
  name: 'main-is-reached',
  setup: (building) => {
    const reaching = new Set(
      [...files, ...lazy, ...programs].map((name) => join(source, `${name}.ts`)).filter((path) => !loadedAlone.includes(path)),
    );
    building.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!reaching.has(path)) return undefined;
      const first = programs.some((name) => path === join(source, `${name}.ts`)) ? hashbang : '';
      return { contents: `${first}${await readFile(path, 'utf8')}import '${relativeTo(path)}';\n`, loader: 'ts' };
    });
  },
};

/**
 * Bundles the sources into few files, because loading 250 small ones takes six times as long, and 35 take 1.5 times as long as six. Modules
 * shared by several files are in shared chunks, so that each exists once in a process.
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
    plugins: [loaderStaysApart, mainIsReached, ...(format === 'esm' ? [yamlIsPart] : [])],
    // CommonJS files are rewritten below, so their source maps are inline first.
    sourcemap: format === 'esm' ? 'linked' : 'inline',
    write: false,
    logLevel: 'warning',
    // api/disposable has only types.
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

/** A source map with files and lines, but without the sources: those of the embedded server take 1.2 MB. */
function withoutSources(map: string): string {
  return JSON.stringify({ ...(JSON.parse(map) as object), sourcesContent: undefined });
}

/**
 * Splitting leaves imports of chunks without names. Our modules have no side effects, and bundlers warn about such imports. The empty line
 * stays, for the source map.
 */
function withoutBareImports(code: string): string {
  return code.replaceAll(/^import "\.[^"]*";$/gm, '');
}

/** Only ES modules can be split, so the chunks are built as ES modules, and each is converted to CommonJS. */
function commonJs(code: string, file: string): Promise<TransformResult<{ readonly sourcemap: 'external' }>> {
  return transform(code, {
    sourcefile: file,
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    // Jest, older bundlers and Electron cannot follow an `import()` in CommonJS.
    supported: { 'dynamic-import': false },
    sourcemap: 'external',
    // The source maps of the ES modules contain the sources: a second copy would be a tenth of the package.
    sourcesContent: false,
    logLevel: 'warning',
  });
}
