import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Metafile, transform } from 'esbuild';
import { forPages } from './forPages.js';
import { type Entry, folderOf, type House } from './houses.js';

const compiled = (path: string): string => path.replace(/^src\//, '').replace(/\.ts$/, '.js');

/** All modules that the entries for pages reach, by path, with their imports. */
async function reached(folder: string, entries: readonly Entry[]): Promise<Metafile['inputs']> {
  const { metafile } = await build({
    entryPoints: entries.map(({ source }) => source),
    absWorkingDir: folder,
    ...{
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      packages: 'external',
      outdir: 'never',
      write: false,
      metafile: true,
    },
    plugins: [forPages],
    logLevel: 'error',
  });
  return metafile.inputs;
}

/**
 * Writes the ES modules for pages, one file per module: bundlers leave out whole files, but of bundled files only code that is certain to
 * have no side effects.
 */
export async function pageModules(house: House, entries: readonly Entry[]): Promise<void> {
  const folder = folderOf(house);
  for (const [path, { imports }] of Object.entries(await reached(folder, entries))) {
    const target = join(folder, 'dist/browser', compiled(path));
    const { code } = await transform(await readFile(join(folder, path), 'utf8'), { loader: 'ts', format: 'esm', target: 'es2022' });
    const places = imports.filter(({ external }) => external !== true).map(({ path: to, original = '' }) => [original, to] as const);
    const led = places.reduce((text, [original, to]) => {
      const place = relative(dirname(path), to).replace(/\.ts$/, '.js');
      return text.replaceAll(`"${original}"`, JSON.stringify(place.startsWith('.') ? place : `./${place}`));
    }, code);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, led);
  }
}
