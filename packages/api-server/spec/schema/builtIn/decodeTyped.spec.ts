import { describe, expect, it } from '@jest/globals';
import { decodeTyped, TypeMismatchError } from '../../../src/schema/builtIn/decodeTyped.js';
import { typeOf, type TypeNode } from '../../../src/schema/builtIn/typeNode.js';
import type { JsonObject } from '../../../src/json.js';

function type(group: string, version: string, kind: string): TypeNode {
  const found = typeOf({ group, version, kind });
  if (found === undefined) throw new Error(`Expected ${kind} to be known`);
  return found;
}

const configMap = type('', 'v1', 'ConfigMap');
const deployment = type('apps', 'v1', 'Deployment');
const pod = type('', 'v1', 'Pod');

function problem(object: JsonObject, of: TypeNode): string {
  try {
    decodeTyped(object, of);
  } catch (error) {
    if (error instanceof TypeMismatchError) return error.message;
    throw error;
  }
  return '';
}

describe('decodeTyped', () => {
  it.each<[string, JsonObject, TypeNode, string]>([
    ['a text for a number', { spec: { replicas: 'two' } }, deployment, 'spec.replicas: expected a number (int32), got "two"'],
    ['a flag for a text', { data: { debug: true } }, configMap, 'data.debug: expected a string, got true'],
    ['a number for a text', { metadata: { name: 5 } }, configMap, 'metadata.name: expected a string, got 5'],
    ['an object for a list', { spec: { containers: {} } }, pod, 'spec.containers: expected a list, got object'],
    ['a text for an object', { data: 'x' }, configMap, 'data: expected a map, got "x"'],
    ['a list for an object', { spec: [] }, pod, 'spec: expected an object, got array'],
    ['a fraction for an integer', { spec: { replicas: 1.5 } }, deployment, 'spec.replicas: expected a number (int32), got 1.5'],
    ['what is no base64', { binaryData: { a: '***' } }, configMap, 'binaryData.a: expected text in base64, got "***"'],
    [
      'what is no time',
      { metadata: { creationTimestamp: 'x' } },
      configMap,
      'metadata.creationTimestamp: expected a time as of RFC 3339, got "x"',
    ],
    [
      'what is no quantity',
      { spec: { containers: [{ resources: { limits: { cpu: 'abc' } } }] } },
      pod,
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])('refuses %s', (_, object, of, expected) => {
    expect(problem(object, of)).toBe(expected);
  });

  it('leaves out what the kind does not have, and says where it stood', () => {
    const { object, unknown } = decodeTyped({ spec: { bogus: 1, containers: [{ name: 'c', imag: 'i' }] }, metadata: { lables: {} } }, pod);
    expect(object).toEqual({ spec: { containers: [{ name: 'c' }] }, metadata: {} });
    expect(unknown).toEqual(['spec.bogus', 'spec.containers[0].imag', 'metadata.lables']);
  });

  it('leaves out null and what is empty, but keeps empty objects that mean something', () => {
    const spec = { containers: [{ name: 'c', args: [], env: null }], volumes: [{ name: 'v', emptyDir: {} }], nodeSelector: {} };
    expect(decodeTyped({ spec }, pod).object).toEqual({ spec: { containers: [{ name: 'c' }], volumes: [{ name: 'v', emptyDir: {} }] } });
  });

  it('gives quantities their usual form, and takes ports by number and by name', () => {
    const resources = { limits: { cpu: 0.5, memory: '1024Mi' } };
    const probe = (port: string | number): JsonObject => ({ httpGet: { port } });
    const container = { name: 'c', resources, livenessProbe: probe(80), readinessProbe: probe('web') };
    const { object } = decodeTyped({ spec: { containers: [container] } }, pod);
    expect(object).toMatchObject({
      spec: { containers: [{ resources: { limits: { cpu: '500m', memory: '1Gi' } }, livenessProbe: probe(80) }] },
    });
  });

  it('takes any value where any is meant', () => {
    const { object, unknown } = decodeTyped({ data: { a: [1, { b: null }] } }, type('apps', 'v1', 'ControllerRevision'));
    expect(object).toEqual({ data: { a: [1, { b: null }] } });
    expect(unknown).toEqual([]);
  });

  it('does not copy what it leaves as it is, and nothing of the object that it came from', () => {
    const right = {
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1' } } }], hostNetwork: true },
    };
    expect(decodeTyped(right, pod).object).toBe(right);
    const wrong = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', bogus: 1 }], nodeName: 5 } };
    const other = { ...wrong, metadata: { name: 'b' } };
    expect(decodeTyped(other, pod, wrong)).toEqual({ object: other, unknown: [] });
    const list = { ...wrong, spec: { containers: [...wrong.spec.containers, { name: 'd', bogus: 2 }], nodeName: 5 } };
    expect(decodeTyped(list, pod, wrong).unknown).toEqual(['spec.containers[1].bogus']);
  });
});
