import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { NEVER } from 'rxjs';
import { type KubeClient, resources } from 'rx-informer';
import type { RequestOptions } from 'rx-informer/internal';
import { boundClient } from '../../src/leader/boundClient.js';
import { Tenure } from '../../src/leader/tenure.js';
import type { LeaderElectionError } from '../../src/leader/leaderElectionError.js';
import { fail } from '../reconcile/outcomeLog.js';

const { pods } = resources.core.v1;
const pod = { metadata: { name: 'web', namespace: 'ns' } };

function setUp() {
  const sent: string[] = [];
  let left = 0;
  const hang =
    (verb: string) =>
    (...args: unknown[]): Promise<never> => {
      sent.push(verb);
      const { signal } = args.at(-1) as RequestOptions;
      return new Promise((_, reject) => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as requests do
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    };
  const subresource = { get: hang('get'), replace: hang('replace'), patch: hang('patch') };
  const verbs = ['get', 'list', 'create', 'replace', 'patch', 'delete', 'deleteCollection', 'getPath'];
  const stream = (...args: unknown[]) => {
    sent.push('stream');
    (args.at(-1) as RequestOptions).beforeSend?.();
    return NEVER;
  };
  const base = {
    ...Object.fromEntries(verbs.map((verb) => [verb, hang(verb)])),
    ...{ status: subresource, scale: subresource, listChunks: stream, watch: stream, readPath: stream, close: () => (left += 1) },
  } as unknown as KubeClient;
  let now = 0;
  const tenure = new Tenure({ what: 'Leadership 3 is over', now: () => now, until: 10 });
  return { client: boundClient(base, () => tenure), tenure, sent, expire: () => (now = 10), closed: () => left };
}

const requests: [string, (client: KubeClient, options?: RequestOptions) => Promise<unknown>][] = [
  ['get', (client, options) => client.get(pods, 'web', options)],
  ['list', (client, options) => client.list(pods, options)],
  ['create', (client, options) => client.create(pods, pod, options)],
  ['replace', (client, options) => client.replace(pods, pod, options)],
  ['patch', (client, options) => client.patch(pods, 'web', 'merge', {}, options)],
  ['delete', (client, options) => client.delete(pods, 'web', options)],
  ['deleteCollection', (client, options) => client.deleteCollection(pods, options)],
  ['status.get', (client, options) => client.status.get(pods, 'web', options)],
  ['status.replace', (client, options) => client.status.replace(pods, pod, options)],
  ['scale.patch', (client, options) => client.scale.patch(pods, 'web', 'merge', {}, options)],
  ['getPath', (client, options) => client.getPath('/version', options)],
];

describe('boundClient', () => {
  it.each(requests)('does not send %s when the time is over, also before anything was aborted', async (_, request) => {
    const { client, sent, expire } = setUp();
    expire();
    await expect(request(client)).rejects.toMatchObject({
      code: 'ERR_LEADERSHIP_LOST',
      message: 'Leadership 3 is over: no request is sent',
    });
    expect(sent).toEqual([]);
  });

  it.each(requests)('aborts %s that is under way at the end', async (_, request) => {
    const { client, tenure, sent } = setUp();
    const mine = new AbortController();
    const both = [request(client), request(client, { signal: mine.signal })];
    tenure.end(new Error('lost'));
    for (const one of both) await expect(one).rejects.toMatchObject({ code: 'ERR_LEADERSHIP_LOST', cause: { message: 'lost' } });
    expect(sent).toHaveLength(2);
  });

  it('has no listener on the signal of the leadership for each request, of which Node would warn', () => {
    const { client, tenure, sent } = setUp();
    for (let at = 0; at < 20; at += 1) client.get(pods, 'web').catch(() => undefined);
    expect(sent).toHaveLength(20);
    expect(getEventListeners(tenure.signal, 'abort')).toEqual([]);
  });

  it('forgets a request that has been answered', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const base: Partial<KubeClient> = {
      getPath: (_, options) => {
        signals.push(options?.signal);
        return Promise.resolve({});
      },
    };
    const tenure = new Tenure({ what: 'Leadership 3 is over', now: () => 0, until: 10 });
    const mine = new AbortController();
    await boundClient(base as KubeClient, () => tenure).getPath('/version', { signal: mine.signal });
    expect(getEventListeners(mine.signal, 'abort')).toEqual([]);
    tenure.end(new Error('lost'));
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  });

  it('closes the client that it binds', () => {
    const { client, closed } = setUp();
    client.close();
    expect(closed()).toBe(1);
  });

  it('keeps the signal of the caller, and its reason', async () => {
    const { client } = setUp();
    const mine = new AbortController();
    const request = client.get(pods, 'web', { signal: mine.signal });
    mine.abort(new Error('enough'));
    await expect(request).rejects.toThrow('enough');
  });

  it('asks the `beforeSend` of the caller of a stream, too', () => {
    const { client } = setUp();
    const asked: string[] = [];
    client.watch(pods, { beforeSend: () => asked.push('watch') }).subscribe();
    client.listChunks(pods, { beforeSend: () => asked.push('listChunks') }).subscribe();
    client.readPath('/version', { beforeSend: () => asked.push('readPath') }).subscribe();
    expect(asked).toEqual(['watch', 'listChunks', 'readPath']);
  });

  it('fails streams at the end, and starts none after it', () => {
    const { client, tenure, sent } = setUp();
    const errors: unknown[] = [];
    client
      .watch(pods, {})
      .subscribe({ error: (error: unknown) => errors.push((error as LeaderElectionError).code), complete: fail as never });
    tenure.end(new Error('lost'));
    client
      .listChunks(pods, {})
      .subscribe({ error: (error: unknown) => errors.push((error as LeaderElectionError).code), complete: fail as never });
    expect(errors).toEqual(['ERR_LEADERSHIP_LOST', 'ERR_LEADERSHIP_LOST']);
    expect(sent).toEqual(['stream']);
  });
});
