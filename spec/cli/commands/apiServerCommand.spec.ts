import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../../../src/cli/runCli.js';
import { FakeTerminal } from '../fakeTerminal.js';

const manifests = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: first, namespace: made }
`;

describe('rx-informer api-server', () => {
  it('has what is preloaded by the time it says that it is ready, and lets pages of this machine read with --cors', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'api-server-'));
    const [file, kubeconfig] = [join(folder, 'preload.yaml'), join(folder, 'kubeconfig')];
    await writeFile(file, manifests);
    const terminal = new FakeTerminal();
    const ended = runCli(['api-server', '--preload', file, '--kubeconfig', kubeconfig, '--cors'], terminal);
    await terminal.shows(/API server at/);
    const [, url = ''] = /"server":"([^"]+)"/.exec(await readFile(kubeconfig, 'utf8')) ?? [];
    const answer = await fetch(`${url}/apis/example.com/v1/namespaces/made/widgets/first`, {
      headers: { origin: 'http://localhost:5173' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    terminal.pressInterrupt();
    expect(await ended).toBe(130);
    await rm(folder, { recursive: true });
  });

  it('says which manifests it cannot read', async () => {
    const terminal = new FakeTerminal();
    expect(await runCli(['api-server', '--preload', '/nowhere.yaml'], terminal)).toBe(1);
    expect(terminal.written.err).toContain('cannot read /nowhere.yaml');
  });

  it('serves the versions that --runtime-config names, and refuses those that there are not', async () => {
    const terminal = new FakeTerminal();
    const ended = runCli(['api-server', '--runtime-config', 'api/all=true, apps/v1/deployments=0'], terminal);
    await terminal.shows(/API server at/);
    const [, url = ''] = /API server at ([^;]+);/.exec(terminal.written.err) ?? [];
    const statuses = ['resource.k8s.io/v1beta2/deviceclasses', 'apps/v1/deployments', 'apps/v1/replicasets'].map(
      async (path) => (await fetch(`${url}/apis/${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404, 200]);
    terminal.pressInterrupt();
    await ended;
    const other = new FakeTerminal();
    expect(await runCli(['api-server', '--runtime-config', 'api/al=true'], other)).toBe(1);
    expect(other.written.err).toContain('unknown api groups api/al');
  });
});
