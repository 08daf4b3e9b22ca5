import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ItemShape } from '../../../src/client/decode/objectShape.js';
import { ListDecoder } from '../../../src/client/decode/listDecoder.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';
import { runs } from '../../tier.js';

type Json = Record<string, unknown>;
/** The text of a value, or its parts; fields have keys. */
type Node = string | { open: '{' | '['; parts: [key: string, value: Node][] };
type Choose = (many: number) => number;

const utf8 = new TextEncoder();
const object = (fields: Readonly<Record<string, Node>>): Node => ({ open: '{', parts: Object.entries(fields) });
const array = (...values: Node[]): Node => ({ open: '[', parts: values.map((value) => ['', value]) });
const nested = (open: string, close: string, deep: number): string => `${open.repeat(deep)}1${close.repeat(deep)}`;

function textOf(node: Node): string {
  if (typeof node === 'string') return node;
  const inner = node.parts.map(([key, value]) => (node.open === '{' ? `${JSON.stringify(key)}:` : '') + textOf(value));
  return node.open + inner.join(',') + (node.open === '{' ? '}' : ']');
}

const scalars = [
  '1',
  '12',
  '120',
  '0',
  '-0',
  '1.5',
  '1e3',
  'true',
  'null',
  '""',
  '"a"',
  '"ab"',
  '"Running"',
  '"registry.example.com/web:v1"',
];
const strange = [
  '"a\\nb"',
  '"\\u0061"',
  '"\\ud834\\udd1e"',
  '"\\ud834"',
  '"𝄞"',
  '"é"',
  '"\\\\\\""',
  '"],[\\""',
  '",\\"managedFields\\":[{}]"',
];
const rare = [nested('[', ']', 70), nested('{"a":', '}', 3000), `"${'x'.repeat(66_000)}"`, `[${'1,'.repeat(16_500)}1]`];
const keys = ['opt', 'name', 'kind', 'metadata', 'managedFields', 'ownerReferences', '1', '__proto__', 'constructor', 'é', ''];

class Server {
  private readonly choose: Choose;
  private readonly versions = new Map<string, Node[]>();

  constructor(choose: Choose) {
    this.choose = choose;
  }

  one<T>(list: readonly T[]): T {
    return list[this.choose(list.length)] as T;
  }

  private scalar(): Node {
    const kind = this.choose(900);
    return this.one(kind === 0 ? rare : kind < 180 ? strange : scalars);
  }

  private managedFields(): Node {
    const entry = () => object({ manager: this.scalar(), fieldsV1: object({ 'f:spec': object({ 'k:{"name":"}"}': object({}) }) }) });
    const many = this.one([0, 1, 1, 2, 2, 3, 3, 60]);
    return this.one([array(...Array.from({ length: many }, entry)), array(...Array.from({ length: many }, entry)), 'null']);
  }

  private pod(name: string): Node {
    const metadata: [string, Node][] = [
      ['name', `"${name}"`],
      ['resourceVersion', this.scalar()],
      ['labels', object({ app: '"web"' })],
      ['generation', this.one(['1', '12', '9'])],
    ];
    if (this.choose(8) > 0) metadata.splice(this.one([0, 1, 2, 3, 4, 4, 4]), 0, ['managedFields', this.managedFields()]);
    const container = () => object({ image: this.scalar(), ports: array(object({ port: '80' })), env: array() });
    const fields: [string, Node][] = [
      ['metadata', { open: '{', parts: metadata }],
      // Smaller objects are not compared with one another, nor are those that are mostly text.
      ['note', this.choose(8) === 0 ? `"${'x'.repeat(6_000)}"` : `[${'"x",'.repeat(1_500)}1]`],
      ['spec', object({ nodeName: this.scalar(), containers: array(container(), container()), replicas: '1' })],
      ['status', object({ phase: '"Running"', conditions: array(object({ type: '"Ready"', status: this.scalar() })) })],
    ];
    if (this.choose(6) === 0) fields.reverse();
    const type: [string, Node][] = [
      ['kind', '"Pod"'],
      ['apiVersion', this.choose(20) === 0 ? 'null' : '"v1"'],
    ];
    return { open: '{', parts: this.choose(3) === 0 ? fields : [...type, ...fields] };
  }

  private changed(node: Node, often: number): Node {
    if (typeof node === 'string') {
      if (this.choose(often) > 0) return node;
      return /^[1-9]\d*$/.test(node) ? this.one([`${node}0`, node.slice(0, 1), this.scalar()]) : this.scalar();
    }
    const parts = node.parts.map(([key, value]): [string, Node] =>
      key === 'managedFields' && this.choose(2) === 0
        ? [key, this.managedFields()]
        : [key, key === 'name' ? value : this.changed(value, often)],
    );
    const at = this.choose(parts.length + 1);
    const edit = this.choose(3 * often);
    if (edit === 0) parts.splice(at, 1);
    else if (edit === 1) parts.splice(at, 0, [this.one(keys), this.choose(3) === 0 ? this.managedFields() : this.scalar()]);
    else if (edit === 2) parts.push(...parts.slice(at, at + 1));
    return { open: node.open, parts };
  }

  /** Another version of some object, or an earlier one again. */
  next(): string {
    const name = this.one(['web-1', 'web-2', 'web-3', 'db-1']);
    const before = this.versions.get(name) ?? [];
    const sibling = this.versions.get('web-1')?.at(-1);
    let node: Node;
    if (before.length === 0) {
      node = sibling !== undefined && this.choose(2) === 0 ? this.changed(sibling, 20) : this.pod(name);
    } else node = this.choose(4) === 0 ? this.one(before) : this.changed(before.at(-1) as Node, this.one([8, 30]));
    this.versions.set(name, [...before, node]);
    return textOf(node);
  }
}

/** What the plain parser makes of it. */
function plain(text: string, { managedFields, metadataOnly }: ItemShape, isItem: boolean): Json {
  const found = JSON.parse(text) as Json;
  if (isItem) Object.assign(found, { kind: found['kind'] ?? 'Pod', apiVersion: found['apiVersion'] ?? 'v1' });
  const metadata = found['metadata'] as Json | undefined;
  if (managedFields === 'drop' && typeof metadata === 'object' && !Array.isArray(metadata))
    delete (metadata as Json | null)?.['managedFields'];
  if (!metadataOnly || found['kind'] === 'PartialObjectMetadata') return found;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

/**
 * A text that differs for any two values that JSON distinguishes. Not recursive, since values may be nested deeper than the stack allows.
 */
function exactly(value: unknown): string {
  const written: string[] = [];
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const part = rest.pop();
    if (typeof part !== 'object' || part === null) written.push(Object.is(part, -0) ? '-0' : JSON.stringify(part));
    else {
      const fields = Object.entries(part);
      written.push(JSON.stringify([Array.isArray(part), ...fields.map(([key]) => key)]));
      rest.push(...fields.map(([, each]) => each as unknown));
    }
  }
  return written.join(' ');
}

/** Items get their type before their own fields. */
const typeFirst = ({ kind, apiVersion, ...others }: Json): Json => ({ kind, apiVersion, ...others });

/** Whether all that two objects have in common is frozen. */
function isSafe(objects: readonly Json[]): boolean {
  const seen = new Map<object, number>();
  for (const [number, each] of objects.entries()) {
    const rest: unknown[] = [each];
    while (rest.length > 0) {
      const part = rest.pop();
      if (typeof part !== 'object' || part === null || seen.get(part) === number) continue;
      if (seen.has(part) && !Object.isFrozen(part)) return false;
      seen.set(part, number);
      rest.push(...(Object.values(part) as unknown[]));
    }
  }
  return true;
}

const shapes = fc.record({
  kind: fc.constant('Pod'),
  apiVersion: fc.constant('v1'),
  managedFields: fc.constantFrom('drop', 'drop', 'drop', 'keep'),
  metadataOnly: fc.constantFrom(false, false, false, true),
});

describe('ObjectReader', () => {
  it('makes of objects as servers send them what the plain parser makes of them, while lists and watches go on side by side', () => {
    fc.assert(
      fc.property(
        shapes,
        fc.array(fc.nat(9), { minLength: 4, maxLength: 60 }),
        fc.infiniteStream(fc.nat(1_000_000)),
        (shape, steps, chance) => {
          const choose: Choose = (many) => (chance.next().value as number) % many;
          const server = new Server(choose);
          const owner = {};
          const found: { object: Json; text: string }[] = [];
          const check = (object: Json, text: string, isItem: boolean): void => {
            const expected = plain(text, shape, isItem);
            expect(exactly(isItem ? typeFirst(object) : object)).toBe(exactly(isItem ? typeFirst(expected) : expected));
            found.push({ object, text: exactly(object) });
          };
          const watch = new WatchDecoder<Json>(shape, owner);
          const event = (text: string): void => {
            const type = server.one(['MODIFIED', 'MODIFIED', 'MODIFIED', 'MODIFIED', 'ADDED', 'DELETED']);
            watch.push(utf8.encode(`{"type":"${type}","object":${text}}\n`), (part) =>
              part.forEach(({ object }) => check(object as Json, text, false)),
            );
          };
          const list = (): void => {
            const texts = [server.next(), server.next(), server.next()];
            const body = utf8.encode(`{"kind":"PodList","apiVersion":"v1","items":[${texts.join(',')}]}`);
            const decoder = new ListDecoder<Json>({ ...shape, resource: 'pods' }, owner);
            const place = choose(body.length);
            let next = 0;
            for (const part of [body.subarray(0, place), body.subarray(place)]) {
              decoder.push(part, ({ items }) => items.forEach((item) => check(item, texts[next++] ?? '', true)));
              event(server.next());
            }
            decoder.end();
            expect(next).toBe(texts.length);
          };
          for (const step of steps) {
            if (step === 0) list();
            else event(server.next());
          }
          for (const { object, text } of found) expect(exactly(object)).toBe(text);
          expect(isSafe(found.map((each) => each.object))).toBe(true);
        },
      ),
      { numRuns: runs(60), endOnFailure: true },
    );
  });
});
