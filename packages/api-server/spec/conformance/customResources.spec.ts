import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defineResource, type DefinedResource } from '../support/defineResource.js';
import { versionOf } from '../support/definitionOf.js';
import type { Answer, AnyJson } from '../support/httpClient.js';
import { againstCluster, openTarget, status, type Target } from '../support/target.js';

const text = { type: 'string' };

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    share: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
    even: { type: 'integer', multipleOf: 2 },
    color: { type: 'string', enum: ['red', 'green'] },
    code: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 4 },
    since: { type: 'string', format: 'date-time' },
    on: { type: 'boolean' },
    list: { type: 'array', minItems: 1, maxItems: 2, items: text },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: { type: 'object', required: ['id'], properties: { id: text, level: { type: 'string', default: 'low' } } },
    },
    settings: { type: 'object', maxProperties: 2, additionalProperties: { type: 'integer' } },
    maybe: { type: 'string', nullable: true },
    defaulted: { type: 'string', default: 'filled in' },
    nested: { type: 'object', default: {}, properties: { depth: { type: 'integer', default: 3 } } },
    port: { 'x-kubernetes-int-or-string': true },
    free: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: { type: 'object', properties: { a: text } } },
    },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object', properties: { a: text } } } },
    either: { type: 'object', properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    replicas: { type: 'integer' },
  },
};

const schema = {
  type: 'object',
  properties: {
    spec,
    status: {
      type: 'object',
      properties: { phase: { type: 'string', enum: ['Ready', 'Lost'] }, replicas: { type: 'integer' }, selector: text },
    },
  },
};

const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
};

describe('custom resources', () => {
  let target: Target;
  let widgets: DefinedResource;
  let namespace: string;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
    const selectableFields = [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }];
    const second = { ...versionOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }), name: 'v2', storage: false };
    widgets = await defineResource(target, { versions: [versionOf(schema, { subresources, selectableFields }), second] });
  });
  beforeEach(async () => {
    namespace = await target.namespace();
    path = widgets.path(namespace);
  });
  afterAll(async () => {
    await widgets.remove();
    await target.close();
  });

  const widget = (name: string, rest: object, version = 'v1'): object => ({
    apiVersion: `${widgets.group}/${version}`,
    kind: 'Widget',
    metadata: { name },
    ...rest,
  });
  const create = (wanted: object, query = ''): Promise<Answer> =>
    target.request(path + query, { method: 'POST', body: widget('w', { spec: { size: 1, ...wanted } }) });
  const created = async (wanted: object): Promise<AnyJson['spec']> => {
    const { code, json, text: body } = await create(wanted);
    if (code !== 201) throw new Error(body);
    return json.spec;
  };

  const name = 'w';
  const refusal = (reason: string, field: string, message: string): object => ({
    ...status(422, 'Invalid', `Widget.${widgets.group} "${name}" is invalid: ${field}: ${message}`),
    metadata: {},
    details: { name, group: widgets.group, kind: 'Widget', causes: [{ reason, message, field }] },
  });

  it.each<[string, object, string, string, string]>([
    [
      'a text for a number',
      { size: 'x' },
      'FieldValueTypeInvalid',
      'spec.size',
      'Invalid value: "string": spec.size in body must be of type integer: "string"',
    ],
    [
      'an object for a boolean',
      { on: {} },
      'FieldValueTypeInvalid',
      'spec.on',
      'Invalid value: "object": spec.on in body must be of type boolean: "object"',
    ],
    [
      'too small a number',
      { size: 0 },
      'FieldValueInvalid',
      'spec.size',
      'Invalid value: 0: spec.size in body should be greater than or equal to 1',
    ],
    [
      'too large a number',
      { size: 11 },
      'FieldValueInvalid',
      'spec.size',
      'Invalid value: 11: spec.size in body should be less than or equal to 10',
    ],
    [
      'a limit that is excluded',
      { share: 1 },
      'FieldValueInvalid',
      'spec.share',
      'Invalid value: 1: spec.share in body should be less than 1',
    ],
    ['the other limit', { share: 0 }, 'FieldValueInvalid', 'spec.share', 'Invalid value: 0: spec.share in body should be greater than 0'],
    ['what is no multiple', { even: 3 }, 'FieldValueInvalid', 'spec.even', 'Invalid value: 3: spec.even in body should be a multiple of 2'],
    [
      'what is not listed',
      { color: 'blue' },
      'FieldValueNotSupported',
      'spec.color',
      'Unsupported value: "blue": supported values: "red", "green"',
    ],
    [
      'what does not match',
      { code: 'AB' },
      'FieldValueInvalid',
      'spec.code',
      `Invalid value: "AB": spec.code in body should match '^[a-z]+$'`,
    ],
    [
      'too short a text',
      { code: 'a' },
      'FieldValueInvalid',
      'spec.code',
      'Invalid value: "a": spec.code in body should be at least 2 chars long',
    ],
    ['too long a text', { code: 'abcde' }, 'FieldValueTooLong', 'spec.code', 'Too long: may not be more than 4 bytes'],
    [
      'what is no time',
      { since: 'now' },
      'FieldValueTypeInvalid',
      'spec.since',
      'Invalid value: "now": spec.since in body must be of type date-time: "now"',
    ],
    ['too few items', { list: [] }, 'FieldValueInvalid', 'spec.list', 'Invalid value: 0: spec.list in body should have at least 1 items'],
    ['too many items', { list: ['a', 'b', 'c'] }, 'FieldValueTooMany', 'spec.list', 'Too many: 3: must have at most 2 items'],
    [
      'a wrong item',
      { list: [1] },
      'FieldValueTypeInvalid',
      'spec.list[0]',
      'Invalid value: "integer": spec.list[0] in body must be of type string: "integer"',
    ],
    ['an item twice in a set', { tags: ['a', 'b', 'a'] }, 'FieldValueDuplicate', 'spec.tags[2]', 'Duplicate value: "a"'],
    ['a key twice in a map', { keyed: [{ id: 'a' }, { id: 'a' }] }, 'FieldValueDuplicate', 'spec.keyed[1]', 'Duplicate value: {"id":"a"}'],
    ['an item without what it needs', { keyed: [{}] }, 'FieldValueRequired', 'spec.keyed[0].id', 'Required value'],
    [
      'a wrong entry',
      { settings: { a: 'x' } },
      'FieldValueTypeInvalid',
      'spec.settings.a',
      'Invalid value: "string": spec.settings.a in body must be of type integer: "string"',
    ],
    [
      'too many entries',
      { settings: { a: 1, b: 2, c: 3 } },
      'FieldValueTooMany',
      'spec.settings',
      'Too many: 3: must have at most 2 items',
    ],
    [
      'neither a number nor a text',
      { port: true },
      'FieldValueTypeInvalid',
      'spec.port',
      'Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
    ],
  ])('refuses %s (row 97)', async (_, wanted, reason, field, message) => {
    expect((await create(wanted)).json).toEqual(refusal(reason, field, message));
  });

  it('refuses what is missing, and says everything at once (row 97)', async () => {
    const missing = await target.request(path, { method: 'POST', body: widget('w', { spec: {} }) });
    expect(missing.json).toEqual(refusal('FieldValueRequired', 'spec.size', 'Required value'));
    const { json } = await create({ size: 0, color: 'blue' });
    // A real server checks the properties in any order.
    const { causes } = json['details'] as { readonly causes: readonly { readonly field: string }[] };
    expect(causes.map(({ field }) => field).sort()).toEqual(['spec.color', 'spec.size']);
    expect(json.message).toContain('spec.size: Invalid value: 0: ');
  });

  it('holds objects against combinations of schemas (row 97)', async () => {
    const none = await create({ either: {} });
    expect(none.json.message).toContain('"spec.either" must validate one and only one schema (oneOf). Found none valid');
    const both = await create({ either: { a: 'x', b: 'x' } });
    expect(both.json.message).toContain('"spec.either" must validate one and only one schema (oneOf). Found 2 valid alternatives');
    expect((await created({ either: { a: 'x' } }))['either']).toEqual({ a: 'x' });
  });

  it('takes an integer or a text where either may stand (row 97)', async () => {
    expect((await created({ port: 80 }))['port']).toBe(80);
    expect(await target.merge(`${path}/w`, { spec: { port: 'http' } })).toMatchObject({ spec: { port: 'http' } });
  });

  it('fills in defaults, inside of others and inside of items too (row 97)', async () => {
    expect(await created({ keyed: [{ id: 'a' }, { id: 'b', level: 'high' }] })).toMatchObject({
      defaulted: 'filled in',
      nested: { depth: 3 },
      keyed: [
        { id: 'a', level: 'low' },
        { id: 'b', level: 'high' },
      ],
    });
  });

  it('keeps null where it is allowed, and takes it for nothing elsewhere (row 97)', async () => {
    expect(await created({ maybe: null, defaulted: null, color: null })).toMatchObject({ maybe: null, defaulted: 'filled in' });
    expect((await target.must(`${path}/w`)).spec).not.toHaveProperty('color');
  });

  it('leaves out fields that the schema does not know, but never what the object is (row 97)', async () => {
    const body = { ...widget('w', { spec: { size: 1, bogus: 1, keyed: [{ id: 'a', bogus: 1 }] }, bogus: {} }) };
    const answer = await target.post(path, body);
    expect(answer).not.toHaveProperty('bogus');
    expect(answer).toMatchObject({ kind: 'Widget', apiVersion: `${widgets.group}/v1`, metadata: { name: 'w', namespace } });
    expect(answer.spec).toEqual({ size: 1, keyed: [{ id: 'a', level: 'low' }], defaulted: 'filled in', nested: { depth: 3 } });
  });

  it('keeps unknown fields where the schema says so, except in what it knows there (row 97)', async () => {
    expect((await created({ free: { any: { thing: [1] }, known: { a: 'x', b: 'y' } } }))['free']).toEqual({
      any: { thing: [1] },
      known: { a: 'x' },
    });
  });

  it('keeps kind, apiVersion and metadata of an object inside the object, and insists on the first two (row 97)', async () => {
    const template = { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } }, spec: { a: 'x', b: 'y' }, bogus: 1 };
    expect((await created({ template }))['template']).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { labels: { a: 'b' } },
      spec: { a: 'x' },
    });
    const { json } = await target.request(path, { method: 'POST', body: widget('v', { spec: { size: 1, template: {} } }) });
    expect(json['details']).toMatchObject({ causes: [{ field: 'spec.template.apiVersion' }, { field: 'spec.template.kind' }] });
  });

  it('holds patches and replacements against the schema too (row 97)', async () => {
    await created({});
    const { json } = await target.request(`${path}/w`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { size: 99 } },
    });
    expect(json).toEqual(
      refusal('FieldValueInvalid', 'spec.size', 'Invalid value: 99: spec.size in body should be less than or equal to 10'),
    );
    const current = await target.must(`${path}/w`);
    const replaced = await target.request(`${path}/w`, { method: 'PUT', body: { ...current, spec: { color: 'blue', size: 1 } } });
    expect(replaced.code).toBe(422);
  });

  it('holds the status against the schema, apart from the rest (rows 97 and 82)', async () => {
    await created({});
    const ready = await target.merge(`${path}/w/status`, { status: { phase: 'Ready', bogus: 1 }, spec: { size: 5 } });
    expect(ready).toMatchObject({ status: { phase: 'Ready' }, spec: { size: 1 } });
    expect(ready.status).not.toHaveProperty('bogus');
    const refused = await target.request(`${path}/w/status`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { phase: 'Odd' } },
    });
    expect(refused.json).toEqual(
      refusal('FieldValueNotSupported', 'status.phase', 'Unsupported value: "Odd": supported values: "Ready", "Lost"'),
    );
    expect(await target.merge(`${path}/w`, { status: { phase: 'Lost' }, spec: { size: 2 } })).toMatchObject({
      status: { phase: 'Ready' },
      metadata: { generation: 2 },
    });
  });

  it('scales by the paths of the definition (rows 97 and 84)', async () => {
    await created({ replicas: 1 });
    await target.merge(`${path}/w/status`, { status: { replicas: 1, selector: 'a=b' } });
    expect(await target.must(`${path}/w/scale`)).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 1 },
      status: { replicas: 1, selector: 'a=b' },
    });
    expect(await target.merge(`${path}/w/scale`, { spec: { replicas: 4 } })).toMatchObject({ spec: { replicas: 4 } });
    expect((await target.must(`${path}/w`)).spec['replicas']).toBe(4);
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = { status: { replicas: -1 } };
    expect((await target.request(`${path}/w/status`, { method: 'PATCH', headers, body })).json['details']).toMatchObject({
      causes: [{ reason: 'FieldValueInvalid', field: '.status.replicas' }],
    });
  });

  it('serves every version, each under its own name (row 97)', async () => {
    await created({ color: 'red' });
    const second = await target.must(`${widgets.path(namespace, 'v2')}/w`);
    expect(second).toMatchObject({ apiVersion: `${widgets.group}/v2`, kind: 'Widget', spec: { size: 1, color: 'red' } });
    const { json } = await target.request(widgets.path(namespace, 'v2'), { method: 'POST', body: widget('w2', { spec: { free: 1 } }) });
    expect(json).toMatchObject(status(400, 'BadRequest', expect.stringContaining('does not match the expected API version')));
  });

  it('selects by the fields that the definition names, and by no others (rows 97 and 86)', async () => {
    await created({ color: 'red', size: 3 });
    await target.post(path, widget('g', { spec: { size: 3, color: 'green' } }));
    const names = async (selector: string): Promise<readonly string[]> =>
      (await target.must(`${path}?fieldSelector=${encodeURIComponent(selector)}`)).items.map(({ metadata }) => metadata.name);
    expect(await names('spec.color=red')).toEqual(['w']);
    expect(await names('spec.color!=red,spec.size=3')).toEqual(['g']);
    const { json } = await target.request(`${path}?fieldSelector=spec.code%3Dx`);
    expect(json).toMatchObject(status(400, 'BadRequest', 'field label not supported: spec.code'));
  });

  it('refuses unknown fields, warns of them or lets them go, as asked (row 106)', async () => {
    const strict = await create({ bogus: 1, keyed: [{ id: 'a', odd: 1 }] }, '?fieldValidation=Strict');
    const problem = 'strict decoding error: unknown field "spec.bogus", unknown field "spec.keyed[0].odd"';
    expect(strict.json).toMatchObject(status(400, 'BadRequest', `Widget in version "v1" cannot be handled as a Widget: ${problem}`));
    const silent = await create({ bogus: 1 }, '?fieldValidation=Ignore&dryRun=All');
    expect([silent.code, silent.headers['warning']]).toEqual([201, undefined]);
    const warned = await create({ bogus: 1 }, '?fieldValidation=Warn');
    expect([warned.code, warned.headers['warning']]).toEqual([201, '299 - "unknown field \\"spec.bogus\\""']);
    const patch = await target.request(`${path}/w?fieldValidation=Strict`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { odd: 1 } },
    });
    expect(patch.json).toMatchObject(
      status(
        422,
        'Invalid',
        expect.stringMatching(/^ "" is invalid: patch: Invalid value: strict decoding error: unknown field "spec.odd"$/),
      ),
    );
  });

  it('refuses a fraction for an integer, twice (row 97)', async () => {
    const integer = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } };
    const other = await defineResource(target, { versions: [versionOf(integer)] });
    const body = { apiVersion: `${other.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1.5 } };
    const { json } = await target.request(other.path(namespace), { method: 'POST', body });
    expect((json['details'] as { readonly causes: readonly { readonly message: string }[] }).causes.map(({ message }) => message)).toEqual([
      'Invalid value: "number": spec.size in body must be of type integer: "number"',
      'Invalid value: "": Checked value must be of type integer (default format) in spec.size',
    ]);
    await other.remove();
  });

  it('tolerates what has become invalid as long as it does not change (row 97)', async () => {
    const plain = { type: 'object', properties: { spec: { type: 'object', properties: { a: text, b: text } } } };
    const other = await defineResource(target, { versions: [versionOf(plain)] });
    const url = other.path(namespace);
    await target.post(url, { apiVersion: `${other.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { a: 'no number', b: '1' } });
    const narrow = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string', enum: ['x'] }, b: text } } },
    };
    await target.merge(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${other.group}`, {
      spec: { versions: [versionOf(narrow)] },
    });
    expect(await target.merge(`${url}/w`, { spec: { b: '2' } })).toMatchObject({ spec: { a: 'no number', b: '2' } });
    const init = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
    const refused = async (): Promise<number> => (await target.request(`${url}/w`, { ...init, body: { spec: { a: 'y' } } })).code;
    expect(await refused()).toBe(422);
    await other.remove();
  });

  it('are watched anew after each change of the spec of their definition: older versions are too old', async () => {
    const plain = versionOf({ type: 'object', properties: { spec: { type: 'object' } } });
    const other = await defineResource(target, { versions: [plain] });
    const url = other.path(namespace);
    const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${other.group}`;
    const post = async (name: string): Promise<AnyJson> =>
      target.post(url, { apiVersion: `${other.group}/v1`, kind: 'Widget', metadata: { name } });
    const { metadata } = await post('a');
    const watch = await target.watch(`${url}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    await target.merge(definition, { metadata: { labels: { x: 'y' } } });
    await post('b');
    expect((await watch.next()).object.metadata.name).toBe('b');
    const { group } = other;
    await target.merge(definition, { spec: { names: { shortNames: [`w${group.slice(0, 5)}`] } } });
    expect(await watch.ended).toBe(true);
    expect(watch.events).toHaveLength(1);
    const versions = { old: metadata.resourceVersion, now: (await target.must(url)).metadata.resourceVersion };
    const late = await target.watch(`${url}?watch=true&resourceVersion=${versions.old}`);
    expect(await late.next()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect((await target.must(`${url}?resourceVersion=${versions.old}&resourceVersionMatch=Exact`)).items).toHaveLength(1);
    const again = await target.watch(`${url}?watch=true&resourceVersion=${versions.now}`);
    await target.merge(definition, { spec: { versions: [{ ...plain, served: false }] } });
    expect(await again.ended).toBe(true);
    await other.remove();
  });

  it('go with their definition, which waits for the last of them (row 95)', async () => {
    const plain = { type: 'object', properties: { spec: { type: 'object' } } };
    const other = await defineResource(target, { versions: [versionOf(plain)] });
    const url = other.path(namespace);
    const { group } = other;
    await target.post(url, { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'held', finalizers: ['x.com/f'] } });
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`;
    const deleted = await target.delete(path);
    const types = (deleted.status['conditions'] as readonly { readonly type: string }[]).map(({ type }) => type);
    expect([deleted.kind, types.includes('Terminating')]).toEqual(['CustomResourceDefinition', true]);
    while ((await target.must(`${url}/held`)).metadata.deletionTimestamp === undefined);
    expect((await target.request(path)).code).toBe(200);
    await target.merge(`${url}/held`, { metadata: { finalizers: null } });
    while ((await target.request(path)).code === 200);
    expect((await target.request(url)).code).toBe(404);
  });

  it('go with their definition when it serves no version any more (row 95)', async () => {
    const served = versionOf({ type: 'object', properties: { spec: { type: 'object' } } });
    const other = await defineResource(target, { versions: [served] });
    const [url, all] = [other.path(namespace), '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'];
    const path = `${all}/widgets.${other.group}`;
    await target.post(url, { apiVersion: `${other.group}/v1`, kind: 'Widget', metadata: { name: 'left' } });
    const { apiVersion, kind, spec } = await target.merge(path, { spec: { versions: [{ ...served, served: false }] } });
    await target.delete(path);
    while ((await target.request(path)).code === 200);
    // Each of them is deleted on its own: a file of the server must not bring them back.
    const writes = againstCluster ? [{ type: 'DELETED', name: 'left' }] : target.server.activity.writes;
    expect(writes.filter(({ type, name }) => type === 'DELETED' && name === 'left')).toHaveLength(1);
    await target.post(all, {
      ...{ apiVersion, kind, metadata: { name: `widgets.${other.group}` } },
      spec: { ...(spec as object), versions: [served] },
    });
    while ((await target.request(url)).code !== 200);
    expect((await target.must(url)).items).toEqual([]);
    await other.remove();
  });
});
