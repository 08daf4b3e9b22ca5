import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { defineResource } from '../support/defineResource.js';
import { versionOf } from '../support/definitionOf.js';
import type { Answer, AnyJson } from '../support/httpClient.js';
import { itEmbedded, openTarget, status, type Target } from '../support/target.js';

/** An entry of `metadata.managedFields`, in the order in which the API server writes them. */
interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsV1: object;
  readonly subresource?: string;
}

function entriesOf({ metadata }: AnyJson): readonly Entry[] {
  return (metadata as unknown as { managedFields?: readonly Entry[] }).managedFields ?? [];
}

/** The owners of the fields, without times. */
function ownersOf(object: AnyJson): readonly object[] {
  return entriesOf(object).map(({ manager, operation, fieldsV1, subresource }) => ({
    [`${operation} ${manager}${subresource ?? ''}`]: fieldsV1,
  }));
}

interface Configuration {
  readonly data?: Readonly<Record<string, string>>;
  readonly metadata?: object;
}

function conflictStatus(message: string, ...causes: readonly [manager: string, field: string][]): object {
  const details = {
    causes: causes.map(([manager, field]) => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field })),
  };
  return { ...status(409, 'Conflict', message, { details }), metadata: {} };
}

describe('server-side apply', () => {
  let target: Target;
  let namespace: string;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    namespace = await target.namespace();
    path = `/api/v1/namespaces/${namespace}/configmaps/ap`;
  });
  afterAll(() => target.close());

  const send = (url: string, body: unknown): Promise<Answer> =>
    target.request(url, { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' }, body });
  const apply = (manager: string, { metadata, ...rest }: Configuration, query = ''): Promise<Answer> =>
    send(`${path}?fieldManager=${manager}${query}`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'ap', ...metadata },
      ...rest,
    });

  it('creates an object, and says who owns its fields (rows 73 and 107)', async () => {
    const { code, json } = await apply('m1', { data: { k: '1', o: '1' } });
    expect(code).toBe(201);
    expect(json).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'ap', namespace }, data: { k: '1', o: '1' } });
    const fieldsV1 = { 'f:data': { 'f:k': {}, 'f:o': {} } };
    const time = expect.any(String) as unknown;
    expect(entriesOf(json)).toEqual([{ manager: 'm1', operation: 'Apply', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1 }]);
  });

  it('gives those no time who have changed nothing (row 107)', async () => {
    const timed = ({ json }: Answer): unknown => entriesOf(json).map(({ manager, time }) => [manager, time !== undefined]);
    await apply('m1', { data: { k: '1' } });
    expect(timed(await apply('m2', { data: { k: '1' } }))).toEqual([
      ['m2', false],
      ['m1', true],
    ]);
    expect(timed(await apply('m2', { data: { k: '1', o: '1' } }))).toEqual([
      ['m1', true],
      ['m2', true],
    ]);
  });

  itEmbedded('says when who owns fields has changed them last', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const still = await openTarget({ clock });
    const place = `/api/v1/namespaces/${await still.namespace()}/configmaps/ap`;
    const applied = async (data: object): Promise<AnyJson> => {
      const init = { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' } };
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ap' }, data };
      return still.must(`${place}?fieldManager=m`, { ...init, body });
    };
    const first = await applied({ k: '1' });
    clock.advanceBy(5_000);
    const same = await applied({ k: '1' });
    const changed = await applied({ k: '2' });
    const times = [first, same, changed].map((json) => [json.metadata.creationTimestamp, entriesOf(json)[0]?.time]);
    const made = '2026-01-01T00:00:00Z';
    expect(times).toEqual([
      [made, made],
      [made, made],
      [made, '2026-01-01T00:00:05Z'],
    ]);
    await still.close();
  });

  it('writes nothing when the same is applied again (rows 73 and 23)', async () => {
    const first = await apply('m1', { data: { k: '1' } });
    const { code, json } = await apply('m1', { data: { k: '1' } });
    expect(code).toBe(200);
    expect(json).toEqual(first.json);
  });

  it('removes what the manager applies no more (row 73)', async () => {
    await apply('m1', { data: { k: '1', o: '1' }, metadata: { labels: { a: 'b' } } });
    const { json } = await apply('m1', { data: { k: '1' } });
    expect(json.data).toEqual({ k: '1' });
    expect(json.metadata.labels).toBeUndefined();
    expect(ownersOf(json)).toEqual([{ 'Apply m1': { 'f:data': { 'f:k': {} } } }]);
  });

  it('leaves what others own, and what nobody applied (row 73)', async () => {
    await apply('m1', { data: { mine: '1', ours: '1' } });
    await apply('m2', { data: { ours: '1' } });
    await target.merge(path, { data: { stray: '1' } });
    expect((await apply('m1', {})).json.data).toEqual({ ours: '1', stray: '1' });
  });

  it('refuses to change what another manager applied (row 73)', async () => {
    await apply('m1', { data: { k: '1' } });
    const { json } = await apply('m2', { data: { k: '2' } });
    expect(json).toEqual(conflictStatus('Apply failed with 1 conflict: conflict with "m1": .data.k', ['"m1"', '.data.k']));
    expect((await target.must(path)).data).toEqual({ k: '1' });
  });

  it('names all conflicts at once, manager by manager (row 73)', async () => {
    await apply('m1', { data: { a: '1', b: '1' } });
    await apply('m0', { data: { c: '1' } });
    const { json } = await apply('m2', { data: { a: '2', b: '2', c: '2' } });
    const message = 'Apply failed with 3 conflicts: conflicts with "m0":\n- .data.c\nconflicts with "m1":\n- .data.a\n- .data.b';
    expect(json).toEqual(conflictStatus(message, ['"m0"', '.data.c'], ['"m1"', '.data.a'], ['"m1"', '.data.b']));
  });

  it('takes over by force, and leaves the other manager the rest (row 73)', async () => {
    await apply('m1', { data: { k: '1', o: '1' } });
    const { code, json } = await apply('m2', { data: { k: '2' } }, '&force=true');
    expect(code).toBe(200);
    expect(json.data).toEqual({ k: '2', o: '1' });
    expect(ownersOf(json)).toEqual([{ 'Apply m1': { 'f:data': { 'f:o': {} } } }, { 'Apply m2': { 'f:data': { 'f:k': {} } } }]);
  });

  it('lets managers own a field together while they agree on it (row 73)', async () => {
    const first = await apply('m1', { data: { k: '1' } });
    const { code, json } = await apply('m2', { data: { k: '1' } });
    expect(code).toBe(200);
    expect(ownersOf(json)).toHaveLength(2);
    expect(Number(json.metadata.resourceVersion)).toBeGreaterThan(Number(first.json.metadata.resourceVersion));
    expect((await apply('m2', {})).json.data).toEqual({ k: '1' });
    expect(ownersOf(await target.must(path))).toEqual([{ 'Apply m1': { 'f:data': { 'f:k': {} } } }]);
  });

  it('takes ownership from a manager when somebody else changes the field (rows 73 and 107)', async () => {
    await apply('m1', { data: { k: '1', o: '1' } });
    const changed = await target.merge(`${path}?fieldManager=editor`, { data: { k: 'edited' } });
    expect(ownersOf(changed)).toEqual([{ 'Apply m1': { 'f:data': { 'f:o': {} } } }, { 'Update editor': { 'f:data': { 'f:k': {} } } }]);
    const { json } = await apply('m1', { data: { k: '1', o: '1' } });
    expect(json).toEqual(
      conflictStatus('Apply failed with 1 conflict: conflict with "editor" using v1: .data.k', ['"editor" using v1', '.data.k']),
    );
  });

  it('forgets the owners of what is deleted, and all owners on demand (row 107)', async () => {
    await apply('m1', { data: { k: '1', o: '1' } });
    expect(ownersOf(await target.merge(path, { data: { k: null } }))).toEqual([{ 'Apply m1': { 'f:data': { 'f:o': {} } } }]);
    expect(entriesOf(await target.merge(path, { metadata: { managedFields: [{}] } }))).toEqual([]);
  });

  it('keeps the owners when a client replaces the object without them (row 107)', async () => {
    const { json } = await apply('m1', { data: { k: '1' } });
    const { managedFields: _, ...metadata } = json.metadata as unknown as Record<string, unknown>;
    expect(ownersOf(await target.put(path, { ...json, metadata }))).toEqual(ownersOf(json));
  });

  it.each<[string, string, unknown, number, string, string]>([
    [
      'without a manager',
      '',
      {},
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    [
      'with owners in it',
      '?fieldManager=m',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ap', managedFields: [{}] } },
      400,
      'BadRequest',
      'metadata.managedFields must be nil',
    ],
    ['without a version', '?fieldManager=m', { metadata: { name: 'ap' } }, 400, 'BadRequest', 'invalid object type: /, Kind='],
    [
      'of another kind',
      '?fieldManager=m',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'ap' } },
      400,
      'BadRequest',
      'invalid object type: apps/v1, Kind=Deployment',
    ],
    [
      'that is no YAML',
      '?fieldManager=m',
      'a: [',
      400,
      'BadRequest',
      expect.stringMatching(/^error decoding YAML: error converting YAML to JSON: yaml: /) as never,
    ],
  ])('refuses a configuration %s (row 73)', async (_, query, body, code, reason, message) => {
    expect((await send(path + query, body)).json).toMatchObject(status(code, reason, message));
  });

  it('refuses another name than that of the path (row 73)', async () => {
    const message = 'the name of the object (ap) does not match the name on the URL (other)';
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ap' } };
    expect((await send(`${path.replace(/ap$/, 'other')}?fieldManager=m`, body)).json).toMatchObject(status(400, 'BadRequest', message));
  });

  it('reads YAML (row 73)', async () => {
    const { json } = await send(`${path}?fieldManager=m3`, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ap\ndata:\n  z: "1"\n');
    expect(json.data).toEqual({ z: '1' });
  });

  it('takes a resourceVersion in the configuration as a precondition (rows 73 and 31)', async () => {
    const { json } = await apply('m1', { data: { k: '1' } });
    await apply('m1', { data: { k: '2' } });
    const stale = await apply('m1', { data: { k: '3' }, metadata: { resourceVersion: json.metadata.resourceVersion } });
    expect(stale.json).toMatchObject(status(409, 'Conflict', expect.stringContaining('the object has been modified')));
  });

  it('changes nothing in a dry run (rows 73 and 24)', async () => {
    await apply('m1', { data: { k: '1' } });
    expect((await apply('m1', { data: { k: '2' } }, '&dryRun=All')).json.data).toEqual({ k: '2' });
    expect((await target.must(path)).data).toEqual({ k: '1' });
  });

  describe('of lists', () => {
    const container = (name: string, rest: object = {}): object => ({ name, image: 'i', ...rest });
    const deployment = (spec: object): object => {
      const template = { metadata: { labels: { a: 'b' } }, spec };
      return {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: { a: 'b' } }, template },
      };
    };
    const applySpec = (manager: string, spec: object, query = ''): Promise<Answer> =>
      send(`/apis/apps/v1/namespaces/${namespace}/deployments/d?fieldManager=${manager}${query}`, deployment(spec));
    const podSpec = ({ spec }: AnyJson): Record<string, readonly Record<string, unknown>[]> =>
      (spec as unknown as { template: { spec: Record<string, readonly Record<string, unknown>[]> } }).template.spec;

    it('merges items by their keys, each with its owner (row 73)', async () => {
      await applySpec('m1', { containers: [container('c', { ports: [{ containerPort: 80 }] })] });
      const { json } = await applySpec('m2', { containers: [container('side')] });
      expect(podSpec(json)['containers']?.map(({ name }) => name)).toEqual(['c', 'side']);
      const [first] = entriesOf(json);
      expect(first?.fieldsV1).toMatchObject({
        'f:spec': {
          'f:selector': {},
          'f:template': {
            'f:spec': {
              'f:containers': {
                'k:{"name":"c"}': {
                  '.': {},
                  'f:image': {},
                  'f:name': {},
                  'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
                },
              },
            },
          },
        },
      });
      expect(
        podSpec((await applySpec('m1', { containers: [container('b'), container('c')] })).json)['containers']?.map(({ name }) => name),
      ).toEqual(['b', 'c', 'side']);
    });

    it('removes an item that nobody applies any more (row 73)', async () => {
      await applySpec('m1', { containers: [container('c'), container('x')] });
      expect(podSpec((await applySpec('m1', { containers: [container('c')] })).json)['containers']?.map(({ name }) => name)).toEqual(['c']);
    });

    it('names items in conflicts by their keys (row 73)', async () => {
      await applySpec('m1', { containers: [container('c', { ports: [{ containerPort: 80, name: 'web' }] })] });
      const { json } = await applySpec('m2', {
        containers: [container('c', { image: 'j', ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] })],
      });
      expect(json.message).toBe(
        'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.template.spec.containers[name="c"].image\n' +
          '- .spec.template.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"].name',
      );
    });

    it('takes an atomic list as one value (row 73)', async () => {
      await applySpec('m1', { containers: [container('c')], tolerations: [{ key: 'a', operator: 'Exists' }] });
      const { json } = await applySpec('m2', { containers: [container('c')], tolerations: [{ key: 'b', operator: 'Exists' }] });
      expect(json.message).toBe('Apply failed with 1 conflict: conflict with "m1": .spec.template.spec.tolerations');
    });

    it('merges finalizers as a set (row 73)', async () => {
      await apply('m1', { metadata: { finalizers: ['example.com/a'] } });
      const { json } = await apply('m2', { metadata: { finalizers: ['example.com/b'] } });
      expect(json.metadata.finalizers).toEqual(['example.com/a', 'example.com/b']);
      expect(ownersOf(json)).toEqual([
        { 'Apply m1': { 'f:metadata': { 'f:finalizers': { 'v:"example.com/a"': {} } } } },
        { 'Apply m2': { 'f:metadata': { 'f:finalizers': { 'v:"example.com/b"': {} } } } },
      ]);
      expect((await apply('m1', {})).json.metadata.finalizers).toEqual(['example.com/b']);
      await apply('m2', {});
    });

    it('refuses items that cannot be told apart (row 73)', async () => {
      const twice = await applySpec('m1', { containers: [container('c'), container('c')] });
      expect(twice.json).toMatchObject(
        status(500, '', expect.stringContaining('.spec.template.spec.containers: duplicate entries for key [name="c"]')),
      );
    });
  });

  it('applies a status and metadata through its subresource, and nothing of the spec (row 73)', async () => {
    const pods = `/api/v1/namespaces/${namespace}/pods/p`;
    const pod = (rest: object): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, ...rest });
    await send(`${pods}?fieldManager=m1`, pod({ spec: { containers: [{ name: 'c', image: 'i' }] } }));
    const ready = { type: 'example.com/ready', status: 'True' };
    const { code, json } = await send(
      `${pods}/status?fieldManager=kubelet`,
      pod({ metadata: { name: 'p', labels: { x: 'y' } }, status: { conditions: [ready] } }),
    );
    expect(code).toBe(200);
    expect(json.status['conditions']).toMatchObject([ready]);
    expect(json.metadata.labels).toEqual({ x: 'y' });
    const own = {
      'f:metadata': { 'f:labels': { 'f:x': {} } },
      'f:status': { 'f:conditions': { 'k:{"type":"example.com/ready"}': { '.': {}, 'f:status': {}, 'f:type': {} } } },
    };
    expect(entriesOf(json).find(({ manager }) => manager === 'kubelet')).toMatchObject({ subresource: 'status', fieldsV1: own });
    const again = await send(
      `${pods}?fieldManager=m1`,
      pod({ spec: { containers: [{ name: 'c', image: 'i' }] }, status: { phase: 'Lost' } }),
    );
    expect(again.json.status).toEqual(json.status);
    expect(entriesOf(again.json).find(({ manager }) => manager === 'm1')?.fieldsV1).not.toHaveProperty('f:status');
  });

  describe('of custom resources', () => {
    const list = (type: object): object => ({
      type: 'array',
      items: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, size: { type: 'integer' } } },
      ...type,
    });
    const properties = {
      plain: list({}),
      keyed: list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] }),
      tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
      settings: { type: 'object', additionalProperties: { type: 'string' } },
    };

    it('merges lists and objects as the schema says (row 73)', async () => {
      const widgets = await defineResource(target, {
        versions: [versionOf({ type: 'object', properties: { spec: { type: 'object', properties } } })],
      });
      const applyWidget = (manager: string, spec: object): Promise<Answer> =>
        send(`${widgets.path(namespace)}/w?fieldManager=${manager}`, {
          apiVersion: `${widgets.group}/v1`,
          kind: 'Widget',
          metadata: { name: 'w' },
          spec,
        });
      await applyWidget('m1', { keyed: [{ id: 'a', size: 1 }], tags: ['x'], settings: { a: '1' } });
      const { json } = await applyWidget('m2', { keyed: [{ id: 'b' }], tags: ['y'], settings: { b: '2' } });
      expect(json.spec).toEqual({ keyed: [{ id: 'a', size: 1 }, { id: 'b' }], tags: ['x', 'y'], settings: { a: '1', b: '2' } });
      await applyWidget('m1', { plain: [{ id: 'a' }], whole: { a: '1' } });
      const refused = await applyWidget('m2', { plain: [{ id: 'b' }], whole: { b: '1' } });
      expect(refused.json.message).toBe('Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.plain\n- .spec.whole');
      const undeclared = await applyWidget('m2', { bogus: 1 });
      expect(undeclared.json).toMatchObject(status(500, '', expect.stringContaining('.spec.bogus: field not declared in schema')));
      await widgets.remove();
    });

    it('refuses a null where none may stand, and what has lost its last field is null (row 73)', async () => {
      const nullable = { type: 'object', nullable: true, properties: { a: { type: 'string' } } };
      const named = { ...properties, nullable, text: { type: 'string' }, filled: { type: 'string', default: 'd' } };
      const subresources = { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } };
      const shape = { type: 'object', properties: { spec: { type: 'object', properties: named }, status: { type: 'object' } } };
      const widgets = await defineResource(target, { versions: [versionOf(shape, { subresources })] });
      const applyWidget = async (spec: object, more: object = {}): Promise<unknown> => {
        const body = { apiVersion: `${widgets.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec, ...more };
        const { code, json } = await send(`${widgets.path(namespace)}/w?fieldManager=m1&force=true`, body);
        return code < 300 ? json.spec : code;
      };
      expect(await applyWidget({ text: null })).toBe(422);
      expect(await applyWidget({ text: null }, { status: {} })).toBe(422);
      expect(await applyWidget({ nullable: null, filled: null })).toEqual({ nullable: null, filled: 'd' });
      expect(await applyWidget({ nullable: { a: '1' }, settings: { a: '1' } })).toEqual({
        nullable: { a: '1' },
        settings: { a: '1' },
        filled: 'd',
      });
      expect(await applyWidget({ nullable: {}, settings: { a: '1' } })).toMatchObject({ nullable: null });
      expect(await applyWidget({ settings: {} })).toBe(422);
      expect(await applyWidget({ text: '1' })).toEqual({ text: '1', filled: 'd' });
      await target.merge(`${widgets.path(namespace)}/w`, { spec: { tags: [] } });
      expect(await applyWidget({ tags: null })).toBe(422);
      await widgets.remove();
    });

    it('knows an applier again in another version (row 73)', async () => {
      const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      const second = { ...versionOf(open), name: 'v2', storage: false };
      const widgets = await defineResource(target, { versions: [versionOf(open), second] });
      const applyWidget = (version: string, spec: object): Promise<Answer> => {
        const body = { apiVersion: `${widgets.group}/${version}`, kind: 'Widget', metadata: { name: 'w' }, spec };
        return send(`${widgets.path(namespace, version)}/w?fieldManager=m1`, body);
      };
      await applyWidget('v1', { a: 1, b: 1 });
      const { json } = await applyWidget('v2', { a: 2 });
      expect(json.spec).toEqual({ a: 2 });
      expect(entriesOf(json)).toMatchObject([{ manager: 'm1', apiVersion: `${widgets.group}/v2` }]);
      await widgets.remove();
    });

    it('takes lists as one value and merges objects where there is no schema (row 73)', async () => {
      const widgets = await defineResource(target, {
        versions: [versionOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })],
      });
      const applyWidget = (manager: string, spec: object): Promise<Answer> =>
        send(`${widgets.path(namespace)}/w?fieldManager=${manager}`, {
          apiVersion: `${widgets.group}/v1`,
          kind: 'Widget',
          metadata: { name: 'w' },
          spec,
        });
      await applyWidget('m1', { a: { x: 1 }, list: [{ name: 'a' }] });
      expect((await applyWidget('m2', { a: { y: 1 } })).json.spec).toEqual({ a: { x: 1, y: 1 }, list: [{ name: 'a' }] });
      expect((await applyWidget('m2', { list: [{ name: 'b' }] })).json.message).toBe(
        'Apply failed with 1 conflict: conflict with "m1": .spec.list',
      );
      await widgets.remove();
    });
  });

  itEmbedded('finds the fields of an object that nobody applied yet owned by whoever was before (row 73)', async () => {
    target.server.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ap', namespace }, data: { k: '1' } } as object);
    const { json } = await apply('m1', { data: { k: '2' } });
    expect(json.message).toBe('Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.k');
    const agreed = await apply('m1', { data: { k: '1', n: '1' } });
    expect(ownersOf(agreed.json)).toEqual([
      { 'Apply m1': { 'f:data': { 'f:k': {}, 'f:n': {} } } },
      { 'Update before-first-apply': { 'f:data': { '.': {}, 'f:k': {} } } },
    ]);
  });

  it('finds what a subresource cannot write owned by nobody (row 107)', async () => {
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } };
    await target.post(pods, { ...pod, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await target.merge(`${pods}/p`, { metadata: { managedFields: [{}] } });
    const { json } = await send(`${pods}/p/status?fieldManager=m1`, { ...pod, status: { phase: 'Running' } });
    expect(json.message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" with subresource "status" using v1: .status.phase',
    );
  });

  it('names whoever wrote a field before it was first applied (row 107)', async () => {
    await target.post(`${path.replace(/\/ap$/, '')}?fieldManager=creator`, { metadata: { name: 'ap' }, data: { k: '1' } });
    const { json } = await apply('m1', { data: { k: '2' } });
    expect(json.message).toBe('Apply failed with 1 conflict: conflict with "creator" using v1: .data.k');
  });

  it('lets kubectl take over what it applied from the client side (row 73)', async () => {
    const configuration = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ap', namespace }, data: { k: '1' } };
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(configuration) };
    await target.post(`${path.replace(/\/ap$/, '')}?fieldManager=kubectl-client-side-apply`, {
      ...configuration,
      metadata: { ...configuration.metadata, annotations },
    });
    expect((await apply('other', { data: { k: '2' } })).code).toBe(409);
    const { code, json } = await apply('kubectl', { data: { k: '2' } });
    expect(code).toBe(200);
    expect(JSON.parse(json.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'] ?? '{}')).toMatchObject({
      data: { k: '2' },
    });
  });

  describe('without the owners from before', () => {
    let lean: Target;
    beforeAll(async () => {
      lean = await openTarget({ managedFields: false });
    });
    afterAll(() => lean.close());

    itEmbedded('keeps owners from the first apply on (row 107)', async () => {
      const configmaps = `/api/v1/namespaces/${await lean.namespace()}/configmaps`;
      expect(entriesOf(await lean.post(configmaps, { metadata: { name: 'a' }, data: { a: '1' } }))).toEqual([]);
    });
  });

  describe('with all owners kept', () => {
    let keeping: Target;
    beforeAll(async () => {
      keeping = await openTarget();
    });
    afterAll(() => keeping.close());

    it('says who created, replaced and patched an object (row 107)', async () => {
      const other = await keeping.namespace();
      const configmaps = `/api/v1/namespaces/${other}/configmaps`;
      const created = await keeping.post(`${configmaps}?fieldManager=creator`, {
        metadata: { name: 'a', labels: { x: 'y' } },
        data: { a: '1', b: '1' },
      });
      expect(ownersOf(created)).toEqual([
        { 'Update creator': { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } } } },
      ]);
      const patched = await keeping.merge(`${configmaps}/a?fieldManager=patcher`, { data: { b: '2', c: '3' } });
      expect(ownersOf(patched)[1]).toEqual({ 'Update patcher': { 'f:data': { 'f:b': {}, 'f:c': {} } } });
      const same = await keeping.merge(`${configmaps}/a?fieldManager=nobody`, { data: { b: '2' } });
      expect(same).toEqual(patched);
    });

    it('calls a client by the first part of its User-Agent when it does not say (row 107)', async () => {
      const configmaps = `/api/v1/namespaces/${await keeping.namespace()}/configmaps`;
      const headers = { 'user-agent': 'my-tool/v1 (linux)' };
      const named = await keeping.request(configmaps, { method: 'POST', headers, body: { metadata: { name: 'a' }, data: { a: '1' } } });
      expect(entriesOf(named.json)).toMatchObject([{ manager: 'my-tool' }]);
      expect(entriesOf(await keeping.post(configmaps, { metadata: { name: 'b' }, data: { a: '1' } }))).toMatchObject([
        { manager: 'unknown' },
      ]);
    });

    it('tells who wrote through a subresource (row 107)', async () => {
      const deployments = `/apis/apps/v1/namespaces/${await keeping.namespace()}/deployments`;
      const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      const created = await keeping.post(`${deployments}?fieldManager=creator`, {
        metadata: { name: 'd' },
        spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
      });
      expect(entriesOf(created)[0]?.fieldsV1).toMatchObject({
        'f:spec': {
          'f:replicas': {},
          'f:selector': {},
          'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {} }, 'f:type': {} },
          'f:template': {
            'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
            'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
          },
        },
      });
      expect(JSON.stringify(entriesOf(created))).not.toContain('"f:containers":{"."');
      await keeping.merge(`${deployments}/d/scale?fieldManager=scaler`, { spec: { replicas: 1 } });
      await keeping.merge(`${deployments}/d/status?fieldManager=controller`, { status: { replicas: 1 } });
      const written = await keeping.must(`${deployments}/d`);
      const timed = entriesOf(written).map(({ subresource = '', time }) => [subresource, time !== undefined]);
      expect(timed).toEqual(
        expect.arrayContaining([
          ['scale', false],
          ['status', true],
          ['', true],
        ]),
      );
      const owners = ownersOf(written);
      expect(owners).toContainEqual({ 'Update scalerscale': { 'f:spec': { 'f:replicas': {} } } });
      expect(owners).toContainEqual({ 'Update controllerstatus': { 'f:status': { 'f:replicas': {} } } });
    });
  });
});
