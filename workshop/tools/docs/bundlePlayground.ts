import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { paths } from './paths.js';

/** Replaces modules like the package's `browser` field. */
const withoutNode: Plugin = {
  name: 'without-node',
  setup: (building) => {
    building.onLoad({ filter: /client[\\/]node[\\/]connectNode\.ts$/ }, () => ({ contents: 'export const connectNode = undefined;' }));
  },
};

/** Bundles the playground into one classic script, which also works on a page opened from a disk. */
export async function bundlePlayground(out: string = join(paths.files, 'playground')): Promise<void> {
  const source = join(paths.site, 'playground');
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: [join(source, 'main.ts')],
    outfile: join(out, 'playground.js'),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    conditions: ['@rx-informer/source'],
    // Of the entries' modules that the playground does not use.
    external: ['node:*'],
    plugins: [withoutNode],
    logOverride: { 'ignored-bare-import': 'silent' },
    logLevel: 'warning',
  });
  for (const file of ['index.html', 'playground.css']) await copyFile(join(source, file), join(out, file));
}
