import { cp, mkdtemp, rm, symlink, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../workshop/tools/houses.js';

/** A program for browsers, and the modules that it is made of. */
export interface Bundle {
  readonly code: string;
  readonly modules: readonly string[];
}

/**
 * Bundles a file of workshop/consumers/ for browsers, with the package as its users get it: its package.json, and its modules for pages as built, in the
 * `node_modules` of an empty folder. Whatever browsers do not have fails to resolve.
 */
export async function bundleForBrowser(file: string): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-bundle-'));
  const installed = join(folder, 'node_modules/rx-informer');
  try {
    await mkdir(join(folder, 'node_modules/@rx-informer'), { recursive: true });
    await symlink(root, installed);
    for (const name of ['views', 'relay']) await symlink(join(root, 'packages', name), join(folder, 'node_modules/@rx-informer', name));
    await cp(join(root, 'workshop/consumers', file), join(folder, file));
    const { outputFiles, metafile } = await build({
      entryPoints: [join(folder, file)],
      absWorkingDir: folder,
      nodePaths: [join(root, 'node_modules')],
      preserveSymlinks: true,
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    return { code: outputFiles[0]?.text ?? '', modules: Object.keys(metafile.inputs) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
