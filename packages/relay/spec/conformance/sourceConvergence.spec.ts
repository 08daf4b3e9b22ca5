import { describe, expect, it } from '@jest/globals';
import { concat, defer, map, NEVER, of, type Observable } from 'rxjs';
import { customResource, type KubernetesObject } from 'rx-informer';
import {
  type ListerWatcher,
  listerWatcher,
  mergeSources,
  pollSource,
  recordSource,
  reflect,
  replaySource,
  type SourceEvent,
} from 'rx-informer/pipeline';
import type { ReflectOptions, ServedSourceFactory } from 'rx-informer/internal';
import { namespacesSource } from '../../../../src/informer/createInformer.js';
import { type FakeListerWatcher, sourceConvergence } from 'rx-informer/testing';
import { throughRelay } from '../link.js';

const objects = customResource({ group: 'example.com', version: 'v1', plural: 'objects', kind: 'Object', namespaced: true });

function overClient(server: FakeListerWatcher): ListerWatcher<KubernetesObject> {
  const client = {
    listChunks: (_: unknown, request: object) => server.list(request),
    watch: (_: unknown, request: object) => server.watch(request),
  } as Parameters<typeof listerWatcher>[0];
  return listerWatcher(client, objects);
}

function namespaced(server: FakeListerWatcher, options: ReflectOptions): (namespace: string) => Observable<SourceEvent<KubernetesObject>> {
  return (namespace) => reflect(server.inNamespace(namespace), options);
}

/** What of a source's options is one of all of them. */
function clockOf({ scheduler }: ReflectOptions): Pick<ReflectOptions, 'scheduler'> {
  return { scheduler };
}

const sources: [name: string, source: ServedSourceFactory][] = [
  ['reflect, streaming lists', reflect],
  ['reflect, listing', (server, options) => reflect(server, { ...options, listStrategy: 'list', pageSize: 1 })],
  [
    'reflect, listing consistently',
    (server, options) => reflect(server, { ...options, listStrategy: 'list', listSemantics: 'mostRecent' }),
  ],
  ['reflect with a trace', (server, options) => reflect(server, { ...options, trace: () => undefined })],
  ['listerWatcher', (server, options) => reflect(overClient(server), options)],
  ['mergeSources', (server, options) => mergeSources(['web', 'db'].map(namespaced(server, options)))],
  ['namespacesSource', (server, options) => namespacesSource(concat(of(['web', 'db']), NEVER), namespaced(server, options), new Set())],
  [
    'recordSource and replaySource',
    (server, options) => replaySource(reflect(server, options).pipe(recordSource(clockOf(options))), clockOf(options)),
  ],
  ['relaySource', throughRelay],
  ['poll', (server, options) => pollSource((request) => server.list(request), { ...pollOptionsOf(options), periodMs: 10_000 })],
];

function pollOptionsOf({ scheduler, random }: ReflectOptions): Pick<ReflectOptions, 'scheduler' | 'random'> {
  return { scheduler, random };
}

describe.each(sources)('%s', (_, createSource) => {
  it.each(sourceConvergence.map((testCase) => [testCase.name, testCase] as const))('%s', (__, testCase) => {
    expect(() => testCase.run(createSource)).not.toThrow();
  });
});

describe('sourceConvergence', () => {
  const failures = (createSource: ServedSourceFactory): string[] =>
    sourceConvergence.flatMap(({ name, run }) => {
      try {
        run(createSource);
        return [];
      } catch {
        return name;
      }
    });

  it.each<[string, ServedSourceFactory]>([
    [
      'tells no deletions',
      (server, options) =>
        reflect(server, options).pipe(
          map((event) => (event.type === 'deleted' ? { type: 'bookmark', resourceVersion: event.resourceVersion } : event)),
        ),
    ],
    ['gives up', (server, options) => reflect(server, { ...options, onError: () => 'stop' })],
    [
      'leaves a watch open',
      (server, options) =>
        defer(
          () => (server.watch({ resourceVersion: server.resourceVersion }).subscribe({ error: () => undefined }), reflect(server, options)),
        ),
    ],
  ])('finds out a source that %s', (_, createSource) => {
    expect(failures(createSource).length).toBeGreaterThan(3);
  });
});
