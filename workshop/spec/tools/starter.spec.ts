import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const creator = fileURLToPath(new URL('../../../packages/create/create.mjs', import.meta.url));

describe('the starter', () => {
  let folder: string;
  const createIn = (path: string, ...args: readonly string[]): string =>
    execFileSync(process.execPath, [creator, path, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const create = (...args: readonly string[]): string => createIn('sites', ...args);
  const dependency = (): string | undefined =>
    (JSON.parse(readFileSync(join(folder, 'sites/package.json'), 'utf8')) as { readonly dependencies: Readonly<Record<string, string>> })
      .dependencies['rx-informer'];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('brings the tarballs along, so that an image can be built in the folder alone', () => {
    const tarballs = join(folder, 'tarballs');
    mkdirSync(tarballs);
    const files = ['create-rx-informer', 'rx-informer', 'rx-informer-api-server', 'rx-informer-cli', 'rx-informer-controller'].map(
      (name) => `${name}-0.1.0.tgz`,
    );
    for (const file of files) writeFileSync(join(tarballs, file), file);
    create('--rx-informer', './tarballs');
    expect(readdirSync(join(folder, 'sites')).filter((file) => file.endsWith('.tgz'))).toEqual(files);
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'sites/package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    expect(dependencies).toMatchObject({
      'rx-informer': 'file:rx-informer-0.1.0.tgz',
      '@rx-informer/controller': 'file:rx-informer-controller-0.1.0.tgz',
    });
    expect(devDependencies).toMatchObject({
      '@rx-informer/api-server': 'file:rx-informer-api-server-0.1.0.tgz',
      'create-rx-informer': 'file:create-rx-informer-0.1.0.tgz',
    });
  });

  it('names a version as it is', () => {
    create('--rx-informer', '0.1.0');
    expect(dependency()).toBe('0.1.0');
  });

  it.each([
    [[], 'node:test', undefined],
    [['--template', 'vitest'], 'vitest', 'vitest'],
    [['--template', 'jest'], '@jest/globals', 'jest'],
  ])('runs its tests by what %j says', (args, module, runner) => {
    create(...args);
    const read = (file: string): string => readFileSync(join(folder, 'sites', file), 'utf8');
    const tests = readdirSync(join(folder, 'sites/test')).filter((file) => file.endsWith('.test.ts'));
    expect(tests.map((file) => /\bit \} from '(.*)';/.exec(read(`test/${file}`))?.[1])).toEqual([module, module, module]);
    const { scripts, devDependencies } = JSON.parse(read('package.json')) as Readonly<Record<string, Record<string, string>>>;
    expect(scripts?.['test']).toContain(runner ?? 'node --test');
    expect(['vitest', 'jest'].filter((name) => devDependencies?.[name] !== undefined)).toEqual(runner === undefined ? [] : [runner]);
  });

  it('knows no other templates', () => {
    expect(() => create('--template', 'mocha')).toThrow('expected --template to be one of node, vitest, jest, got mocha');
    expect(existsSync(join(folder, 'sites'))).toBe(false);
  });

  it.each(['./absent.tgz', './absent', '"', '$&'])('makes nothing of %s, which is neither there nor a version', (given) => {
    expect(() => create('--rx-informer', given)).toThrow(`expected --rx-informer to be a version, or a folder with tarballs, got ${given}`);
    expect(existsSync(join(folder, 'sites'))).toBe(false);
  });

  it.each([
    ['shop', 'shop'],
    ['@shop/sites', '@shop/sites'],
    ["the shop's/sites", "'the shop'\\''s/sites'"],
  ])('says how a shell gets to %s', (path, shown) => {
    expect(createIn(path)).toContain(`\n  cd ${shown}\n`);
    expect(execFileSync('sh', ['-c', `cd ${shown} && ls package.json`], { cwd: folder, encoding: 'utf8' })).toBe('package.json\n');
  });

  it.each(['Shop', 'the shop', 'shop-', '1st', 'shop_one', 'on', 'null', 'con.'])('refuses the name %s', (name) => {
    expect(() => createIn(name)).toThrow(`expected a name of lower-case letters, digits and hyphens, at most 40, got "${name}"`);
    expect(existsSync(join(folder, name))).toBe(false);
  });
});
