import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createInformer, type ResourceEvent, resources, type SharedInformer, type V1ConfigMap } from 'rx-informer';
import { seededRandom } from '../../../src/testing/fakes/randomHistory.js';
import { type Fault, startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { buildClientGo, type ClientGo, type ClientGoInformer, hasGo, seed, type ToldByClientGo } from './clientGo.js';

const configMaps = resources.core.v1.configmaps;
const namespace = 'compared';
const patienceMs = 60_000;
const userAgent = /^(client-go|ours)$/;

const words = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' } as const;

/** client-go notifies about objects that a list found unchanged, unless the informer has a resync period; this library does not. */
const isUnchanged = ({ type, version, oldVersion }: ToldByClientGo): boolean => type === 'updated' && version === oldVersion;

/** One line for an event, in the words of both. */
function lineOf({ type, key = '', version = '', oldVersion = '', initial = false, unknown = false }: ToldByClientGo): string {
  return `${type} ${key}@${version}${oldVersion === '' ? '' : ` from ${oldVersion}`}${initial ? ' initial' : ''}${unknown ? ' unknown' : ''}`;
}

function ourLine(event: Exclude<ResourceEvent<V1ConfigMap>, { readonly type: 'synced' }>): string {
  const version = event.object.metadata?.resourceVersion ?? '';
  const { key } = event;
  if (event.type === 'updated')
    return lineOf({ type: 'updated', key, version, oldVersion: event.oldObject.metadata?.resourceVersion ?? '' });
  if (event.type === 'added') return lineOf({ type: 'added', key, version, initial: event.initial });
  return lineOf({ type: 'deleted', key, version, unknown: event.finalStateUnknown });
}

/**
 * An update of client-go that this library emits as `deleted` and `added`: the object was deleted and created again while no watch was
 * open.
 */
function withRecreationsAsUpdates(events: readonly ResourceEvent<V1ConfigMap>[]): readonly string[] {
  const lines: string[] = [];
  const gone = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'synced') continue;
    const recreated =
      event.type === 'deleted' &&
      event.inferred &&
      events.some((other) => other.type === 'added' && other.inferred && other.key === event.key);
    if (recreated) gone.set(event.key, event.object.metadata?.resourceVersion ?? '');
    else if (event.type === 'added' && event.inferred && gone.has(event.key)) {
      const version = event.object.metadata?.resourceVersion ?? '';
      lines.push(lineOf({ type: 'updated', key: event.key, version, oldVersion: gone.get(event.key) ?? '' }));
    } else lines.push(ourLine(event));
  }
  return lines;
}

(hasGo ? describe : describe.skip)("an informer, next to client-go's on the same server", () => {
  let clientGo: ClientGo;
  let server: TestApiServer;
  let theirs: ClientGoInformer;
  let ours: SharedInformer<V1ConfigMap>;
  let events: ResourceEvent<V1ConfigMap>[];
  beforeAll(() => {
    clientGo = buildClientGo();
  }, 600_000);
  afterAll(() => clientGo.remove());
  beforeEach(() => {
    events = [];
  });
  afterEach(async () => {
    await Promise.all([ours.stop(), theirs.stop()]);
    await server.close();
  });

  const truth = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      server.objects
        .list({ apiVersion: 'v1', kind: 'ConfigMap' }, namespace)
        .map(({ metadata }) => [`${namespace}/${metadata?.name ?? ''}`, metadata?.resourceVersion ?? '']),
    );
  const ourStore = (): Readonly<Record<string, string>> =>
    Object.fromEntries(ours.lister.list().map(({ metadata }) => [`${namespace}/${metadata?.name ?? ''}`, metadata?.resourceVersion ?? '']));
  const settle = async (): Promise<void> => {
    const same = (store: Readonly<Record<string, string>>): boolean =>
      JSON.stringify(Object.entries(store).sort()) === JSON.stringify(Object.entries(truth()).sort());
    for (const until = Date.now() + patienceMs; Date.now() < until;) {
      if (same(ourStore()) && same(await theirs.store())) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect({ ours: ourStore(), theirs: await theirs.store() }).toEqual({ ours: truth(), theirs: truth() });
  };
  const open = async (options: Parameters<typeof startApiServer>[0] = {}): Promise<void> => {
    server = await startApiServer({ historyLimit: 10_000, ...options });
    for (const name of ['a', 'b', 'c']) put(name);
    theirs = clientGo.informer(server.url, namespace);
    const { createClient } = await import('rx-informer');
    ours = createInformer(createClient({ server: server.url, userAgent: 'ours' }), configMaps, { namespace, onError: () => undefined });
    ours.resource$.subscribe((event) => events.push(event));
    await ours.whenSynced();
    for (const until = Date.now() + patienceMs; Date.now() < until && !theirs.told.some(({ type }) => type === 'synced');) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  let count = 0;
  const put = (name: string): void => {
    count += 1;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { count: String(count) } };
    server.objects.put(object);
  };
  const remove = (name: string): void => server.objects.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } });
  const churn = (random: () => number, steps: number): void => {
    for (let step = 0; step < steps; step += 1) {
      const name = 'abcdefgh'[Math.floor(random() * 8)] ?? 'a';
      if (random() < 0.3 && Object.hasOwn(truth(), `${namespace}/${name}`)) remove(name);
      else put(name);
    }
  };
  /** What both were told since the last time. */
  let seenOurs = 0;
  let seenTheirs = 0;
  const since = (): { readonly ours: readonly string[]; readonly theirs: readonly string[] } => {
    const mine = withRecreationsAsUpdates(events.slice(seenOurs));
    const other = theirs.told
      .slice(seenTheirs)
      .filter((one) => one.type !== 'synced' && !isUnchanged(one))
      .map(lineOf);
    seenOurs = events.length;
    seenTheirs = theirs.told.length;
    return { ours: mine, theirs: other };
  };
  beforeEach(() => {
    seenOurs = 0;
    seenTheirs = 0;
  });

  it.each([
    ['that streams lists', 'current'],
    ['that does not', 'gate-off'],
  ] as const)(
    'is told the same of the first list and of every event, by a server %s',
    async (_, profile) => {
      await open({ profile });
      const first = since();
      expect([...first.ours].sort()).toEqual([...first.theirs].sort());
      const random = seededRandom(seed);
      for (let round = 0; round < 5; round += 1) {
        churn(random, 40);
        await settle();
        const { ours: mine, theirs: other } = since();
        expect(mine).toEqual(other);
        expect(mine.length).toBe(40);
      }
    },
    patienceMs * 5,
  );

  const endings: readonly (readonly [string, Fault])[] = [
    ['end in good order', { type: 'endWatch', atOnce: true, userAgent }],
    ['are cut', { type: 'cut', at: 'body', verb: 'watch', atOnce: true, userAgent }],
    ['end in the middle of an event', { type: 'truncate', afterBytes: 40, verb: 'watch', userAgent }],
  ];
  it.each(endings)(
    'is told every write, and client-go nothing else, when watches %s',
    async (_, fault) => {
      await open();
      // A watch that ends at once and has brought nothing counts as a failure to both.
      put('a');
      await settle();
      since();
      const random = seededRandom(seed + 1);
      for (let round = 0; round < 4; round += 1) {
        server.activity.clear();
        server.faults.inject({ ...fault, count: 2 });
        churn(random, 10);
        const written = server.activity.writes.map(
          ({ type, name, resourceVersion }) => `${words[type]} ${namespace}/${name}@${resourceVersion}`,
        );
        await settle();
        const { ours: mine, theirs: other } = since();
        expect(mine.map((line) => line.replace(/ from .*/, ''))).toEqual(written);
        // client-go may list again where this library resumes its watch, and then misses the changes in between.
        const states = other.filter((line) => !line.startsWith('deleted')).map((line) => line.replace(/^\w+ | from .*/g, ''));
        expect(written.map((line) => line.replace(/^\w+ /, ''))).toEqual(expect.arrayContaining(states));
      }
    },
    patienceMs * 4,
  );

  it(
    'finds the same differences when both have to list again',
    async () => {
      await open();
      since();
      const random = seededRandom(seed + 2);
      for (let round = 0; round < 4; round += 1) {
        const closed = server.faults.inject({ type: 'answer', code: 503, verb: ['list', 'watch'], userAgent });
        server.faults.inject({ type: 'endWatch', errorCode: 410, atOnce: true, count: 2, userAgent });
        await new Promise((resolve) => setTimeout(resolve, 200));
        churn(random, 15);
        server.faults.expireWatches();
        closed.remove();
        await settle();
        const { ours: mine, theirs: other } = since();
        // This library emits deletions first.
        expect([...mine].sort()).toEqual([...other].sort());
      }
    },
    patienceMs * 4,
  );
});
