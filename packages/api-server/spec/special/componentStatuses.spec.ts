import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

describe('componentstatuses', () => {
  let target: Target;
  const path = '/api/v1/componentstatuses';
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  const names = async (query: string): Promise<readonly string[]> => {
    const { json } = await target.request(`${path}${query}`);
    return (json['items'] as readonly { readonly metadata: { readonly name: string } }[]).map(({ metadata }) => metadata.name);
  };

  it('say that the storage answers, and that no controllers run beside it', async () => {
    const { code, json } = await target.request(path);
    expect([code, json['kind'], json['metadata']]).toEqual([200, 'ComponentStatusList', {}]);
    expect(json['items']).toContainEqual({
      metadata: { name: 'etcd-0' },
      conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
    });
    expect(await names('')).toEqual(['scheduler', 'controller-manager', 'etcd-0']);
  });

  it('are selected by name; none has labels', async () => {
    expect(await names('?fieldSelector=metadata.name%3Detcd-0')).toEqual(['etcd-0']);
    expect(await names('?labelSelector=a%3Db')).toEqual([]);
  });

  it('are found by their names, and are not stored', async () => {
    const { code, json } = await target.request(`${path}/scheduler`);
    const message = 'Get "https://127.0.0.1:10259/healthz": dial tcp 127.0.0.1:10259: connect: connection refused';
    expect([code, json]).toEqual([
      200,
      {
        kind: 'ComponentStatus',
        apiVersion: 'v1',
        metadata: { name: 'scheduler' },
        conditions: [{ type: 'Healthy', status: 'False', message }],
      },
    ]);
    expect((await target.request(`${path}/other`)).code).toBe(404);
    expect((await target.request(`${path}/scheduler`, { method: 'DELETE' })).code).toBe(405);
  });
});
