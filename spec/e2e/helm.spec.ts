import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resources } from '../../src/api/resources.js';
import { type RunningApiServer, startEitherApiServer } from '@rx-informer/api-server';

const creator = join(import.meta.dirname, '../../packages/create/create.mjs');
const run = promisify(execFile);

/** HELM names the program where it is not on the path. */
const program = process.env['HELM'] ?? 'helm';
const isInstalled = spawnSync(program, ['version', '--short']).status === 0;
if (!isInstalled) console.warn('Helm is not installed: the chart of the starter is not rendered by it.');

(isInstalled ? describe : describe.skip)('the chart of the starter, by Helm', () => {
  let server: RunningApiServer;
  let folder: string;
  const helm = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run(program, [...args, '--namespace', 'shop'], {
      cwd: join(folder, 'sites'),
      env: { ...process.env, KUBECONFIG: server.kubeconfigPath, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder },
    });
    return stdout;
  };
  const replicas = async (name: string): Promise<number | undefined> =>
    (await server.client.get(resources.apps.v1.deployments, name, { namespace: 'shop' })).spec?.replicas;

  beforeAll(async () => {
    server = await startEitherApiServer();
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-helm-'));
    execFileSync(process.execPath, [creator, 'sites', '--rx-informer', '0.1.0'], { cwd: folder });
    execFileSync(process.execPath, ['chart.mjs'], { cwd: join(folder, 'sites') });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.close();
  });

  it('has nothing that Helm warns of', async () => {
    expect(await helm('lint', '--strict', 'chart')).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  // 123 is a name of a release, and a number in YAML.
  it.each(['sites', '123'])('is installed as %s, upgraded, rolled back and taken away', async (name) => {
    await helm('install', name, 'chart', '--create-namespace', '--set', 'tag=0.2.0');
    expect(await replicas(name)).toBe(2);
    await helm('upgrade', name, 'chart', '--set', 'replicas=3');
    expect(await replicas(name)).toBe(3);
    await helm('rollback', name, '1');
    expect(await replicas(name)).toBe(2);
    await helm('uninstall', name);
    const left = await server.client.list(resources.apps.v1.deployments, { namespace: 'shop', labelSelector: `app=${name}` });
    expect(left.items).toEqual([]);
  });
});
