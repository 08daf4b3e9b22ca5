import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { type Observable, of, Subject, VirtualTimeScheduler } from 'rxjs';
import type { SourceEvent } from 'rx-informer/pipeline';
import { createInformer, resources, type V1Secret } from 'rx-informer';
import { dump } from '../src/dump.js';
import { createManager } from '@rx-informer/controller/manager';
import { derive, groupObjects } from '@rx-informer/views';
import { createRateLimitingQueue, createWorkQueue } from 'rx-informer/workqueue';
import { added, list, pod, type Pod } from '../../../spec/delta/pods.js';
import { fakeClient } from '../../../spec/informer/fakeClient.js';

const scheduler = new VirtualTimeScheduler();

function podsOf() {
  const source = new Subject<SourceEvent<Pod>>();
  const informer = createInformer<Pod>(source, { name: 'my pods', resource: 'pods', scheduler });
  return { source, informer };
}

describe('dump', () => {
  it('ends where the error of a view is its own cause', async () => {
    const { source, informer } = podsOf();
    const view = derive(informer, () => {
      const error = new Error('in a circle');
      throw Object.assign(error, { cause: error });
    });
    view.error$.subscribe();
    view.change$.subscribe();
    for (const event of list('9', [pod('a', '1')])) source.next(event);
    expect(dump(view)).toMatchObject({ error: { code: 'ERR_VIEW', message: expect.stringContaining('in a circle') as unknown } });
    await Promise.all([view.stop(), informer.stop()]);
  });

  it('says what an informer is like, in JSON and in one line', async () => {
    const { source, informer } = podsOf();
    expect(dump(informer)).toMatchObject({ kind: 'informer', state: 'idle', objects: 0, content: [] });
    informer.resource$.subscribe();
    for (const event of [...list('9', [pod('a', '1')]), added(pod('b', '10'))]) source.next(event);

    const state = JSON.parse(JSON.stringify(dump(informer, { objects: true }))) as unknown;
    expect(state).toMatchObject({
      name: 'my pods',
      resource: 'pods',
      state: 'watching',
      synced: true,
      resourceVersion: '10',
      changes: 2,
      subscribers: 1,
    });
    expect(state).toMatchObject({ content: { 'default/b': { metadata: { name: 'b' } } } });
    expect(inspect(informer)).toBe('<informer my pods: watching>');
    expect(dump()).toMatchObject([{ name: 'my pods', content: ['default/a', 'default/b'] }]);
    await informer.stop();
    expect(dump()).toEqual([]);
  });

  it('has the whole graph of a view', async () => {
    const { source, informer } = podsOf();
    const names = derive(informer, ({ metadata: { name } }) => ({ name }), { name: 'names', scheduler });
    const letters = groupObjects(names, ({ name }) => name[0], { name: 'letters', scheduler });
    letters.change$.subscribe();
    for (const event of list('9', [pod('a1', '1'), pod('a2', '2')])) source.next(event);

    expect(dump(letters)).toMatchObject({
      ...{ kind: 'view', name: 'letters', content: ['a'], inputs: ['names'] },
      graph: [{ name: 'names', content: ['default/a1', 'default/a2'], graph: [{ kind: 'informer', name: 'my pods', objects: 2 }] }],
    });
    expect(inspect(letters)).toBe('<view letters: watching>');
    expect(dump()).toHaveLength(3);
    await Promise.all([letters.stop(), names.stop(), informer.stop()]);
  });

  it('says what waits in a queue, also through one that is made around it', () => {
    const queue = createWorkQueue<string>({ name: 'keys' });
    queue.add('a');
    queue.add('b');
    queue.tryGet();
    expect(dump(queue)).toMatchObject({ kind: 'queue', waiting: 1, next: ['b'], processing: [{ item: 'a' }] });
    expect(inspect(queue)).toBe('<queue keys>');
    queue.shutDown();
    const limited = createRateLimitingQueue<string>({ name: 'limited' });
    expect(inspect(limited)).toBe('<queue limited>');
    limited.shutDown();
  });

  it('says what a manager is like before it runs', () => {
    const client = { ...fakeClient(scheduler), get: () => undefined, list: () => undefined } as never;
    const manager = createManager({ client, process: false });
    expect(dump(manager)).toMatchObject({ kind: 'manager', state: 'idle', problems: ['manager: starting'] });
    expect(inspect(manager)).toBe('<manager : idle>');
  });

  it('has no value of a Secret in what a user has named otherwise, and shows what is none', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'n' }, data: { key: 'hunter2' } };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'n' }, data: { key: 'shown' } };
    const listOf = (items: readonly object[]): Observable<SourceEvent<object>> =>
      of<SourceEvent<object>[]>(
        { type: 'init', scope: '', reason: 'first', previousResourceVersion: '' },
        { type: 'page', items },
        { type: 'ready', scope: '', resourceVersion: '1' },
      );
    const named = createInformer(listOf([secret, map, { ...secret, kind: undefined, metadata: { name: 't', namespace: 'n' } }]), {
      ...{ resource: 'credentials', scheduler },
    });
    named.start();
    const text = JSON.stringify(dump(named, { objects: true }));
    expect(text).toContain('shown');
    expect(text).not.toContain('hunter2');
  });

  it('has no value of a Secret, nor what a view has made of one', async () => {
    const client = fakeClient(scheduler);
    const copy = '{"data":{"key":"hunter2"}}';
    const copies = { 'kubectl.kubernetes.io/last-applied-configuration': copy, 'kapp.k14s.io/original': copy };
    client.serverOf('secrets').add({ metadata: { name: 's', namespace: 'n', annotations: copies }, data: { key: 'hunter2' } } as never);
    const secrets = createInformer(client, resources.core.v1.secrets, { scheduler });
    const values = derive(secrets, ({ data }) => ({ made: data?.['key'] }), { scheduler });
    values.change$.subscribe();
    const transform = ({ metadata, data }: V1Secret): object => ({ metadata, token: data?.['key'], data: data?.['key'] });
    const transformed = createInformer(client, resources.core.v1.secrets, { scheduler, transform });
    transformed.start();
    scheduler.maxFrames = 1_000;
    scheduler.flush();

    expect(secrets.indexer.listKeys()).toEqual(['n/s']);
    expect(dump(transformed, { objects: true })).toMatchObject({ content: { 'n/s': { token: '(masked)', data: '(masked)' } } });
    expect(
      JSON.stringify([dump(secrets, { objects: true }), dump(values, { objects: true }), dump(undefined, { objects: true })]),
    ).not.toContain('hunter2');
    expect(dump(secrets, { objects: true })).toMatchObject({ content: { 'n/s': { data: { key: '(masked)' } } } });
    await Promise.all([values.stop(), secrets.stop(), transformed.stop()]);
  });

  it('refuses what is none of these', () => {
    expect(() => dump({ a: 1 })).toThrow('Expected `thing` of `dump` to be an informer, a view, a queue or a manager, got');
    expect(() => dump(undefined, { object: true } as never)).toThrow('Unknown option `object` of `dump`; did you mean `objects`?');
  });
});
