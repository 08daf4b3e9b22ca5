import { spawnSync } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paths } from './paths.js';

/** Installs the dependencies of the site, unless the same versions are installed. */
export async function installSite(): Promise<void> {
  const lock = join(paths.site, 'package-lock.json');
  const installed = join(paths.site, 'node_modules/.installed-lock.json');
  const before = await readFile(installed, 'utf8').catch(() => '');
  if (before === (await readFile(lock, 'utf8'))) return;
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, {
    cwd: paths.site,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci failed in site');
  await copyFile(lock, installed);
}
