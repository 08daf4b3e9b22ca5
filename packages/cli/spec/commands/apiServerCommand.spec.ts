import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../../src/runCli.js';
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

  /** The answers of a server with some options to a question of its user. */
  async function withServer<T>(args: readonly string[], ask: (url: string, kubeconfig: string) => Promise<T>): Promise<T> {
    const terminal = new FakeTerminal();
    const ended = runCli(['api-server', ...args], terminal);
    await terminal.shows(/API server at/);
    const [, url = ''] = /API server at ([^;]+);/.exec(terminal.written.err) ?? [];
    const answer = await ask(url, await readFile(terminal.written.out.trim(), 'utf8'));
    terminal.pressInterrupt();
    await ended;
    return answer;
  }

  it('knows users beside the administrator, who may do what their roles say with --authorize rbac', async () => {
    const args = ['--token', 'root', '--user', 'a=alice,developers', '--user', 'b=bob', '--authorize', 'rbac'];
    const statuses = await withServer(args, async (url) => {
      const list = async (token: string): Promise<number> =>
        (await fetch(`${url}/api/v1/nodes`, { headers: { authorization: `Bearer ${token}` } })).status;
      return [await list('root'), await list('a'), await list('b'), await list('c')];
    });
    expect(statuses).toEqual([200, 403, 403, 401]);
  });

  it.each([
    [[], 'try: kubectl --kubeconfig /'],
    [['--token', 't', '--tls'], 'try: kubectl --kubeconfig /'],
    [['--token', 't'], 'without --tls, clients do not send the token of a kubeconfig\n'],
  ])('says with %j how it is reached', async (args, hint) => {
    const terminal = new FakeTerminal();
    const ended = runCli(['api-server', ...args], terminal);
    await terminal.shows(/API server at/);
    expect(terminal.written.err).toContain(hint);
    terminal.pressInterrupt();
    await ended;
  });

  it.each([
    [['--user', 'a=alice'], 'expected --token or --token-file for the administrator'],
    [['--token', 't', '--user', 'alice'], 'Expected --user to be like alice-token=alice,developers'],
  ])('refuses %j', async (args, problem) => {
    const terminal = new FakeTerminal();
    expect(await runCli(['api-server', ...args], terminal)).toBe(2);
    expect(terminal.written.err).toContain(problem);
  });

  it('has versions that no earlier server had, and a kubeconfig that says that there is nothing to verify', async () => {
    const version = (): Promise<number> =>
      withServer([], async (url, kubeconfig) => {
        expect(kubeconfig).toContain('"insecure-skip-tls-verify":true');
        const { metadata } = (await (await fetch(`${url}/api/v1/pods`)).json()) as {
          readonly metadata: { readonly resourceVersion: string };
        };
        return Number(metadata.resourceVersion);
      });
    expect(await version()).toBeLessThan(await version());
  });

  it('runs with --workload what the user made, and nothing else', async () => {
    const names = await withServer(['--workload'], async (url) => {
      const nodes = (await (await fetch(`${url}/api/v1/nodes`)).json()) as { readonly items: readonly unknown[] };
      const pods = (await (await fetch(`${url}/api/v1/pods`)).json()) as { readonly items: readonly unknown[] };
      return [nodes.items.length > 0 || pods.items.length === 0, pods.items.length];
    });
    expect(names).toEqual([true, 0]);
  });
});
