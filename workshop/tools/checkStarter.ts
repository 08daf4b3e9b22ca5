import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Removes a right from the manifests: the tests must fail and name it. */
async function expectMissingRight(cwd: string): Promise<void> {
  const file = join(cwd, 'manifests/operator.yaml');
  const manifests = await readFile(file, 'utf8');
  await writeFile(file, manifests.replace(/(resources: \[services\], verbs: \[.*), patch\]/, '$1]'));
  const told = await run('npm', ['test'], { cwd, timeout: 60_000 }).then(
    () => 'they passed',
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
  await writeFile(file, manifests);
  const missing = "{ apiGroups: [''], resources: [services], verbs: [patch] }";
  if (!told.includes(missing) || !/^# fail 3$|ℹ fail 3/m.test(told)) throw new Error(`Expected the tests to miss ${missing}, got\n${told}`);
}

/**
 * Follows the README of create-rx-informer with both packages as published: creates an operator for each runner of tests, installs it, runs its tests, and
 * regenerates its definition, which must not change.
 *
 * @param tarballs - the folder with the packed packages.
 */
export async function checkStarter(folder: string, tarballs: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const packed = (await readdir(tarballs)).find((file) => file.startsWith('create-rx-informer-')) ?? '';
  /** Like `npm create rx-informer my-operator`. */
  const create = async (name: string, ...options: readonly string[]): Promise<string> => {
    const args = ['exec', '--yes', '--package', join(tarballs, packed), '--', 'create-rx-informer', name, '--rx-informer', tarballs];
    await run('npm', [...args, ...options], { cwd: folder });
    const cwd = join(folder, name);
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd });
    return cwd;
  };
  for (const template of ['vitest', 'jest']) await run('npm', ['test'], { cwd: await create(`by-${template}`, '--template', template) });
  const cwd = await create('my-operator');
  const { stdout: told } = await run('npm', ['test'], { cwd, timeout: 120_000 });
  const passed = /^# pass (\d+)$/m.exec(told)?.[1] ?? /ℹ pass (\d+)/.exec(told)?.[1];
  if (Number(passed) < 5) throw new Error(`Expected the tests of the starter to pass, got\n${told}`);
  await expectMissingRight(cwd);
  const definition = join(cwd, 'crds/website.yaml');
  const before = await readFile(definition, 'utf8');
  await run('npm', ['run', 'crds'], { cwd });
  if ((await readFile(definition, 'utf8')) !== before) throw new Error('Expected the definition of the starter to be that of its code');
}
