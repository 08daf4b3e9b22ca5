import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstValueFrom, from } from 'rxjs';
import { permittedNamespaces, resources } from 'rx-informer';
import { accessReviews } from '../src/rights/accessReviews.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';

const none = { defaultValue: undefined };

describe('reviews of rights, against an API server', () => {
  let server: TestApiServer;

  beforeAll(async () => {
    server = await startApiServer();
  });
  afterAll(() => server.close());

  it('are asked for without a name, since none is stored', async () => {
    const spec = { user: 'ada', resourceAttributes: { verb: 'list', group: '', resource: 'pods' } };
    const { status } = await server.client.create(resources.authorization.v1.subjectaccessreviews, { spec });
    expect(status?.allowed).toEqual(expect.any(Boolean));
    await expect(server.client.create(resources.core.v1.configmaps, { metadata: { namespace: 'default' } })).rejects.toThrow('`name`');
  });

  it('decide what a user of a relay may see', async () => {
    const { review } = accessReviews(server.client, { watchRoles: false });
    const decided = firstValueFrom(from(review({ name: 'ada' }, { group: '', resource: 'pods', namespace: 'default' })), none);
    await expect(decided).resolves.toBe(true);
  });

  it('decide which namespaces are permitted', async () => {
    await expect(firstValueFrom(permittedNamespaces(server.client, resources.core.v1.pods), none)).resolves.toEqual(['']);
  });
});
