// Before npm packs a package: its manifest without what only this repository uses, with the project's pages, which the root's manifest names. After it: as it
// was. Run by `prepack` and `postpack`.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '../..');
const kept = join(root, 'node_modules/.cache/manifests');
const file = join(process.cwd(), 'package.json');
const { name } = JSON.parse(readFileSync(file, 'utf8'));
const copy = join(kept, `${name.replace('/', '+')}.json`);

const without = (object, ...names) => Object.fromEntries(Object.entries(object).filter(([key]) => !names.includes(key)));

/** An export without the sources. */
const published = (target) => {
  if (typeof target === 'string') return target;
  return without(target, '@rx-informer/source');
};

/** Where the project is found; a package of the repository names its folder, too. */
const pages = () => {
  const { homepage, bugs, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const directory = relative(root, process.cwd()).replaceAll(sep, '/');
  return { homepage, bugs, repository: directory === '' ? repository : { ...repository, directory } };
};

if (process.argv[2] === 'publish') {
  const text = readFileSync(file, 'utf8');
  const { exports, browser, ...manifest } = without(JSON.parse(text), 'scripts', 'devDependencies', 'workspaces', 'prettier');
  mkdirSync(kept, { recursive: true });
  writeFileSync(copy, text);
  const entries = Object.fromEntries(Object.entries(exports).map(([path, target]) => [path, published(target)]));
  const replaced = browser && { browser: Object.fromEntries(Object.entries(browser).filter(([path]) => !path.startsWith('./src/'))) };
  // Programs read it meanwhile: they must not see a half of it.
  writeFileSync(`${copy}.new`, `${JSON.stringify({ ...manifest, ...replaced, ...pages(), exports: entries }, null, 2)}\n`);
  renameSync(`${copy}.new`, file);
} else {
  renameSync(copy, file);
}
