import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createClient, resources } from 'rx-informer';
import { startRealApiServer } from '@rx-informer/api-server';

const configMaps = resources.core.v1.configmaps;
const patienceMs = 120_000;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('startRealApiServer', () => {
  it(
    'serves an administrator, keeps its data over a restart, and leaves nothing behind',
    async () => {
      const server = await startRealApiServer();
      const { client, pid = 0, kubeconfigPath } = server;
      expect(server.version).toMatch(/^v1\.\d+\.\d+/);
      await client.create(configMaps, { metadata: { name: 'kept', namespace: 'default' } });
      await server.restart('SIGKILL');
      expect(isAlive(pid)).toBe(false);
      expect(server.pid).not.toBe(pid);
      expect((await client.get(configMaps, 'kept', { namespace: 'default' })).metadata?.name).toBe('kept');
      expect(server.logs.etcd).toContain('ready to serve client requests');
      const last = server.pid ?? 0;
      await server.close();
      expect([isAlive(last), existsSync(dirname(kubeconfigPath))]).toEqual([false, false]);
    },
    patienceMs,
  );

  it(
    'knows users by their certificates, and refuses the past after compaction',
    async () => {
      const server = await startRealApiServer();
      const { cert: clientCert, key: clientKey } = server.issueCertificate({ name: 'bob', groups: [] });
      const bob = createClient({ server: server.url, ca: server.credentials.ca ?? '', clientCert, clientKey });
      await expect(bob.list(configMaps)).rejects.toMatchObject({ code: 403 });
      const { metadata } = await server.client.list(configMaps);
      await server.client.create(configMaps, { metadata: { name: 'later', namespace: 'default' } });
      await server.compact();
      await server.restart();
      const old = server.client.list(configMaps, { resourceVersion: metadata?.resourceVersion ?? '', resourceVersionMatch: 'Exact' });
      await expect(old).rejects.toMatchObject({ code: 410 });
      bob.close();
      await server.close();
    },
    patienceMs,
  );
});
