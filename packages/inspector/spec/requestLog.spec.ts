import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { createClient, resources } from 'rx-informer';
import { registry } from 'rx-informer/internal';
import { RequestLog } from '../src/requestLog.js';

describe('the request log', () => {
  let server: TestApiServer;
  beforeEach(async () => {
    server = await startApiServer();
  });
  afterEach(() => server.close());

  it('has the requests from its creation until it is stopped, with their outcomes; before and after, nobody follows them', async () => {
    const { client } = server;
    const { pods, namespaces } = resources.core.v1;
    const list = (): Promise<unknown> => client.list(pods, { namespace: 'default' });
    await list();
    const log = new RequestLog();
    await list();
    await expect(client.get(namespaces, 'none')).rejects.toThrow('not found');
    log.stop();
    await list();
    expect(log.all()).toMatchObject([
      { number: 1, name: 'GET /api/v1/namespaces/default/pods', status: 200, bytes: expect.any(Number) as unknown },
      { number: 2, name: 'GET /api/v1/namespaces/none', status: 404 },
    ]);
    for (const { startedAt, headAt = NaN, endedAt = NaN } of log.all()) {
      expect(headAt).toBeGreaterThanOrEqual(startedAt);
      expect(endedAt).toBeGreaterThanOrEqual(headAt);
    }
    expect(log.all()[0]?.bytes).toBeGreaterThan(0);
    expect(registry().beginRequest('GET /')).toEqual([]);
  });

  it('says why a request failed, and has one that is open', async () => {
    const { client } = server;
    const log = new RequestLog();
    const watching = client.watch(resources.core.v1.pods, { namespace: 'default' }).subscribe();
    const nowhere = createClient({ server: 'http://127.0.0.1:1' });
    await expect(nowhere.list(resources.core.v1.pods)).rejects.toThrow('ECONNREFUSED');
    nowhere.close();
    const [open, failed] = log.all();
    expect(open?.endedAt).toBeUndefined();
    expect(failed).toMatchObject({ failure: expect.stringContaining('ECONNREFUSED') as unknown, endedAt: expect.any(Number) as unknown });
    watching.unsubscribe();
    expect(open?.endedAt).toBeDefined();
    log.stop();
  });

  it('drops finished requests before open ones', () => {
    const log = new RequestLog();
    const begin = (name: string) => registry().beginRequest(name);
    begin('watch');
    for (let at = 0; at < 250; at += 1) for (const each of begin(`GET /${at}`)) each.end(at === 249 ? new Error('boom') : undefined);
    const all = log.all();
    expect(all).toHaveLength(200);
    expect([all[0]?.name, all[1]?.name]).toEqual(['watch', 'GET /51']);
    expect(all.at(-1)).toMatchObject({ name: 'GET /249', failure: 'boom' });
    log.stop();
  });
});
