import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a script in a process of its own, where `rx-informer` is the package as built; resolves with the JSON that it printed. */
async function runScript(type: 'module' | 'commonjs', script: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${type}`, '--eval', script], { cwd: root });
  return JSON.parse(stdout);
}

describe.each(['rx-informer', 'rx-informer/testing', 'rx-informer/workqueue', 'rx-informer/metrics'])('%s as built', (entry) => {
  it('exports the same names to ES modules and to CommonJS', async () => {
    const [esm, cjs] = await Promise.all([
      runScript('module', `console.log(JSON.stringify(Object.keys(await import('${entry}')).sort()))`),
      runScript('commonjs', `console.log(JSON.stringify(Object.keys(require('${entry}')).sort()))`),
    ]);

    expect(cjs).toEqual(esm);
  });
});

describe('loadClientNode as built', () => {
  it.each(['esm', 'cjs'])('imports @kubernetes/client-node (%s)', async (format) => {
    const script = `
      import('./dist/${format}/client/loadClientNode.js').then(async ({ loadClientNode }) => {
        console.log(JSON.stringify((await loadClientNode()) === (await import('@kubernetes/client-node'))));
      })`;

    expect(await runScript('commonjs', script)).toBe(true);
  });

  it('is no require() in CommonJS', async () => {
    const script = `console.log(JSON.stringify(require('./dist/cjs/client/loadClientNode.js').loadClientNode.toString()))`;

    expect(await runScript('commonjs', script)).not.toContain('require');
  });
});
