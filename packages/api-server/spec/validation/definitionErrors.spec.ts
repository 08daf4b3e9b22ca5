import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../src/json.js';
import { openTarget, type Target } from '../support/target.js';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const root = 'spec.validation.openAPIV3Schema';

/** A definition with a schema of `spec`, and further fields of its only version. */
function definition(properties: object, version: object = {}, spec: object = {}, plural = 'things'): object {
  const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties }, status } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
      ...spec,
    },
  };
}

const rules = (rule: string, more: object = {}): object => ({ 'x-kubernetes-validations': [{ rule, ...more }] });
const keyed = (items: object, more: object = {}): object => ({
  a: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: { type: 'object', ...items }, ...more },
});

describe('definitions of custom resources', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  const refusal = async (body: object): Promise<string> => {
    const { code, json } = await target.request(`${path}?dryRun=All`, { method: 'POST', body });
    return code === 201 ? 'created' : json.message.replace(/^.* is invalid: /, '');
  };

  it.each<[string, object]>([
    [
      'an integer or a text in controller-gen’s form',
      { q: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true } },
    ],
    [
      'the same in an allOf, with a pattern',
      { q: { allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^a' }], 'x-kubernetes-int-or-string': true } },
    ],
    ['a list by keys that have defaults', keyed({ properties: { k: { type: 'string', default: 'x' } } })],
    ['a default of the values of a map, whatever it is', { a: { type: 'object', additionalProperties: { type: 'string', default: 1 } } }],
    ['a list by keys that are required', keyed({ required: ['k'], properties: { k: { type: 'string' } } })],
    [
      'a rule about elements',
      { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } }, ...rules('self.all(x, has(x.b))') } },
    ],
    [
      'a rule about a map of objects',
      {
        m: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { n: { type: 'integer' } } },
          ...rules('self.all(k, self[k].n > 1)'),
        },
      },
    ],
    ['a rule about what used to be', { a: { type: 'string', ...rules('oldSelf.orValue("") == self', { optionalOldSelf: true }) } }],
    ['fields beside additionalProperties: true, which says nothing', { a: { type: 'object', properties: {}, additionalProperties: true } }],
    ['no fields at all', { a: { type: 'object', additionalProperties: false } }],
    ['a rule about a name that is no identifier', { 'a-b': { type: 'string' }, ...{} }],
    ['an anyOf of integer and text without the word for it', { a: { type: 'string', anyOf: [{ type: 'integer' }, { type: 'string' }] } }],
    ['a field with a part that names what it does not', { a: { type: 'object', anyOf: [{ properties: { x: { minimum: 1 } } }] } }],
    [
      'a rule about what used to be in an atomic object',
      { a: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { b: { type: 'integer', ...rules('self == oldSelf') } } } },
    ],
    ['a default of null, which is none', { a: { type: 'string', default: null } }],
    ['any default in a map', { a: { type: 'object', additionalProperties: { type: 'string', default: 1 } } }],
  ])('may have %s', async (_, properties) => {
    expect(await refusal(definition(properties))).toBe('created');
  });

  it.each<[string, object, RegExp | string]>([
    [
      'types inside anyOf',
      { a: { type: 'string', anyOf: [{ type: 'string' }] } },
      `${root}.properties[spec].properties[a].anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      'fields beside additionalProperties: false',
      { a: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false } },
      `${root}.properties[spec].properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
    [
      'additionalProperties: false in an embedded object',
      {
        a: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
          additionalProperties: false,
        },
      },
      /additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set/,
    ],
    [
      'a bad pattern',
      { a: { type: 'string', pattern: '(' } },
      /properties\[a\].pattern: Invalid value: "\(": must be a valid regular expression, but isn't: error parsing regexp: missing closing \): `\(`$/,
    ],
    ['a look-ahead, which RE2 does not know', { a: { type: 'string', pattern: 'a(?=b)' } }, /must be a valid regular expression/],
    [
      'a name of its draft',
      { a: { type: 'object', $schema: 'http://json-schema.org/draft-04/schema#' } },
      `${root}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`,
    ],
    [
      'a field without a type beside one named dependencies',
      { dependencies: { type: 'string' }, a: {} },
      /properties\[a\]\.type: Required value/,
    ],
    ['an empty default inside of a part', { a: { type: 'string', not: { default: '' } } }, /not\.default: Forbidden: must be undefined/],
    ['a blank message', { a: { type: 'string', ...rules('true', { message: ' ' }) } }, /message: Invalid value: " ": must be non-empty/],
    ['a message of two lines', { a: { type: 'string', ...rules('true', { message: 'a\nb' }) } }, /must not contain line breaks$/],
    ['a reason that is none', { a: { type: 'string', ...rules('true', { reason: 'No' }) } }, /reason: Unsupported value: "No"/],
    ['a reference', { a: { $ref: '#/definitions/x' } }, `${root}.properties[spec].properties[a].$ref: Forbidden: $ref is not supported`],
    [
      'a type that is none',
      { a: { type: 'strin' } },
      /properties\[a\]\.type: Unsupported value: "strin": supported values: "array", "boolean"/,
    ],
    [
      'a set of objects',
      { a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } } },
      /must be atomic as item of a list with x-kubernetes-list-type=set$/,
    ],
    [
      'a list map without keys',
      { a: { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } } },
      /x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map$/,
    ],
    ['a key that items do not have', keyed({ properties: {} }), /entries must all be names of item properties$/],
    [
      'a key that may be missing',
      keyed({ properties: { k: { type: 'string' } } }),
      /properties\[k\].default: Required value: this property is in x-kubernetes-list-map-keys/,
    ],
    [
      'a list type on an object',
      { a: { type: 'object', 'x-kubernetes-list-type': 'set' } },
      /must be array if x-kubernetes-list-type is specified$/,
    ],
    [
      'a default of another type',
      { a: { type: 'integer', default: 'x' } },
      /properties\[a\]\.default: Invalid value: "string": {2}in body must be of type integer: "string"$/,
    ],
    [
      'a default that breaks a rule',
      {
        a: {
          type: 'object',
          properties: { b: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1' }] } },
          default: { b: 1 },
        },
      },
      /properties\[a\]\.default\.b: Invalid value: 1: failed rule: self > 1$/,
    ],
    [
      'a default with an unknown field',
      { a: { type: 'object', properties: {}, default: { x: 1 } } },
      /properties\[a\]\.default: Invalid value: {"x":1}: must not have unknown fields$/,
    ],
    ['uniqueItems', { a: { type: 'array', items: { type: 'string' }, uniqueItems: true } }, /uniqueItems cannot be set to true/],
    ['a rule of another type', { a: { type: 'string', ...rules('self') } }, /cel expression must evaluate to a bool$/],
    [
      'a rule about a field that is not there',
      { a: { type: 'object', properties: { b: { type: 'string' } }, ...rules('self.c == "x"') } },
      /compilation failed: ERROR: <input>:1:5: undefined field 'c'\n \| self\.c == "x"\n \| \.\.\.\.\^$/,
    ],
    [
      'the same in an element of a list',
      { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } }, ...rules('self[0].c == "x"') } },
      /undefined field 'c'/,
    ],
    ['a rule that ends early', { a: { type: 'string', ...rules('self +') } }, /compilation failed: Unexpected token: EOF$/],
    [
      'a message of a number',
      { a: { type: 'string', ...rules('true', { messageExpression: '5' }) } },
      /messageExpression must evaluate to a string$/,
    ],
    [
      'a rule of two lines without a message',
      { a: { type: 'string', ...rules('true &&\ntrue') } },
      /message must be specified if rule contains line breaks$/,
    ],
    [
      'optionalOldSelf without oldSelf',
      { a: { type: 'string', ...rules('self != ""', { optionalOldSelf: true }) } },
      /may not be set if oldSelf is not used in rule$/,
    ],
    [
      'oldSelf where it cannot be told',
      { a: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5, ...rules('self == oldSelf') } } },
      /oldSelf cannot be used within .*properties\[a\]$/,
    ],
    [
      'a field path that leads nowhere',
      { a: { type: 'object', properties: {}, ...rules('true', { fieldPath: '.x' }) } },
      /fieldPath: Invalid value: ".x": must be a valid path$/,
    ],
  ])('must not have %s', async (_, properties, message) => {
    expect(await refusal(definition(properties))).toMatch(message);
  });

  it.each<[string, object, string]>([
    ['a version with a dot', definition({}, { name: 'v1.0' }), 'spec.versions[0].name: Invalid value: "v1.0": a DNS-1035 label'],
    [
      'a column whose path begins with a name',
      definition({}, { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: 'spec.a' }] }),
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .',
    ],
    [
      'a column of a type that is none',
      definition({}, { additionalPrinterColumns: [{ name: 'A', type: 'foo', jsonPath: '.a' }] }),
      'spec.additionalPrinterColumns[0].type: Invalid value: "foo": must be one of boolean,date,integer,number,string',
    ],
    [
      'a scale outside of spec',
      definition({}, { subresources: { scale: { specReplicasPath: '.status.a', statusReplicasPath: '.status.b' } } }),
      'spec.subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec',
    ],
    [
      'a selectable field that is not there',
      definition({}, { selectableFields: [{ jsonPath: '.spec.nope' }] }),
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.nope": is an invalid path: does not refer to a valid field',
    ],
    [
      'a selectable field of a list',
      definition({ a: { type: 'array', items: { type: 'string' } } }, { selectableFields: [{ jsonPath: '.spec.a[0]' }] }),
      'is an invalid path: array notation is not allowed',
    ],
    [
      'a part of the root that names what the root does not',
      definition({}, { schema: { openAPIV3Schema: { type: 'object', not: { properties: { x: { minimum: 1 } } } } } }),
      `${root}.properties[x]: Required value: because it is defined in ${root}.not.properties[x]`,
    ],
    [
      'a deprecation warning without a deprecation',
      definition({}, { deprecationWarning: 'soon' }),
      'spec.versions[0].deprecationWarning: Invalid value: "soon": can only be set for deprecated versions',
    ],
    [
      'a webhook of a conversion that is none',
      definition(
        {},
        {},
        { conversion: { strategy: 'None', webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] } } },
      ),
      'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
    ],
    [
      'a kind that is no name',
      definition({}, {}, { names: { plural: 'things', kind: 'Th_ing', singular: 'thing', listKind: 'L' } }),
      'spec.names.kind: Invalid value: "th_ing": a DNS-1035 label',
    ],
  ])('must not have %s', async (_, body, message) => {
    expect(await refusal(body)).toContain(message);
  });

  it('of a group of the Kubernetes project need its word', async () => {
    const body = JSON.parse(JSON.stringify(definition({})).replaceAll('example.com', 'x.k8s.io')) as JsonObject;
    expect(await refusal(body)).toMatch(
      /^metadata.annotations\[api-approved.kubernetes.io\]: Required value: protected groups must have approval annotation/,
    );
    const metadata = { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' } };
    expect(await refusal({ ...body, metadata })).toBe('created');
  });

  describe('whose rules look at objects', () => {
    const cases: readonly (readonly [string, object, object, string])[] = [
      [
        'has() of a field of an element',
        { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } }, ...rules('has(self[0].b)') } },
        { a: [{}] },
        'spec.a: Invalid value: failed rule: has(self[0].b)',
      ],
      [
        'has() inside of all()',
        {
          a: {
            type: 'array',
            maxItems: 10,
            items: { type: 'object', properties: { b: { type: 'string' } } },
            ...rules('self.all(x, has(x.b) && self.exists(y, has([y][0].b)))'),
          },
        },
        { a: [{}] },
        'failed rule',
      ],
      ['matches() with a class of RE2', { s: { type: 'string', ...rules('self.matches("^\\\\pL+$")') } }, { s: '1' }, 'failed rule'],
      ['matches() with flags of RE2', { s: { type: 'string', ...rules('!self.matches("(?i)ABC")') } }, { s: 'xabcx' }, 'failed rule'],
      ['find() with RE2', { s: { type: 'string', ...rules('self.find("(?U)a+") == "aa"') } }, { s: 'aa' }, 'failed rule'],
      [
        'optionalOldSelf in a new object',
        { s: { type: 'string', ...rules('oldSelf.hasValue()', { optionalOldSelf: true }) } },
        { s: 'x' },
        'failed rule: oldSelf.hasValue()',
      ],
      [
        'values that are out of range',
        { n: { type: 'integer', maximum: 1, ...rules('self < 3') } },
        { n: 5 },
        '[spec.n: Invalid value: 5: spec.n in body should be less than or equal to 1, spec.n: Invalid value: 5: failed rule: self < 3]',
      ],
    ];
    it.each(cases)('%s', async (_, properties, spec, message) => {
      const plural = `t${String(cases.findIndex(([, known]) => known === properties))}`;
      const kind = `T${plural.slice(1)}`;
      await target.post(path, definition(properties, {}, { names: { plural, kind } }, plural));
      const body = { apiVersion: 'example.com/v1', kind, metadata: { name: 'x' }, spec };
      const send = async (): ReturnType<Target['request']> =>
        target.request(`/apis/example.com/v1/namespaces/default/${plural}`, { method: 'POST', body });
      let answer = await send();
      while (answer.code === 404) answer = await send();
      expect([answer.code, answer.json.message]).toEqual([422, expect.stringContaining(message)]);
    });
  });

  it('change in what may change', async () => {
    await target.post(path, definition({}, {}, { names: { plural: 'fixed', kind: 'Fixed' } }, 'fixed'));
    const to = `${path}/fixed.example.com`;
    let { text } = await target.request(to);
    while (!text.includes('"type":"Established"')) ({ text } = await target.request(to));
    const patch = async (spec: object): Promise<unknown> =>
      (await target.request(to, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body: { spec } })).json
        .message;
    expect(await patch({ scope: 'Cluster' })).toMatch(/is invalid: spec.scope: Invalid value: "Cluster": field is immutable$/);
    expect(await patch({ names: { plural: 'other' } })).toMatch(
      /is invalid: spec.names.plural: Invalid value: "other": field is immutable$/,
    );
    expect(await patch({ group: 'x.y' })).toMatch(/is invalid: spec.group: Invalid value: "x.y": field is immutable$/);
  });
});
