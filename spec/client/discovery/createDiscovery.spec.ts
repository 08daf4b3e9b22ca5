import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../src/api/errors/apiError.js';
import { createDiscovery } from '../../../src/client/discovery/createDiscovery.js';
import type { Discovery } from '../../../src/client/discovery/createDiscovery.js';

type Answers = Record<string, unknown>;

function notFound(path: string): ApiError {
  return new ApiError({ code: 404, message: `GET ${path} was answered with 404` });
}

/** A server that has these paths; an Error is thrown. */
function serverWith(answers: Answers): { readonly discovery: Discovery; readonly asked: string[]; readonly answers: Answers } {
  const asked: string[] = [];
  const ask = (path: string) => {
    asked.push(path);
    const answer = path in answers ? answers[path] : notFound(path);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { discovery: createDiscovery(ask), asked, answers };
}

const verbs = ['create', 'get', 'list', 'watch'];
const aggregatedResource = (resource: string, kind: string, more: object = {}) => ({
  resource,
  responseKind: { group: '', version: '', kind },
  scope: 'Namespaced',
  singularResource: kind.toLowerCase(),
  verbs,
  ...more,
});
const aggregatedList = (...items: object[]) => ({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items });
const group = (name: string, ...versions: object[]) => ({ metadata: { name }, versions });

const aggregated: Answers = {
  '/api': aggregatedList(
    group('', {
      version: 'v1',
      freshness: 'Current',
      resources: [
        aggregatedResource('pods', 'Pod', {
          shortNames: ['po'],
          categories: ['all'],
          subresources: [{ subresource: 'status' }, { subresource: 'log' }],
        }),
        aggregatedResource('nodes', 'Node', { scope: 'Cluster', shortNames: ['no'] }),
        aggregatedResource('events', 'Event', { shortNames: ['ev'] }),
      ],
    }),
  ),
  '/apis': aggregatedList(
    group('apps', {
      version: 'v1',
      resources: [aggregatedResource('deployments', 'Deployment', { shortNames: ['deploy'], categories: ['all'] })],
    }),
    group(
      'events.k8s.io',
      { version: 'v1', resources: [aggregatedResource('events', 'Event', { shortNames: ['ev'] })] },
      { version: 'v1beta1', resources: [aggregatedResource('events', 'Event')] },
    ),
    group(
      'example.com',
      { version: 'v1', resources: [aggregatedResource('no', 'Pods', { categories: ['all'] })] },
      { version: 'v2', resources: [aggregatedResource('no', 'Pods', { categories: ['all'] })] },
    ),
    group('metrics.k8s.io', { version: 'v1beta1', freshness: 'Stale', resources: [] }),
  ),
};

const legacy: Answers = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      { name: 'apps', versions: [{ version: 'v1' }] },
      { name: 'events.k8s.io', versions: [{ version: 'v1beta1' }, { version: 'v1' }], preferredVersion: { version: 'v1' } },
      { name: 'metrics.k8s.io', versions: [{ version: 'v1beta1' }] },
    ],
  },
  '/api/v1': {
    resources: [
      { name: 'pods', singularName: '', namespaced: true, kind: 'Pod', verbs, shortNames: ['po'], categories: ['all'] },
      { name: 'pods/log', kind: 'Pod', verbs: ['get'] },
      { name: 'pods/status', kind: 'Pod', verbs: ['get'] },
      { name: 'nodes', singularName: 'node', kind: 'Node', verbs },
    ],
  },
  '/apis/apps/v1': { resources: [{ name: 'deployments', namespaced: true, kind: 'Deployment', verbs }] },
  '/apis/events.k8s.io/v1': { resources: [{ name: 'events', namespaced: true, kind: 'Event', verbs }] },
  '/apis/events.k8s.io/v1beta1': { resources: [{ name: 'events', namespaced: true, kind: 'Event', verbs }] },
  '/apis/metrics.k8s.io/v1beta1': new ApiError({ code: 503, message: 'the server is currently unable to handle the request' }),
};

const nameOf = ({ plural, version, group: name }: { plural: string; version: string; group: string }) => `${plural}.${version}.${name}`;
const verbsTrue = { create: true, get: true, list: true, watch: true };

describe('createDiscovery', () => {
  it('asks for everything at once where the server can tell it', async () => {
    const { discovery, asked } = serverWith(aggregated);
    const all = await discovery.resources();
    expect(asked).toEqual(['/api', '/apis']);
    expect(all[0]).toEqual({
      group: '',
      version: 'v1',
      plural: 'pods',
      kind: 'Pod',
      namespaced: true,
      singular: 'pod',
      shortNames: ['po'],
      categories: ['all'],
      subresources: ['status', 'log'],
      verbs: verbsTrue,
    });
    expect(all.map(nameOf)).toEqual([
      'pods.v1.',
      'nodes.v1.',
      'events.v1.',
      'deployments.v1.apps',
      'events.v1.events.k8s.io',
      'events.v1beta1.events.k8s.io',
      'no.v1.example.com',
      'no.v2.example.com',
    ]);
    expect(all[1]).toMatchObject({ plural: 'nodes', namespaced: false });
  });

  it('takes a null for an empty list', async () => {
    const resource = aggregatedResource('pods', 'Pod', { shortNames: null, subresources: null, verbs: null });
    const lists = {
      '/api': aggregatedList(group('', { version: 'v1', resources: [resource] }), group('x', { version: 'v1', resources: null })),
    };
    const { discovery } = serverWith({ ...lists, '/apis': { kind: 'APIGroupDiscoveryList', items: null } });
    await expect(discovery.find('pods')).resolves.toMatchObject({ plural: 'pods', verbs: {} });
    const older = serverWith({ ...legacy, '/apis': { kind: 'APIGroupList', groups: null } });
    await expect(older.discovery.find('nodes')).resolves.toMatchObject({ plural: 'nodes' });
  });

  it.each([
    ['versions', { '/api': { versions: 'v1' }, '/apis': { groups: 1 } }],
    ['versions beside groups', { '/api': { versions: 0, groups: 'x' }, '/apis': legacy['/apis'] }],
    ['aggregated groups', { '/api': { kind: 'APIGroupDiscoveryList', items: true }, '/apis': legacy['/apis'] }],
  ])('fails with a RequestError where the answer has something else in place of %s', async (_, answers) => {
    await expect(serverWith(answers).discovery.resources()).rejects.toMatchObject({
      code: 'ERR_DECODE',
      message: 'Expected the answer to GET /api to be a list of API groups, got something else',
    });
  });

  it('leaves out what is null in a list', async () => {
    const { discovery } = serverWith({ ...legacy, '/apis': { groups: [null, { name: 'apps', versions: [null, { version: 'v1' }] }] } });
    await expect(discovery.find('deployments')).resolves.toMatchObject({ plural: 'deployments' });
  });

  it('asks group by group where the server cannot, and prefers what it prefers', async () => {
    const { discovery, asked } = serverWith(legacy);
    const all = await discovery.resources();
    expect(asked).toHaveLength(7);
    expect(all.map(nameOf)).toEqual([
      'pods.v1.',
      'nodes.v1.',
      'deployments.v1.apps',
      'events.v1.events.k8s.io',
      'events.v1beta1.events.k8s.io',
    ]);
    expect(all[0]).toEqual({
      group: '',
      version: 'v1',
      plural: 'pods',
      kind: 'Pod',
      namespaced: true,
      shortNames: ['po'],
      categories: ['all'],
      subresources: ['log', 'status'],
      verbs: verbsTrue,
    });
    expect(all[1]).toMatchObject({ namespaced: false, singular: 'node' });
  });

  it.each([
    ['/api', ['deployments.v1.apps']],
    ['/apis', ['pods.v1.']],
  ])('does with one half where the server has no %s', async (missing, expected) => {
    const { [missing]: _, ...rest } = aggregated;
    const all = await serverWith(rest).discovery.resources();
    expect(all.map(nameOf)).toEqual(expect.arrayContaining(expected));
  });

  it('fails when the server refuses, and asks again the next time', async () => {
    const refusal = new ApiError({ code: 403, message: 'forbidden' });
    const { discovery, answers } = serverWith({ ...aggregated, '/apis': refusal });
    await expect(discovery.resources()).rejects.toBe(refusal);
    answers['/apis'] = aggregated['/apis'];
    await expect(discovery.resources()).resolves.toHaveLength(8);
  });

  it('fails when there is neither half', async () => {
    await expect(serverWith({}).discovery.resources()).rejects.toMatchObject({ code: 404 });
  });

  it('asks once for all who want to know, until it is invalidated', async () => {
    const { discovery, asked } = serverWith(aggregated);
    await Promise.all([discovery.resources(), discovery.find('pods'), discovery.category('all')]);
    expect(asked).toHaveLength(2);
    discovery.invalidate();
    await discovery.resources();
    expect(asked).toHaveLength(4);
  });

  it.each(['resources', 'category'] as const)('asks again for all %s when it could not read a part of them', async (method) => {
    const { discovery, asked, answers } = serverWith({ ...aggregated });
    await discovery.find('pods');
    answers['/apis'] = aggregatedList(group('example.com', { version: 'v1', resources: [aggregatedResource('widgets', 'Widget')] }));
    await discovery.find('pods');
    expect(asked).toHaveLength(2);
    await Promise.all([discovery[method]('all'), discovery[method]('all')]);
    await discovery[method]('all');
    expect(asked).toHaveLength(4);
    expect((await discovery.resources()).map(nameOf)).toContain('widgets.v1.example.com');
  });
});

describe('find', () => {
  it.each([
    ['pods', 'pods.v1.'],
    ['pod', 'pods.v1.'],
    ['Pod', 'pods.v1.'],
    ['PO', 'pods.v1.'],
    ['Deploy', 'deployments.v1.apps'],
    ['deployments.apps', 'deployments.v1.apps'],
    ['deployment.v1.apps', 'deployments.v1.apps'],
    ['events', 'events.v1.'],
    ['ev', 'events.v1.'],
    ['events.events.k8s.io', 'events.v1.events.k8s.io'],
    ['ev.events.k8s.io', 'events.v1.events.k8s.io'],
    ['events.v1beta1.events.k8s.io', 'events.v1beta1.events.k8s.io'],
    ['pods.v1', 'pods.v1.'],
    ['pods.v1.', 'pods.v1.'],
    // A plural wins over a short name of the core group.
    ['no', 'no.v1.example.com'],
  ])('takes %s for %s', async (word, expected) => {
    expect(nameOf(await serverWith(aggregated).discovery.find(word))).toBe(expected);
  });

  it.each([
    [
      'podz',
      'The server has no resource "podz"; did you mean `pods` or `pod`? (could not read metrics.k8s.io/v1beta1: its server does not answer)',
    ],
    ['pods.apps', 'The server has no resource "pods.apps"; did you mean `pods` or `pod`?'],
    ['certificates', 'The server has no resource "certificates" (could not read metrics.k8s.io/v1beta1: its server does not answer)'],
    ['', 'Expected the name of a resource, got ""'],
  ])('refuses %j with suggestions', async (word, message) => {
    const error: unknown = await serverWith(aggregated)
      .discovery.find(word)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
  });

  it('says which group versions it could not read', async () => {
    await expect(serverWith(legacy).discovery.find('widgets')).rejects.toThrow(
      '(could not read metrics.k8s.io/v1beta1: the server is currently unable to handle the request)',
    );
  });

  it('asks the server again for a name that it does not know yet', async () => {
    const { discovery, asked, answers } = serverWith({ ...aggregated });
    await discovery.find('pods');
    answers['/apis'] = aggregatedList(group('example.com', { version: 'v1', resources: [aggregatedResource('widgets', 'Widget')] }));
    expect(nameOf(await discovery.find('widgets'))).toBe('widgets.v1.example.com');
    expect(asked).toHaveLength(4);
  });

  it('asks the server again for a name that was not there yet when it was asked', async () => {
    const { discovery, asked, answers } = serverWith({ ...aggregated });
    const all = discovery.resources();
    answers['/apis'] = aggregatedList(group('example.com', { version: 'v1', resources: [aggregatedResource('widgets', 'Widget')] }));
    expect(nameOf(await discovery.find('widgets'))).toBe('widgets.v1.example.com');
    await expect(all).resolves.toHaveLength(8);
    expect(asked).toHaveLength(4);
  });

  it('asks the server once only for a name that nobody knows', async () => {
    const { discovery, asked } = serverWith(aggregated);
    await expect(discovery.find('widgets')).rejects.toThrow(TypeError);
    expect(asked).toHaveLength(2);
  });
});

describe('category', () => {
  it('gives the resources of a category, each in one version', async () => {
    const { discovery } = serverWith(aggregated);
    expect((await discovery.category('ALL')).map(nameOf)).toEqual(['pods.v1.', 'deployments.v1.apps', 'no.v1.example.com']);
    await expect(discovery.category('none')).resolves.toEqual([]);
  });
});
