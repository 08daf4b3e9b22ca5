// Installs the packed package in an empty folder, and uses it like its users: from CommonJS and ES modules, with every supported TypeScript
// and every way to resolve modules. Declarations are checked (`skipLibCheck: false`), and the compiled programs are run.
//
// It packs dist/ as it is: `npm run check:consumers` builds first.
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkStarter } from './checkStarter.js';
import { stepsOf } from './guides/stepsOf.js';
import { untilPublished } from './release/published.js';

interface Consumer {
  readonly name: string;
  /** The compiler, as workshop/consumers/package.json names it. */
  readonly typescript: string;
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  /** The files to compile, by the file of workshop/consumers/ that they are copied from. */
  readonly sources: Readonly<Record<string, string>>;
  /** The compiled programs to run. */
  readonly programs: readonly string[];
  readonly type?: 'module' | 'commonjs';
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const printed = [
  'added default/settings red',
  'updated default/settings green',
  'before: red',
  'deleted default/settings green',
  'queued: 1 of 1',
];

const strictest = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  declaration: true,
  types: ['node'],
};

/** Both formats side by side, by file extension, as in Node. */
function node16(typescript: string): Consumer {
  return {
    name: `${typescript}, node16`,
    typescript,
    compilerOptions: { ...strictest, module: 'node16', moduleResolution: 'node16' },
    sources: { 'esModule.mts': 'program.ts', 'commonJs.cts': 'program.ts', 'declarations.mts': 'declarations.ts' },
    programs: ['esModule.mjs', 'commonJs.cjs'],
  };
}

function bundler(typescript: string): Consumer {
  return {
    name: `${typescript}, bundler`,
    typescript,
    compilerOptions: { ...strictest, module: 'esnext', moduleResolution: 'bundler' },
    sources: { 'program.ts': 'program.ts', 'declarations.ts': 'declarations.ts' },
    programs: ['program.js'],
    type: 'module',
  };
}

/** Does not support `exports`: it finds the entries by `typesVersions`. */
function node10(typescript: string): Consumer {
  return {
    name: `${typescript}, node10`,
    typescript,
    compilerOptions: { ...strictest, module: 'commonjs', moduleResolution: 'node' },
    sources: { 'program.ts': 'program.ts' },
    programs: ['program.js'],
    type: 'commonjs',
  };
}

/** Without the types of Node. spec/e2e/browser.spec.ts runs it. */
function browser(typescript: string): Consumer {
  return {
    name: `${typescript}, browser`,
    typescript,
    compilerOptions: { ...strictest, lib: ['es2022', 'dom', 'dom.iterable'], types: [], module: 'esnext', moduleResolution: 'bundler' },
    sources: { 'page.ts': 'page.ts' },
    programs: [],
    type: 'module',
  };
}

const consumers: readonly Consumer[] = [
  ...['typescript-5.0', 'typescript-5.9', 'typescript-6', 'typescript-7'].flatMap((version) => [node16(version), bundler(version)]),
  ...['typescript-5.0', 'typescript-5.9'].map(node10),
  ...['typescript-5.0', 'typescript-6'].map(browser),
];

/** Packs the packages, and installs the tarballs, whose paths it returns, with the compilers and peers of workshop/consumers/package.json. */
async function install(folder: string): Promise<readonly string[]> {
  const args = ['pack', '--json', '--workspaces', '--include-workspace-root', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 2 ** 26 });
  const packed = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as readonly { readonly filename: string }[];
  const tarballs = packed.map(({ filename }) => join(folder, basename(filename)));
  await cp(join(root, 'workshop/consumers'), folder, { recursive: true });
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
  return tarballs;
}

async function lay(consumer: Consumer, folder: string, from: string): Promise<void> {
  await mkdir(folder);
  for (const [file, source] of Object.entries(consumer.sources)) await copyFile(join(from, source), join(folder, file));
  if (consumer.type !== undefined) await writeFile(join(folder, 'package.json'), JSON.stringify({ type: consumer.type }));
  const { compilerOptions } = consumer;
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(consumer.sources) }));
}

/** The entry that is not for users, if the declarations of a consumer name it. */
async function internalIn(folder: string): Promise<string | undefined> {
  const files = (await readdir(folder)).filter((name) => /^declarations\.d\.m?ts$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => /import\("[^"]*\/internal"\)\.\w+/.exec(text)?.[0]).find((found) => found !== undefined);
}

/** The error of a consumer; undefined without one. */
async function problemOf(consumer: Consumer, from: string): Promise<string | undefined> {
  const folder = join(from, consumer.name.replaceAll(/\W+/g, '-'));
  await lay(consumer, folder, from);
  try {
    await run(process.execPath, [join(from, 'node_modules', consumer.typescript, 'bin/tsc'), '--project', folder], { cwd: folder });
    for (const program of consumer.programs) {
      const { stdout } = await run(process.execPath, [program], { cwd: folder, timeout: 60_000 });
      if (stdout !== printed.map((line) => `${line}\n`).join('')) return `${program} printed\n${stdout}`;
    }
    const named = await internalIn(folder);
    return named === undefined ? undefined : `Its declarations name ${named}, which no public entry exports`;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { readonly stdout?: string; readonly stderr?: string };
    return [message, stdout, stderr].filter((text) => text !== '').join('\n');
  }
}

/** Two compilers at a time: each uses more than one processor. */
async function checkAll(folder: string): Promise<void> {
  const waiting = [...consumers];
  const work = async (): Promise<void> => {
    for (let consumer = waiting.shift(); consumer !== undefined; consumer = waiting.shift()) {
      const started = performance.now();
      const problem = await problemOf(consumer, folder);
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
      console.log(`${consumer.name.padEnd(24)} ${problem === undefined ? 'ok    ' : 'FAILED'} ${seconds} s`);
      if (problem === undefined) continue;
      console.log(problem);
      process.exitCode = 1;
    }
  };
  await Promise.all([work(), work()]);
}

/**
 * Follows the README's instructions for the unpublished package: its commands, in an empty folder beside a clone. The first command has
 * already made the tarballs.
 */
async function checkGetIt(folder: string, tarballs: readonly string[]): Promise<void> {
  const clone = join(folder, 'rx-informer');
  await mkdir(join(clone, 'tarballs'), { recursive: true });
  for (const tarball of tarballs) await copyFile(tarball, join(clone, 'tarballs', basename(tarball)));
  await symlink(join(root, 'packages'), join(clone, 'packages'));
  const steps = stepsOf(untilPublished(await readFile(join(root, 'README.md'), 'utf8')));
  const [packing = '', ...commands] = steps.flatMap((step) => (step.kind === 'run' ? step.command.trimEnd().split('\n') : []));
  if (!packing.includes('npm pack') || commands.length < 2) throw new Error(`Expected three commands in the README, got ${packing}`);
  const { stderr } = await run('bash', ['-e', '-c', commands.join('\n')], { cwd: folder });
  if (stderr.includes('rx-informer@')) throw new Error(`Expected npm to say nothing of the package, got\n${stderr}`);
  await run(process.execPath, ['--eval', 'await import("rx-informer")'], { cwd: join(folder, 'my-project') });
  await readFile(join(folder, 'my-project/my-operator/package.json'));
}

/** The limits for `npm install rx-informer rxjs`. */
const most = { packages: 5, megabytes: 20 };

/** Installs only the package and RxJS, without optional peers, and measures the installation. */
async function checkFootprint(folder: string, tarball: string): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball, 'rxjs@7.8.2'], { cwd: folder });
  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as { readonly packages: object };
  const packages = Object.keys(lock.packages).length;
  const entries = await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  const found = `${packages} packages, ${megabytes.toFixed(1)} MB`;
  if (packages > most.packages || megabytes > most.megabytes)
    throw new Error(
      `Expected \`npm install rx-informer rxjs\` to bring at most ${most.packages} packages and ${most.megabytes} MB, got ${found}`,
    );
  await run(process.execPath, ['--eval', 'await import("rx-informer")'], { cwd: folder });
  return found;
}

await readFile(join(root, 'dist/cjs/index.d.ts')).catch(() => {
  throw new Error('Expected the package in dist/: npm run build');
});
const folder = await mkdtemp(join(tmpdir(), 'rx-informer-consumers-'));
try {
  const tarballs = await install(folder);
  const tarball = tarballs.find((file) => /^rx-informer-\d/.test(basename(file))) ?? '';
  await run(join(folder, 'node_modules/.bin/rx-informer'), ['--help']);
  console.log(`${'the command'.padEnd(24)} ok`);
  console.log(`${'npm install'.padEnd(24)} ok     ${await checkFootprint(join(folder, 'footprint'), tarball)}`);
  await checkGetIt(join(folder, 'getIt'), tarballs);
  console.log(`${'the README'.padEnd(24)} ok`);
  await checkStarter(join(folder, 'starter'), folder);
  console.log(`${'the starter'.padEnd(24)} ok`);
  await checkAll(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
