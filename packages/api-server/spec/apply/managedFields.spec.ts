import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const path = '/api/v1/namespaces/default/configmaps/x';

describe('managed fields', () => {
  let target: Target;
  beforeEach(async () => {
    target = await openTarget();
  });
  afterEach(() => target.close());

  const apply = (manager: string, fields: object): Promise<unknown> =>
    target.must(`${path}?fieldManager=${manager}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...fields }),
    });

  it('remember nothing of a manager that owned nothing', async () => {
    await apply('one', { metadata: { name: 'x' }, data: { a: '1' } });
    await apply('two', { metadata: { name: 'x', labels: { a: '1' } } });
    await apply('two', { metadata: { name: 'x' } });
    await apply('two', { metadata: { name: 'x' }, data: { a: '1' } });
    const { managedFields } = (await target.must(path)).metadata as unknown as { readonly managedFields: readonly object[] };
    expect(managedFields).toContainEqual(expect.not.objectContaining({ time: expect.anything() as unknown }));
  });
});
