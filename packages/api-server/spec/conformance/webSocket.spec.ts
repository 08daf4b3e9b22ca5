import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itEmbedded, openTarget, type Target } from '../support/target.js';
import { clientFrame, readWebSocket } from '../support/webSocketReader.js';

describe('watch over a WebSocket', () => {
  let target: Target;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
    path = await target.secrets();
    for (const name of ['a', 'b'])
      await target.post(path, { metadata: { name }, stringData: { filling: 'x'.repeat(name === 'a' ? 10 : 70_000) } });
  });
  afterAll(() => target.close());
  const url = (query: string): string => `${target.endpoint.url}${path}?${query}`;

  itEmbedded('sends one text frame per event, and closes with 1000 (row 103)', async () => {
    const { texts, closeCode } = await readWebSocket(url('watch=true&timeoutSeconds=1'));
    expect(closeCode).toBe(1_000);
    expect(texts.map((text) => text.endsWith('}\n'))).toEqual([true, true]);
    expect(texts.map((text) => (JSON.parse(text) as { object: { metadata: { name: string } } }).object.metadata.name)).toEqual(['a', 'b']);
  });

  itEmbedded('answers pings, and ends when the client closes (row 103)', async () => {
    const { closeCode, pongs } = await readWebSocket(url('watch=true'), (socket) => {
      socket.write(clientFrame(9, Buffer.from('hello')));
      socket.write(clientFrame(8, Buffer.from([0x03, 0xe8])));
    });
    expect([pongs, closeCode]).toEqual([1, 1_000]);
  });

  itEmbedded('refuses in HTTP what cannot be watched (row 103)', async () => {
    await expect(readWebSocket(url('watch=true&labelSelector=%3D'))).rejects.toThrow('got 400');
  });

  itEmbedded('is closed with the server', async () => {
    const own = await openTarget();
    const transcript = readWebSocket(`${own.endpoint.url}/api/v1/secrets?watch=true`, () => void own.close());
    expect((await transcript).closeCode).toBe(1_000);
  });

  itEmbedded('leaves requests alone that ask for another protocol', async () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    const created = await target.request(path, { method: 'POST', headers, body: { metadata: { name: 'h2c' } } });
    expect([created.code, created.json.metadata.name]).toEqual([201, 'h2c']);
    expect((await target.request(`${path}/h2c`, { headers })).code).toBe(200);
  });
});
