import { describe, expect, it } from '@jest/globals';
import { of, throwError, VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../src/api/resources.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { permittedNamespaces } from '../../src/client/permittedNamespaces.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';

type Reviewer = Parameters<typeof permittedNamespaces>[0];
const { pods, nodes } = resources.core.v1;

function serverOf(): { readonly client: Reviewer; readonly grants: Set<string>; readonly asked: string[]; fails: boolean } {
  const world = { client: undefined as unknown as Reviewer, grants: new Set<string>(), asked: [] as string[], fails: false };
  world.client = {
    create: (
      _: unknown,
      { spec }: { readonly spec: { readonly resourceAttributes: { readonly verb: string; readonly namespace?: string } } },
    ) => {
      const { verb, namespace = '' } = spec.resourceAttributes;
      world.asked.push(`${verb} ${namespace}`);
      if (world.fails) return throwError(() => new Error('no answer'));
      return of({ status: { allowed: world.grants.has('') || world.grants.has(namespace) || world.grants.has(`${verb} ${namespace}`) } });
    },
    list: () => of({ items: ['web', 'db', 'ops'].map((name) => ({ metadata: { name } })) }),
  } as unknown as Reviewer;
  return world;
}

describe('permittedNamespaces', () => {
  it('asks for all namespaces first, then for each, and follows what is granted and revoked', () => {
    const scheduler = new VirtualTimeScheduler();
    const world = serverOf();
    world.grants.add('web').add('list db');
    const seen: (readonly string[])[] = [];
    const following = permittedNamespaces(world.client, pods, { scheduler }).subscribe((names) => seen.push(names));
    expect(seen).toEqual([['web']]);
    world.grants.add('watch db');
    advanceBy(scheduler, 59_000);
    expect(seen).toHaveLength(1);
    advanceBy(scheduler, 2_000);
    world.grants.delete('web');
    advanceBy(scheduler, 60_000);
    world.grants.add('');
    advanceBy(scheduler, 60_000);
    expect(seen).toEqual([['web'], ['db', 'web'], ['db'], ['']]);
    following.unsubscribe();
    expect(scheduler.actions).toHaveLength(0);
  });

  it('leaves the namespaces as they were when a round fails', () => {
    const scheduler = new VirtualTimeScheduler();
    const world = serverOf();
    world.grants.add('web');
    const seen: (readonly string[])[] = [];
    permittedNamespaces(world.client, pods, { scheduler, candidates: ['web', 'db'], periodMs: 1_000 }).subscribe((names) =>
      seen.push(names),
    );
    world.fails = true;
    advanceBy(scheduler, 10_000);
    world.fails = false;
    world.grants.add('db');
    advanceBy(scheduler, 2_000);
    expect(seen).toEqual([['web'], ['db', 'web']]);
  });

  it('leaves an informer with nothing where nothing can be asked', () => {
    const scheduler = new VirtualTimeScheduler();
    const world = serverOf();
    world.fails = true;
    const seen: (readonly string[])[] = [];
    permittedNamespaces(world.client, pods, { scheduler }).subscribe((names) => seen.push(names));
    expect(seen).toEqual([[]]);
  });

  it('tells all namespaces and none apart, also where the first round fails', () => {
    const scheduler = new VirtualTimeScheduler();
    const world = serverOf();
    world.fails = true;
    world.grants.add('');
    const seen: (readonly string[])[] = [];
    permittedNamespaces(world.client, pods, { scheduler }).subscribe((names) => seen.push(names));
    world.fails = false;
    advanceBy(scheduler, 60_000);
    world.grants.clear();
    advanceBy(scheduler, 60_000);
    expect(seen).toEqual([[], [''], []]);
  });

  it('is an option of an informer: what is granted later appears without a restart', () => {
    const scheduler = new VirtualTimeScheduler();
    const world = serverOf();
    const server = new FakeListerWatcher({ scheduler });
    for (const namespace of ['web', 'db']) server.add({ metadata: { namespace, name: 'x' } });
    const client = {
      listChunks: (_: unknown, { namespace = '', ...request }: { readonly namespace?: string }) =>
        server.inNamespace(namespace).list(request),
      watch: (_: unknown, { namespace = '', ...request }: { readonly namespace?: string }) => server.inNamespace(namespace).watch(request),
    } as unknown as Parameters<typeof createInformer>[0];
    world.grants.add('web');
    const informer = createInformer(client as never, pods, {
      scheduler,
      namespace: permittedNamespaces(world.client, pods, { scheduler }),
    });
    informer.start();
    advanceBy(scheduler, 1_000);
    expect(informer.indexer.listKeys()).toEqual(['web/x']);
    world.grants.add('db');
    advanceBy(scheduler, 61_000);
    expect(informer.indexer.listKeys().sort()).toEqual(['db/x', 'web/x']);
    void informer.stop();
  });

  it('refuses what has no namespaces, and options that are wrong', () => {
    const { client } = serverOf();
    expect(() => permittedNamespaces(client, nodes)).toThrow('Expected `resource` to be one that has namespaces, got nodes');
    expect(() => permittedNamespaces(client, pods, { perioMs: 1 } as object)).toThrow('did you mean `periodMs`?');
  });
});
