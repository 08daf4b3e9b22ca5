import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import zlib from 'node:zlib';
import { lastValueFrom, type Observable } from 'rxjs';
import { resources } from '../../../src/api/resources.js';
import { createClient } from '../../../src/client/createClient.js';
import type { KubeClient } from '../../../src/client/kubeClient.js';
import { type SpecServer, startServer } from '../startServer.js';

const { pods } = resources.core.v1;
const mebibyte = Buffer.alloc(2 ** 20, 'x');
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
const deflated = (bytes: Buffer): Buffer => zlib.deflateRawSync(bytes, { finishFlush: zlib.constants.Z_FULL_FLUSH });
/** A thousandth of what it becomes. */
const block = deflated(mebibyte);

/** Answers with gzip that never ends, as long as somebody reads it. */
async function explode(response: ServerResponse, status: number, start: string): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  response.write(Buffer.concat([header, deflated(Buffer.from(start))]));
  while (!response.destroyed) {
    if (!response.write(block)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a compressed answer without an end', () => {
  let server: SpecServer;
  let client: KubeClient;
  afterEach(async () => {
    client.close();
    await server.close();
  });

  const calls: Readonly<Record<string, readonly [status: number, start: string, call: () => Promise<unknown> | Observable<unknown>]>> = {
    'one event of a watch': [200, '{"type":"ADDED","object":{"kind":"', () => client.watch(pods, { resourceVersion: '1' })],
    'one object of a list': [200, '{"kind":"PodList","items":[{"kind":"', () => client.listChunks(pods, {})],
    'one object': [200, '{"kind":"', () => client.get(pods, 'a', { namespace: 'a' })],
    'a refusal': [500, '{"kind":"', () => client.get(pods, 'a', { namespace: 'a' })],
  };

  it.each(Object.entries(calls))('is given up: %s', async (_, [status, start, call]) => {
    let over: Promise<void> | undefined;
    server = await startServer((_request, response) => {
      over ??= explode(response, status, start);
    });
    client = createClient({ server: server.url });
    const before = process.memoryUsage().rss;
    const called = call();
    await expect(called instanceof Promise ? called : lastValueFrom(called, { defaultValue: undefined })).rejects.toThrow();
    await over;
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 2 ** 20);
  });
});
