import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import { Type } from 'typebox';
import * as z from 'zod';
import { type Resource, resources, type UnstructuredObject, type V1CustomResourceDefinition, type V1JSONSchemaProps } from 'rx-informer';
import { defineResource } from '../../src/definitions/defineResource.js';
import { jsonSchema, type ResourceSchema } from '../../src/definitions/schemaSource.js';
import { type RunningApiServer, startEitherApiServer } from '@rx-informer/api-server';
import { eventually } from '../webhooks/support/replicas.js';

const { customresourcedefinitions } = resources.apiextensions.v1;

/** A resource whose spec has one field `a`. */
function defined(a: ResourceSchema | z.ZodType): ReturnType<typeof defineResource> {
  return of(z.object({ spec: z.object({ a: a as z.ZodType }) }));
}
let made = 0;
function of(schema: ResourceSchema, more: object = {}): ReturnType<typeof defineResource> {
  made += 1;
  return defineResource({ group: 'example.com', kind: `Thing${made}`, scope: 'Namespaced', versions: { v1: { schema, ...more } } });
}
const plain = (a: object): ReturnType<typeof defineResource> =>
  of(jsonSchema({ type: 'object', properties: { spec: { type: 'object', properties: { a } } } }));

const schemaIn = ({ definition }: { readonly definition: V1CustomResourceDefinition }): V1JSONSchemaProps =>
  definition.spec.versions[0]?.schema?.openAPIV3Schema ?? {};
const fieldIn = (resource: { readonly definition: V1CustomResourceDefinition }): V1JSONSchemaProps | undefined =>
  schemaIn(resource).properties?.['spec']?.properties?.['a'];
const anything = { 'x-kubernetes-preserve-unknown-fields': true };
const intOrString = { 'x-kubernetes-int-or-string': true };

/** Constructs, as zod and as JSON Schema: what becomes of them, values that the server must accept, and values that it must refuse. */
const constructs: readonly (readonly [
  name: string,
  a: z.ZodType | object,
  becomes: object,
  good: readonly unknown[],
  bad: readonly unknown[],
])[] = [
  ['a text with limits', z.string().min(1).max(3), { type: 'string', minLength: 1, maxLength: 3 }, ['ab'], ['', 'abcd', 1]],
  ['a literal', z.literal('x'), { type: 'string', enum: ['x'] }, ['x'], ['y']],
  ['an enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }, ['a'], ['c']],
  ['an enum of numbers', z.literal([1, 2]), { type: 'number', enum: [1, 2] }, [2], [3]],
  ['literals of two types', z.literal([1, 'x']), { ...intOrString, enum: [1, 'x'] }, [1, 'x'], [2, 'y']],
  ['null beside a type', z.string().nullable(), { type: 'string', nullable: true }, ['x', null], [1]],
  ['null beside an enum', z.enum(['a']).nullable(), { type: 'string', nullable: true, allOf: [{ enum: ['a'] }] }, ['a', null], ['b']],
  [
    'null beside numbers',
    z.literal([1, 1.5]).nullable(),
    { type: 'number', nullable: true, allOf: [{ enum: [1, 1.5] }] },
    [1, 1.5, null],
    [2, 'x'],
  ],
  [
    'null beside literals of two types',
    z.literal([1, 'x', null]),
    { ...intOrString, nullable: true, allOf: [{ enum: [1, 'x'] }] },
    [1, 'x', null],
    [2, 'y'],
  ],
  ['a list of null beside an enum', z.array(z.enum(['a']).nullable()), { type: 'array' }, [['a', null]], [['b']]],
  [
    'null beside an enum in one choice',
    z.union([z.enum(['a']).nullable(), z.string().min(3)]),
    { type: 'string', nullable: true },
    ['a', 'abc', null],
    ['b'],
  ],
  ['null beside an object', z.object({ b: z.string() }).nullable(), { type: 'object', nullable: true }, [{ b: 'x' }, null], [{}]],
  ['an integer or a text', z.union([z.int(), z.string()]), intOrString, [1, '1'], [true, {}]],
  [
    'an integer or a text with limits',
    z.union([
      z.int().min(1).lt(9),
      z
        .string()
        .regex(/^[a-z]+$/)
        .min(2),
    ]),
    { ...intOrString, minimum: 1, maximum: 9, exclusiveMaximum: true, pattern: '^[a-z]+$', minLength: 2 },
    [1, 8, 'http'],
    [0, 9, 'x', '80', true],
  ],
  ['an integer, a text or null', z.union([z.int(), z.string(), z.null()]), { ...intOrString, nullable: true }, [1, 'x', null], [true]],
  ['other types', z.union([z.boolean(), z.string()]), anything, [true, 'x', { any: 1 }], []],
  ['texts of two kinds', z.union([z.ipv4(), z.ipv6()]), { type: 'string' }, ['1.2.3.4', '::1'], ['x']],
  ['an exclusive bound', z.number().gt(0), { type: 'number', minimum: 0, exclusiveMinimum: true }, [0.1], [0]],
  ['a bound above an exclusive one', z.intersection(z.int().gt(3), z.int().min(5)), { minimum: 5 }, [5], [4]],
  ['an exclusive bound below another', z.intersection(z.int().max(5), z.int().lt(3)), { maximum: 3, exclusiveMaximum: true }, [2], [3]],
  ['both bounds of one schema', { type: 'integer', minimum: 2, exclusiveMinimum: 0 }, { type: 'integer', minimum: 2 }, [2], [1]],
  ['a default', z.int().default(3), { type: 'integer', default: 3 }, [undefined, 4], ['x']],
  ['a list of texts', z.array(z.string()).max(1), { type: 'array', items: { type: 'string' }, maxItems: 1 }, [['x']], [['x', 'y'], [1]]],
  ['a map', z.record(z.string(), z.int()), { type: 'object' }, [{ x: 1 }], [{ x: 'y' }]],
  ['a map of anything', z.record(z.string(), z.unknown()), { type: 'object', additionalProperties: anything }, [{ x: { y: 1 } }], [1]],
  [
    'a map with known keys',
    z.partialRecord(z.enum(['a', 'b']), z.int()),
    {
      maxProperties: 2,
      'x-kubernetes-validations': [{ rule: 'self.all(key, key in ["a","b"])', message: 'keys must be among ["a","b"]' }],
    },
    [{ a: 1 }],
    [{ c: 1 }],
  ],
  ['a short list of maps with known keys', z.array(z.partialRecord(z.enum(['a', 'b']), z.int())).max(99), {}, [[{ a: 1 }]], [[{ c: 1 }]]],
  [
    'a map whose keys match',
    z.record(z.string().regex(/^x-/), z.string()).meta({ maxProperties: 9 }),
    { 'x-kubernetes-validations': [{ rule: 'self.all(key, key.matches("^x-"))', message: 'keys must match ^x-' }] },
    [{ 'x-a': 'b' }],
    [{ a: 'b' }],
  ],
  [
    'a map whose keys have limits',
    z.record(z.string().min(2).max(3), z.string()).meta({ maxProperties: 9 }),
    { type: 'object', additionalProperties: { type: 'string' } },
    [{ aa: '' }, { aaa: '' }],
    [{ a: '' }, { aaaa: '' }],
  ],
  [
    'a map of anything whose keys match, which no rule can say',
    z.record(z.string().regex(/^x-/), z.unknown()),
    { type: 'object', additionalProperties: anything },
    [{ 'x-a': { y: 1 } }],
    [1],
  ],
  [
    'a choice of maps',
    z.union([z.record(z.string(), z.int().min(2)), z.record(z.string(), z.int())]),
    { type: 'object', additionalProperties: { type: 'integer' } },
    [{ x: 1 }],
    [{ x: 'y' }],
  ],
  ['anything', z.unknown(), anything, [1, { x: [] }], []],
  ['anything, also null', z.object({ b: z.unknown() }), { required: ['b'] }, [{ b: null }, { b: 1 }], [{}]],
  ['integers beside other numbers', z.union([z.int().min(5), z.number().max(0)]), { type: 'number' }, [7, -0.5], [5.5, 1, 'x']],
  [
    'null beside times',
    { type: ['string', 'null'], format: 'date-time', enum: ['2026-01-01T00:00:00Z', null] },
    { type: 'string', nullable: true },
    ['2026-01-01T00:00:00Z', null],
    ['2027-01-01T00:00:00Z'],
  ],
  [
    'an intersection of which one part may be null',
    z.array(z.intersection(z.object({ b: z.int() }).nullable(), z.object({ c: z.int() }))),
    { type: 'array' },
    [[{ b: 1, c: 1 }]],
    [[null]],
  ],
  [
    'an intersection of parts that may be null',
    z.array(z.intersection(z.object({ b: z.int() }).nullable(), z.object({ c: z.int() }).nullable())),
    { type: 'array' },
    [[{ b: 1, c: 1 }, null]],
    [[1]],
  ],
  [
    'null beside a list of parts',
    { nullable: true, allOf: [{ type: 'object', properties: { b: { type: 'integer' } } }] },
    { type: 'object', nullable: true },
    [{ b: 1 }, null],
    [{ b: 'x' }],
  ],
  [
    'an intersection',
    z.intersection(z.object({ b: z.string() }), z.object({ c: z.int() })),
    { required: ['b', 'c'] },
    [{ b: '', c: 1 }],
    [{ b: '' }],
  ],
  ['two patterns', z.string().regex(/a/).regex(/b/), { type: 'string', pattern: 'a', allOf: [{ pattern: 'b' }] }, ['ab'], ['a', 'b']],
  ['an open object', z.looseObject({ b: z.int() }), { type: 'object', ...anything }, [{ b: 1, c: 2 }], [{ b: 'x' }]],
  ['a closed object', z.strictObject({ b: z.int() }), { type: 'object' }, [{ b: 1 }], [{ b: 'x' }]],
  ['a duration', z.iso.duration(), { type: 'string' }, ['P1D'], [1]],
  ['a time', z.iso.datetime(), { type: 'string', format: 'date-time' }, ['2026-01-01T00:00:00Z'], ['yesterday']],
  ['bytes', z.base64(), { type: 'string', format: 'byte' }, ['eA=='], ['!']],
  ['a host name, whose pattern looks ahead', z.hostname(), { type: 'string', format: 'hostname' }, ['a.example'], ['-']],
  ['a part by name', z.object({ x: z.object({ y: z.int() }).meta({ id: 'Part' }) }), { type: 'object' }, [{ x: { y: 1 } }], [{ x: {} }]],
  [
    'a choice by a field',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('file'), path: z.string() }),
      z.object({ kind: z.literal('http'), port: z.int().max(9), path: z.string() }),
    ]),
    {
      type: 'object',
      oneOf: [
        { properties: { kind: { enum: ['file'] }, path: {} }, required: ['kind', 'path'] },
        { properties: { kind: { enum: ['http'] }, path: {}, port: expect.anything() }, required: ['kind', 'port', 'path'] },
      ],
    },
    [
      { kind: 'file', path: '/' },
      { kind: 'http', port: 1, path: '/' },
    ],
    [{ kind: 'file' }, { kind: 'http', path: '/' }, { kind: 'ftp', path: '/' }, { kind: 'http', path: '/', port: 10 }],
  ],
  [
    'a field that may be null in one choice',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), owner: z.string().nullable() }),
      z.object({ kind: z.literal('b'), owner: z.string() }),
    ]),
    { properties: { owner: { type: 'string', nullable: true } } },
    [
      { kind: 'a', owner: null },
      { kind: 'b', owner: 'x' },
    ],
    [{ kind: 'a' }, { kind: 'b', owner: 1 }],
  ],
  ['enums without a common value', z.intersection(z.enum(['a']), z.enum(['b'])), { type: 'string' }, [], ['a', 'b']],
  [
    'a list by keys',
    z.array(z.object({ name: z.string(), v: z.int() })).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    [[{ name: 'a', v: 1 }]],
    [
      [
        { name: 'a', v: 1 },
        { name: 'a', v: 2 },
      ],
    ],
  ],
  ['a set', z.array(z.string()).meta({ 'x-kubernetes-list-type': 'set' }), { 'x-kubernetes-list-type': 'set' }, [['a']], [['a', 'a']]],
  [
    'a rule in CEL',
    z.int().meta({ 'x-kubernetes-validations': [{ rule: 'self % 2 == 0', message: 'must be even' }] }),
    { 'x-kubernetes-validations': [{ rule: 'self % 2 == 0', message: 'must be even' }] },
    [2],
    [3],
  ],
  [
    'remarks',
    z.string().meta({ examples: ['x'], readOnly: true, description: 'why', title: 'A' }),
    { type: 'string', description: 'why', title: 'A' },
    ['x'],
    [],
  ],
  ['TypeBox: a literal', Type.Literal('x'), { type: 'string', enum: ['x'] }, ['x'], ['y']],
  ['TypeBox: literals', Type.Union([Type.Literal('a'), Type.Literal('b')]), { type: 'string', enum: ['a', 'b'] }, ['b'], ['c']],
  ['TypeBox: an enum without a type', Type.Enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }, ['b'], ['c']],
  ['TypeBox: null', Type.Union([Type.String(), Type.Null()]), { type: 'string', nullable: true }, ['x', null], [1]],
  [
    'TypeBox: a map',
    Type.Record(Type.String(), Type.Integer()),
    { type: 'object', additionalProperties: { type: 'integer' } },
    [{ x: 1 }],
    [{ x: 'y' }],
  ],
  [
    'TypeBox: an intersection',
    Type.Intersect([Type.Object({ b: Type.String() }), Type.Object({ c: Type.String() })]),
    { type: 'object', required: ['b', 'c'], properties: { b: { type: 'string' }, c: { type: 'string' } } },
    [{ b: '', c: '' }],
    [{ b: '' }],
  ],
  ['TypeBox: a part by name', { $ref: 'Part', $defs: { Part: { ...Type.Integer(), $id: 'Part' } } }, { type: 'integer' }, [1], ['x']],
  ['values of a list of types', { type: ['string', 'number'], enum: ['a', 1] }, { ...intOrString, enum: ['a', 1] }, ['a', 1], ['b', 2]],
  ['numbers of two kinds', { enum: [1, 1.5] }, { type: 'number', enum: [1, 1.5] }, [1, 1.5], [2]],
  [
    'an intersection of objects, of which one allows null in a field',
    z.intersection(
      z.object({ b: z.string().nullable(), c: z.array(z.int().nullable()) }),
      z.object({ b: z.string(), c: z.array(z.int()) }),
    ),
    { properties: { b: { type: 'string' }, c: { items: { type: 'integer' } } } },
    [{ b: '', c: [1] }],
    [
      { b: null, c: [] },
      { b: '', c: [null] },
    ],
  ],
  [
    'a map with certain keys, or a text',
    { type: ['object', 'string'], additionalProperties: { type: 'string' }, propertyNames: { pattern: '^x' } },
    anything,
    [{ x: 'y' }, 'x'],
    [{ x: 1 }],
  ],
  ['a list of types', { type: ['string', 'null'] }, { type: 'string', nullable: true }, ['x', null], [1]],
  [
    'int-or-string as controller-gen writes it',
    { anyOf: [{ type: 'integer' }, { type: 'string' }], ...intOrString },
    intOrString,
    [1, '5%'],
    [{}],
  ],
  ['a negation', { type: 'string', not: { enum: ['x'] } }, { type: 'string', not: { enum: ['x'] } }, ['y'], ['x']],
  [
    'an embedded object',
    { type: 'object', 'x-kubernetes-embedded-resource': true, ...anything },
    { 'x-kubernetes-embedded-resource': true },
    [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: {} }],
    [{ kind: 'Pod' }],
  ],
];

describe('defineResource', () => {
  let server: RunningApiServer;
  beforeAll(async () => {
    server = await startEitherApiServer();
  });
  afterAll(() => server.close());

  /** Creates a definition, and waits until a real server serves it. */
  const define = async ({ definition, ...resource }: ReturnType<typeof defineResource>): Promise<void> => {
    await server.client.create(customresourcedefinitions, definition, { fieldValidation: 'Strict' });
    await eventually(() => server.client.list(resource));
  };

  it.each(constructs)('makes a definition of %s, which an API server takes and keeps to', async (_, a, becomes, good, bad) => {
    const isTypeBox = !('_zod' in a);
    const resource = isTypeBox ? plain(a) : defined(a);
    expect(fieldIn(resource)).toMatchObject(becomes);
    await define(resource);
    const things = resource as unknown as Resource<UnstructuredObject>;
    const write = (value: unknown): Promise<unknown> => {
      const object = { metadata: { name: 'x', namespace: 'default' }, spec: { a: value } };
      return server.client.create(things, object, { dryRun: true });
    };
    for (const value of good) await expect(write(value)).resolves.toBeDefined();
    for (const value of bad) await expect(write(value)).rejects.toMatchObject({ code: 422 });
  });

  it.each<readonly [string, z.ZodType | object, string]>([
    ['a tuple', z.tuple([z.string(), z.int()]), 'versions.v1.schema.properties[spec].properties[a] is a tuple'],
    ['a date', z.date(), 'Date cannot be represented in JSON Schema'],
    ['null alone', z.null(), 'allows no value but null'],
    ['null as a constant', { const: null }, 'allows no value but null'],
    ['a circle of TypeBox', Type.Cyclic({ Node: Type.Object({ next: Type.Array(Type.Ref('Node')) }) }, 'Node'), 'refers to itself'],
    ['keys that look ahead', z.record(z.string().regex(/a(?=b)/), z.string()), 'has the pattern a(?=b), which RE2 cannot read'],
    [
      'a circle',
      z.object({
        get next() {
          return z.array(Node);
        },
      }),
      'refers to itself',
    ],
    ['a look-ahead', z.string().regex(/a(?=b)/), 'has the pattern a(?=b), which RE2 cannot read'],
    ['a misspelt extension', z.string().meta({ 'x-kubernetes-validation': [] }), 'did you mean `x-kubernetes-validations`?'],
    ['an unknown keyword', { type: 'string', maxlength: 3 }, 'did you mean `maxLength`'],
    ['a condition', { type: 'object', if: {} }, 'has the keyword `if`, which definitions do not have'],
    ['a reference to nothing', { $ref: '#/$defs/x' }, 'refers to #/$defs/x, which is not there'],
    ['a choice of lists', z.union([z.array(z.string()), z.array(z.int())]), 'has items of several kinds in a choice'],
    [
      'a field of two types in a choice',
      z.union([z.object({ b: z.string() }), z.object({ b: z.int() })]),
      'properties[b] has several types in a choice',
    ],
    [
      'a rule inside a choice',
      z.union([z.object({ b: z.int() }).meta({ 'x-kubernetes-validations': [{ rule: 'true' }] }), z.object({})]),
      'inside a choice',
    ],
    ['a contradiction', Type.Intersect([Type.String(), Type.Integer()]), 'must be of the types string and integer at once'],
    ['a type that is excluded', { type: 'string', not: { type: 'integer' } }, 'excludes a type'],
    [
      'a set of objects',
      z.array(z.object({ b: z.int() })).meta({ 'x-kubernetes-list-type': 'set' }),
      'properties[a].items.x-kubernetes-map-type: Invalid value',
    ],
    [
      'keys that items lack',
      z.array(z.object({})).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] }),
      'names of item properties',
    ],
  ])('refuses %s, with its path', (_, a, message) => {
    const make = (): unknown => ('_zod' in a ? defined(a) : plain(a));
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it('is the typed resource of the stored version, with all its versions', () => {
    const sites = defineResource({
      group: 'example.com',
      kind: 'Site',
      scope: 'Namespaced',
      shortNames: ['st'],
      versions: {
        v1: { schema: z.object({ spec: z.object({ hosts: z.array(z.string()), replicas: z.int().default(1) }) }), storage: true },
        v1beta1: {
          schema: jsonSchema<{ spec: { host: string } }>({
            type: 'object',
            properties: { spec: { type: 'object', properties: { host: { type: 'string' } } } },
          }),
          deprecated: 'use v1',
        },
      },
    });
    expect(sites).toMatchObject({
      group: 'example.com',
      version: 'v1',
      plural: 'sites',
      kind: 'Site',
      namespaced: true,
      shortNames: ['st'],
    });
    expect(sites.versions.v1beta1).toMatchObject({ version: 'v1beta1' });
    expect(sites.definition).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: { name: 'sites.example.com' },
      spec: {
        names: { plural: 'sites', singular: 'site', kind: 'Site', listKind: 'SiteList', shortNames: ['st'] },
        versions: [
          { name: 'v1', served: true, storage: true },
          { name: 'v1beta1', served: true, storage: false, deprecated: true, deprecationWarning: 'use v1' },
        ],
      },
    });
    type Stored = typeof sites extends Resource<infer T> ? T : never;
    expectTypeOf<Stored['spec']>().toEqualTypeOf<{ readonly hosts: readonly string[]; readonly replicas?: number | undefined }>();
    type Old = (typeof sites.versions)['v1beta1'] extends Resource<infer T> ? T : never;
    expectTypeOf<Old['spec']['host']>().toEqualTypeOf<string>();
  });

  it('has columns, selectable fields, status and scale, which the server serves', async () => {
    const status = z.object({ readyReplicas: z.int() }).optional();
    const sites = defineResource({
      group: 'example.com',
      kind: 'Site',
      scope: 'Namespaced',
      versions: {
        v1: {
          schema: z.object({ spec: z.object({ host: z.string(), replicas: z.int() }), status }),
          columns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.readyReplicas' },
          selectableFields: ['.spec.host'],
        },
      },
    });
    expect(sites.subresources).toEqual(['status', 'scale']);
    const { client } = server;
    await define(sites);
    const inDefault = { namespace: 'default' };
    for (const host of ['a', 'b']) await client.create(sites, { metadata: { name: host, ...inDefault }, spec: { host, replicas: 1 } });
    expect((await client.list(sites, { fieldSelector: 'spec.host=b' })).items.map(({ spec }) => spec.host)).toEqual(['b']);
    await client.status.patch(sites, 'a', 'merge', { status: { readyReplicas: 1 } }, inDefault);
    expect(await client.scale.get(sites, 'a', inDefault)).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 1 } });
    const { spec } = await client.get(customresourcedefinitions, 'sites.example.com');
    expect(spec.versions[0]?.additionalPrinterColumns).toEqual([{ name: 'Host', type: 'string', jsonPath: '.spec.host' }]);
  });

  it.each<readonly [string, object, string]>([
    ['no version', { versions: {} }, 'an object with a version at least'],
    ['an unknown option', { scopes: 'Cluster' }, 'did you mean `scope`?'],
    ['another scope', { scope: 'namespaced' }, "'Namespaced' or 'Cluster', got \"namespaced\""],
    ['a kind that is none', { kind: 'a b', plural: 'ab' }, 'Expected `kind` of `customResource`'],
    [
      'two stored versions',
      { versions: { v1: { schema: z.object({}), storage: true }, v2: { schema: z.object({}), storage: true } } },
      'got 2',
    ],
    ['no schema', { versions: { v1: {} } }, 'Expected `schema` of `versions.v1`'],
    ['a schema of another library', { versions: { v1: { schema: Type.Object({}) } } }, '`jsonSchema` makes one of any other'],
    [
      'a schema of a text',
      { versions: { v1: { schema: z.string() } } },
      'versions.v1.schema.type: Invalid value: "string": must be object at the root',
    ],
    [
      'a column without a dot',
      { versions: { v1: { schema: z.object({}), columns: [{ name: 'A', type: 'string', jsonPath: 'spec' }] } } },
      'versions.v1.columns[0].JSONPath',
    ],
    [
      'a field that is not there',
      { versions: { v1: { schema: z.object({}), selectableFields: ['.spec.x'] } } },
      'does not refer to a valid field',
    ],
    [
      'a scale outside of spec',
      { versions: { v1: { schema: z.object({}), scale: { specReplicasPath: '.x', statusReplicasPath: '.status.x' } } } },
      'should be a json path under .spec',
    ],
  ])('refuses %s', (_, change, message) => {
    const make = (): unknown =>
      defineResource({ group: 'example.com', kind: 'Site', scope: 'Namespaced', versions: { v1: { schema: z.object({}) } }, ...change });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

const Node = z.object({
  get children(): z.ZodArray {
    return z.array(Node);
  },
});
