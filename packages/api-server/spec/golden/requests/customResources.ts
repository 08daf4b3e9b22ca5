import type { AnyJson } from '../../support/httpClient.js';
import type { GoldenRequest, GoldenRequests } from '../goldenCase.js';
import { golden } from '../names.js';
import { table } from './reads.js';

type Fields = Readonly<Record<string, unknown>>;

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
    list: { type: 'array', items: { type: 'string', pattern: '^x' } },
  },
};
const status = { type: 'object', properties: { ok: { type: 'boolean' } } };
const schemaOf = (properties: Fields): Fields => ({ schema: { openAPIV3Schema: { type: 'object', properties } } });
const version = (rest: Fields): Fields => ({ name: 'v1', served: true, storage: true, subresources: { status: {} }, ...rest });
const complete = version(schemaOf({ spec, status }));

/** A definition in a group of its own, so that definitions do not conflict. */
function definition(prefix: string, rest: Fields = {}, name?: string): GoldenRequest {
  const group = `${prefix}${golden.group}`;
  const whole = { group, scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions: [complete], ...rest };
  const metadata = { name: name ?? `widgets.${group}` };
  return { body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec: whole } };
}

const widget = (name: string, fields: unknown, rest: Fields = {}): GoldenRequest => ({
  body: { apiVersion: `${golden.group}/v1`, kind: 'Widget', metadata: { name }, spec: fields, ...rest },
});

const merge = (body: object, shown: GoldenRequest['shown']): GoldenRequest => ({
  headers: { 'content-type': 'application/merge-patch+json' },
  body,
  ...(shown && { shown }),
});

const specOf = (body: AnyJson): unknown => body.spec;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const conditions = ({ status: shown }: AnyJson): readonly Condition[] => shown['conditions'] as readonly Condition[];

/** Requests about custom resources and their definitions. */
export const customResources: GoldenRequests = {
  'create crd bad name': definition('a', {}, 'foo'),
  'create crd no schema': definition('b', { versions: [version({})] }),
  'create crd non structural': definition('c', { versions: [version(schemaOf({ a: {} }))] }),
  'create crd two storage': definition('d', {
    versions: [complete, { ...complete, name: 'v2' }].map(({ subresources: _, ...one }) => one),
  }),
  'create crd no versions': definition('e', { versions: [] }),
  'create crd bad scope': definition('f', { scope: 'Bogus' }),
  'create crd bad default': definition('g', {
    versions: [version(schemaOf({ spec: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } } }))],
  }),
  'create crd bad kind names': definition('h', { names: { plural: 'widgets' } }),
  'create crd': {
    ...definition(''),
    shown: ({ spec: shown, status: state }) => ({ names: shown['names'], conv: shown['conversion'], stored: state['storedVersions'] }),
  },
  'crd status': {
    shown: (body) => ({
      c: conditions(body).map(({ type, status: state, reason, message }) => [type, state, reason, message]),
      n: body.status['acceptedNames'],
      s: body.status['storedVersions'],
    }),
  },
  'create cr ok': { ...widget('w1', { size: 3, junk: 1 }), shown: (body) => ({ spec: body.spec, gen: body.metadata.generation }) },
  'create cr missing required': widget('w2', {}),
  'create cr max': widget('w2', { size: 11 }),
  'create cr type': widget('w2', { size: 'x' }),
  'create cr float': widget('w2', { size: 1.5 }),
  'create cr enum': widget('w2', { size: 1, mode: 'z' }),
  'create cr pattern': widget('w2', { size: 1, list: ['y'] }),
  'create cr null default': { ...widget('w3', { size: 3, mode: null }), shown: specOf },
  'create cr strict': widget('w4', { size: 3, junk: 1 }),
  'create cr warn': { ...widget('w4', { size: 3, junk: 1 }), shown: specOf },
  'create cr no apiVersion': { body: { metadata: { name: 'w2' }, spec: { size: 1 } } },
  'create cr wrong kind': widget('w2', { size: 1 }, { kind: 'Gizmo' }),
  'patch cr strategic': { headers: { 'content-type': 'application/strategic-merge-patch+json' }, body: { spec: { size: 4 } } },
  'patch cr merge': merge({ spec: { size: 4 } }, (body) => [body.spec, body.metadata.generation]),
  'patch cr status': merge({ spec: { size: 9 }, status: { ok: true } }, (body) => [body.spec, body.status, body.metadata.generation]),
  'update cr no rv': widget('w1', { size: 5 }),
  'update cr rv': {
    body: { apiVersion: `${golden.group}/v1`, kind: 'Widget', metadata: { name: 'w1', resourceVersion: '1' }, spec: { size: 5 } },
  },
  'patch cr apply': {
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: { apiVersion: `${golden.group}/v1`, kind: 'Widget', metadata: { name: 'w1' }, spec: { size: 6 } },
    shown: specOf,
  },
  'cr table': table,
  'delete crd': {
    shown: (body) => [body.metadata.finalizers, body.metadata.deletionTimestamp !== undefined, conditions(body).map(({ type }) => type)],
  },
  'cr list after crd delete': {
    before: async ({ send, fill }) => {
      // Its resources are served until the last of them is deleted.
      const path = fill('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.GROUP');
      while ((await send('GET', path)).code === 200);
    },
  },
};
