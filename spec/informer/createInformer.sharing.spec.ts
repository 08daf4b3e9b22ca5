import { afterEach, describe, expect, it } from '@jest/globals';
import { concat, defer, filter, firstValueFrom, NEVER, of, Subject } from 'rxjs';
import type { V1Pod } from '../../src/api/kubernetes/coreV1.js';
import { resources } from '../../src/api/resources.js';
import { createKubeClient } from '../../src/client/createKubeClient.js';
import type { Transport, TransportEvent } from '../../src/client/requests/transport.js';
import { createInformer } from '../../src/informer/createInformer.js';
import type { ResourceInformerOptions } from '../../src/informer/informerOptions.js';

const utf8 = new TextEncoder();
const data = (text: string): TransportEvent => ({ type: 'data', chunk: utf8.encode(text) });

/** Smaller objects are not compared with one another, nor are those that are mostly text. */
const annotations = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`note-${at}`, 'x'.repeat(20)]));

/** A pod as servers send it. */
function pod(name: string, resourceVersion: string, phase = 'Running') {
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion,
      labels: { app: 'web' },
      annotations,
      managedFields: [{ manager: 'kubelet' }],
    },
    spec: { containers: [{ name: 'main', image: 'registry.example.com/web:v1' }], nodeName: `node of ${name}` },
    status: { phase, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

const stops: (() => void)[] = [];

/** An informer over a client whose server has two similar pods, and functions that change them. */
async function start(options: ResourceInformerOptions<V1Pod>) {
  const events = new Subject<TransportEvent>();
  const head: TransportEvent = { type: 'head', status: 200, headers: { 'content-type': 'application/json' } };
  const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '10' }, items: [pod('web-1', '1'), pod('web-2', '2')] };
  const transport: Transport = {
    server: 'https://fake',
    credentials: { get: () => Promise.resolve({ headers: {}, tls: {} }) },
    send: ({ path }) => defer(() => (path.includes('watch=') ? concat(of(head), events, NEVER) : of(head, data(JSON.stringify(list))))),
    close: () => undefined,
  };
  const client = createKubeClient({ connect: () => Promise.resolve({ transport, defaultNamespace: 'default' }) });
  const informer = createInformer<V1Pod>(client, resources.core.v1.pods, { listStrategy: 'list', ...options });
  stops.push(() => void informer.stop());
  informer.start();
  await firstValueFrom(informer.health$.pipe(filter(({ state }) => state === 'watching')), { defaultValue: undefined });
  const cached = (name: string): V1Pod => {
    const found = informer.indexer.getByKey(`default/${name}`);
    if (found === undefined) throw new Error(`Expected ${name} in the cache`);
    return found;
  };
  const send = (type: string, object: object) =>
    events.next(data(`${JSON.stringify({ type, object: { kind: 'Pod', apiVersion: 'v1', ...object } })}\n`));
  return { cached, send };
}

const containersOf = ({ spec }: V1Pod): unknown => spec?.containers;

function partsOf(root: unknown): object[] {
  return typeof root === 'object' && root !== null ? [root, ...Object.values(root).flatMap(partsOf)] : [];
}

/** What a user must not do. */
function mutate(cached: V1Pod): void {
  (cached as { status: { phase: string } }).status.phase = 'Mutated';
}

const environment = process.env['NODE_ENV'];

afterEach(() => {
  if (environment === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = environment;
  for (const stop of stops.splice(0)) stop();
});

describe.each(['test', 'production'])('createInformer over a client, with NODE_ENV=%s', (mode) => {
  it('shares what objects have in common, and what a new version has in common with the one before', async () => {
    process.env['NODE_ENV'] = mode;
    const { cached, send } = await start({});
    // Replicas are compared with the first one.
    const [other, first] = [cached('web-1'), cached('web-2')];
    expect(containersOf(other)).toBe(containersOf(first));
    let last = first;
    for (const [at, phase] of ['Pending', 'Running', 'Running', 'Failed', 'Pending'].entries()) {
      send('MODIFIED', pod('web-2', String(11 + at), phase));
      const now = cached('web-2');
      expect(now).toMatchObject({ metadata: { resourceVersion: String(11 + at) }, status: { phase } });
      expect(now).not.toBe(last);
      // The parts in which a replica differs are copied with each version; their children are shared.
      expect(now.spec).toEqual(first.spec);
      expect(now.spec?.containers).toBe(first.spec?.containers);
      expect(now.metadata?.labels).toBe(first.metadata?.labels);
      expect(now.status?.conditions).toBe(first.status?.conditions);
      expect(now.status === last.status).toBe(last.status?.phase === phase);
      last = now;
    }
    send('ADDED', pod('web-3', '20'));
    expect(containersOf(cached('web-3'))).toBe(containersOf(first));
    expect(cached('web-1')).toBe(other);
  });

  it('freezes objects whole, so that a mutation throws where it happens', async () => {
    process.env['NODE_ENV'] = mode;
    const { cached, send } = await start({});
    send('MODIFIED', pod('web-1', '11', 'Pending'));
    send('ADDED', pod('db-1', '12'));
    send('MODIFIED', pod('db-1', '13', 'Failed'));
    for (const name of ['web-1', 'web-2', 'db-1']) {
      expect(partsOf(cached(name)).filter((part) => !Object.isFrozen(part))).toEqual([]);
      expect(() => mutate(cached(name))).toThrow(TypeError);
    }
    expect(['web-1', 'web-2', 'db-1'].map((name) => cached(name).status?.phase)).toEqual(['Pending', 'Running', 'Failed']);
  });

  it('lets objects be changed, and none has a part of another one, where `freeze` is false', async () => {
    process.env['NODE_ENV'] = mode;
    const { cached, send } = await start({ freeze: false });
    send('ADDED', pod('web-3', '11'));
    const objects = ['web-1', 'web-2', 'web-3'].map(cached);
    const parts = objects.flatMap(partsOf);
    expect(new Set(parts).size).toBe(parts.length);
    expect(parts.filter((part) => Object.isFrozen(part))).toEqual([]);
    mutate(cached('web-1'));
    expect(objects.map(({ status }) => status?.phase)).toEqual(['Mutated', 'Running', 'Running']);
  });

  it('gives a `transform` objects that it may change', async () => {
    process.env['NODE_ENV'] = mode;
    const { cached, send } = await start({
      transform: (object) => {
        (object.spec as { containers: object[] }).containers[0] = { name: `main of ${object.metadata?.name}` };
        return object;
      },
    });
    send('ADDED', pod('web-3', '11'));
    send('MODIFIED', pod('web-2', '12', 'Pending'));
    for (const name of ['web-1', 'web-2', 'web-3']) expect(cached(name).spec?.containers).toEqual([{ name: `main of ${name}` }]);
    expect(containersOf(cached('web-1'))).not.toBe(containersOf(cached('web-3')));
    expect(Object.isFrozen(cached('web-1'))).toBe(true);
  });
});
