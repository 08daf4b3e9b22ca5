import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const soonMs = 100;

describe('dependents of restored owners', () => {
  let target: Target;
  beforeEach(async () => {
    target = await openTarget();
  });
  afterEach(() => target.close());

  it('stay when their owner was deleted, and is back with the snapshot', async () => {
    const { uid } = (await target.post(configMaps, { metadata: { name: 'owner' } })).metadata as unknown as { readonly uid: string };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    await target.post(configMaps, { metadata: { name: 'dependent', ownerReferences } });
    const snapshot = target.server.snapshot();
    await target.delete(`${configMaps}/owner`);
    await new Promise((resolve) => setTimeout(resolve, soonMs));
    expect((await target.request(`${configMaps}/dependent`)).code).toBe(404);
    target.server.restore(snapshot);
    await new Promise((resolve) => setTimeout(resolve, soonMs));
    expect((await target.request(`${configMaps}/owner`)).code).toBe(200);
    expect((await target.request(`${configMaps}/dependent`)).code).toBe(200);
  });
});
