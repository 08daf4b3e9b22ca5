// Generates packages/inspector/src/pageFiles.ts from packages/inspector/src/page: the inspector's page as three strings, so that it can be served without
// files and without a build step for users.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const folder = fileURLToPath(new URL('../../packages/inspector/src', import.meta.url));
const target = join(folder, 'pageFiles.ts');

/** The text of the module with the page. */
export async function pageModule(): Promise<string> {
  const html = await readFile(join(folder, 'page/index.html'), 'utf8');
  const css = await transform(await readFile(join(folder, 'page/page.css'), 'utf8'), { loader: 'css', minify: true });
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'page/page.ts')],
    ...{
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      charset: 'ascii',
      logLevel: 'warning',
    },
  });
  const text = (value: string): string => JSON.stringify(value);
  return [
    '// Made by `npm run inspector-page` of packages/inspector/src/page. Do not edit.',
    `export const pageHtml: string = ${text(html)};`,
    `export const pageStyle: string = ${text(css.code)};`,
    `export const pageScript: string = ${text(outputFiles[0]?.text ?? '')};`,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(target, await pageModule());
