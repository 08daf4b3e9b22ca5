// Copies the template into a new folder, and renames it: for `npm create rx-informer` and for `rx-informer create`.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const template = join(here, 'template');
/** Files that npm would not pack, or would treat as its own, have other names in the template. */
const renamed = { _gitignore: '.gitignore', _dockerignore: '.dockerignore', '_package.json': 'package.json' };

/** A mistake of the caller, which is printed as one line. */
export class UsageError extends Error {}

/**
 * The dependency for package.json. A tarball is copied into the new folder, since `docker build` and CI have no access to other folders.
 */
function dependencyOf(given) {
  if (given === undefined) return { version: `^${JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).version}` };
  if (!given.endsWith('.tgz')) return { version: given };
  if (!existsSync(given)) throw new UsageError(`expected --rx-informer to be a version or a tarball that exists, got ${given}`);
  return { version: `file:${basename(given)}`, tarball: given };
}

function checkFolder(folder) {
  const name = basename(folder);
  if (!/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/.test(name))
    throw new UsageError(`expected a name of lower-case letters, digits and hyphens, at most 40, got ${JSON.stringify(name)}`);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new UsageError(`expected ${folder} to be a new folder, got one with something in it`);
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
 * @param given - the version of rx-informer, or the path of a tarball; by default the version of this package.
 */
export function createOperator(folder, given) {
  const name = checkFolder(resolve(folder));
  const { version, tarball } = dependencyOf(given);
  for (const file of filesBelow(template)) {
    const target = join(folder, dirname(file), renamed[basename(file)] ?? basename(file));
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(template, file), 'utf8');
    writeFileSync(target, text.replaceAll('my-operator', name).replaceAll('RX_INFORMER_VERSION', version));
  }
  if (tarball !== undefined) copyFileSync(tarball, join(folder, basename(tarball)));
  return `The operator is in ${folder}. Next:\n\n  cd ${folder}\n  npm install\n  npm test\n`;
}
