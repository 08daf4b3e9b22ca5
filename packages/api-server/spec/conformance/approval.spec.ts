import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

// A request that openssl made, for CN=approved.
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHU01FWUNBUUF3RXpFUk1BOEdBMVVFQXd3SVlYQndjbTkyWldRd0tqQUZCZ01yWlhBRElRQU5hL3piLzk0eQo5Zi9ENnl2dWUwM0tVbXBqSUJqYVpBSi91WnB3dCtnenhxQUFNQVVHQXl0bGNBTkJBRTFpZDJ2UzJxbmUzMnByCnBkZkdDM2tiVjZnbm00OVIyRVNWUXVaSFA1YnZqbnk3OGF1RzM0cDF6dk95dzFCL1p3c2M3S1MzUnBtN3JrTXkKVnc2UUNnUT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';

describe('approval', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it('gives a request its conditions, their times and its metadata, and changes nothing else', async () => {
    const spec = { request, signerName: 'example.com/signer', usages: ['digital signature'] };
    const { metadata } = await target.post(path, { metadata: { generateName: 'approved-' }, spec });
    const one = `${path}/${metadata.name}`;
    const condition = { type: 'Approved', status: 'True', reason: 'Tried', message: 'it works' };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = {
      metadata: { annotations: { seen: 'yes' } },
      spec: { signerName: 'example.com/other' },
      status: { certificate: 'eA==', conditions: [condition] },
    };
    expect((await target.request(`${one}/approval`, { method: 'PATCH', headers, body })).code).toBe(200);
    const approved = await target.must(one);
    expect(approved.spec['signerName']).toBe('example.com/signer');
    expect(approved.metadata.annotations).toEqual({ seen: 'yes' });
    expect(approved.status['certificate']).toBeUndefined();
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/) as unknown;
    expect(approved.status['conditions']).toEqual([{ ...condition, lastUpdateTime: time, lastTransitionTime: time }]);
    await target.request(one, { method: 'DELETE' });
  });
});
