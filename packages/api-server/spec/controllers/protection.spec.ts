import { afterEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send } from '../support/httpClient.js';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const pods = '/api/v1/namespaces/default/pods';
const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const volume = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
const pod = { metadata: { name: 'user' }, spec: { containers: [{ name: 'c', image: 'i' }], volumes: [volume] } };

describe('protection of claims', () => {
  let server: TestApiServer;
  const ask = (method: string, path: string, body?: object) => send(server, path, { method, ...(body !== undefined && { body }) });
  afterEach(() => server.close());

  it('ends at once where nothing uses a claim', async () => {
    server = await startApiServer();
    const created = await ask('POST', claims, claim);
    expect(created.json.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
    const deleted = await ask('DELETE', `${claims}/data`);
    expect(deleted.json.metadata.deletionTimestamp).toBeDefined();
    expect((await ask('GET', `${claims}/data`)).code).toBe(404);
  });

  it('keeps a class of attributes as long as a volume or claim has it', async () => {
    server = await startApiServer();
    const path = '/apis/storage.k8s.io/v1/volumeattributesclasses';
    const created = await ask('POST', path, { metadata: { name: 'fast' }, driverName: 'x.io', parameters: { iops: '1' } });
    expect(created.json.metadata.finalizers).toEqual(['kubernetes.io/vac-protection']);
    await ask('POST', claims, { ...claim, spec: { ...claim.spec, volumeAttributesClassName: 'fast' } });
    await ask('DELETE', `${path}/fast`);
    expect((await ask('GET', `${path}/fast`)).json.metadata.deletionTimestamp).toBeDefined();
    await ask('DELETE', `${claims}/data`);
    expect((await ask('GET', `${claims}/data`)).code).toBe(404);
    expect((await ask('GET', `${path}/fast`)).code).toBe(404);
  });

  it('lasts as long as a pod uses the claim', async () => {
    server = await startApiServer();
    await ask('POST', claims, claim);
    await ask('POST', pods, pod);
    await ask('DELETE', `${claims}/data`);
    expect((await ask('GET', `${claims}/data`)).json.metadata.deletionTimestamp).toBeDefined();
    await ask('DELETE', `${pods}/user`);
    expect((await ask('GET', `${claims}/data`)).code).toBe(404);
  });
});
