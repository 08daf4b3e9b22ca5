import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  const changed = join(root, mutant.file);
  const source = readFileSync(changed, 'utf8');
  if (source.split(mutant.from).length !== 2)
    throw new Error(`Expected the text of "${mutant.name}" once in ${mutant.file}: ${mutant.from}`);
  const built = await build({
    ...{
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      absWorkingDir: root,
      conditions: ['@rx-informer/source'],
    },
    plugins: [
      {
        name: 'mutant',
        setup: (plugin) =>
          plugin.onLoad({ filter: /\.ts$/ }, ({ path }) =>
            path === changed ? { contents: source.replace(mutant.from, () => mutant.to), loader: 'ts' } : undefined,
          ),
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'rx-informer-mutant-'));
  try {
    const file = join(folder, 'subject.mjs');
    writeFileSync(file, built.outputFiles[0]?.contents ?? '');
    return (await import(pathToFileURL(file).href)) as Subject;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
