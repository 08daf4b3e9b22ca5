import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

describe('createControlHandler', () => {
  let target: Target;
  let path: string;
  beforeAll(async () => {
    target = await openTarget({ control: true });
    path = await target.secrets();
  });
  afterAll(() => target.close());
  const post = (action: string, body: object = {}): ReturnType<Target['must']> => target.post(`/-/${action}`, body);

  it('brings faults in, says how often they struck, and takes them out', async () => {
    const fault = await post('faults', { type: 'answer', code: 503, verb: 'list', pathPattern: '/secrets$', count: 1 });
    expect(fault).toMatchObject({ id: '1', struck: 0, active: true });
    expect([(await target.request(path)).code, (await target.request(path)).code]).toEqual([503, 200]);
    expect((await target.must('/-/faults')).items).toMatchObject([
      { id: '1', struck: 1, active: false, fault: { type: 'answer', code: 503 } },
    ]);
    await post('faults', { type: 'answer', code: 500, resource: 'secrets' });
    expect((await target.request(path)).code).toBe(500);
    expect(await target.delete('/-/faults/2')).toMatchObject({ id: '2', struck: 1, active: false });
    await post('faults', { type: 'answer', code: 500 });
    await target.delete('/-/faults');
    expect((await target.request(path)).code).toBe(200);
  });

  it('expires what is old', async () => {
    const { metadata } = await target.post(path, { metadata: { name: 'a' } });
    await target.post(path, { metadata: { name: 'b' } });
    const exact = `${path}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    await post('compact', { resourceVersion: metadata.resourceVersion });
    expect((await target.request(exact)).code).toBe(200);
    await post('expire');
    expect((await target.request(exact)).code).toBe(410);
  });

  it('ends watches', async () => {
    const watch = await target.watch(`${path}?watch=true`);
    await post('end-watches');
    expect(await watch.ended).toBe(true);
    const other = await target.watch(`${path}?watch=true`);
    await post('cut-connections').catch(() => undefined);
    expect(await other.ended).toBe(false);
    // A client may have kept one of the closed connections.
    await target.request('/version').catch(() => undefined);
  });

  it('goes back to a snapshot', async () => {
    const { id } = await post('snapshot');
    await target.post(path, { metadata: { name: 'late' } });
    await post('restore', { id });
    expect((await target.request(`${path}/late`)).code).toBe(404);
  });

  it('tells clients apart, and shows an older state', async () => {
    await post('faults', { type: 'answer', code: 500, userAgentPattern: '^informer/' });
    expect((await target.request(path, { headers: { 'user-agent': 'informer/1' } })).code).toBe(500);
    expect((await target.request(path)).code).toBe(200);
    const { id, resourceVersion } = await post('snapshot');
    await target.post(path, { metadata: { name: 'newer' } });
    await post('faults', { type: 'stale', snapshot: id });
    expect((await target.must(`${path}?resourceVersion=0`)).metadata.resourceVersion).toBe(resourceVersion);
    await target.delete('/-/faults');
  });

  it('stops serving a kind, and serves it again', async () => {
    const kind = { group: '', plural: 'secrets' };
    await post('remove-kind', kind);
    expect((await target.request(path)).code).toBe(404);
    await post('serve-kind', kind);
    expect((await target.request(path)).code).toBe(200);
    expect((await target.request('/-/serve-kind', { method: 'POST', body: kind })).code).toBe(404);
  });

  it('adds and revokes tokens', async () => {
    const own = await openTarget({ control: true, auth: { tokens: { first: 'alice' } } });
    const as = (token: string): { readonly headers: Record<string, string> } => ({ headers: { authorization: `Bearer ${token}` } });
    const order = async (action: string, body: object): Promise<number> =>
      (await own.request(`/-/${action}`, { method: 'POST', body, ...as('first') })).code;
    expect(await order('add-token', { token: 'second', user: 'alice' })).toBe(200);
    expect((await own.request('/api/v1/pods', as('second'))).code).toBe(200);
    expect(await order('revoke-token', { token: 'second' })).toBe(200);
    expect((await own.request('/api/v1/pods', as('second'))).code).toBe(401);
    expect(await order('add-token', { token: 'third' })).toBe(400);
    expect((await own.request('/-/faults')).code).toBe(403);
    await own.close();
  });

  it('shows what has happened', async () => {
    await post('clear-activity');
    await target.post(path, { metadata: { name: 'c' } });
    expect((await target.must('/-/requests')).items).toMatchObject([
      { path: '/-/clear-activity' },
      { verb: 'create', resource: 'secrets', code: 201 },
    ]);
    expect((await target.must('/-/writes')).items).toMatchObject([{ type: 'ADDED', name: 'c' }]);
  });

  it.each([
    ['POST', '/-/faults', { type: 'nonsense' }, 400],
    ['POST', '/-/faults', { type: 'answer', code: 500, pathPattern: '(' }, 400],
    ['POST', '/-/faults', { type: 'stale', snapshot: '99' }, 400],
    ['POST', '/-/compact', { resourceVersion: 'x' }, 400],
    ['POST', '/-/remove-kind', { group: 'x', plural: 'y' }, 400],
    ['POST', '/-/restore', { id: '99' }, 404],
    ['POST', '/-/nonsense', {}, 404],
    ['GET', '/-/nonsense', undefined, 404],
    ['DELETE', '/-/faults/99', undefined, 404],
    ['PUT', '/-/faults', {}, 405],
  ])('refuses %s %s %j', async (method, at, body, code) => {
    expect((await target.request(at, { method, ...(body !== undefined && { body }) })).code).toBe(code);
  });

  it('takes no body that a web page could send without asking', async () => {
    expect((await target.request('/-/reset', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' })).code).toBe(400);
  });

  it('is not there unless it was asked for', async () => {
    const plain = await openTarget();
    expect((await plain.request('/-/faults')).code).toBe(404);
    await plain.close();
  });
});
