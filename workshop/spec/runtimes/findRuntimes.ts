import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A program that runs JavaScript. */
export interface Runtime {
  readonly name: string;
  /** The command, and its arguments before the file. */
  readonly command: readonly [string, ...string[]];
}

const wanted: readonly { readonly name: string; readonly file: string; readonly args: readonly string[] }[] = [
  { name: 'node22', file: 'node', args: [] },
  { name: 'node24', file: 'node', args: [] },
  { name: 'node26', file: 'node', args: [] },
  { name: 'deno', file: 'deno', args: ['run', '--allow-all', '--node-modules-dir=manual', '--quiet'] },
  { name: 'bun', file: 'bun', args: ['run'] },
];

function versionOf(file: string): string | undefined {
  try {
    return execFileSync(file, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .split('\n')[0];
  } catch {
    return undefined;
  }
}

/** Where `npm run test:runtimes` has put them, undefined when it has not. */
const folder = process.env['RUNTIMES'];

function find({ name, file, args }: (typeof wanted)[number]): Runtime | undefined {
  const fetched = folder === undefined ? '' : join(folder, name);
  const path = existsSync(fetched) ? fetched : file === 'node' ? '' : file;
  const version = path === '' ? undefined : versionOf(path);
  return version === undefined ? undefined : { name: version.startsWith(file) ? version : `${file} ${version}`, command: [path, ...args] };
}

/**
 * The runtimes that can be started: the Node that runs this, those fetched by `npm run test:runtimes`, and Deno and Bun if installed; and
 * the names of the missing ones.
 */
export function findRuntimes(): { readonly here: readonly Runtime[]; readonly missing: readonly string[] } {
  const own: Runtime = { name: `node ${process.version}`, command: [process.execPath] };
  const others = wanted.map((one) => ({ name: one.name, found: find(one) }));
  return {
    here: [own, ...others.flatMap(({ found }) => found ?? [])],
    missing: others.filter(({ found }) => found === undefined).map(({ name }) => name),
  };
}
