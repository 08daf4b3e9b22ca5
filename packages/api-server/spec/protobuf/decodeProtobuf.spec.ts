import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeProtobuf } from '../../src/protobuf/decodeProtobuf.js';
import { ProtobufError } from '../../src/protobuf/wireReader.js';
import { openTarget, type Target } from '../support/target.js';
import { runs } from '../../../../spec/tier.js';

type Value = number | string | Buffer;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}

/** A message of fields, each a number and its value. */
function message(...fields: readonly (readonly [number, Value])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8), varint(value)];
      const bytes = Buffer.from(value);
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), message([1, message([1, apiVersion], [2, kind])], [2, raw], [3, ''], [4, ''])]);
}

const meta = (name: string): readonly [number, Value] => [
  1,
  message([1, name], [2, ''], [3, ''], [4, ''], [5, ''], [6, ''], [7, 0], [8, message()]),
];
const entry = (key: string, value: Value): Buffer => message([1, key], [2, value]);

/** The error, unless it is the expected one. */
function failureOf(bytes: Buffer): string {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    return error instanceof ProtobufError ? 'none' : String(error);
  }
  return 'none';
}

describe('decodeProtobuf', () => {
  it('decodes an object, and leaves out the empty values of fields that were not set (row 108)', () => {
    const configMap = envelope(
      'v1',
      'ConfigMap',
      message(meta('a'), [2, entry('k', 'v')], [2, entry('empty', '')], [3, entry('b', Buffer.from([0, 255]))]),
    );
    expect(decodeProtobuf(configMap)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { k: 'v', empty: '' },
      binaryData: { b: 'AP8=' },
    });
  });

  it('decodes lists, integers that may be zero, times, quantities and values of two types (row 108)', () => {
    const container = message(
      [1, 'c'],
      [2, 'image'],
      [3, 'sh'],
      [3, ''],
      [6, message([1, 'http'], [2, 0], [3, 80])],
      [8, message([1, entry('cpu', message([1, '1']))])],
      [16, 0],
    );
    const template = message([1, message([1, ''])], [2, message([2, container], [11, 0])]);
    const strategy = message([1, 'RollingUpdate'], [2, message([1, message([1, 1], [3, '25%'])], [2, message([1, 0], [2, 0])])]);
    const spec = message([1, 0], [2, message([1, entry('app', 'web')])], [3, template], [4, strategy], [5, 0]);
    const created = [1, message([1, 'web'], [8, message([1, 1_767_225_600])])] as const;
    expect(decodeProtobuf(envelope('apps/v1', 'Deployment', message(created, [2, spec])))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: {
          spec: {
            containers: [
              {
                name: 'c',
                image: 'image',
                command: ['sh', ''],
                ports: [{ name: 'http', containerPort: 80 }],
                resources: { limits: { cpu: '1' } },
              },
            ],
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 0 } },
      },
    });
  });

  it('decodes times from before 1970, and leaves out the one that is not set', () => {
    // Two seconds after the beginning of the year 1, and an empty message.
    const spec = message([1, 'holder'], [3, message([1, -62_135_596_798], [2, 0])], [4, message()]);
    expect(decodeProtobuf(envelope('coordination.k8s.io/v1', 'Lease', message(meta('l'), [2, spec])))).toMatchObject({
      spec: { holderIdentity: 'holder', acquireTime: '0001-01-01T00:00:02.000000Z' },
    });
    expect(decodeProtobuf(envelope('coordination.k8s.io/v1', 'Lease', message(meta('l'), [2, spec])))).not.toHaveProperty('spec.renewTime');
  });

  it('puts the fields of embedded messages where JSON has them (row 108)', () => {
    const path = message([1, '/'], [3, 'Prefix'], [2, message([4, message([1, 'web'], [2, message([2, 80])])])]);
    const rule = message([1, 'a.b'], [2, message([1, message([1, path])])]);
    expect(decodeProtobuf(envelope('networking.k8s.io/v1', 'Ingress', message(meta('i'), [2, message([3, rule])])))).toMatchObject({
      spec: {
        rules: [
          {
            host: 'a.b',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }] },
          },
        ],
      },
    });
  });

  it('decodes what a projected volume takes from its pod (row 108)', () => {
    const file = message([1, 'labels'], [2, message([1, 'v1'], [2, 'metadata.labels'])]);
    const projected = message([1, message([2, message([1, file])])]);
    const volume = message([1, 'v'], [2, message([26, projected])]);
    expect(decodeProtobuf(envelope('v1', 'Pod', message(meta('p'), [2, message([1, volume])])))).toMatchObject({
      spec: {
        volumes: [
          {
            name: 'v',
            projected: { sources: [{ downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } }] },
          },
        ],
      },
    });
  });

  it('decodes numbers with fractions, and schemas where something else may stand (row 108)', () => {
    const fraction = (number: number, value: number): Buffer => {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value);
      return Buffer.concat([varint(number * 8 + 1), bytes]);
    };
    const size = Buffer.concat([message([5, 'number']), fraction(9, 2.5), fraction(11, 0)]);
    const list = message([5, 'array'], [24, message([1, message([5, 'string'])])]);
    const open = message([5, 'object'], [30, message([1, 1])], [8, message([1, '{"a":1}'])]);
    const schema = message([29, entry('size', size)], [29, entry('list', list)], [29, entry('open', open)]);
    const version = message([1, 'v1'], [2, 1], [3, 0], [4, message([1, schema])]);
    const kind = envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message(meta('d'), [2, message([7, version])]));
    expect(decodeProtobuf(kind)).toMatchObject({
      spec: {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: false,
            schema: {
              openAPIV3Schema: {
                properties: {
                  size: { type: 'number', maximum: 2.5, minimum: 0 },
                  list: { type: 'array', items: { type: 'string' } },
                  open: { type: 'object', additionalProperties: true, default: { a: 1 } },
                },
              },
            },
          },
        ],
      },
    });
  });

  it('reads nothing of a kind that it does not know', () => {
    expect(decodeProtobuf(envelope('example.com/v1', 'Node', message(meta('n'))))).toEqual({ apiVersion: 'example.com/v1', kind: 'Node' });
  });

  it('takes the kind that is expected where the envelope has none', () => {
    expect(decodeProtobuf(envelope('', '', message(meta('n'))), ['v1', 'Node'])).toMatchObject({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n' },
    });
  });

  it('fails in one way only, whatever the bytes', () => {
    const valid = envelope('v1', 'Pod', message(meta('a'), [2, message([2, message([1, 'c'])])]));
    const broken = fc.tuple(fc.nat(valid.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(([at, noise]) => {
      const bytes = Buffer.from(valid);
      bytes.set(noise.slice(0, bytes.length - at), at);
      return bytes;
    });
    const junk = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([Buffer.from('k8s\0'), bytes]));
    fc.assert(
      fc.property(fc.oneof(broken, junk), (bytes) => expect(failureOf(bytes)).toBe('none')),
      { numRuns: runs(2_000) },
    );
  });
});

describe('a request in protobuf', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());
  const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
  const post = (path: string, body: Buffer): ReturnType<Target['request']> =>
    target.request(path, { method: 'POST', headers, bytes: body });

  it('creates what it says (row 108)', async () => {
    expect((await post('/api/v1/namespaces', envelope('v1', 'Namespace', message(meta('from-protobuf'))))).code).toBe(201);
    expect((await target.must('/api/v1/namespaces/from-protobuf')).status).toEqual({ phase: 'Active' });
  });

  it('writes a status (row 108)', async () => {
    await post('/api/v1/namespaces', envelope('v1', 'Namespace', message(meta('with-status'))));
    const condition = message([1, 'Odd'], [2, 'True'], [5, 'Why']);
    const bytes = envelope('v1', 'Namespace', message(meta('with-status'), [3, message([1, 'Active'], [2, condition])]));
    const { code } = await target.request('/api/v1/namespaces/with-status/status', { method: 'PUT', headers, bytes });
    expect(code).toBe(200);
    const conditions = [{ type: 'Odd', status: 'True', reason: 'Why' }];
    expect((await target.must('/api/v1/namespaces/with-status')).status).toMatchObject({ phase: 'Active', conditions });
  });

  it('is refused with 400 for a kind that is not known, and when it is none (rows 61, 108)', async () => {
    expect((await post('/api/v1/nodes', envelope('example.com/v1', 'Node', message(meta('n'))))).json).toMatchObject({
      code: 400,
      message: expect.stringContaining('example.com/v1'),
    });
    const { json } = await post('/api/v1/namespaces/default/configmaps', Buffer.from('k8s\0junk'));
    expect(json).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: expect.stringMatching(/^the object provided is unrecognized \(must be of type ConfigMap\): .*6b3873006a756e6b/),
    });
  });
});
