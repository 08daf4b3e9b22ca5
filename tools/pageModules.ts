import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, transform } from 'esbuild';
import { pageEntries } from './entries.js';
import { forPages } from './forPages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = (path: string): string => path.replace(/^src\//, '').replace(/\.ts$/, '.js');

/** All modules that the entries for pages reach, by path, with their imports. */
async function reached(): Promise<Metafile['inputs']> {
  const { metafile } = await build({
    entryPoints: pageEntries.map((name) => join(root, `src/${name}.ts`)),
    absWorkingDir: root,
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
export async function pageModules(directory: string): Promise<void> {
  for (const [path, { imports }] of Object.entries(await reached())) {
    const target = join(directory, compiled(path));
    const { code, map } = await transform(await readFile(join(root, path), 'utf8'), {
      ...{ loader: 'ts', format: 'esm', target: 'es2022', sourcemap: 'external', sourcefile: relative(dirname(target), join(root, path)) },
    });
    const places = imports.filter(({ external }) => external !== true).map(({ path: to, original = '' }) => [original, to] as const);
    const led = places.reduce((text, [original, to]) => {
      const place = relative(dirname(path), to).replace(/\.ts$/, '.js');
      return text.replaceAll(`"${original}"`, JSON.stringify(place.startsWith('.') ? place : `./${place}`));
    }, code);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, `${led}//# sourceMappingURL=${compiled(path).split('/').at(-1) ?? ''}.map\n`);
    await writeFile(`${target}.map`, map);
  }
}
