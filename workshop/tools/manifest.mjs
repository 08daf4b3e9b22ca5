// Before npm packs a package: its manifest without what only this repository uses. After it: as it was. Run by `prepack` and `postpack`.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const kept = join(import.meta.dirname, '../../node_modules/.cache/manifests');
const file = join(process.cwd(), 'package.json');
const { name } = JSON.parse(readFileSync(file, 'utf8'));
const copy = join(kept, `${name.replace('/', '+')}.json`);

const without = (object, ...names) => Object.fromEntries(Object.entries(object).filter(([key]) => !names.includes(key)));

/** An export without the sources. */
const published = (target) => {
  if (typeof target === 'string') return target;
  return without(target, '@rx-informer/source');
};

if (process.argv[2] === 'publish') {
  const text = readFileSync(file, 'utf8');
  const { exports, ...manifest } = without(JSON.parse(text), 'scripts', 'devDependencies', 'workspaces', 'prettier');
  mkdirSync(kept, { recursive: true });
  writeFileSync(copy, text);
  const entries = Object.fromEntries(Object.entries(exports).map(([path, target]) => [path, published(target)]));
  writeFileSync(file, `${JSON.stringify({ ...manifest, exports: entries }, null, 2)}\n`);
} else {
  renameSync(copy, file);
}
