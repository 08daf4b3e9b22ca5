import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/json.js';
import { encodeProtobuf, encodeProtobufEvent } from '../../src/protobuf/encodeProtobuf.js';
import { runs } from '../../../../spec/tier.js';
import { open, type AnyJson } from '../support/httpClient.js';
import { openTarget, type Target } from '../support/target.js';
import { definitionOf, versionOf } from '../support/definitionOf.js';

const protobuf = 'application/vnd.kubernetes.protobuf';
const drop = ';drop=metadata.managedFields';
const as = (kind: string, version: string): string => `;as=${kind};g=meta.k8s.io;v=${version}`;

const version = (name: string, fields: readonly string[], defaults: Readonly<Record<string, string>> = {}): object => {
  const texts = fields.map((field) => [field, { type: 'string', ...(field in defaults && { default: defaults[field] }) }]);
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: Object.fromEntries(texts) as object } } };
  const additionalPrinterColumns = fields.map((field) => ({ name: field, type: 'string', jsonPath: `.spec.${field}` }));
  return versionOf(schema, { name, storage: name === 'v1', additionalPrinterColumns });
};

const definition = (color: string): object =>
  definitionOf('Widget', [version('v1', ['a', 'b'], { b: color }), version('v2', ['b'], { b: color })]);

type Body = (value: string) => object;
const scaler: Body = () => ({ spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } } });
const kinds: readonly (readonly [root: string, plural: string, kind: string, Body])[] = [
  ['api/v1', 'configmaps', 'ConfigMap', (value) => ({ data: { value } })],
  ['api/v1', 'secrets', 'Secret', (value) => ({ stringData: { value } })],
  ['api/v1', 'services', 'Service', (value) => ({ spec: { ports: [{ port: 80, name: value }] } })],
  ['apis/autoscaling/v1', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', scaler],
  ['apis/autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', scaler],
  ['api/v1', 'events', 'Event', (value) => ({ reason: value, involvedObject: {} })],
  ['apis/events.k8s.io/v1', 'events', 'Event', (value) => ({ reason: value })],
  ['apis/example.com/v1', 'widgets', 'Widget', (value) => ({ spec: { a: value } })],
  ['apis/example.com/v2', 'widgets', 'Widget', (value) => ({ spec: { b: value } })],
];

const step = fc.record({
  kind: fc.nat(kinds.length - 1),
  namespace: fc.constantFrom('default', 'kube-public'),
  name: fc.constantFrom('a', 'b', 'c'),
  value: fc.constantFrom('x', 'y'),
  action: fc.constantFrom('write', 'write', 'write', 'delete'),
  query: fc.constantFrom(
    '',
    'resourceVersion=0',
    'limit=1',
    'limit=2',
    'labelSelector=of=x',
    'fieldSelector=metadata.name=b',
    'exact',
    'next',
  ),
  where: fc.constantFrom('', 'namespaces/default/'),
  color: fc.constantFrom('', '', '', 'red', 'blue'),
});

function dropped<T extends { readonly metadata?: object }>(object: T): T {
  const { managedFields: _, ...metadata } = { ...object.metadata } as { readonly managedFields?: unknown };
  return { ...object, metadata };
}

const partial = ({ metadata }: Pick<AnyJson, 'metadata'>, of: string): JsonObject =>
  ({ kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${of}`, metadata }) as unknown as JsonObject;

/** Not said of a list is the same as said to be empty. */
function listMeta({ metadata }: AnyJson): object {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== ''));
}

describe('the representations of objects', () => {
  let target: Target;
  beforeEach(async () => {
    target = await openTarget();
    target.server.objects.put(definition('red'));
  });
  afterEach(() => target.close());

  const get = async (path: string, accept: string): Promise<AnyJson> => target.must(path, { headers: { accept } });
  const bytes = async (path: string, accept: string): Promise<Buffer> => (await target.request(path, { headers: { accept } })).bytes;

  /** Compares everything that is said of an object or a list with its JSON. */
  async function compare(path: string, isCustom: boolean): Promise<AnyJson> {
    const json = await get(path, 'application/json');
    const isList = 'items' in json;
    const objects = isList ? json.items : [json];
    const suffix = isList ? 'List' : '';
    const whole = (items: readonly object[], meta: object = {}): object =>
      isList ? { ...json, ...meta, items } : { ...(json as object), ...items[0] };
    expect(parse((await bytes(path, 'application/yaml')).toString())).toEqual(json);
    expect(await get(`${path}${path.includes('?') ? '&' : '?'}pretty=true`, 'application/json')).toEqual(json);
    expect(await get(path, `application/json${drop}`)).toEqual(whole(objects.map(dropped)));
    if (!isCustom) {
      expect(await bytes(path, protobuf)).toEqual(encodeProtobuf(json as unknown as JsonObject));
      expect(await bytes(path, protobuf + drop)).toEqual(encodeProtobuf(whole(objects.map(dropped)) as JsonObject));
    }
    for (const meta of ['v1', 'v1beta1']) {
      const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${meta}`, metadata: listMeta(json) };
      for (const change of ['', drop]) {
        const parts = objects.map((object) => partial(change === '' ? object : dropped(object), meta));
        const expected = isList ? { ...head, items: parts } : parts[0];
        const accept = as(`PartialObjectMetadata${suffix}`, meta) + change;
        expect(await get(path, `application/json${accept}`)).toEqual(expected);
        expect(await bytes(path, protobuf + accept)).toEqual(encodeProtobuf(expected as JsonObject));
      }
      const table = `application/json${as('Table', meta)}`;
      const query = `${path}${path.includes('?') ? '&' : '?'}includeObject=`;
      const rowsOf = async (what: string): Promise<readonly { readonly cells: readonly unknown[]; readonly object: object }[]> =>
        (await get(query + what, table))['rows'] as never;
      const [first, second] = [await rowsOf('Object'), await rowsOf('Metadata')];
      const type = { kind: json.kind.replace(/List$/, ''), apiVersion: json.apiVersion };
      expect(first.map(({ object }) => object)).toEqual(objects.map((object) => ({ ...type, ...object })));
      expect(second.map(({ object }) => object)).toEqual(objects.map((object) => partial(object, meta)));
      if (isCustom) {
        const fields = json.apiVersion.endsWith('v1') ? ['a', 'b'] : ['b'];
        const cells = objects.map(({ metadata, spec }) => [metadata.name, ...fields.map((field) => spec[field] ?? '')]);
        expect(first.map((row) => row.cells)).toEqual(cells);
      }
    }
    return json;
  }

  it('say the same as the JSON of the objects, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const versions: string[] = [];
        for (const { kind, namespace, name, value, action, query, where, color } of steps) {
          const [root, plural, word, body] = kinds[kind] as (typeof kinds)[number];
          const path = `/${root}/namespaces/${namespace}/${plural}`;
          const isCustom = plural === 'widgets';
          if (color !== '') target.server.objects.put(definition(color));
          const meta = { name, labels: { of: value }, ...(plural === 'events' && { namespace }) };
          const object = { apiVersion: root.replace(/^apis?\//, ''), kind: word, metadata: meta, ...body(value) };
          if (action === 'delete') await target.request(`${path}/${name}`, { method: 'DELETE' });
          else if ((await target.request(path, { method: 'POST', body: object })).code === 409)
            await target.merge(`${path}/${name}`, { metadata: { labels: { of: value } } });
          for (const [other, also] of kinds) {
            if (also !== plural) continue;
            const list = `/${other}/${where}${plural}`;
            const newest = await compare(list, isCustom);
            versions.push(newest.metadata.resourceVersion);
            if (query === 'next') {
              const { continue: token = '' } = (await get(`${list}?limit=1`, 'application/json')).metadata;
              if (token !== '') await compare(`${list}?limit=1&continue=${token}`, isCustom);
            } else if (query === 'exact' && !isCustom)
              await compare(`${list}?resourceVersion=${versions[0] ?? ''}&resourceVersionMatch=Exact`, isCustom);
            else if (query !== 'exact') await compare(`${list}?${query}`, isCustom);
            if ((await target.request(`/${other}/namespaces/${namespace}/${plural}/${name}`)).code === 200)
              await compare(`/${other}/namespaces/${namespace}/${plural}/${name}`, isCustom);
          }
        }
      }),
      { numRuns: runs(8) },
    );
  }, 500_000);

  it('say the same in all watches', async () => {
    const receive = async (path: string, accept: string): Promise<() => Buffer> => {
      const message = await open(target.endpoint, path, { headers: { accept } });
      const parts: Buffer[] = [];
      message.on('data', (part: Buffer) => parts.push(part));
      message.on('error', () => undefined);
      return () => Buffer.concat(parts);
    };
    const selections = [
      ['', ''],
      ['namespaces/default/', '&labelSelector=of=x'],
      ['', '&fieldSelector=metadata.name=b'],
    ] as const;
    const forms = [
      'application/json',
      `application/json${drop}`,
      `application/json${as('PartialObjectMetadata', 'v1')}`,
      `application/json${as('PartialObjectMetadata', 'v1')}${drop}`,
      `application/json${as('PartialObjectMetadata', 'v1beta1')}`,
      `application/json${as('Table', 'v1')}`,
      `${protobuf};stream=watch`,
      `${protobuf};stream=watch${drop}`,
      `${protobuf};stream=watch${as('PartialObjectMetadata', 'v1')}`,
      `${protobuf};stream=watch${as('PartialObjectMetadata', 'v1')}${drop}`,
    ];
    const opened: { root: string; plural: string; where: string; selection: string; reads: (readonly (() => Buffer)[])[] }[] = [];
    for (const [root, plural] of kinds)
      for (const [where, selection] of selections) {
        const path = `/${root}/${where}${plural}?watch=1&includeObject=Object${selection}`;
        const reads = await Promise.all(forms.map((form) => Promise.all([receive(path, form), receive(path, form)])));
        opened.push({ root, plural, where, selection, reads });
      }
    for (let at = 0; at < 60; at += 1) {
      const [root, plural, word, body] = kinds[(at * 7) % kinds.length] as (typeof kinds)[number];
      const namespace = at % 3 === 0 ? 'kube-public' : 'default';
      const path = `/${root}/namespaces/${namespace}/${plural}`;
      const name = ['a', 'b'][at % 2] ?? '';
      const value = ['x', 'y'][Math.floor(at / 9) % 2] ?? '';
      const meta = { name, labels: { of: value }, namespace };
      const object = { apiVersion: root.replace(/^apis?\//, ''), kind: word, metadata: meta, ...body(value) };
      const { code } = await target.request(path, { method: 'POST', body: object });
      if (code === 409)
        await (at % 5 === 0 ? target.delete(`${path}/${name}`) : target.merge(`${path}/${name}`, { metadata: { labels: { of: value } } }));
    }
    const annotations = { mark: 'of-the-end' };
    for (const [root, plural, word, body] of kinds) {
      const path = `/${root}/namespaces/default/${plural}`;
      const metadata = { name: 'b', namespace: 'default', labels: { of: 'x' }, annotations };
      const last = { apiVersion: root.replace(/^apis?\//, ''), kind: word, metadata, ...body('x') };
      const { code } = await target.request(path, { method: 'POST', body: last });
      if (code === 409) await target.merge(`${path}/b`, { metadata: { labels: { of: 'x' }, annotations } });
    }
    // Custom resources have no protobuf.
    const streams = opened.flatMap(({ plural, reads }) => reads.filter((_, form) => plural !== 'widgets' || ![6, 7].includes(form)).flat());
    while (!streams.every((read) => read().includes(annotations.mark))) await new Promise((resolve) => setImmediate(resolve));
    let count = 0;
    for (const { root, plural, where, selection, reads } of opened) {
      const about = `${root} ${where}${plural} ${selection}`;
      type Event = { readonly type: string; readonly object: AnyJson };
      const linesOf = (read: (() => Buffer) | undefined): readonly Event[] =>
        (read?.() ?? Buffer.alloc(0))
          .toString()
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Event);
      const events = linesOf(reads[0]?.[0]);
      count += events.length;
      const map = (change: (object: AnyJson) => object): readonly Event[] =>
        events.map(({ type, object }) => ({ type, object: change(object) as AnyJson }));
      const bin = (all: readonly Event[]): Buffer => Buffer.concat(all.map((event) => encodeProtobufEvent(JSON.stringify(event))));
      for (const side of [0, 1]) {
        const at = (form: number): (() => Buffer) | undefined => reads[form]?.[side];
        expect([about, linesOf(at(0))]).toEqual([about, events]);
        expect([about, linesOf(at(1))]).toEqual([about, map(dropped)]);
        expect([about, linesOf(at(2))]).toEqual([about, map((one) => partial(one, 'v1'))]);
        expect([about, linesOf(at(3))]).toEqual([about, map((one) => partial(dropped(one), 'v1'))]);
        expect([about, linesOf(at(4))]).toEqual([about, map((one) => partial(one, 'v1beta1'))]);
        expect([
          about,
          linesOf(at(5)).map(({ type, object }) => ({
            type,
            object: (object['rows'] as readonly { readonly object: object }[])[0]?.object,
          })),
        ]).toEqual([about, events]);
        // Of custom resources, protobuf has the metadata alone.
        const isWhole = plural !== 'widgets';
        expect([about, isWhole && at(6)?.(), isWhole && at(7)?.()]).toEqual([about, isWhole && bin(events), isWhole && bin(map(dropped))]);
        expect([about, at(8)?.()]).toEqual([about, bin(map((one) => partial(one, 'v1')))]);
        expect([about, at(9)?.()]).toEqual([about, bin(map((one) => partial(dropped(one), 'v1')))]);
      }
    }
    expect(count).toBeGreaterThan(100);
  }, 100_000);
});
