import { describe, expect, it } from '@jest/globals';
import { of, VirtualTimeScheduler } from 'rxjs';
import type { InformerError } from '../../src/api/errors/informerError.js';
import { customResource } from '../../src/api/resource.js';
import type { V1Pod } from '../../src/api/kubernetes/coreV1.js';
import { type ClientNodeInformer, type ClientNodeVerb, makeInformer } from '../../src/clientNode/makeInformer.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import type { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';
import { pod } from '../../src/testing/fakes/fixtures.js';
import { connectionError, failureStatus, statusError } from '../../src/testing/fakes/serverErrors.js';
import { heldAfterCollection } from '../leaks/garbage.js';
import { type FakeClient, fakeClient } from '../informer/fakeClient.js';

const path = '/api/v1/namespaces/default/pods';

interface Setting {
  readonly scheduler: VirtualTimeScheduler;
  readonly client: FakeClient;
  readonly server: FakeListerWatcher;
  readonly informer: ClientNodeInformer<V1Pod>;
  readonly log: string[];
}

/** A server with the pod `a`, and an informer in the way that client-node's documentation recommends: started again at every error. */
function setting(): Setting {
  const scheduler = new VirtualTimeScheduler();
  const client = fakeClient(scheduler);
  const server = client.serverOf('pods');
  server.add(pod('a'));
  const informer = makeInformer<V1Pod>(client, path, () => Promise.reject(new Error('never called')), undefined, {
    scheduler,
    random: () => 0,
  });
  const log: string[] = [];
  for (const verb of ['add', 'update', 'delete'] as const) informer.on(verb, ({ metadata }) => log.push(`${verb} ${metadata?.name ?? ''}`));
  informer.on('connect', () => log.push('connect'));
  informer.on('error', (error) => {
    log.push(`error ${(error as { code: string }).code}`);
    scheduler.schedule(() => void informer.start(), 5_000);
  });
  return { scheduler, client, server, informer, log };
}

describe('makeInformer', () => {
  it('tells what comes, changes and goes, and keeps it', async () => {
    const { server, informer, log } = setting();
    await informer.start();
    server.add(pod('b'));
    server.modify(pod('a'));
    server.delete('default/b');
    expect(log).toEqual(['add a', 'connect', 'add b', 'update a', 'delete b']);
    expect(informer.get('a', 'default')?.metadata?.resourceVersion).toBe('4');
    expect(informer.get('b', 'default')).toBeUndefined();
    const listed = [informer.list(), informer.list(null as never), informer.list(''), informer.list('default'), informer.list('other')];
    expect(listed.map(({ length }) => length)).toEqual([1, 1, 1, 1, 0]);
    expect(informer.latestResourceVersion()).toBe('5');
  });

  it('tells a late `change` of each resync', async () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    client.serverOf('pods').add(pod('a'));
    const informer = makeInformer<V1Pod>(client, path, () => Promise.reject(new Error('never called')), undefined, {
      scheduler,
      resyncPeriodMs: 1_000,
    });
    await informer.start();
    const told: unknown[] = [];
    informer.on('change', ({ metadata }) => told.push([scheduler.now(), metadata?.name]));
    advanceBy(scheduler, 2_500);
    void informer.stop();
    expect(told.map((each) => (each as [number, string])[1])).toEqual(['a', 'a', 'a']);
  });

  it('lets `change` stand for all three, and takes callbacks back one by one', () => {
    const { server, informer } = setting();
    const changes: string[] = [];
    const callback = ({ metadata }: V1Pod): void => void changes.push(metadata?.name ?? '');
    informer.on('change', callback);
    informer.on('change', callback);
    void informer.start();
    informer.off('change', callback);
    informer.off('add', callback);
    server.modify(pod('a'));
    server.delete('default/a');
    informer.off('change', callback);
    server.add(pod('late'));
    expect(changes).toEqual(['a', 'a', 'a', 'a']);
  });

  it.each<[string, (server: FakeListerWatcher) => void]>([
    ['a reset connection', (server) => server.reset(connectionError('ECONNRESET'))],
    ['an answer 500', (server) => server.fail(failureStatus(500, 'InternalError', 'no'))],
    [
      'a list that fails',
      (server) => {
        server.failNext('list', statusError(503, 'ServiceUnavailable', 'no'));
        server.expire();
      },
    ],
  ])('goes on by itself after %s, and a start from the error callback does no harm (defects 1, 4 and 11)', (_, fault) => {
    const { scheduler, server, informer, log } = setting();
    void informer.start();
    fault(server);
    server.add(pod('b'));
    advanceBy(scheduler, 60_000);
    expect(log.filter((line) => line.startsWith('error')).length).toBeGreaterThan(0);
    expect(log).toContain('add b');
    expect(server.openWatches).toBe(1);
    expect(server.requests.length).toBeLessThan(8);
  });

  it('stops without an error and for good, so that nothing starts it again (defect 2)', async () => {
    const { scheduler, server, informer, log } = setting();
    void informer.start();
    await informer.stop();
    server.add(pod('b'));
    advanceBy(scheduler, 60_000);
    expect(log).toEqual(['add a', 'connect']);
    expect(server.openWatches).toBe(0);
  });

  it('stops while the first list is on its way (defects 3 and 15)', async () => {
    const { scheduler, server, informer, log } = setting();
    server.hangNext('watch');
    const started = informer.start();
    await informer.stop();
    await started;
    advanceBy(scheduler, 120_000);
    expect(log).toEqual([]);
    expect([server.requests.length, server.openWatches]).toEqual([1, 0]);
  });

  it('tells what has changed meanwhile when it is started again', async () => {
    const { server, informer, log } = setting();
    await informer.start();
    server.add(pod('b'));
    await informer.stop();
    server.delete('default/a');
    server.modify(pod('b'));
    server.add(pod('c'));
    expect(informer.list()).toHaveLength(2);
    log.length = 0;
    await informer.start();
    expect(log.filter((line) => line !== 'connect')).toEqual(['delete a', 'update b', 'add c']);
  });

  it('waits longer and longer for a server that closes every watch at once (defect 5)', () => {
    const { scheduler, server, informer } = setting();
    void informer.start();
    for (let at = 0; at < 3_600; at += 1) {
      server.close();
      advanceBy(scheduler, 10);
    }
    expect(server.requests.length).toBeLessThan(30);
  });

  it('waits as long as the server says (defect 6)', () => {
    const { scheduler, server, informer } = setting();
    server.failNext('watch', statusError(429, 'TooManyRequests', 'slow down', 20_000));
    void informer.start();
    advanceBy(scheduler, 19_999);
    expect(server.requests).toHaveLength(1);
    advanceBy(scheduler, 1);
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it('replaces a connection that has gone silent, without a list (defect 7)', () => {
    const { scheduler, server, informer, log } = setting();
    void informer.start();
    server.stall();
    server.add(pod('b'));
    advanceBy(scheduler, 75_000);
    expect(log).toEqual(['add a', 'connect', 'add b']);
    expect(server.requests.filter(({ verb, request }) => verb === 'list' && request.limit !== 1)).toEqual([]);
  });

  it('keeps a quiet watch open, and asks for bookmarks (defects 8 and 9)', () => {
    const { scheduler, server, informer } = setting();
    void informer.start();
    advanceBy(scheduler, 60_000);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.request.allowWatchBookmarks).toBe(true);
  });

  it('reports a callback that throws, and calls the others (defect 14)', () => {
    const { server, informer, log } = setting();
    informer.on('add', () => {
      throw new Error('mine');
    });
    informer.on('add', ({ metadata }) => log.push(`other ${metadata?.name ?? ''}`));
    void informer.start();
    server.add(pod('b'));
    expect(log).toEqual(expect.arrayContaining(['other a', 'error ERR_HANDLER', 'other b']));
  });

  it('reports what comes of callbacks later: a rejection, one at the registration, and one of `connect` (defect 14)', async () => {
    const { server, informer, log } = setting();
    const fail = (({ metadata }: V1Pod) => Promise.reject(new Error(`later ${metadata?.name ?? ''}`))) as (object: V1Pod) => void;
    const messages: string[] = [];
    const resourcesOf: string[] = [];
    informer.on('error', (error) => {
      messages.push((error as Error).message);
      resourcesOf.push((error as InformerError).resource);
    });
    informer.on('connect', () => {
      throw new Error('connected');
    });
    informer.on('update', fail);
    await informer.start();
    informer.on('add', fail);
    server.modify(pod('a'));
    server.add(pod('b'));
    await new Promise(setImmediate);
    expect(messages).toEqual(['connected', 'later a', 'later a', 'later b'].map((each) => `A callback failed: ${each}`));
    expect(new Set(resourcesOf)).toEqual(new Set(['pods']));
    expect(log.filter((line) => !line.startsWith('error'))).toEqual(['add a', 'connect', 'update a', 'add b']);
  });

  it('logs what comes of `error` callbacks, and calls the others (defect 14)', async () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const lines: string[] = [];
    const logger = { warn: (line: string) => void lines.push(line) };
    const informer = makeInformer<V1Pod>(client, path, undefined, undefined, { scheduler, random: () => 0, logger });
    const told: string[] = [];
    informer.on('error', () => {
      throw new Error('at once');
    });
    const later: unknown = () => Promise.reject(new Error('later'));
    informer.on('error', later as () => void);
    informer.on('error', (error) => told.push((error as InformerError).code));
    informer.on('add', () => {
      throw new Error('mine');
    });
    client.serverOf('pods').add(pod('a'));
    await informer.start();
    await new Promise(setImmediate);
    expect(told).toEqual(['ERR_HANDLER']);
    expect(lines.filter((line) => line.includes('`error` callback'))).toEqual(
      ['at once', 'later'].map((each) => `rx-informer: pods: An \`error\` callback failed: ${each}`),
    );
  });

  it('takes its selectors from one place, for lists and watches (defect 16)', () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const query = `${path}?labelSelector=app%3Dweb&fieldSelector=spec.nodeName%3Dn1`;
    void makeInformer<V1Pod>(client, query, undefined, undefined, { scheduler, listStrategy: 'list' }).start();
    void makeInformer<V1Pod>(client, path, undefined, 'app=db', { scheduler, listStrategy: 'list' }).start();
    expect(client.requests).toEqual([
      'list pods default app=web spec.nodeName=n1',
      'watch pods default app=web spec.nodeName=n1',
      'list pods default app=db',
      'watch pods default app=db',
    ]);
  });

  it('keeps the selection of its path where options are undefined', () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const none = { namespace: undefined, labelSelector: undefined, fieldSelector: undefined };
    const selected = `${path}?labelSelector=app%3Dweb&fieldSelector=metadata.name%3Da`;
    void makeInformer<V1Pod>(client, selected, undefined, undefined, { scheduler, listStrategy: 'list', ...none }).start();
    expect(client.requests).toEqual(['list', 'watch'].map((verb) => `${verb} pods default app=web metadata.name=a`));
  });

  it('tells a late callback what is there, and gives the old object to whoever moves on (defect 19)', () => {
    const { server, informer } = setting();
    void informer.start();
    const late: string[] = [];
    informer.on('add', ({ metadata }) => late.push(metadata?.name ?? ''));
    informer.informer.addEventHandler({
      onUpdate: (before, after) => late.push(`${before.metadata?.resourceVersion ?? ''} ${after.metadata?.resourceVersion ?? ''}`),
    });
    server.modify(pod('a'));
    expect(late).toEqual(['a', '2 3']);
  });

  it('tells a callback that is registered while it is stopped what is there, and then what has changed', async () => {
    const { server, informer } = setting();
    await informer.start();
    await informer.stop();
    const log: string[] = [];
    informer.on('add', ({ metadata }) => log.push(`add ${metadata?.name ?? ''}`));
    informer.on('delete', ({ metadata }) => log.push(`delete ${metadata?.name ?? ''}`));
    expect(log).toEqual(['add a']);
    server.add(pod('b'));
    await informer.start();
    server.delete('default/a');
    expect(log).toEqual(['add a', 'add b', 'delete a']);
  });

  it('tells a callback that is registered in another one of each state once', () => {
    const { server, informer } = setting();
    void informer.start();
    const log: string[] = [];
    const note = ({ metadata }: V1Pod): void => void log.push(`${metadata?.name ?? ''} ${metadata?.resourceVersion ?? ''}`);
    const once = (): void => {
      informer.off('update', once);
      informer.on('change', note);
    };
    informer.on('update', once);
    server.modify(pod('a'));
    server.modify(pod('a'));
    server.delete('default/a');
    expect(log).toEqual(['a 3', 'a 4', 'a 5']);
    informer.on('add', () => informer.on('update', note));
    server.add(pod('b'));
    informer.on('delete', () => informer.on('delete', note));
    server.delete('default/b');
    expect(log.slice(3)).toEqual(['b 6', 'b 7']);
  });

  it('keeps nothing of what a late callback was told', async () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const server = client.serverOf('pods');
    server.add(pod('a'));
    // The server keeps its own objects.
    const transform = (object: V1Pod): V1Pod => structuredClone(object);
    const informer = makeInformer<V1Pod>(client, path, undefined, undefined, { scheduler, transform });
    void informer.start();
    const told: WeakRef<V1Pod>[] = [];
    informer.on('add', (object) => void told.push(new WeakRef(object)));
    for (let change = 0; change < 5; change += 1) server.modify(pod('a'));
    expect(await heldAfterCollection(told)).toBe(0);
  });

  it('says that it is connected when it is (defect 20)', () => {
    const { scheduler, server, informer, log } = setting();
    server.stop();
    void informer.start();
    advanceBy(scheduler, 3_000);
    expect(log).not.toContain('connect');
    server.start();
    advanceBy(scheduler, 60_000);
    expect(log.filter((line) => line === 'connect')).toHaveLength(1);
  });

  it('takes two objects of one name for two (defect 21)', () => {
    const { scheduler, server, informer, log } = setting();
    void informer.start();
    server.loseEvents(() => {
      server.delete('default/a');
      server.add(pod('a', { metadata: { uid: 'another' } }));
    });
    server.expire();
    advanceBy(scheduler, 60_000);
    expect(log.filter((line) => / a$/.test(line))).toEqual(['add a', 'delete a', 'add a']);
  });

  it('lists more objects of one namespace than a call may have arguments (defect 18)', () => {
    const scheduler = new VirtualTimeScheduler();
    const items = Array.from({ length: 130_000 }, (_, at) => ({
      metadata: { namespace: 'default', name: `p${at}`, resourceVersion: '1' },
    }));
    const client = { ...fakeClient(scheduler), listChunks: () => of({ metadata: { resourceVersion: '1' }, items }) as never };
    const informer = makeInformer<V1Pod>(client, path, undefined, undefined, { scheduler, freeze: false, listStrategy: 'list' });
    void informer.start();
    expect([informer.list().length, informer.list('default').length]).toEqual([130_000, 130_000]);
  });

  it('takes a resource in place of a path', () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const sites = customResource({ group: 'example.com', version: 'v1', plural: 'sites', kind: 'Site', namespaced: true });
    void makeInformer(client, sites, undefined, undefined, { scheduler, namespace: 'shop', listStrategy: 'list' }).start();
    expect(client.requests).toEqual(['list sites shop', 'watch sites shop']);
  });

  it.each(['/apis/example.com/v1/sites', 'pods', '/api/v1/pods/a/b/c', ''])('refuses the path %j', (unknown) => {
    expect(() => makeInformer(fakeClient(new VirtualTimeScheduler()), unknown)).toThrow(
      `Expected \`path\` to be that of a built-in resource, or a resource such as customResource(), got ${JSON.stringify(unknown)}`,
    );
  });

  it('refuses an unknown verb and what is no function', () => {
    const { informer } = setting();
    expect(() => informer.on('added' as ClientNodeVerb as 'add', () => undefined)).toThrow('Expected add, update, change');
    expect(() => informer.on('add', 'x' as never)).toThrow('Expected a function for "add", got string');
    const client = fakeClient(new VirtualTimeScheduler());
    expect(() => makeInformer(client, path, undefined, undefined, { parts: {} } as never)).toThrow('Expected `parts` of `createInformer`');
  });

  it('calls callbacks of several verbs in the order in which things happened, late ones too', () => {
    const { server, informer } = setting();
    void informer.start();
    const log: string[] = [];
    informer.on('add', ({ metadata }) => log.push(`add ${metadata?.uid ?? ''}`));
    informer.on('delete', ({ metadata }) => log.push(`delete ${metadata?.uid ?? ''}`));
    const [first] = server.objects();
    log.length = 0;
    server.loseEvents(() => server.delete('default/a'));
    server.add(pod('a', { metadata: { uid: 'another' } }));
    const [second] = server.objects();
    expect(log).toEqual([`delete ${first?.metadata?.uid ?? ''}`, `add ${second?.metadata?.uid ?? ''}`]);
  });
});
