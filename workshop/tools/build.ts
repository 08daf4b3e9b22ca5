// Builds the packages, or those that are named: node workshop/tools/run.mjs build [HOUSE ...]. Each has dist/esm, dist/cjs if it has an entry for
// `require`, both with declarations, and dist/browser if it has entries for pages.
//
// Where the two formats need different code, `src/x.ts` is the ES module, and a hand-written `src/x.cjs` beside it replaces the compiled
// dist/cjs/x.js. Both formats keep the declarations of x.ts.
import { chmod, copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.js';
import { declarations } from './declarations.js';
import { entriesOf, folderOf, type House, houses, manifestOf } from './houses.js';
import { pageModules } from './pageModules.js';

async function replaceByHandWritten(house: House): Promise<void> {
  const folder = folderOf(house);
  for (const file of await readdir(join(folder, 'src'), { recursive: true })) {
    if (!file.endsWith('.cjs')) continue;
    const compiled = join(folder, 'dist/cjs', file.replace(/\.cjs$/, '.js'));
    await stat(compiled); // a file without its TypeScript counterpart is a mistake
    await copyFile(join(folder, 'src', file), compiled);
  }
}

async function build(house: House): Promise<void> {
  const entries = entriesOf(house);
  const dist = join(folderOf(house), 'dist');
  await rm(dist, { recursive: true, force: true });
  const formats = entries.some(({ hasCommonJs }) => hasCommonJs) ? (['esm', 'cjs'] as const) : (['esm'] as const);
  const pages = entries.filter(({ isForPages }) => isForPages);
  await Promise.all([
    ...formats.map((format) => bundle(house, format)),
    declarations(house, formats),
    ...(pages.length > 0 ? [pageModules(house, pages)] : []),
  ]);
  if (formats.length > 1) {
    await replaceByHandWritten(house);
    await writeFile(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
  }
  for (const program of Object.values(manifestOf(house).bin ?? {})) await chmod(join(folderOf(house), program), 0o755);
}

const given = process.argv.slice(2);
const unknown = given.find((name) => !houses.includes(name as House));
if (unknown !== undefined) throw new TypeError(`Expected packages of ${houses.join(', ')}, got ${unknown}`);
await Promise.all((given.length > 0 ? (given as House[]) : houses).map((house) => build(house)));
