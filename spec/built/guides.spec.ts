import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { followGuide } from '../../workshop/tools/guides/followGuide.js';

const root = join(import.meta.dirname, '../..');

/** Pages for a reader who has only the packed packages: the spec follows each of them literally, with its files, commands and outputs. */
describe('somebody who has only the tarballs', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-tarballs-'));
    const args = ['pack', '--silent', '--workspaces', '--include-workspace-root', '--pack-destination', folder];
    execFileSync('npm', args, { cwd: root, stdio: 'ignore' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['a first informer and a tested controller', 'docs/getting-started.md'],
    ['a tested operator that passes "restricted"', 'docs/first-operator.md'],
    ['a live table in a browser', 'docs/live-table.md'],
  ])(
    'gets to %s by %s',
    async (_, page) => {
      expect(await followGuide(join(root, page), folder)).toBeUndefined();
    },
    600_000,
  );
});
