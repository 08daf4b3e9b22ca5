import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderOf, houses, manifestOf } from '../tools/houses.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'reports/bench');

/** The folder of the compiled benchmarks. The compiled packages lie beside it as they do in the repository. */
export const compiled: string = join(folder, 'workshop/bench');

/** Links packages by their names, each with the compiled files of its sources as entries. */
function link(): void {
  for (const house of houses) {
    const { name, exports } = manifestOf(house);
    const target = join(folder, folderOf(house).slice(root.length));
    const entries = Object.entries(exports).flatMap(([entry, target]) =>
      typeof target === 'string' ? [] : [[entry, target['@rx-informer/source'].replace(/\.tsx?$/, '.js')]],
    );
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'package.json'), JSON.stringify({ type: 'module', exports: Object.fromEntries(entries) as object }));
    const path = join(folder, 'node_modules', name);
    rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }
}

/**
 * Compiles the current packages and benchmarks with the settings of the library, so that plain JavaScript is measured and other builds are
 * not overwritten.
 */
export function compile(): void {
  link();
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: false,
    // What the check of types has noted says nothing of the files here.
    composite: false,
    incremental: false,
    tsBuildInfoFile: null,
    noCheck: true,
    declaration: false,
    isolatedDeclarations: false,
    allowJs: false,
    jsx: 'react-jsx',
    rootDir: root,
    outDir: folder,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const include = ['src', 'packages/*/src', 'workshop/bench'].map((room) => join(root, room));
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include }));
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', config], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`tsc failed: ${stdout}`);
}
