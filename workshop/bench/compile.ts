import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of the compiled benchmarks and the compiled library. */
export const compiled: string = join(root, 'reports/bench');

/**
 * Compiles the current library and benchmarks with the settings of the package, so that plain JavaScript is measured and other builds are
 * not overwritten.
 */
export function compile(): void {
  mkdirSync(compiled, { recursive: true });
  const config = join(compiled, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    // What the check of types has noted says nothing of the files here.
    incremental: false,
    tsBuildInfoFile: null,
    noCheck: true,
    declaration: false,
    isolatedDeclarations: false,
    rootDir: root,
    outDir: compiled,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  writeFileSync(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['src', 'bench'].map((room) => join(root, room)) }),
  );
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', config], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`tsc failed: ${stdout}`);
}
