// Packs each package as it is built, and looks at the tarballs as npm's users and TypeScript do: publint, and are-the-types-wrong.
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderOf, houses, manifestOf, root } from './houses.js';

const run = promisify(execFile);
const folder = join(root, 'reports/package');
const bin = (name: string): string => join(root, 'workshop/node_modules/.bin', name);
/** What `npm install` may download of each package. */
const mostBytes: Readonly<Record<string, number>> = { 'rx-informer': 1_048_576 };

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const house of houses) {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: folderOf(house), maxBuffer: 2 ** 26 });
  const { name } = manifestOf(house);
  const tarball = (await readdir(folder)).find((file) => new RegExp(`^${name.replace('@', '').replace('/', '-')}-\\d`).test(file)) ?? '';
  const file = join(folder, tarball);
  const { size } = await stat(file);
  const most = mostBytes[name] ?? Infinity;
  try {
    if (size > most) throw new Error(`Expected ${name} to have at most ${most} bytes packed, got ${size}`);
    await run(bin('publint'), ['--strict', file]);
    // Node 10 knows no `exports`, and an ES module has nothing for `require` of Node 16.
    if (house !== 'cli') await run(bin('attw'), [file, ...(hasCommonJs(house) ? [] : ['--profile', 'esm-only'])]);
    console.log(`${name.padEnd(24)} ok      ${(size / 1000).toFixed(0).padStart(6)} kB`);
  } catch (error) {
    const { message, stdout = '' } = error as Error & { readonly stdout?: string };
    console.log(`${name.padEnd(24)} FAILED\n${message}\n${stdout}`);
    process.exitCode = 1;
  }
}

function hasCommonJs(house: (typeof houses)[number]): boolean {
  return Object.values(manifestOf(house).exports).some((target) => typeof target !== 'string' && target.require !== undefined);
}
