import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('dependents of restored owners', () => {
  let target: Target;
  beforeEach(async () => {
    target = await openTarget();
  });
  afterEach(() => target.close());

  it('stay when their owner was deleted, and is back with the snapshot', async () => {
    for (const owner of ['first', 'second']) {
      const { uid } = (await target.post(configMaps, { metadata: { name: owner } })).metadata as unknown as { readonly uid: string };
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid }];
      await target.post(configMaps, { metadata: { name: `${owner}-dependent`, ownerReferences } });
    }
    const codeOf = async (name: string): Promise<number> => (await target.request(`${configMaps}/${name}`)).code;
    const snapshot = target.server.snapshot();
    await target.delete(`${configMaps}/first`);
    while ((await codeOf('first-dependent')) !== 404);
    target.server.restore(snapshot);
    // When this dependent is gone, the collector has looked at the other one, too.
    await target.delete(`${configMaps}/second`);
    while ((await codeOf('second-dependent')) !== 404);
    expect([await codeOf('first'), await codeOf('first-dependent')]).toEqual([200, 200]);
  });
});
