import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';
import { entriesOf, folderOf, type House, manifestOf, root } from './houses.js';

/** It is not in the source: ESLint makes a comment of it, and then typescript-eslint builds all types anew, for a text that is not the file's. */
const hashbang = '#!/usr/bin/env node\n';

/** Files below src that are no entries: what is left out in browsers or differs per format, and what is loaded by `import()`, which shares chunks with the entries. */
const further: Partial<Record<House, { readonly apart?: readonly string[]; readonly lazy?: readonly string[] }>> = {
  root: { apart: ['client/node/connectNode', 'clientNode/loadClientNode'] },
  inspector: { apart: ['inspectorServer'] },
  'api-server': { lazy: ['createApiServer', 'real/startRealApiServer'] },
};

const loaderStaysApart: Plugin = {
  name: 'loader-stays-apart',
  setup: (building) => {
    // Only clientNode/index.js imports it, for which this path is right.
    building.onResolve({ filter: /^\.\/loadClientNode\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The houses that programs put into their bundles, and that read YAML. */
const withYaml: readonly House[] = ['root', 'api-server'];

/**
 * The build of yaml for browsers, as a part of our ES modules. Its build for Node is CommonJS that calls `require`,
 * which a bundler cannot put into one file of ES modules.
 */
const yamlIsPart: Plugin = {
  name: 'yaml-is-part',
  setup: (building) => {
    building.onResolve({ filter: /^yaml$/ }, () => ({ path: join(root, 'node_modules/yaml/browser/index.js'), sideEffects: false }));
  },
};

/** Entries that are useful without the main entry. All others import it. */
const loadedAlone = ['index', 'workqueue/index', 'client/index', 'react/index'];

/**
 * Each set of entries that reach the same modules gets a chunk. If all entries import the main entry, its modules are in few chunks. A program
 * begins with its hashbang.
 */
function mainIsReached(house: House, files: readonly string[], programs: readonly string[]): Plugin {
  const source = join(folderOf(house), 'src');
  const main = join(source, 'index.ts');
  const hasMain = entriesOf(house).some(({ file }) => file === 'index');
  return {
    name: 'main-is-reached',
    setup: (building) => {
      building.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const file = relative(source, path).replace(/\.tsx?$/, '');
        const isProgram = programs.includes(file);
        const reaches = hasMain && files.includes(file) && !loadedAlone.includes(file);
        if (!isProgram && !reaches) return undefined;
        const after = reaches ? `import './${relative(dirname(path), main).replaceAll('\\', '/')}';\n` : '';
        return { contents: `${isProgram ? hashbang : ''}${await readFile(path, 'utf8')}${after}`, loader: 'ts' };
      });
    },
  };
}

/**
 * Bundles the sources of a package into few files, because loading 250 small ones takes six times as long, and 35 take 1.5 times as long as six.
 * Modules shared by several files are in shared chunks, so that each exists once in a process.
 */
export async function bundle(house: House, format: 'esm' | 'cjs'): Promise<void> {
  const source = join(folderOf(house), 'src');
  const directory = join(folderOf(house), 'dist', format);
  const { apart = [], lazy = [] } = further[house] ?? {};
  const entries = entriesOf(house).filter(({ hasCommonJs }) => format === 'esm' || hasCommonJs);
  const programs = Object.values(manifestOf(house).bin ?? {}).map((path) => path.replace(/^dist\/esm\//, '').replace(/\.js$/, ''));
  const files = [...entries.map(({ file }) => file), ...apart, ...programs];
  const { outputFiles } = await build({
    entryPoints: files.map((name) => join(source, `${name}.ts`)),
    outbase: source,
    outdir: directory,
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    packages: 'external',
    plugins: [
      loaderStaysApart,
      mainIsReached(house, [...files, ...lazy], programs),
      ...(withYaml.includes(house) && format === 'esm' ? [yamlIsPart] : []),
    ],
    // Maps have files and lines: the texts would be a third of the package. CommonJS files are rewritten below.
    sourcemap: format === 'esm' && 'linked',
    sourcesContent: false,
    write: false,
    logLevel: 'warning',
    // The import that `mainIsReached` adds.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  for (const { path, text: written } of outputFiles) {
    const text = withoutBareImports(written);
    await mkdir(dirname(path), { recursive: true });
    if (format === 'esm') {
      await writeFile(path, text);
      continue;
    }
    await writeFile(path, await commonJs(text));
  }
}

/**
 * Splitting leaves imports of chunks without names. Our modules have no side effects, and bundlers warn about such imports. The empty line
 * stays, for the source map.
 */
function withoutBareImports(code: string): string {
  return code.replaceAll(/^import "(?:\.|rx-informer|@rx-informer\/)[^"]*";$/gm, '');
}

/** Only ES modules can be split, so the chunks are built as ES modules, and each is converted to CommonJS. */
async function commonJs(code: string): Promise<string> {
  const converted = await transform(code, {
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    // Jest, older bundlers and Electron cannot follow an `import()` in CommonJS.
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
  });
  return converted.code;
}
