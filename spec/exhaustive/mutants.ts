import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** One change of a source file. */
export interface Mutant {
  readonly name: string;
  /** Its path in the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Loads a module with the sources as they are after the change. */
export async function withMutant<Subject>(entry: string, mutant: Mutant): Promise<Subject> {
  const source = readFileSync(join(root, mutant.file), 'utf8');
  if (source.split(mutant.from).length !== 2)
    throw new Error(`Expected the text of "${mutant.name}" once in ${mutant.file}: ${mutant.from}`);
  const built = await build({
    ...{
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      // The specs have loaded it.
      external: ['rxjs'],
      absWorkingDir: root,
      conditions: ['@rx-informer/source'],
    },
    plugins: [
      {
        name: 'mutant',
        setup: (plugin) =>
          plugin.onLoad({ filter: new RegExp(`/${mutant.file}$`) }, () => ({
            contents: source.replace(mutant.from, () => mutant.to),
            loader: 'ts',
          })),
      },
    ],
  });
  const folder = mkdtempSync(join(root, 'reports/mutant-'));
  try {
    const file = join(folder, 'subject.mjs');
    writeFileSync(file, built.outputFiles[0]?.contents ?? '');
    return (await import(pathToFileURL(file).href)) as Subject;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
