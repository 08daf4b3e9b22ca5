// `npm run test:runtimes`: the package in the runtimes that it is for: Node 22, 24 and 26, Deno and Bun, beside the Node that runs this.
//
//   npm run test:runtimes              gets them with npm into a temporary folder, runs workshop/spec/runtimes, and says which ran
//   npm run test:runtimes -- bun deno  some of them
//   RUNTIMES=folder npm run test:runtimes    keeps them in that folder, and takes those that are there
//
// Browsers are in `npm run test:e2e`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** By name: the npm package, and the path of the program in it; npm also installs the package of the platform. */
const packages: Readonly<Record<string, { readonly spec: string; readonly program: RegExp }>> = {
  node22: { spec: `node-${platform}@22`, program: /^node-[^/]+\/bin\/node$/ },
  node24: { spec: `node-${platform}@24`, program: /^node-[^/]+\/bin\/node$/ },
  node26: { spec: `node-${platform}@26`, program: /^node-[^/]+\/bin\/node$/ },
  deno: { spec: 'deno@2.9.6', program: /^@deno\/[^/]+\/deno$/ },
  bun: { spec: 'bun@1.4.5', program: /^@oven\/[^/]+\/bin\/bun$/ },
};

/** Downloads a runtime if it is missing. If that fails, it is reported and left out. */
async function get(folder: string, name: string): Promise<void> {
  const { spec, program } = packages[name] ?? { spec: '', program: /^$/ };
  const prefix = join(folder, `.${name}`);
  if (existsSync(join(folder, name))) return;
  await mkdir(prefix, { recursive: true });
  const args = ['install', '--prefix', prefix, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error', spec];
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const files = status === 0 ? await readdir(join(prefix, 'node_modules'), { recursive: true }) : [];
  const file = files.find((path) => program.test(path));
  if (file !== undefined) await symlink(join(prefix, 'node_modules', file), join(folder, name));
  else console.log(`${name}: npm could not get ${spec}`);
}

function runSpecs(folder: string): number {
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  args.push('--roots', 'workshop/spec/runtimes', '--testPathIgnorePatterns', '/node_modules/', '--verbose', '-w', '1');
  return spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, RUNTIMES: folder }, stdio: 'inherit' }).status ?? 1;
}

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(packages, name));
if (unknown !== undefined) throw new TypeError(`Expected names of ${Object.keys(packages).join(', ')}, got ${unknown}`);
const kept = process.env['RUNTIMES'];
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'rx-informer-runtimes-')));
try {
  for (const name of names.length === 0 ? Object.keys(packages) : names) await get(folder, name);
  process.exitCode = runSpecs(folder);
} finally {
  if (kept === undefined) await rm(folder, { recursive: true, force: true });
}
