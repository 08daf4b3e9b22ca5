import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WatchEvent } from '../../../src/api/listerWatcher.js';
import { slotOfObject } from '../../../src/api/shardFilter.js';

const utf8 = new TextEncoder();
const before = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly') as PropertyDescriptor;
const shape = { kind: 'Pod', apiVersion: 'v1', managedFields: 'drop', metadataOnly: false } as const;
const pod = (name: string) => ({ kind: 'Pod', apiVersion: 'v1', metadata: { name, uid: name }, note: 'x'.repeat(3_000) });
const textOf = (name: string): string => {
  const { metadata, ...rest } = pod(name);
  return JSON.stringify({ ...rest, metadata: { ...metadata, managedFields: [{ manager: 'kubelet' }] } });
};

beforeAll(() => {
  // As where a page's policy refuses it: the module is made once for the process, when it is first needed.
  const refused = {
    Module(): never {
      throw new Error('Refused to compile or instantiate WebAssembly module');
    },
  };
  Object.defineProperty(globalThis, 'WebAssembly', { ...before, value: refused });
});

afterAll(() => {
  Object.defineProperty(globalThis, 'WebAssembly', before);
});

describe('decoders where WebAssembly is refused', () => {
  it('read lists and watches, without managed fields, wherever the bytes are cut', async () => {
    const { ListDecoder } = await import('../../../src/client/decode/listDecoder.js');
    const { WatchDecoder } = await import('../../../src/client/decode/watchDecoder.js');
    const { vectorScan } = await import('../../../src/client/decode/vectorScan.js');
    expect(vectorScan()).toBeUndefined();
    const body = utf8.encode(`{"items":[${['a', 'b', 'c'].map(textOf).join(',')}]}`);
    const items: unknown[] = [];
    const list = new ListDecoder({ ...shape, resource: 'pods' }, {});
    for (let at = 0; at < body.length; at += 1_000) list.push(body.subarray(at, at + 1_000), (chunk) => items.push(...chunk.items));
    list.end();
    expect(items).toEqual(['a', 'b', 'c'].map(pod));
    const slots = new Set([slotOfObject(pod('database-2'), 'uid')]);
    const events: WatchEvent<unknown>[] = [];
    const watch = new WatchDecoder({ ...shape, shard: { by: 'uid', slots } }, {});
    for (const name of ['web-1', 'database-2'])
      watch.push(utf8.encode(`{"type":"ADDED","object":${textOf(name)}}\n`), (part) => events.push(...part));
    expect(events).toEqual([{ type: 'ADDED', object: pod('database-2') }]);
  });
});
