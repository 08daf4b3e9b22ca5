import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Target {
  readonly browser?: { readonly import: { readonly default: string } };
  readonly import: { readonly default: string };
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | Target>>;
}

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const targets = Object.entries(exports).flatMap(([path, target]) => (typeof target === 'string' ? [] : [{ path, target }]));
const fileOf = (built: string): string => /^\.\/dist\/\w+\/(.*)\.js$/.exec(built)?.[1] ?? '';

/** The entries of the package, from package.json: the name in imports, and the file below src without its extension. */
export const entries: ReadonlyMap<string, string> = new Map(
  targets.map(({ path, target }) => [`rx-informer${path.slice(1)}`, fileOf(target.import.default)]),
);

/** The files of the entries that have a version for pages. */
export const pageEntries: readonly string[] = targets.flatMap(({ target }) =>
  target.browser === undefined ? [] : [fileOf(target.browser.import.default)],
);
