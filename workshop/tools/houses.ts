import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root: string = join(import.meta.dirname, '../..');

/** The packages by their houses: the root, and the folders of packages/. In the order of their imports. */
export const houses = ['root', 'views', 'inspector', 'controller', 'relay', 'api-server', 'cli'] as const;

export type House = (typeof houses)[number];

export const folderOf = (house: House): string => (house === 'root' ? root : join(root, 'packages', house));

interface Target {
  readonly browser?: { readonly import: { readonly default: string } };
  readonly import?: unknown;
  readonly require?: unknown;
  readonly '@rx-informer/source': string;
}

/** What the tools read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Target>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The manifest of a package; while npm packs it, the one that it had before: manifest.mjs keeps that. */
export function manifestOf(house: House): Manifest {
  const kept = `${house === 'root' ? 'rx-informer' : `@rx-informer+${house}`}.json`;
  let text: string;
  try {
    text = readFileSync(join(folderOf('root'), 'node_modules/.cache/manifests', kept), 'utf8');
  } catch {
    text = readFileSync(join(folderOf(house), 'package.json'), 'utf8');
  }
  return JSON.parse(text) as Manifest;
}

/** An entry of a package. */
export interface Entry {
  readonly house: House;
  /** The name in imports. */
  readonly name: string;
  /** The file below src, without its extension. */
  readonly file: string;
  /** The path of its source. */
  readonly source: string;
  /** Whether it has a version for pages. */
  readonly isForPages: boolean;
  /** Whether it has a CommonJS version. */
  readonly hasCommonJs: boolean;
}

export function entriesOf(house: House): Entry[] {
  const { name, exports } = manifestOf(house);
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return [];
    const source = target['@rx-informer/source'];
    return [
      {
        house,
        name: `${name}${path.slice(1)}`,
        file: source.replace(/^\.\/src\//, '').replace(/\.ts$/, ''),
        source: join(folderOf(house), source),
        isForPages: target.browser !== undefined,
        hasCommonJs: target.require !== undefined,
      },
    ];
  });
}

/** The entries of all packages that users import. */
export const entries: readonly Entry[] = houses.flatMap((house) => entriesOf(house)).filter(({ name }) => !name.endsWith('/internal'));

/** The folders of all packages that are published, from the root. */
export const published: readonly string[] = ['.', ...houses.slice(1).map((house) => `packages/${house}`), 'packages/create'];
