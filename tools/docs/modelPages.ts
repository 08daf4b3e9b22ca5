import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { paths } from './paths.js';

/** The files of the models, by their pages: `core-v1`. */
export function modelFiles(): ReadonlyMap<string, string> {
  const folder = join(paths.root, 'src/api/kubernetes');
  const files = readdirSync(folder).filter((file) => /V\d\w*\.ts$/.test(file));
  return new Map(
    files.map((file) => [
      basename(file, '.ts')
        .replace(/(?=V\d)/, '-')
        .toLowerCase(),
      readFileSync(join(folder, file), 'utf8'),
    ]),
  );
}

/** Where each model is described: `/models/core-v1#v1pod`. */
export function modelPages(): ReadonlyMap<string, string> {
  const pages = [...modelFiles()].flatMap(([page, text]) =>
    [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']): [string, string] => [
      name,
      `/models/${page}#${name.toLowerCase()}`,
    ]),
  );
  return new Map(pages);
}
