import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from './operator.js';
import type { Found, OperatorRun } from './operatorRun.js';

const labels = { app: 'sample' };
const settings = (value: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { value } });
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'sample' },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } },
  },
};

/** Writes manifests into a repository and commits them; undefined deletes one. */
function commit(folder: string, manifests: Readonly<Record<string, object | undefined>>): void {
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: folder, stdio: 'ignore' });
  git('init');
  for (const [name, manifest] of Object.entries(manifests))
    if (manifest === undefined) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), JSON.stringify(manifest));
  git('add', '--all');
  git('commit', '--message', 'x');
}

const inDefault = (run: OperatorRun, apiVersion: string, kind: string, name: string): Found | undefined =>
  run.get(apiVersion, kind, 'default', name);

/** What a repository holds is in the cluster; what changes there changes, and what leaves is deleted. */
export const gitopsEngine: Operator = {
  name: 'gitops-engine',
  module: 'github.com/argoproj/gitops-engine@v0.7.3',
  programs: { agent: './agent' },
  ports: ['agent'],
  async reach(run, { agent = '' }) {
    commit(run.files, { 'settings.json': settings('one'), 'deployment.json': deployment });
    const port = String(run.portOf('agent'));
    run.program(agent, [run.files, `--port=${port}`, '--resync-seconds=2', '--default-namespace=default']);
    await run.until('the settings are there', () => inDefault(run, 'v1', 'ConfigMap', 'settings')?.data?.['value'] === 'one');
    await run.until(
      'the deployment is available',
      () => inDefault(run, 'apps/v1', 'Deployment', 'sample')?.status?.['availableReplicas'] === 1,
    );
    commit(run.files, { 'settings.json': settings('two'), 'deployment.json': undefined });
    await run.until('the settings are new', () => inDefault(run, 'v1', 'ConfigMap', 'settings')?.data?.['value'] === 'two');
    await run.until('the deployment is gone', () => inDefault(run, 'apps/v1', 'Deployment', 'sample') === undefined);
    await run.until('its pods, too', () => run.server.objects.list({ apiVersion: 'v1', kind: 'Pod' }).length === 0);
  },
};
