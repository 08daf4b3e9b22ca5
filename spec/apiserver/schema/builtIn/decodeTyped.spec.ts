import { describe, expect, it } from '@jest/globals';
import { decodeTyped, TypeMismatchError } from '../../../../src/apiserver/schema/builtIn/decodeTyped.js';
import { typeOf, type TypeNode } from '../../../../src/apiserver/schema/builtIn/typeNode.js';
import type { JsonObject } from '../../../../src/apiserver/json.js';

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
    [
      'a text for a number',
      { spec: { replicas: 'two' } },
      deployment,
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a flag for a text',
      { data: { debug: true } },
      configMap,
      'json: cannot unmarshal bool into Go struct field ConfigMap.data of type string',
    ],
    [
      'a number for a text',
      { metadata: { name: 5 } },
      configMap,
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string',
    ],
    [
      'an object for a list',
      { spec: { containers: {} } },
      pod,
      'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'a text for an object',
      { data: 'x' },
      configMap,
      'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
    ['a list for an object', { spec: [] }, pod, 'json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec'],
    [
      'a fraction for an integer',
      { spec: { replicas: 1.5 } },
      deployment,
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    ['what is no base64', { binaryData: { a: '***' } }, configMap, 'illegal base64 data at input byte 0'],
    [
      'what is no time',
      { metadata: { creationTimestamp: 'x' } },
      configMap,
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
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
