import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { resources } from 'rx-informer';
import { startApiServer } from '../src/startApiServer.js';

const settings =
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: made\ndata:\n  a: b\n---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nstatus:\n  phase: Running\n';

describe('startApiServer', () => {
  it('comes with a client, and with a kubeconfig that only its owner can read and that is removed in the end', async () => {
    const server = await startApiServer();
    expect(statSync(server.kubeconfigPath).mode & 0o777).toBe(0o600);
    expect(readFileSync(server.kubeconfigPath, 'utf8')).toBe(server.kubeconfig);
    expect(parse(server.kubeconfig)).toMatchObject({ 'current-context': 'rx-informer', clusters: [{ cluster: { server: server.url } }] });
    const { items } = await server.client.list(resources.core.v1.namespaces);
    expect(items.map(({ metadata }) => metadata?.name)).toContain('default');
    expect(server.client).toBe(server.client);
    await server.close();
    expect(existsSync(server.kubeconfigPath)).toBe(false);
  });

  it('puts objects and manifests in place, status and namespaces included', async () => {
    const server = await startApiServer();
    const put = server.objects.put(settings);
    expect(put).toMatchObject([
      { kind: 'ConfigMap', metadata: { namespace: 'made' } },
      { kind: 'Pod', metadata: { namespace: 'default' }, status: { phase: 'Running' } },
    ]);
    const pods = await server.client.list(resources.core.v1.pods);
    server.objects.put({
      apiVersion: 'v1',
      kind: 'PodList',
      items: pods.items.map((pod) => ({ ...pod, status: { phase: 'Failed' } })),
    } as object);
    const changed = await server.client.get(resources.core.v1.pods, 'p', { namespace: 'default' });
    expect(changed).toMatchObject({ status: { phase: 'Failed' }, metadata: { uid: pods.items[0]?.metadata?.uid } });
    server.objects.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'made' } });
    expect(server.objects.list({ apiVersion: 'v1', kind: 'ConfigMap' })).toEqual([]);
    expect(server.objects.get({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } })).toMatchObject({
      status: { phase: 'Active' },
    });
    await server.close();
  });

  it('refuses misspelt rules of access, which would allow everything', async () => {
    await expect(startApiServer({ auth: { authorise: 'rbac' } as object })).rejects.toThrow(
      'Unknown option `authorise` of `startApiServer`; did you mean `authorize`?',
    );
    await expect(startApiServer({ auth: { authorize: 'abac' as 'rbac' } })).rejects.toThrow('Expected `authorize` of `startApiServer`');
  });

  it.each([
    [
      { apiVersion: 'v1', kind: 'Nope', metadata: { name: 'x' } },
      'Expected the apiVersion and kind of an object that is served here, got "v1" and "Nope"',
    ],
    ['a: [', 'Expected the manifests to be YAML'],
    ['- a', 'Expected a manifest to be an object'],
  ])('refuses the manifest %j', async (manifest, message) => {
    const server = await startApiServer();
    expect(() => server.objects.put(manifest)).toThrow(message);
    await server.close();
  });
});
