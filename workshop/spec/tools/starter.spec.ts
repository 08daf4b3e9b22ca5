import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const creator = fileURLToPath(new URL('../../../packages/create/create.mjs', import.meta.url));

describe('the starter', () => {
  let folder: string;
  const create = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [creator, 'sites', ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const dependency = (): string | undefined =>
    (JSON.parse(readFileSync(join(folder, 'sites/package.json'), 'utf8')) as { readonly dependencies: Readonly<Record<string, string>> })
      .dependencies['rx-informer'];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('brings a tarball along, so that an image can be built in the folder alone', () => {
    writeFileSync(join(folder, 'rx-informer-0.1.0.tgz'), 'packed');
    create('--rx-informer', './rx-informer-0.1.0.tgz');
    expect(dependency()).toBe('file:rx-informer-0.1.0.tgz');
    expect(readFileSync(join(folder, 'sites/rx-informer-0.1.0.tgz'), 'utf8')).toBe('packed');
    expect(readFileSync(join(folder, 'sites/Dockerfile'), 'utf8')).toMatch(
      /^COPY package\.json package-lock\.json tsconfig\.json \*\.tgz \.\/\nRUN npm ci$/m,
    );
  });

  it('names a version as it is', () => {
    create('--rx-informer', '0.1.0');
    expect(dependency()).toBe('0.1.0');
  });

  it('makes nothing of a tarball that is not there', () => {
    expect(() => create('--rx-informer', './absent.tgz')).toThrow(
      'expected --rx-informer to be a version or a tarball that exists, got ./absent.tgz',
    );
    expect(existsSync(join(folder, 'sites'))).toBe(false);
  });
});
