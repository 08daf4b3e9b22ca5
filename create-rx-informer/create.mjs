#!/usr/bin/env node
// npm create rx-informer my-operator: copies the template into a new folder, and gives it its name.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const template = join(here, 'template');
/** What npm would not pack, or would take for its own, has another name in the template. */
const renamed = { _gitignore: '.gitignore', _dockerignore: '.dockerignore', '_package.json': 'package.json' };

const usage = `Usage: npm create rx-informer <folder>

Starts an operator in a new folder, which gives it its name.

  --rx-informer <version>   the version of rx-informer, or the path of its tarball
  --help                    print this
`;

/** What package.json is to name: a version as it is, a tarball by its whole path, since the new folder is another one. */
function dependencyOf(given, version) {
  if (given === undefined) return `^${version}`;
  if (!given.endsWith('.tgz')) return given;
  if (!existsSync(given)) throw new UsageError(`expected --rx-informer to be a version or a tarball that exists, got ${given}`);
  return resolve(given);
}

/** An end that is said in one line. */
class UsageError extends Error {}

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

/** Copies the template: its operator is called my-operator. */
function create(folder, name, version) {
  for (const file of filesBelow(template)) {
    const target = join(folder, dirname(file), renamed[basename(file)] ?? basename(file));
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(template, file), 'utf8');
    writeFileSync(target, text.replaceAll('my-operator', name).replaceAll('RX_INFORMER_VERSION', version.replaceAll('\\', '/')));
  }
}

try {
  const options = { 'rx-informer': { type: 'string' }, help: { type: 'boolean', default: false } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [folder] = positionals;
  if (values.help) {
    console.log(usage);
  } else {
    if (folder === undefined || positionals.length > 1)
      throw new UsageError(`expected one folder, got ${positionals.length === 0 ? 'none' : positionals.join(' ')}`);
    const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
    create(folder, checkFolder(resolve(folder)), dependencyOf(values['rx-informer'], version));
    console.log(`The operator is in ${folder}. Next:\n\n  cd ${folder}\n  npm install\n  npm test\n`);
  }
} catch (error) {
  const isUsage = error instanceof UsageError || String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? `create-rx-informer: ${error.message}` : error);
  process.exitCode = isUsage ? 2 : 1;
}
