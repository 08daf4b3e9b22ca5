import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../src/json.js';
import { decodeProtobuf } from '../../src/protobuf/decodeProtobuf.js';
import { encodeListProtobuf, encodeProtobuf } from '../../src/protobuf/encodeProtobuf.js';
import { fieldsOf } from '../../src/protobuf/wireReader.js';
import { wholeObjects } from '../../../../workshop/tools/absent/answers.js';
import { openTarget, type Target } from '../support/target.js';

/** Answers of kube-apiserver 1.36.3, each in JSON and in protobuf. */
const answers = JSON.parse(readFileSync(new URL('answers-1.36.3.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, { readonly json: JsonObject; readonly protobuf: string }>
>;
const accept = 'application/vnd.kubernetes.protobuf';

function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).map(([name, inner]) => [name, withoutNothing(inner)] as const);
  return Object.fromEntries(kept.filter(([, inner]) => !isNothing(inner)));
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false || value === undefined;
}

describe('encodeProtobuf', () => {
  it.each(Object.keys(answers))('writes %s byte by byte as it was recorded', (name) => {
    const { json, protobuf } = answers[name] ?? { json: {}, protobuf: '' };
    expect(encodeProtobuf(json).toString('base64')).toBe(protobuf);
  });

  it('loses nothing of an object of any built-in kind, but for fields that are the zero of Go', () => {
    for (const object of wholeObjects() as readonly JsonObject[])
      expect(decodeProtobuf(encodeProtobuf(object))).toMatchObject(withoutNothing(object) as object);
  });

  it('writes numbers below zero and beyond 32 bits', () => {
    const event = { apiVersion: 'v1', kind: 'Pod', spec: { priority: -5, activeDeadlineSeconds: 5_000_000_000 } };
    expect(decodeProtobuf(encodeProtobuf(event))).toMatchObject(event);
  });

  it('writes texts of any length, whatever was written before', () => {
    for (const length of [127, 128, 16_383, 16_384, 100_000, 511, 1]) {
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { key: 'ä'.repeat(length), other: 'x' } };
      expect(decodeProtobuf(encodeProtobuf(map))).toMatchObject(map);
    }
  });

  it('encodes the same JSON again for a list of another kind', () => {
    const item = { metadata: { name: 'a' }, data: { key: 'dmFsdWU=' } };
    const parts = [Buffer.from(JSON.stringify(item))];
    for (const kind of ['ConfigMapList', 'SecretList']) {
      const list = { apiVersion: 'v1', kind, metadata: {} };
      expect(Buffer.concat([...encodeListProtobuf(list, [parts])])).toEqual(encodeProtobuf({ ...list, items: [item] }));
    }
  });
});

describe('answers in protobuf', () => {
  let target: Target;
  const send = async (path: string, headers: Readonly<Record<string, string>>, method = 'GET', body?: unknown) =>
    target.request(path, { method, headers: { 'user-agent': 'spec', ...headers }, ...(body !== undefined && { body }) });
  beforeAll(async () => {
    target = await openTarget();
    await send('/api/v1/namespaces/default/configmaps', {}, 'POST', { metadata: { name: 'answer' }, data: { a: 'b' } });
  });
  afterAll(() => target.close());

  it('are given for objects, and to clients that prefer it to JSON', async () => {
    for (const accepted of [accept, `${accept},application/json`, `application/json;q=0.5,${accept}`]) {
      const answer = await send('/api/v1/namespaces/default/configmaps/answer', { accept: accepted });
      expect(answer.headers['content-type']).toBe(accept);
      expect(decodeProtobuf(answer.bytes)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } });
    }
  });

  it('are given for lists, metadata, discovery and errors', async () => {
    const kindAt = async (path: string, parameters = '') => {
      const answer = await send(path, { accept: `${accept}${parameters}` });
      const [envelope] = [...fieldsOf(answer.bytes.subarray(4))];
      const names = [...fieldsOf(envelope?.value as Buffer)].map(({ value }) => String(value));
      return [answer.code, answer.headers['content-type'], ...names];
    };
    const objects = '/api/v1/namespaces/default/configmaps';
    expect(await kindAt(objects)).toEqual([200, accept, 'v1', 'ConfigMapList']);
    expect(await kindAt(`${objects}/answer`, ';as=PartialObjectMetadata;g=meta.k8s.io;v=v1')).toEqual([
      200,
      accept,
      'meta.k8s.io/v1',
      'PartialObjectMetadata',
    ]);
    expect(await kindAt('/apis')).toEqual([200, accept, 'v1', 'APIGroupList']);
    expect(await kindAt('/apis/apps/v1')).toEqual([200, accept, 'v1', 'APIResourceList']);
    expect(await kindAt(`${objects}/none`)).toEqual([404, accept, 'v1', 'Status']);
    expect(await kindAt(`${objects}?limit=x`)).toEqual([400, accept, 'v1', 'Status']);
  });

  it.each(['', ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'])('have each object of a list, as %j', async (parameters) => {
    const path = '/api/v1/namespaces/kube-system/configmaps';
    for (const name of ['first', 'second']) await send(path, {}, 'POST', { metadata: { name } });
    const list = async () => {
      const { bytes } = await send(`${path}?fieldSelector=metadata.name!=extension-apiserver-authentication`, {
        accept: `${accept}${parameters}`,
      });
      return ['first', 'second', 'changed'].map((text) => bytes.includes(text));
    };
    expect(await list()).toEqual([true, true, false]);
    await send(`${path}/first`, { 'content-type': 'application/merge-patch+json' }, 'PATCH', { metadata: { labels: { is: 'changed' } } });
    expect(await list()).toEqual([true, true, true]);
    for (const name of ['first', 'second']) await send(`${path}/${name}`, {}, 'DELETE');
  });

  it('are given for watches, each event behind its length', async () => {
    const answer = await send('/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Danswer', {
      accept,
    });
    expect(answer.headers['content-type']).toBe(`${accept};stream=watch`);
    const length = answer.bytes.readUInt32BE(0);
    expect(answer.bytes).toHaveLength(4 + length);
    const [type, object] = [...fieldsOf(answer.bytes.subarray(4))].map(({ value }) => value as Buffer);
    const [raw] = [...fieldsOf(object ?? Buffer.alloc(0))].map(({ value }) => value as Buffer);
    expect(String(type)).toBe('ADDED');
    expect(decodeProtobuf(raw ?? Buffer.alloc(0))).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'answer' } });
  });

  it('are not given for tables, whose clause is skipped', async () => {
    const table = ';as=Table;g=meta.k8s.io;v=v1';
    const alone = await send('/api/v1/namespaces/default/configmaps', { accept: `${accept}${table}` });
    expect([alone.code, alone.json.message]).toEqual([
      406,
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ]);
    const other = await send('/api/v1/namespaces/default/configmaps', { accept: `${accept}${table},application/json${table}` });
    expect(other.json.kind).toBe('Table');
  });

  it('are given for custom resources as metadata alone', async () => {
    const definition = parseAllDocuments(`
      metadata: { name: gizmos.example.com }
      spec:
        group: example.com
        scope: Namespaced
        names: { plural: gizmos, kind: Gizmo }
        versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }]
    `)[0]?.toJS() as object;
    await send('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {}, 'POST', definition);
    const path = '/apis/example.com/v1/namespaces/default/gizmos';
    await send(path, {}, 'POST', { apiVersion: 'example.com/v1', kind: 'Gizmo', metadata: { name: 'g' } });
    expect((await send(`${path}/g`, { accept })).code).toBe(406);
    expect((await send(`${path}/g`, { accept: `${accept},application/json` })).json.kind).toBe('Gizmo');
    const metadata = await send(`${path}/g`, { accept: `${accept};as=PartialObjectMetadata;g=meta.k8s.io;v=v1` });
    expect(metadata.headers['content-type']).toBe(accept);
  });
});

describe('bodies in protobuf that cannot be read', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  const whole = encodeProtobuf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'body' } });
  const rawStart = whole.indexOf('ConfigMap') + 'ConfigMap'.length;
  /** The envelope around another message. */
  const around = (message: readonly number[]): Buffer =>
    Buffer.concat([whole.subarray(0, rawStart), Buffer.from([0x12, message.length, ...message])]);
  const cannot = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
  const cases: readonly (readonly [name: string, body: Buffer, message: string])[] = [
    [
      'nothing but the prefix',
      Buffer.from('k8s\0'),
      'the object provided is unrecognized (must be of type ConfigMap): empty body (6b387300)',
    ],
    [
      'a cut envelope',
      whole.subarray(0, 10),
      'the object provided is unrecognized (must be of type ConfigMap): unexpected EOF (6b3873000a0f0a027631)',
    ],
    ['a field of another type', around([0x08, 1]), `${cannot}metadata: expected an object, got 1`],
    ['a group that ends', around([0x0c]), `${cannot}proto: illegal wireType 4`],
    ['a field without a number', around([0x02, 0]), `${cannot}proto: illegal tag 0`],
    ['an unknown type of a field', around([0x7e, 0]), `${cannot}proto: illegal wireType 6`],
    ['a number without end', around(Array<number>(11).fill(0xff)), `${cannot}proto: integer overflow`],
  ];
  it.each(cases)('are refused: %s', async (_, bytes, message) => {
    const answer = await target.request('/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers: { 'content-type': accept, 'user-agent': 'spec' },
      bytes,
    });
    expect([answer.code, answer.json.message]).toEqual([400, message]);
  });
});
