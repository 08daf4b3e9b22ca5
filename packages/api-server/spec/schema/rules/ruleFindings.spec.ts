import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../../support/target.js';
import type { Answer } from '../../support/httpClient.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const rules = (...texts: readonly (string | object)[]): object => ({
  'x-kubernetes-validations': texts.map((text) => (typeof text === 'string' ? { rule: text } : text)),
});
const text = { type: 'string', maxLength: 40 };

const spec = {
  type: 'object',
  ...rules(
    { rule: 'self.min <= self.max', message: 'min must not be above max' },
    "!has(self.name) || self.name.startsWith('w')",
    '!has(self.a__dash__b) || self.a__dash__b > 1',
    { rule: 'self.kind == oldSelf.kind', message: 'kind is fixed', reason: 'FieldValueForbidden', fieldPath: '.kind' },
  ),
  properties: {
    min: { type: 'integer', default: 0 },
    max: { type: 'integer', default: 10, ...rules({ rule: 'self != 50', messageExpression: "'max is not ' + 'fifty'" }) },
    name: text,
    kind: { ...text, default: 'x' },
    tags: {
      type: 'array',
      maxItems: 10,
      items: { ...text, ...rules({ rule: 'self.size() > 1', message: 'too short' }) },
      ...rules({ rule: 'self.all(x, x == x.lowerAscii())', message: 'lower case only' }),
    },
    ratio: { type: 'number', ...rules('self <= 1.0') },
    when: { ...text, format: 'date-time', ...rules("self > timestamp('2020-01-01T00:00:00Z')") },
    wait: { ...text, format: 'duration', ...rules("self <= duration('1h')") },
    port: { 'x-kubernetes-int-or-string': true, ...rules({ rule: 'type(self) == string || self > 5', message: 'port' }) },
    'a-b': { type: 'integer' },
    at: {
      type: 'array',
      maxItems: 5,
      items: { type: 'object', properties: { namespace: text, for: text, in: text } },
      ...rules(
        { rule: 'self.all(t, !has(t.namespace) || t.namespace != "bad")', message: 'namespace' },
        { rule: 'self.all(t, !has(t.__namespace__) || t.__namespace__ != "worse")', message: 'escaped namespace' },
        { rule: 'self.all(t, !has(t.for) || t.for != "bad")', message: 'for' },
        { rule: 'self.all(t, !has(t.__in__) || t.__in__ != "bad")', message: 'in' },
      ),
    },
    limits: {
      type: 'object',
      maxProperties: 5,
      additionalProperties: text,
      ...rules({ rule: "!('cpu' in self) || quantity(self['cpu']).isLessThan(quantity('2'))", message: 'cpu' }),
    },
    list: {
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, v: { type: 'integer', ...rules({ rule: 'self >= oldSelf', message: 'grows' }) } },
      },
    },
    numbers: { type: 'array', items: { type: 'integer' }, ...rules({ rule: 'self.isSorted() && self.sum() < 10', message: 'numbers' }) },
  },
};

describe('ruleFindings', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
    await target.post(definitions, definition('widget', spec));
  });
  afterAll(() => target.close());

  const definition = (name: string, schema: object): object => ({
    metadata: { name: `${name}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: `${name}s`, kind: name.charAt(0).toUpperCase() + name.slice(1), singular: name },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } },
      ],
    },
  });
  const causesOf = ({ json }: Answer): readonly string[] => {
    const { causes = [] } = (json['details'] ?? {}) as {
      readonly causes?: readonly { readonly field: string; readonly message: string }[];
    };
    return causes.map(({ field, message }) => `${field}: ${message}`);
  };
  const create = (content: object, name = 'bad'): Promise<Answer> =>
    target.request(widgets, { method: 'POST', body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: content } });
  const patch = (name: string, content: object): Promise<Answer> =>
    target.request(`${widgets}/${name}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: content },
    });

  it.each<[object, readonly string[]]>([
    [{ min: 20 }, ['spec: Invalid value: min must not be above max']],
    [{ name: 'x' }, ["spec: Invalid value: failed rule: !has(self.name) || self.name.startsWith('w')"]],
    [{ max: 50 }, ['spec.max: Invalid value: 50: max is not fifty']],
    [{ tags: ['a', 'Bb'] }, ['spec.tags: Invalid value: lower case only', 'spec.tags[0]: Invalid value: "a": too short']],
    [{ ratio: 1.5 }, ['spec.ratio: Invalid value: 1.5: failed rule: self <= 1.0']],
    [{ ratio: 2 }, ['spec.ratio: Invalid value: 2: failed rule: self <= 1.0']],
    [
      { when: '2019-01-01T00:00:00Z' },
      [`spec.when: Invalid value: "2019-01-01T00:00:00Z": failed rule: self > timestamp('2020-01-01T00:00:00Z')`],
    ],
    [{ wait: '2h' }, [`spec.wait: Invalid value: "2h": failed rule: self <= duration('1h')`]],
    [{ port: 3 }, ['spec.port: Invalid value: 3: port']],
    [{ limits: { cpu: '3' } }, ['spec.limits: Invalid value: cpu']],
    [{ at: [{ namespace: 'bad' }] }, ['spec.at: Invalid value: namespace']],
    [{ at: [{ namespace: 'worse' }] }, ['spec.at: Invalid value: escaped namespace']],
    [{ at: [{ for: 'bad' }, { in: 'bad' }] }, ['spec.at: Invalid value: for', 'spec.at: Invalid value: in']],
    [{ 'a-b': 1 }, ['spec: Invalid value: failed rule: !has(self.a__dash__b) || self.a__dash__b > 1']],
    [{ numbers: [2, 1] }, ['spec.numbers: Invalid value: numbers']],
    [{ numbers: [4, 6] }, ['spec.numbers: Invalid value: numbers']],
  ])('refuses %j', async (content, causes) => {
    const answer = await create(content);
    expect([answer.code, causesOf(answer)]).toEqual([422, causes]);
  });

  it('takes what keeps the rules, defaults included', async () => {
    const content = {
      name: 'w',
      tags: ['aa'],
      ratio: 1,
      when: '2021-01-01T00:00:00Z',
      wait: '5m',
      port: 'http',
      limits: { cpu: '500m' },
      'a-b': 2,
      numbers: [1, 2],
    };
    expect((await create(content, 'good')).json).toMatchObject({ spec: { ...content, min: 0, max: 10, kind: 'x' } });
  });

  it('holds changes against what was before, items by their keys, and leaves alone what is new', async () => {
    await create({ list: [{ name: 'a', v: 1 }] }, 'changing');
    expect(causesOf(await patch('changing', { kind: 'y' }))).toEqual(['spec.kind: Forbidden: kind is fixed']);
    expect(causesOf(await patch('changing', { list: [{ name: 'a', v: 0 }] }))).toEqual(['spec.list[0].v: Invalid value: 0: grows']);
    expect(
      await patch('changing', {
        list: [
          { name: 'b', v: 0 },
          { name: 'a', v: 3 },
        ],
      }),
    ).toMatchObject({ code: 200 });
  });

  it('looks at no rule while something else is wrong', async () => {
    expect(causesOf(await create({ min: 'x', ratio: 5 }))).toEqual([
      'spec.min: Invalid value: "string": spec.min in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  it('stops a rule that runs too long, and says so', async () => {
    const numbers = { type: 'array', items: { type: 'integer' } };
    const slow = rules('self.n.all(a, self.n.all(b, self.n.all(c, true)))');
    await target.post(definitions, definition('slow', { type: 'object', properties: { n: numbers }, ...slow }));
    const body = { apiVersion: 'example.com/v1', kind: 'Slow', metadata: { name: 'x' }, spec: { n: Array.from({ length: 200 }, () => 1) } };
    const path = '/apis/example.com/v1/namespaces/default/slows';
    let answer = await target.request(path, { method: 'POST', body });
    while (answer.code === 404) answer = await target.request(path, { method: 'POST', body });
    expect(answer.code).toBe(422);
    expect(causesOf(answer)[0]).toContain('stopped, since its loops saw more than 1000000 items');
  });

  it.each([
    ['self.a >', 'compilation failed: Unexpected token: EOF'],
    ["'text'", 'must evaluate to a bool'],
    ['', 'rule is not specified'],
  ])('refuses a definition with the rule %j', async (rule, problem) => {
    const answer = await target.request(definitions, { method: 'POST', body: definition('bad', { type: 'object', ...rules(rule) }) });
    expect(answer.code).toBe(422);
    expect(causesOf(answer)[0]).toContain(problem);
  });
});
