import { afterEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send, type Answer } from '../support/httpClient.js';

const pods = '/api/v1/namespaces/default/pods';

describe('the log of a pod', () => {
  let server: TestApiServer;
  afterEach(() => server.close());

  const logOf = (name: string): Promise<Answer> => send({ url: server.url }, `${pods}/${name}/log`);

  it('is one line where the pod is on a node, and nothing where it is not (row 110)', async () => {
    server = await startApiServer();
    server.objects.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } });
    expect(await logOf('p')).toMatchObject({ code: 204, text: '' });
    const body = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } };
    expect(await send({ url: server.url }, `${pods}/p/binding`, { method: 'POST', body })).toMatchObject({ code: 201 });
    expect(await logOf('p')).toMatchObject({ code: 200, text: 'no container runs behind default/p\n' });
    expect(await logOf('other')).toMatchObject({ code: 404 });
  });
});
