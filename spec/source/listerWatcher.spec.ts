import { describe, expect, it } from '@jest/globals';
import { EMPTY } from 'rxjs';
import { customResource, type Resource } from '../../src/api/resource.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { listerWatcher, type ListerWatcherOptions, type SourceRequest } from '../../src/source/listerWatcher.js';

const websites = customResource<KubernetesObject>({
  group: 'example.com',
  version: 'v1',
  plural: 'websites',
  kind: 'WebSite',
  namespaced: true,
});
const pods: Resource<KubernetesObject> = { ...websites, group: '', plural: 'pods', kind: 'Pod' };
const nodes: Resource<KubernetesObject> = { ...pods, plural: 'nodes', kind: 'Node', namespaced: false };
const reviews: Resource<KubernetesObject, 'create'> = { ...nodes, plural: 'tokenreviews', verbs: { create: true } };

type Client = Parameters<typeof listerWatcher>[0];

/** A request without its reader, which each source has. */
function selected({ reader, ...request }: { readonly reader?: object | undefined }): object {
  expect(reader).toEqual({});
  return request;
}

function recorded(): { client: Client; requests: [verb: string, plural: string, request: object][] } {
  const requests: [string, string, object][] = [];
  const client: Client = {
    listChunks: (resource, request) => {
      requests.push(['list', resource.plural, selected(request)]);
      return EMPTY;
    },
    watch: (resource, request) => {
      requests.push(['watch', resource.plural, selected(request)]);
      return EMPTY;
    },
  };
  return { client, requests };
}

/** The requests of a list and a watch. */
function asked(options: ListerWatcherOptions): object[] {
  const { client, requests } = recorded();
  const source = listerWatcher(client, pods, options);
  source.list({ limit: 500 }).subscribe();
  source.watch({ resourceVersion: '10' }).subscribe();
  return requests.map(([, , request]) => request);
}

describe('listerWatcher', () => {
  it('lists and watches the resource with the requests that it is given (LW-01, LW-02)', () => {
    const { client, requests } = recorded();
    const source = listerWatcher(client, websites);
    source.list({ limit: 500, resourceVersion: '0' }).subscribe();
    source.watch({ resourceVersion: '10', allowWatchBookmarks: true }).subscribe();
    expect(requests).toEqual([
      ['list', 'websites', { limit: 500, resourceVersion: '0' }],
      ['watch', 'websites', { resourceVersion: '10', allowWatchBookmarks: true }],
    ]);
  });

  it('hands on what readers share', () => {
    const sharedBy = {};
    for (const request of asked({ sharedBy })) expect(request).toHaveProperty('sharedBy', sharedBy);
    for (const request of asked({})) expect(request).not.toHaveProperty('sharedBy');
  });

  it('says what it lists, what it covers and what may arrive', () => {
    const { client } = recorded();
    expect(listerWatcher(client, websites, { namespace: 'web' })).toMatchObject({
      resource: 'websites.example.com',
      scope: 'web',
      expected: { apiVersion: 'example.com/v1', kind: 'WebSite' },
    });
    expect(listerWatcher(client, pods)).toMatchObject({ resource: 'pods', scope: '', expected: { apiVersion: 'v1', kind: 'Pod' } });
    expect(listerWatcher(client, pods, { namespace: 'web', scope: 'front', watchList: false })).toMatchObject({
      scope: 'front',
      watchList: false,
    });
  });

  it('selects in lists and watches alike (LW-05)', () => {
    const selection = { namespace: 'web', labelSelector: 'app in (a,b)', fieldSelector: 'spec.nodeName=n1' };
    expect(asked(selection)).toEqual([
      { limit: 500, ...selection },
      { resourceVersion: '10', ...selection },
    ]);
  });

  it('takes the selector of a spec, and leaves out what selects everything', () => {
    const [list] = asked({ labelSelector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] } });
    expect(list).toEqual({ limit: 500, labelSelector: 'app=web,tier' });
    expect(asked({ namespace: '', labelSelector: ' ', fieldSelector: '' })[0]).toEqual({ limit: 500 });
  });

  it('lets a tweak have the last word, on a copy of each request (LW-04, LW-05)', () => {
    const given: SourceRequest[] = [];
    const tweak = (request: SourceRequest): SourceRequest => {
      given.push(request);
      return { ...request, limit: 7, resourceVersion: '3', labelSelector: 'a=b' };
    };
    const request = { limit: 500 };
    const { client, requests } = recorded();
    const source = listerWatcher(client, pods, { namespace: 'web', tweakListOptions: tweak });
    source.list(request).subscribe();
    source.list(request).subscribe();
    expect(requests[0]?.[2]).toEqual({ limit: 7, resourceVersion: '3', namespace: 'web', labelSelector: 'a=b' });
    expect(given[0]).not.toBe(request);
    expect(given[0]).not.toBe(given[1]);
  });

  it.each(['list', 'watch'] as const)('sends no %s of everything for a tweak that returns nothing', (verb) => {
    const { client, requests } = recorded();
    const tweak = (request: SourceRequest): void => void Object.assign(request, { labelSelector: 'a=b' });
    const source = listerWatcher(client, pods, { namespace: 'web', tweakListOptions: tweak as never });
    expect(() => source[verb]({})).toThrow('Expected `tweakListOptions()` of `listerWatcher` to be an object, got undefined');
    expect(requests).toEqual([]);
  });

  it('passes on how the objects are to be read', () => {
    expect(asked({ managedFields: 'keep' })[1]).toEqual({ resourceVersion: '10', managedFields: 'keep' });
    expect(asked({ metadataOnly: true })[0]).toEqual({ limit: 500, metadataOnly: true });
    const { client } = recorded();
    const expected = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
    expect(listerWatcher(client, pods, { metadataOnly: true }).expected).toEqual(expected);
  });

  it.each<[string, () => unknown, string]>([
    ['a label selector', () => asked({ labelSelector: 'a in' }), 'Unable to parse the label selector "a in"'],
    ['a field selector', () => asked({ fieldSelector: 'a' }), 'Unable to parse the field selector "a"'],
    ['a namespace', () => asked({ namespace: 'a/b' }), 'Expected `namespace` to be the name of a namespace, got "a/b"'],
    [
      'a namespace of nodes',
      () => listerWatcher(recorded().client, nodes, { namespace: 'a' }),
      'Expected no `namespace` for the cluster-scoped resource nodes, got "a"',
    ],
    [
      'managed fields',
      () => asked({ managedFields: 'none' as 'drop' }),
      "Expected `managedFields` of `listerWatcher` to be 'drop' or 'keep', got \"none\"",
    ],
    [
      'a tweak',
      () => asked({ tweakListOptions: {} as () => SourceRequest }),
      'Expected `tweakListOptions` of `listerWatcher` to be a function, got an object',
    ],
  ])('refuses %s that is wrong at the call', (_, call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  it('refuses a resource that cannot be listed and watched, when compiled and when called', () => {
    // @ts-expect-error -- create-only
    expect(() => listerWatcher(recorded().client, reviews)).toThrow(
      'Expected `resource` to be one that the server can list, got tokenreviews',
    );
  });
});
