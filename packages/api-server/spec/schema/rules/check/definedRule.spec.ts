import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadRules, ruleScope } from '../../../../src/schema/rules/ruleEngine.js';
import type { RuleScope } from '../../../../src/schema/rules/check/definedRule.js';

const text = { type: 'string' };
const short = { type: 'string', maxLength: 10 };
const entry = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 1000 }, tags: { type: 'array', maxItems: 500, items: text } },
};
const schema = {
  type: 'object',
  properties: {
    s: text,
    short,
    i: { type: 'integer' },
    n: { type: 'number' },
    l: { type: 'array', items: text },
    few: { type: 'array', maxItems: 5, items: short },
    m: { type: 'object', additionalProperties: text },
    objs: { type: 'array', maxItems: 300, items: entry },
    o: { type: 'object', properties: { 'a-b': text, namespace: text, '1x': text } },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    either: { 'x-kubernetes-int-or-string': true },
    at: { type: 'string', format: 'date-time' },
  },
};

/** Rules with the first line of what is said of them, without the position's line. */
const wrong: readonly (readonly [string, string])[] = [
  ['self.x == 1', "1:5: undefined field 'x'"],
  ['foo == self.s', "1:1: undeclared reference to 'foo' (in container '')"],
  ['unheardOf(self.s)', "1:10: undeclared reference to 'unheardOf' (in container '')"],
  ['self.s == 1', "1:8: found no matching overload for '_==_' applied to '(string, int)'"],
  ['self.n < self.s', "1:8: found no matching overload for '_<_' applied to '(double, string)'"],
  ['self.s.foo()', "1:11: undeclared reference to 'foo' (in container '')"],
  ["self.s.trim('a') == ''", "1:12: found no matching overload for 'trim' applied to 'string.(string)'"],
  ['self.i.x == 1', "1:7: type 'int' does not support field selection"],
  ["quantity('1').foo == 1", "1:14: unexpected failed resolution of 'kubernetes.Quantity'"],
  ['self.any == 1', "1:5: undefined field 'any'"],
  ['self.i.all(x, x == 1)', "1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
  ['self.few.all(x, size(x))', "1:21: expected type 'bool' but found 'int'"],
  ['self.s && true', "1:5: expected type 'bool' but found 'string'"],
  ["[1, 'a'].size() > 0", "1:5: expected type 'int' but found 'string'"],
  ["{'a': 1, 'b': 'c'}.size() > 0", "1:15: expected type 'int' but found 'string'"],
  ['has(self)', '1:5: invalid argument to has() macro'],
  ['self.at > timestamp("nope")', '1:21: invalid timestamp argument'],
  ["self.s.matches('[')", '1:16: invalid matches argument'],
  ['!(!(self.s))', "1:3: found no matching overload for '!_' applied to '(string)'"],
  ['self.few.existsOne(x, x == "a")', "1:19: undeclared reference to 'existsOne' (in container '')"],
];

/** Texts that are no expressions. */
const broken = [
  '(true',
  '[1, 2',
  "{'a': 1",
  'self.s)',
  "self.s == 'a' and true",
  'self..s',
  "self.s === 'a'",
  'self.s # 1',
  "'abc",
  '&& true',
  ')',
  'self.s ? 1',
  '1 +',
];

const right = [
  "['a', ?self.?s].size() > 0 && {'a': 'b', ?'c': self.?s}.size() > 0",
  'self.o.a__dash__b == self.o.__namespace__ && self.either == 1 && type(self.either) == string',
  'self.few.all(i, x, i < 3 && x != "") && self.few.transformMap(i, x, x + "a").size() > 0',
  'self.objs.sortBy(o, o.name).map(o, o.name).first().orValue("") == ""',
  'self.?s.optMap(v, v + "x").orValue("") == "" && self.?s.optFlatMap(v, optional.of(v)).hasValue()',
  "'%s-%d'.format([self.s, self.i]) == '' && sets.contains(self.few, ['a'])",
  "quantity('1Gi').add(3).isGreaterThan(quantity('1')) && ip('::1').isLoopback() && cidr('10.0.0.0/8').containsIP('10.0.0.1')",
  "semver('1.2.3').major() == 1 && !format.named('uuid').hasValue() && url('https://a').getHost() == 'a'",
  '!!(self.i > -1) && [[1], [2]].flatten() == lists.range(2) && self.metadata.name == self.kind',
];

describe('the check of a rule', () => {
  let scope: RuleScope;

  beforeAll(async () => {
    await loadRules();
    const found = ruleScope(schema, true);
    if (typeof found !== 'object') throw new Error('Expected the rules of a schema');
    scope = found;
  });

  it.each(wrong)('names what is wrong with %s', (rule, problem) => {
    expect(scope.rule(rule, false).problem?.split('\n')[0]).toBe(`compilation failed: ERROR: <input>:${problem}`);
  });

  it.each(right)('accepts %s', (rule) => {
    expect(scope.rule(rule, false).problem).toBeUndefined();
  });

  it.each(broken)('refuses %s, which is no expression', (rule) => {
    expect(scope.rule(rule, false).problem).toMatch(/^compilation failed: \w/);
  });

  it('shows positions behind optional entries as they were written', () => {
    expect(scope.rule("['a', ?self.?s, foo].size() > 0", false).problem).toMatch(/1:17: undeclared reference to 'foo'[^]*\?self\.\?s, foo/);
  });

  it('names each problem of a rule, in order, with the line of the expression', () => {
    expect(scope.rule('self.x == 1 ||\n foo', false).problem).toBe(
      "compilation failed: ERROR: <input>:1:5: undefined field 'x'\n | self.x == 1 ||\n | ....^\n" +
        "ERROR: <input>:2:2: undeclared reference to 'foo' (in container '')\n |  foo\n | .^",
    );
  });

  it('refuses results of other types', () => {
    expect(scope.rule('self.s', false).problem).toBe('cel expression must evaluate to a bool');
    expect(scope.message('self.i', false).problem).toBe('messageExpression must evaluate to a string');
  });

  it('knows the old value, which can be missing', () => {
    expect(scope.rule('oldSelf.s == self.s', false)).toMatchObject({ problem: undefined, usesOldSelf: true });
    expect(scope.rule('oldSelf.hasValue()', true)).toMatchObject({ problem: undefined, usesOldSelf: true });
    expect(scope.rule('self.s == ""', false).usesOldSelf).toBe(false);
  });

  it('cannot read values of any type', () => {
    expect(ruleScope(schema.properties.any, false)).toBe('unreadable');
  });
});
