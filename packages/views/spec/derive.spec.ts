import { describe, expect, it, jest } from '@jest/globals';
import type { Collection, KubernetesObject, ResourceChange } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { VirtualTimeScheduler } from 'rxjs';
import { deriveMany } from '../src/deriveMany.js';
import { none, type View } from '../src/view.js';
import { derive } from '../src/derive.js';

interface Pod extends KubernetesObject {
  readonly ready?: boolean;
}
interface Service extends KubernetesObject {
  readonly selector?: Readonly<Record<string, string>>;
}

const pod = (key: string, app: string, version = '1', ready = true): Pod => {
  const [namespace = '', name = ''] = key.split('/');
  return { metadata: { namespace, name, labels: { app, tier: 'x' }, resourceVersion: version }, ready };
};
const service = (key: string, selector?: Readonly<Record<string, string>>): Service => {
  const [namespace = '', name = ''] = key.split('/');
  return { metadata: { namespace, name }, ...(selector && { selector }) };
};

/** The changes of a collection in short form: +key, ~key, -key. */
function record<T>(collection: Collection<T>, show: (value: T) => unknown = () => ''): string[] {
  const seen: string[] = [];
  collection.change$.subscribe({
    next: ({ events }: ResourceChange<T>) =>
      seen.push(
        events
          .map(
            ({ type, key, object }) =>
              `${type === 'added' ? '+' : type === 'deleted' ? '-' : '~'}${key}${type === 'deleted' ? '' : String(show(object))}`,
          )
          .join(' '),
      ),
    error: (error: unknown) => seen.push(`error ${(error as Error).message}`),
    complete: () => seen.push('complete'),
  });
  return seen;
}

const podNames = (pods: readonly Pod[]): string => `(${pods.map(({ metadata }) => metadata?.name ?? '').join(' ')})`;

describe('derive', () => {
  it('checks what a read asks for, however alike it is to the one before', () => {
    const [services, pods] = [fakeCollection([service('shop/web')]), fakeCollection([pod('shop/a', 'web'), pod('shop/b', 'db')])];
    let selection: object = { namespace: 'shop' };
    const view = derive(services, (_, read) => read(pods, selection).length);
    view.change$.subscribe();
    const degradedAfter = (next: object): readonly string[] => {
      selection = next;
      services.put(service('shop/web', { version: JSON.stringify(next) }));
      return view.health().degraded;
    };
    expect(degradedAfter({ namespace: 'shop' })).toEqual([]);
    expect(degradedAfter({ namespace: 'shop', labelSelector: undefined })).toEqual(['shop/web']);
    expect(degradedAfter({ namespace: 'shop', labels: { app: 'web' } })).toEqual(['shop/web']);
    expect(degradedAfter({ namespace: 'shop', filter: ({ metadata }: Pod) => metadata?.name === 'a' })).toEqual([]);
    expect(view.indexer.getByKey('shop/web')).toBe(1);
  });

  it('reads by labels where an object has null for its own', () => {
    const bare = { metadata: { namespace: 'n', name: 'bare', labels: null } } as unknown as Pod;
    const pods = fakeCollection([pod('n/a', 'web'), bare]);
    const view = derive(fakeCollection([service('n/web')]), (_, read) => read(pods, { labelSelector: { app: 'web' } }).length);
    expect(record(view, String)).toEqual(['+n/web1']);
  });

  it('joins by selector, and computes again only what a change touches', () => {
    const pods = fakeCollection([pod('n/a', 'web'), pod('n/b', 'db'), pod('m/c', 'web')], { name: 'pods' });
    const services = fakeCollection([service('n/web', { app: 'web' }), service('n/db', { app: 'db' }), service('n/none')], {
      name: 'services',
    });
    const backends = derive(services, ({ metadata, selector }, read) =>
      read(pods, { namespace: metadata?.namespace, labelSelector: selector ?? none }),
    );
    const seen = record(backends, podNames);
    expect(seen).toEqual(['+n/web(a) +n/db(b) +n/none()']);
    pods.put(pod('n/d', 'web'));
    pods.put(pod('m/e', 'web'));
    pods.put(pod('n/b', 'web', '2'));
    pods.remove('n/a');
    services.remove('n/none');
    expect(seen.slice(1)).toEqual(['~n/web(a d)', '~n/db() ~n/web(a b d)', '~n/web(b d)', '-n/none']);
    expect(backends.counters().computed).toBe(3 + 1 + 2 + 1 + 1);
  });

  it('reads what it is asked for, where it asks for something else with some of the same words', () => {
    const pods = fakeCollection([pod('n/a', 'web'), pod('m/b', 'web'), pod('n/c', 'db')], { name: 'pods' });
    const others = fakeCollection([pod('n/z', 'web')], { name: 'others' });
    const selector = { app: 'web' };
    const services = fakeCollection([service('n/one', { namespace: 'n' })], { name: 'services' });
    const view = derive(services, ({ selector: asked = {} }, read) =>
      read(asked['of'] === 'others' ? others : pods, {
        namespace: asked['namespace'] ?? '',
        labelSelector: asked['labels'] === 'none' ? none : selector,
        ...(asked['filter'] !== undefined && { filter: ({ metadata }: Pod) => metadata?.name !== asked['filter'] }),
      }),
    );
    const seen = record(view, podNames);
    services.put(service('n/one', { namespace: 'm' }));
    services.put(service('n/one', { namespace: 'n', of: 'others' }));
    services.put(service('n/one', { namespace: 'n', filter: 'a' }));
    services.put(service('n/one', { namespace: 'n' }));
    services.put(service('n/one', { namespace: 'n', labels: 'none' }));
    services.put(service('n/one', { namespace: 'm' }));
    pods.remove('m/b');
    pods.put(pod('n/d', 'web'));
    expect(seen).toEqual(['+n/one(a)', '~n/one(b)', '~n/one(z)', '~n/one()', '~n/one(a)', '~n/one()', '~n/one(b)', '~n/one()']);
  });

  it.each(['labels', 'namespace'] as const)(
    'reads what it is asked for with an object that it changes between two reads (%s)',
    (changed) => {
      const pods = fakeCollection([pod('n/a', 'web'), pod('n/b', 'db'), pod('m/c', 'web'), pod('m/d', 'db')], { name: 'pods' });
      const services = fakeCollection([service('n/one', { app: 'web', namespace: 'n' })], { name: 'services' });
      const labelSelector: Record<string, string> = { app: 'web' };
      const selection = { namespace: 'n', labelSelector };
      const view = derive(services, ({ selector: asked = {} }, read) => {
        if (changed === 'labels') labelSelector['app'] = asked['app'] ?? '';
        else selection.namespace = asked['namespace'] ?? '';
        return read(pods, selection);
      });
      const seen = record(view, podNames);
      services.put(service('n/one', { app: 'db', namespace: 'm' }));
      expect(seen).toEqual(changed === 'labels' ? ['+n/one(a)', '~n/one(b)'] : ['+n/one(a)', '~n/one(c)']);
    },
  );

  it('reads the right objects of a store that lists them in another order than their keys', () => {
    const pods = fakeCollection([pod('n/a', 'web'), pod('n/b', 'db'), pod('n/c', 'web')], { name: 'pods' });
    const { indexer } = pods;
    jest.spyOn(indexer, 'list').mockImplementation(() => ['n/c', 'n/a', 'n/b'].flatMap((key) => indexer.getByKey(key) ?? []));
    const services = fakeCollection([service('n/one', { app: 'web' })], { name: 'services' });
    const view = derive(services, ({ selector }, read) => read(pods, { labelSelector: selector ?? none }));
    const seen = record(view, podNames);
    pods.put(pod('n/c', 'db'));
    expect(seen).toEqual(['+n/one(a c)', '~n/one(a)']);
  });

  it('computes a value once in each change, however many ways lead to it', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const left = derive(pods, ({ metadata }) => ({ left: metadata?.resourceVersion }), { name: 'left' });
    const right = derive(left, (value) => ({ right: value.left }), { name: 'right' });
    const seen: unknown[] = [];
    let calls = 0;
    const both = derive(pods, ({ metadata }, read) => {
      calls += 1;
      return [metadata?.resourceVersion, read.get(left, 'n/a')?.left, read.get(right, 'n/a')?.right];
    });
    both.change$.subscribe(({ events }) => seen.push(...events.map(({ object }) => object)));
    calls = 0;
    pods.put(pod('n/a', 'web', '2'));
    pods.put(pod('n/a', 'web', '3'));
    expect(seen).toEqual([
      ['1', '1', '1'],
      ['2', '2', '2'],
      ['3', '3', '3'],
    ]);
    expect(calls).toBe(2);
  });

  it('tells the subscribers of all collections when all have settled', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const versions = derive(pods, ({ metadata }) => metadata?.resourceVersion);
    const seen: string[] = [];
    versions.change$.subscribe(({ events }) => seen.push(`view ${String(events[0]?.object)}`));
    pods.change$.subscribe(() => seen.push(`pods, while the view holds ${String(versions.indexer.getByKey('n/a'))}`));
    seen.length = 0;
    pods.put(pod('n/a', 'web', '2'));
    expect(seen).toEqual(['pods, while the view holds 2', 'view 2']);
  });

  it('emits nothing before all that it reads is complete, and nothing for equal values', () => {
    const pods = fakeCollection<Pod>([pod('n/a', 'web')], { name: 'pods', synced: false });
    const services = fakeCollection([service('n/web', { app: 'web' })], { name: 'services' });
    const counts = derive(services, ({ selector }, read) => ({ count: read(pods, { labelSelector: selector ?? none }).length }));
    const seen = record(counts, ({ count }) => count);
    expect(seen).toEqual([]);
    expect(counts.health().state).toBe('listing');
    pods.replace([pod('n/a', 'web'), pod('n/b', 'web')]);
    expect(seen).toEqual(['+n/web2']);
    expect(counts.health()).toMatchObject({ state: 'watching', synced: true });
    pods.put(pod('n/a', 'web', '2'));
    expect(seen).toHaveLength(1);
    expect(counts.counters()).toMatchObject({ unchanged: 1 });
  });

  it('is complete when what it waits for is not read any more', () => {
    const pods = fakeCollection<Pod>([], { name: 'pods', synced: false });
    const services = fakeCollection([service('n/web')], { name: 'services' });
    const counts = derive(services, (_, read) => read(pods).length);
    const seen = record(counts);
    expect(seen).toEqual([]);
    services.remove('n/web');
    expect(seen).toEqual(['']);
    expect(counts.health()).toMatchObject({ state: 'watching', synced: true });
  });

  it('keeps the last good value when the function throws, says so, and recovers', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const view = derive(pods, ({ metadata }) => {
      if (metadata?.resourceVersion === '2') throw new Error('no 2');
      return metadata?.resourceVersion;
    });
    const errors: string[] = [];
    view.error$.subscribe(({ code, key, message }) => errors.push(`${code} ${key ?? ''} ${message}`));
    const seen = record(view, String);
    const degraded: number[] = [];
    view.health$.subscribe((health) => degraded.push(health.degraded.length));
    pods.put(pod('n/a', 'web', '2'));
    expect(view.indexer.getByKey('n/a')).toBe('1');
    expect(view.health().degraded).toEqual(['n/a']);
    expect(view.explain('n/a')?.error?.message).toContain('no 2');
    pods.put(pod('n/a', 'web', '3'));
    expect(seen).toEqual(['+n/a1', '~n/a3']);
    expect(view.health().degraded).toEqual([]);
    expect(degraded).toEqual([0, 1, 0]);
    expect(errors).toEqual(['ERR_VIEW n/a The function of the view derive(pods) failed for n/a: no 2']);
  });

  it('refuses asynchronous functions, with the way out', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    // @ts-expect-error -- refused by type, too
    expect(() => derive(pods, async () => Promise.resolve(1))).toThrow(/asynchronous; .*`reconcile` or `process`/);
    // @ts-expect-error -- refused by type, too
    const hidden = derive(pods, () => Promise.resolve(1));
    expect(record(hidden)).toEqual([expect.stringContaining('asynchronous')]);
  });

  it('refuses circles, naming them', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const first: View<number> = derive(pods, (_, read) => read(second).length, { name: 'first', logger: { warn: () => undefined } });
    const second: View<number> = derive(pods, (_, read) => read(first).length, { name: 'second', logger: { warn: () => undefined } });
    expect(record(first)).toEqual(['error A view cannot be made of itself: second reads first reads second']);
    expect(pods.subscriptions()).toBe(0);
  });

  it('refuses direct reads of caches inside the function, and reads after it', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const quiet = { logger: { warn: () => undefined } };
    for (const direct of [() => pods.lister.list(), () => pods.indexer.getByKey('n/a'), () => pods.lister.namespace('n').list()]) {
      const view = derive(pods, () => typeof direct(), quiet);
      const seen = record(view);
      expect(seen).toEqual(['']);
      expect(view.health().error?.message).toMatch(/reads a lister or an indexer; only reads with `read` are tracked/);
    }
    let late: (() => unknown) | undefined;
    record(derive(pods, (_, read) => ((late = () => read(pods)), 1)));
    expect(() => late?.()).toThrow('after the function of the view had returned');
    expect(pods.lister.list()).toHaveLength(1);
  });

  it('refuses conditions that are undefined or unknown', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const messageOf = (selection: object): string | undefined => {
      const view = derive(pods, (_, read) => read(pods, selection).length, { logger: { warn: () => undefined } });
      record(view);
      return view.health().error?.message;
    };
    expect(messageOf({ labelSelector: undefined })).toContain('Expected `labelSelector` of `read` to be a selector, got undefined');
    expect(messageOf({ namespace: undefined })).toContain('Expected `namespace` of `read` to be a string, got undefined');
    expect(messageOf({ lableSelector: 'app=web' })).toContain('Unknown condition `lableSelector`');
    expect(messageOf({ labelSelector: { app: 'web' } })).toBeUndefined();
  });

  it('selects values without metadata by a function for their labels', () => {
    const pods = fakeCollection([pod('n/a', 'web'), pod('n/b', 'db')], { name: 'pods' });
    const apps = derive(pods, ({ metadata }) => ({ app: metadata?.labels?.['app'] ?? '' }), { labels: ({ app }) => ({ app }) });
    const services = fakeCollection([service('n/web', { app: 'web' })]);
    const seen = record(
      derive(services, ({ selector }, read) => read(apps, { namespace: 'n', labelSelector: selector ?? none }).length),
      String,
    );
    pods.put(pod('n/b', 'web', '2'));
    expect(seen).toEqual(['+n/web1', '~n/web2']);
    expect([apps.lister.list('app=web').length, apps.lister.namespace('n').list('app!=web').length]).toEqual([2, 0]);
  });

  it('reports a function for labels that throws, and selects without labels for that value, also for readers of its lister', () => {
    const pods = fakeCollection([pod('n/a', 'web'), pod('n/b', 'db')], { name: 'pods' });
    const apps = derive(pods, ({ metadata }) => metadata?.labels?.['app'] ?? '', {
      name: 'apps',
      labels: (app) => {
        if (app === 'db') throw new Error('no');
        return { app };
      },
    });
    const failures: string[] = [];
    apps.error$.subscribe(({ message }) => failures.push(message));
    record(apps);
    expect([apps.lister.list('app=web'), apps.lister.namespace('n').list('!app')]).toEqual([['web'], ['db']]);
    expect(new Set(failures)).toEqual(new Set(['The option `labels` of the view apps failed for a value: no']));
  });

  it('explains what a value was made from, and why', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const services = fakeCollection([service('n/web', { app: 'web' })], { name: 'services' });
    const view = derive(services, ({ selector }, read) => [
      read(pods, { namespace: 'n', labelSelector: selector ?? none }).length,
      read.get(pods, 'n/x'),
    ]);
    expect(view.explain('n/web')).toBeUndefined();
    record(view);
    pods.put(pod('n/b', 'web'));
    expect(view.explain('n/web')).toMatchObject({
      key: 'n/web',
      inputs: [
        { collection: 'services', read: 'key n/web', keys: ['n/web'] },
        { collection: 'pods', read: 'namespace n labels app=web', keys: ['n/a', 'n/b'] },
        { collection: 'pods', read: 'key n/x', keys: [] },
      ],
      cause: { collection: 'pods', cause: 'watch', keys: ['n/b'] },
    });
  });

  it('fills itself in slices, and appears as a whole', () => {
    const scheduler = new VirtualTimeScheduler();
    const pods = fakeCollection(
      Array.from({ length: 10 }, (_, at) => pod(`n/${String(at)}`, 'web')),
      { name: 'pods' },
    );
    const view = derive(pods, ({ metadata }) => metadata?.resourceVersion, { sliceSize: 4, scheduler });
    const sizes: number[] = [];
    view.change$.subscribe(({ events }) => sizes.push(events.length));
    expect([sizes, view.counters().computed]).toEqual([[], 4]);
    // What changes meanwhile is in it.
    pods.put(pod('n/0', 'web', '2'));
    scheduler.flush();
    expect(sizes).toEqual([10]);
    expect(view.indexer.getByKey('n/0')).toBe('2');
  });

  it('costs nothing while nobody is subscribed to it, and starts afresh', () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const view = derive(pods, ({ metadata }) => metadata?.resourceVersion);
    expect(pods.subscriptions()).toBe(0);
    const subscription = view.change$.subscribe();
    expect([pods.subscriptions(), view.hasSynced()]).toEqual([1, true]);
    subscription.unsubscribe();
    expect([pods.subscriptions(), view.hasSynced(), view.health().state]).toEqual([0, false, 'idle']);
    pods.put(pod('n/a', 'web', '2'));
    expect(view.indexer.getByKey('n/a')).toBe('1');
    expect(record(view, String)).toEqual(['+n/a2']);
    expect(view.indexer.getByKey('n/a')).toBe('2');
  });

  it('reports a wait that took too long as a timeout', async () => {
    const scheduler = new VirtualTimeScheduler();
    const view = derive(fakeCollection<Pod>([], { name: 'pods', synced: false }), ({ metadata }) => metadata, { name: 'slow', scheduler });
    const wait = view.whenSynced({ timeoutMs: 50 });
    scheduler.flush();
    await expect(wait).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      message: expect.stringContaining('The view slow did not sync within 50 ms'),
    });
  });

  it('works from whenSynced until it is stopped', async () => {
    const pods = fakeCollection([pod('n/a', 'web')], { name: 'pods' });
    const view = derive(pods, ({ metadata }) => metadata?.resourceVersion, { name: 'versions' });
    await view.whenSynced();
    pods.put(pod('n/a', 'web', '2'));
    expect(view.lister.get('n/a')).toBe('2');
    const seen = record(view, String);
    await view.stop();
    expect(seen).toEqual(['+n/a2', 'complete']);
    expect(pods.subscriptions()).toBe(0);
    await expect(view.whenSynced()).rejects.toThrow('The view versions has been stopped');
  });

  it('is refused with arguments that are wrong', () => {
    const pods = fakeCollection([pod('n/a', 'web')]);
    expect(() => derive([] as never, () => 1)).toThrow('Expected `derive` to be given an informer or a view, got an empty list');
    expect(() => derive(pods, 1 as never)).toThrow('Expected `derive` to be given a function, got 1');
    expect(() => derive(pods, () => 1, { equal: Object.is } as never)).toThrow(
      'Unknown option `equal` of `derive`; did you mean `equals`?',
    );
  });
});

describe('deriveMany', () => {
  it('gives a key that several objects claim to the first, names all of them, and passes it on', () => {
    const pods = fakeCollection([pod('n/a', 'web'), pod('n/b', 'web')], { name: 'pods' });
    const view = deriveMany(pods, ({ metadata }) => [{ app: metadata?.labels?.['app'] ?? '', of: metadata?.name }], {
      key: ({ app }) => app,
    });
    const errors: string[] = [];
    view.error$.subscribe(({ message }) => errors.push(message));
    const seen = record(view, ({ of }) => of);
    expect(seen).toEqual(['+weba']);
    expect(errors).toEqual(['Several objects of the view deriveMany(pods) make a value with the key web: n/a, n/b; the first one counts']);
    expect(view.health().degraded).toEqual(['web']);
    pods.remove('n/a');
    expect(seen).toEqual(['+weba', '~webb']);
    expect(view.health().degraded).toEqual([]);
  });
});
