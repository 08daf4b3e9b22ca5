import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/**
 * Does what the README of create-rx-informer says, in a folder, with both packages as they would be published: makes an operator, installs it once,
 * runs its tests, and makes its types anew, which changes nothing.
 *
 * @param tarball - the path of the packed rx-informer.
 */
export async function checkStarter(folder: string, tarball: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: join(root, 'create-rx-informer') });
  const [packed] = JSON.parse(stdout) as [{ readonly filename: string }];
  // As `npm create rx-informer my-operator` would.
  const creator = join(folder, packed.filename);
  await run('npm', ['exec', '--yes', '--package', creator, '--', 'create-rx-informer', 'my-operator', '--rx-informer', tarball], {
    cwd: folder,
  });
  const cwd = join(folder, 'my-operator');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd });
  const { stdout: told } = await run('npm', ['test'], { cwd, timeout: 120_000 });
  const passed = /^# pass (\d+)$/m.exec(told)?.[1] ?? /ℹ pass (\d+)/.exec(told)?.[1];
  if (Number(passed) < 5) throw new Error(`Expected the tests of the starter to pass, got\n${told}`);
  const types = join(cwd, 'src/webSite.ts');
  const before = await readFile(types, 'utf8');
  await run('npm', ['run', 'types'], { cwd });
  if ((await readFile(types, 'utf8')) !== before) throw new Error('Expected the types of the starter to be those of its definition');
}
