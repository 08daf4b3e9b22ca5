import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { definitionOf, versionOf } from '../support/definitionOf.js';

interface TableJson {
  readonly kind: string;
  readonly apiVersion: string;
  readonly message?: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly columnDefinitions:
    readonly { readonly name: string; readonly type: string; readonly format: string; readonly priority: number }[] | null;
  readonly rows: readonly {
    readonly cells: readonly unknown[];
    readonly object: { kind?: string; metadata: Record<string, unknown>; data?: unknown } | null;
  }[];
}

const v1 = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('Tables', () => {
  let server: TestApiServer;

  beforeEach(async () => {
    server = await startApiServer();
  });

  afterEach(async () => {
    await server.close();
  });

  const send = (path: string, accept: string, init: RequestInit = {}): Promise<Response> =>
    fetch(server.url + path, { ...init, headers: { accept, 'content-type': 'application/json' } });
  const table = async (path: string, accept = v1): Promise<TableJson> => (await (await send(path, accept)).json()) as TableJson;
  const create = async (path: string, object: object): Promise<void> => {
    const answer = await send(path, 'application/json', { method: 'POST', body: JSON.stringify(object) });
    expect(answer.status).toBe(201);
  };
  const configMap = (name: string): Promise<void> => create(configMaps, { metadata: { name }, data: { k: 'v' } });
  const watched = async (path: string): Promise<{ type: string; object: TableJson }[]> =>
    (await (await send(path, v1)).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: TableJson });

  it('answers a list as rows with the metadata of the list (row 55)', async () => {
    await configMap('a');
    await configMap('b');
    const page = await table(`${configMaps}?limit=1`);
    expect(page).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { remainingItemCount: 1 } });
    expect(page.metadata.continue).not.toBe('');
    expect(page.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(page.columnDefinitions?.map(({ name }) => name)).toEqual(['Name', 'Data', 'Age']);
    expect(page.rows[0]?.cells.slice(0, 2)).toEqual(['a', 1]);
    expect(page.rows[0]?.object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a', namespace: 'default' } });
    expect(page.rows[0]?.object?.data).toBeUndefined();
  });

  it('answers one object as one row, and an empty list as none', async () => {
    await configMap('a');
    expect((await table(`${configMaps}/a`)).rows.map(({ cells }) => cells[0])).toEqual(['a']);
    expect((await table('/api/v1/namespaces/default/secrets')).rows).toEqual([]);
  });

  it('defines the columns in the first event of a watch alone (row 56)', async () => {
    await configMap('a');
    await configMap('b');
    const events = await watched(`${configMaps}?watch=1&resourceVersion=0&timeoutSeconds=1`);
    expect(events.map(({ type, object }) => [type, object.rows[0]?.cells[0], object.columnDefinitions === null])).toEqual([
      ['ADDED', 'a', false],
      ['ADDED', 'b', true],
    ]);
  });

  it('sends bookmarks as rows, the end of the initial events marked even without objects (row 57)', async () => {
    const query =
      'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&includeObject=None&timeoutSeconds=1';
    const [event] = await watched(`${configMaps}?${query}`);
    expect(event?.type).toBe('BOOKMARK');
    expect(event?.object.rows[0]?.object?.metadata['annotations']).toEqual({ 'k8s.io/initial-events-end': 'true' });
  });

  it('keeps an ERROR event a Status (row 57)', async () => {
    await configMap('a');
    const { metadata } = await table(configMaps);
    server.reset();
    const [event] = await watched(`${configMaps}?watch=1&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=1`);
    expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
  });

  it.each([
    ['None', null],
    ['Object', { kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } }],
    ['Metadata', { kind: 'PartialObjectMetadata' }],
  ])('includes of each object what includeObject=%s asks for (row 105)', async (include, expected) => {
    await configMap('a');
    const { rows } = await table(`${configMaps}?includeObject=${include}`);
    expect(rows[0]?.object ?? {}).toMatchObject(expected ?? {});
    expect(rows[0]?.object === null).toBe(expected === null);
  });

  it('refuses another includeObject (row 105)', async () => {
    const answer = await send(`${configMaps}?includeObject=bogus`, v1);
    expect(answer.status).toBe(400);
    expect((await answer.json()) as TableJson).toMatchObject({
      message:
        "Unable to convert to Table as requested: includeObject: Invalid value: \"bogus\": must be 'Metadata', 'Object', 'None', or empty",
    });
  });

  it('takes the first form that it knows', async () => {
    expect((await table(configMaps, v1.replace('v=v1;', 'v=v1beta1;'))).apiVersion).toBe('meta.k8s.io/v1beta1');
    expect((await table(configMaps, 'application/json;as=Table;v=v9;g=meta.k8s.io,application/json')).kind).toBe('ConfigMapList');
    expect((await send(configMaps, 'application/json;as=Table;v=v2;g=meta.k8s.io')).status).toBe(406);
  });

  it('shows a kind alike in all its versions', async () => {
    const metadata = { name: 'x', namespace: 'default' };
    await create('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
      metadata,
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: 3,
        metrics: [{ type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '30' } } }],
      },
    });
    await create('/api/v1/namespaces/default/events', {
      metadata,
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      count: 3,
    });
    for (const [one, other] of [
      ['/apis/autoscaling/v1/horizontalpodautoscalers', '/apis/autoscaling/v2/horizontalpodautoscalers'],
      ['/apis/events.k8s.io/v1/events', '/api/v1/events'],
    ] as const)
      expect(await table(one)).toEqual(await table(other));
    expect((await table('/apis/events.k8s.io/v1/events')).rows[0]?.cells[3]).toBe('pod/p');
  });

  it('shows the own components', async () => {
    const { rows } = await table('/api/v1/componentstatuses');
    expect(rows.map(({ cells }) => cells.slice(0, 2))).toEqual([
      ['scheduler', 'Unhealthy'],
      ['controller-manager', 'Unhealthy'],
      ['etcd-0', 'Healthy'],
    ]);
  });

  it("shows a custom resource's own columns (row 97)", async () => {
    const columns = { additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }] };
    const versions = [versionOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, columns)];
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definitionOf('Widget', versions));
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    await create(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 2 } });
    const answer = await table(widgets);
    expect(answer.columnDefinitions?.map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Size', 'integer'],
    ]);
    expect(answer.rows[0]?.cells).toEqual(['w', 2]);
  });
});
