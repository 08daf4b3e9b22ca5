import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asyncScheduler, lastValueFrom, map, type SchedulerLike, take, tap, toArray } from 'rxjs';
import { createClient } from '../../../src/client/createClient.js';
import { podLogs } from '../../../src/client/logs/podLogs.js';

describe('podLogs over a connection that is cut', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it.each([
    ['breaks', (response: ServerResponse) => response.socket?.destroySoon()],
    ['ends well, as that of a server that is stopped', (response: ServerResponse) => response.end()],
  ])('emits every line once, though the answer %s within lines and characters, and all lines have one time', async (_, end) => {
    const time = '2026-01-01T00:00:00.123456789Z';
    const texts = ['é first', 'same', 'same', '', 'same', 'last é', 'end'];
    const log = Buffer.from(texts.map((text) => `${time} ${text}\n`).join(''));
    // Within a time, in the middle of the first character, within and right before the break of a line, and right behind one.
    const line = Buffer.byteLength(`${time} é first\n`);
    const cuts = [10, Buffer.byteLength(`${time} `) + 1, line + 4, line * 2 - 4, line * 2, log.length - 1];
    const asked: (string | null)[] = [];
    const pod = { metadata: { name: 'web' }, spec: { containers: [{ name: 'main' }] }, status: { phase: 'Running' } };
    const started = createServer(({ url = '' }, response) => {
      if (!url.includes('/log')) {
        const status = { ...pod.status, containerStatuses: [{ name: 'main', state: { running: {} } }] };
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...pod, status }));
        return;
      }
      asked.push(new URL(url, 'http://x').searchParams.get('sinceTime'));
      const cut = cuts[asked.length - 1];
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(log.subarray(0, cut), () => {
        if (cut !== undefined) end(response);
      });
    }).listen(0, '127.0.0.1');
    server = started;
    await new Promise((resolve) => started.once('listening', resolve));
    const client = createClient({ server: `http://127.0.0.1:${String((started.address() as AddressInfo).port)}` });
    // The delays between attempts are not what is tested.
    const schedule: SchedulerLike['schedule'] = <T>(...[work, delayMs = 0, state]: Parameters<typeof asyncScheduler.schedule<T>>) =>
      asyncScheduler.schedule<T>(work, delayMs / 100, state);
    const scheduler = { now: () => asyncScheduler.now(), schedule };
    const lines = podLogs(client, pod, { scheduler, idleTimeoutMs: Infinity }).pipe(
      map(({ text }) => text),
      take(texts.length),
      toArray(),
    );
    expect(await lastValueFrom(lines, { defaultValue: [] })).toEqual(texts);
    expect(asked).toHaveLength(cuts.length + 1);
    expect(asked.slice(-2)).toEqual([time, time]);
  });

  it('fails when the client is closed', async () => {
    const started = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('2026-01-01T00:00:00Z a\n');
    }).listen(0, '127.0.0.1');
    server = started;
    await new Promise((resolve) => started.once('listening', resolve));
    const client = createClient({ server: `http://127.0.0.1:${String((started.address() as AddressInfo).port)}` });
    const logs = podLogs(client, { metadata: { name: 'web' }, spec: { containers: [{ name: 'main' }] } });
    await expect(lastValueFrom(logs.pipe(tap(() => client.close())), { defaultValue: undefined })).rejects.toMatchObject({
      code: 'ERR_CLOSED',
    });
  });

  it('fails without a usable kubeconfig', async () => {
    const client = createClient({ kubeConfigFile: '/nowhere/config' });
    const logs = podLogs(client, { metadata: { name: 'web' }, spec: { containers: [{ name: 'main' }] } });
    await expect(lastValueFrom(logs, { defaultValue: undefined })).rejects.toMatchObject({ code: 'ERR_KUBECONFIG' });
  });
});
