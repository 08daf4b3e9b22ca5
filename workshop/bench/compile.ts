import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'reports/bench');

/** The folder of the compiled benchmarks. The compiled packages lie beside it as they do in the repository. */
export const compiled: string = join(folder, 'workshop/bench');

const packages = ['', ...['views', 'inspector', 'controller', 'relay', 'api-server', 'cli'].map((house) => `packages/${house}`)];

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly '@rx-informer/source': string }>>;
}

function linkTo(target: string, known: string): void {
  rmSync(known, { force: true });
  mkdirSync(dirname(known), { recursive: true });
  symlinkSync(target, known);
}

/** Links packages by their names, each with the compiled files of its sources as entries, and what the workshop alone has installed. */
function link(): void {
  linkTo(join(root, 'workshop/node_modules'), join(folder, 'workshop/node_modules'));
  for (const path of packages) {
    const { name, exports } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest;
    const target = join(folder, path);
    const entries = Object.entries(exports).flatMap(([entry, source]) =>
      typeof source === 'string' ? [] : [[entry, source['@rx-informer/source'].replace(/\.tsx?$/, '.js')]],
    );
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'package.json'), JSON.stringify({ type: 'module', exports: Object.fromEntries(entries) as object }));
    linkTo(target, join(folder, 'node_modules', name));
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
