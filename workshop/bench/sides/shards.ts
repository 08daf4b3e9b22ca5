import type { Decoder } from '../../../src/client/decode/decoder.js';
import { ListDecoder } from '../../../src/client/decode/listDecoder.js';
import { WatchDecoder } from '../../../src/client/decode/watchDecoder.js';
import { generatedItems } from '../generatedItems.js';
import { median } from '../rounds.js';

const pods = 7_000;
const rounds = 7;
const chunkBytes = 65_536;
const shape = { apiVersion: 'v1', kind: 'Pod', managedFields: 'drop', metadataOnly: false, resource: 'pods' } as const;
const none = { by: 'uid', slots: new Set<number>() } as const;

function chunksOf(body: Buffer): readonly Buffer[] {
  return Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, at) => body.subarray(at * chunkBytes, (at + 1) * chunkBytes));
}

function decode<T>(decoder: Decoder<T>, chunks: readonly Buffer[]): void {
  for (const chunk of chunks) decoder.push(chunk, () => undefined);
  decoder.end(() => undefined);
}

function bodies(): { readonly list: readonly Buffer[]; readonly watch: readonly Buffer[]; readonly items: readonly Buffer[] } {
  const items = Buffer.concat([...generatedItems(pods)]);
  const list = Buffer.concat([
    Buffer.from('{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":['),
    items,
    Buffer.from(']}'),
  ]);
  const each = (JSON.parse(`[${items.toString()}]`) as object[]).map((item) => JSON.stringify(item));
  const lines = each.map((item) => `{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1",${item.slice(1)}}\n`);
  return { list: chunksOf(list), watch: chunksOf(Buffer.from(lines.join(''))), items: each.map((item) => Buffer.from(item)) };
}

/** The cost of an object of another shard, and of one that is parsed, in microseconds; both take turns in one process. */
export function run(): Promise<object> {
  const { list, watch, items } = bodies();
  const contenders: Readonly<Record<string, () => void>> = {
    parse: () => items.forEach((item) => void JSON.parse(item.toString())),
    foreignList: () => decode(new ListDecoder({ ...shape, shard: none }, {}), list),
    foreignWatch: () => decode(new WatchDecoder({ ...shape, shard: none }, {}), watch),
  };
  const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = -2; round < rounds; round += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      const start = process.cpuUsage();
      contender();
      const { user, system } = process.cpuUsage(start);
      if (round >= 0) times.get(name)?.push((user + system) / pods);
    }
  }
  return Promise.resolve(Object.fromEntries([...times].map(([name, micros]) => [name, median(micros)])));
}
