// Copies the template into a new folder, and renames it: for `npm create rx-informer` and for `rx-informer create`.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const template = join(here, 'template');
/** Files that npm would not pack, or would treat as its own, have other names in the template. */
const renamed = { _gitignore: '.gitignore', _dockerignore: '.dockerignore', '_package.json': 'package.json' };

/** By `--template`: the module of `describe` and `it`, the script that runs the tests, and the packages that it needs. */
const runners = {
  node: {},
  vitest: { module: 'vitest', test: 'tsc && vitest run --dir test --testTimeout 60000', packages: { vitest: '^4.0.0' } },
  jest: {
    module: '@jest/globals',
    test: 'tsc && node --experimental-vm-modules node_modules/jest/bin/jest.js --rootDir dist/test --testTimeout 60000',
    packages: { jest: '^30.0.0' },
  },
};

/** A mistake of the caller, which is printed as one line. */
export class UsageError extends Error {}

/** The packed packages of a folder: their files, by name. */
function tarballsIn(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const nameOf = (file) => file.replace(/-\d+\.\d+\.\d+.*\.tgz$/, '').replace(/^rx-informer-/, '@rx-informer/');
  const tarballs = Object.fromEntries(files.map((file) => [nameOf(file), file]));
  if (tarballs['rx-informer'] === undefined) throw new UsageError(`expected the tarballs of rx-informer in ${folder}, got none`);
  return tarballs;
}

/**
 * The package.json of the operator, with dependencies on a version, or on tarballs. These are copied into the new folder, since `docker build` and CI
 * have no access to other folders, and all of them are named, since they depend on each other.
 */
function withDependencies(text, given) {
  const isFolder = given !== undefined && statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  if (given !== undefined && !isFolder && /[/\\"$]|\.tgz$/.test(given))
    throw new UsageError(`expected --rx-informer to be a version, or a folder with tarballs, got ${given}`);
  const version = given ?? `^${JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).version}`;
  if (!isFolder) return { manifest: text.replaceAll('RX_INFORMER_VERSION', version), tarballs: [] };
  const tarballs = tarballsIn(given);
  const manifest = JSON.parse(text);
  for (const [name, file] of Object.entries(tarballs)) {
    const group = manifest.dependencies[name] === undefined ? manifest.devDependencies : manifest.dependencies;
    group[name] = `file:${file}`;
  }
  return { manifest: `${JSON.stringify(manifest, null, 2)}\n`, tarballs: Object.values(tarballs) };
}

/** A file of the template, for another runner of tests than the one of Node.js. */
function forRunner(file, text, { module, test, packages }) {
  if (module === undefined) return text;
  if (file.startsWith('test')) return text.replace("'node:test'", `'${module}'`);
  if (file !== '_package.json') return text;
  const manifest = JSON.parse(text);
  const devDependencies = Object.entries({ ...manifest.devDependencies, ...packages }).sort(([one], [other]) => (one < other ? -1 : 1));
  const changed = { ...manifest, scripts: { ...manifest.scripts, test }, devDependencies: Object.fromEntries(devDependencies) };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

function checkFolder(folder) {
  const name = basename(folder);
  // YAML takes some words for truth values.
  if (!/^(?!(?:y|yes|n|no|on|off|true|false|null)$)[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/.test(name))
    throw new UsageError(`expected a name of lower-case letters, digits and hyphens, at most 40, got ${JSON.stringify(name)}`);
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there !== undefined && (!there.isDirectory() || readdirSync(folder).length > 0))
    throw new UsageError(`expected ${folder} to be a new folder, got ${there.isDirectory() ? 'one with something in it' : 'a file'}`);
  return name;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}

/**
 * Creates an operator in a new folder, and names it after the folder. Returns the text for the user.
 *
 * @param folder - the path; its last part is the name.
 *
 * @param options - `rxInformer`: the version of rx-informer, or the path of a folder with the tarballs of all its packages; by default the version of this package.
 * `template`: what runs the tests: `node` (the default), `vitest` or `jest`.
 */
export function createOperator(folder, { rxInformer: given, template: runner = 'node' } = {}) {
  if (!Object.hasOwn(runners, runner))
    throw new UsageError(`expected --template to be one of ${Object.keys(runners).join(', ')}, got ${runner}`);
  const name = checkFolder(resolve(folder));
  const read = (file) => forRunner(file, readFileSync(join(template, file), 'utf8'), runners[runner]);
  const { manifest, tarballs } = withDependencies(read('_package.json'), given);
  for (const file of filesBelow(template)) {
    const target = join(folder, dirname(file), renamed[basename(file)] ?? basename(file));
    mkdirSync(dirname(target), { recursive: true });
    const text = file === '_package.json' ? manifest : read(file);
    writeFileSync(target, text.replaceAll('my-operator', name));
  }
  for (const file of tarballs) copyFileSync(join(given, file), join(folder, file));
  const quoted = /^[\w./~@-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
  return `The operator is in ${folder}. Next:\n\n  cd ${quoted}\n  npm install\n  npm test\n`;
}
