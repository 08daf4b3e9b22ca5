import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resources, type V1Service } from 'rx-informer';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';

const { services } = resources.core.v1;
const where = { namespace: 'default' };
const open = (name: string, ports = 1): V1Service => ({
  metadata: { name, ...where },
  spec: { type: 'NodePort', ports: Array.from({ length: ports }, (_, at) => ({ name: `p${String(at)}`, port: 80 + at })) },
});

describe('the node ports and addresses of services', () => {
  let server: TestApiServer;
  beforeEach(async () => {
    server = await startApiServer();
  });
  afterEach(() => server.close());

  const numbersOf = ({ spec }: V1Service): readonly unknown[] => [spec?.clusterIP, ...(spec?.ports ?? []).map(({ nodePort }) => nodePort)];
  const create = async (service: V1Service): Promise<readonly unknown[]> => numbersOf(await server.client.create(services, service));

  it('are the first that are free', async () => {
    expect(await create(open('a', 2))).toEqual(['10.0.0.16', 30_000, 30_001]);
    expect(await create(open('b'))).toEqual(['10.0.0.17', 30_002]);
    await server.client.delete(services, 'a', where);
    expect(await create(open('c', 3))).toEqual(['10.0.0.16', 30_000, 30_001, 30_003]);
  });

  it('stay those of a service that is updated', async () => {
    await create(open('a'));
    const known = await server.client.get(services, 'a', where);
    const more = [...(known.spec?.ports ?? []), { name: 'more', port: 90 }];
    const updated = await server.client.replace(services, { ...known, spec: { ...known.spec, ports: more } });
    expect(numbersOf(updated)).toEqual(['10.0.0.16', 30_000, 30_001]);
  });

  it('are taken by nobody in a dry run, and are what they were in a snapshot that is restored', async () => {
    const before = server.snapshot();
    await server.client.create(services, open('a'), { dryRun: true });
    expect(await create(open('b'))).toEqual(['10.0.0.16', 30_000]);
    server.restore(before);
    expect(await create(open('c'))).toEqual(['10.0.0.16', 30_000]);
  });

  it('are refused when another service has them', async () => {
    await create(open('a'));
    const taken = { ...open('b'), spec: { type: 'NodePort', clusterIP: '10.0.0.16', ports: [{ port: 80, nodePort: 30_000 }] } };
    await expect(create(taken)).rejects.toThrow(/provided IP is already allocated.*provided port is already allocated/);
  });
});
