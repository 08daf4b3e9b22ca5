import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly import: { readonly default: string } }>>;
}

/**
 * The entries of the package, as package.json has them: the name that users import, and the file below src without its ending.
 */
export const entries: ReadonlyMap<string, string> = new Map(
  Object.entries((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest).exports).flatMap(([path, target]) =>
    typeof target === 'string' ? [] : [[`rx-informer${path.slice(1)}`, /^\.\/dist\/esm\/(.*)\.js$/.exec(target.import.default)?.[1] ?? '']],
  ),
);
