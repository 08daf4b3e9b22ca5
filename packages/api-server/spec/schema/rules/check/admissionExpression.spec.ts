import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkedAdmission, loadRules } from '../../../../src/schema/rules/ruleEngine.js';

const scope = { hasParams: false, hasAuthorizer: true, variables: new Map() };

/** What is said of an expression, without the lines that show it. */
function problemOf(text: string, type: string, hasPatches = true): string | undefined {
  return checkedAdmission(text, { ...scope, hasPatches }, [type])?.problem?.replaceAll(/\n \| .*/g, '');
}

/** Expressions for objects, with what is said of them. */
const wrongObjects: readonly (readonly [string, string])[] = [
  ['{"spec": Object.spec{replicas: 3}}', 'must evaluate to Object but got map(string, Object.spec)'],
  ['Object.spec{replicas: 3}', 'must evaluate to Object but got Object.spec'],
  ['[Object{}]', 'must evaluate to Object but got list(Object)'],
  ['Object{}.spec', 'must evaluate to Object but got dyn'],
  ['Object.spec', 'must evaluate to Object but got type(Object.spec)'],
  ['type(Object{})', 'must evaluate to Object but got type(Object)'],
  ['object', 'must evaluate to Object but got dyn'],
  ['Foo.bar{spec: 1 + "a"}', "1:8: undeclared reference to 'Foo.bar' (in container '')"],
  ['Object{spec: Object.spec{a: 1 + "a"}}', "1:31: found no matching overload for '_+_' applied to '(int, string)'"],
  [
    'has(object.x) ? Object{a: 1} : Object.spec{a: 1}',
    "1:15: found no matching overload for '_?_:_' applied to '(bool, Object, Object.spec)'",
  ],
  ['Object{spec: [Object.a{}, Object.b{}]}', "1:35: expected type 'Object.a' but found 'Object.b'"],
  ['Object{?spec: 1}', "1:15: expected type 'optional_type(int)' but found 'int'"],
  ['object{a: 1}', "1:7: 'dyn' is not a type\nERROR: <input>:1:9: unexpected failed resolution of 'object'"],
  ['int{a: 1}', "1:4: 'int' is not a message type\nERROR: <input>:1:6: undefined field 'a'"],
  ['Object{\n  spec: Object.spec{\n    replicas: bad\n  }\n}', "3:15: undeclared reference to 'bad' (in container '')"],
  ['Object{"spec": 1}', `1:8: Syntax error: mismatched input '"spec"' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`],
];

const wrongPatches: readonly (readonly [string, string])[] = [
  ['JSONPatch{op: "add"}', 'must evaluate to list(JSONPatch) but got JSONPatch'],
  ['[]', 'must evaluate to list(JSONPatch) but got list(dyn)'],
  ['[Object{}]', 'must evaluate to list(JSONPatch) but got list(Object)'],
  ['[JSONPatch{op: "add"}.op]', 'must evaluate to list(JSONPatch) but got list(string)'],
  ['[JSONPatch{op: 1}]', "1:14: expected type of field 'op' is 'string' but provided type is 'int'"],
  ['[JSONPatch{?op: optional.of(1)}]', "1:15: expected type of field 'op' is 'string' but provided type is 'int'"],
  ['[JSONPatch{op: "add", val: 1}]', "1:26: expected type of field 'val' is '' but provided type is 'int'"],
  ['[JSONPatch{path: JSONPatch{op: "a"}.nope}]', "1:16: expected type of field 'path' is 'string' but provided type is ''"],
  ['[JSONPatch{op: "add"}, 1]', "1:24: expected type 'JSONPatch' but found 'int'"],
  ['[JSONPatch.value{a: 1}]', "1:17: undeclared reference to 'JSONPatch.value' (in container '')"],
  ['[JSONPatch{path: jsonpatch.escapeKey(1)}]', "1:37: found no matching overload for 'jsonpatch.escapeKey' applied to '(int)'"],
];

describe('Checked expressions of mutations', () => {
  beforeAll(loadRules);

  it.each(wrongObjects)('refuse %s as an object', (text, problem) => {
    expect(problemOf(text, 'Object')?.replace(/^compilation failed: ERROR: <input>:/, '')).toBe(problem);
  });

  it.each(wrongPatches)('refuse %s as patches', (text, problem) => {
    expect(problemOf(text, 'list(JSONPatch)')?.replace(/^compilation failed: ERROR: <input>:/, '')).toBe(problem);
  });

  it.each([
    'Object{nonsense: Object.other{of: Object.third{any: [1]}}}',
    'Object { spec : Object.spec { replicas : 3, } // in words\n }',
    'object.x ? Object{if: 1, b: null, c: b"x"} : Object{?spec: object.?spec}',
    'Object{a: "{b: 1}", d: {"e": jsonpatch.escapeKey("a/b")}}',
    '[1].map(x, Object{a: x, b: has(Object.c{}.d)})[0]',
  ])('allow %s as an object', (text) => {
    expect(problemOf(text, 'Object')).toBeUndefined();
  });

  it.each([
    '[JSONPatch{?op: object.?x, path: "/a", from: object.y, value: Object.spec{a: 1}, val: object.z}]',
    'object.items.map(c, JSONPatch{op: "add", path: "/" + jsonpatch.escapeKey(c), value: c})',
    'has(object.x) ? [JSONPatch{}] : []',
  ])('allow %s as patches', (text) => {
    expect(problemOf(text, 'list(JSONPatch)')).toBeUndefined();
  });

  it('know objects, patches and their function nowhere else', () => {
    expect(problemOf('Object{a: 1} == Object.a', 'bool', false)).toContain("1:7: undeclared reference to 'Object' (in container '')");
    expect(problemOf('JSONPatch{op: "a"}.op == "a"', 'bool', false)).toContain("1:10: undeclared reference to 'JSONPatch'");
    const unknown = problemOf('jsonpatch.escapeKey("a") == "a"', 'bool', false);
    expect(unknown).toContain("1:1: undeclared reference to 'jsonpatch'");
    expect(unknown).toContain("1:20: undeclared reference to 'escapeKey'");
  });
});
