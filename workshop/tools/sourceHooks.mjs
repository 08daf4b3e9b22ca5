import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
const folders = [root, ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))];
const sources = new Map(
  folders.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.entries(exports).flatMap(([path, target]) => {
      const source = target['@rx-informer/source'];
      return source === undefined ? [] : [[`${name}${path.slice(1)}`, pathToFileURL(join(folder, source)).href]];
    });
  }),
);

/** Finds packages of this repository by their sources. The loader of ts-node takes conditions from the command line only. */
export function resolve(specifier, context, nextResolve) {
  const url = sources.get(specifier);
  return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
}
