import { EventEmitter } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, jest } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { resources } from 'rx-informer';
import { monotonicScheduler } from 'rx-informer/internal';
import { Checkups } from '../../src/manager/checkups.js';
import { createManager, type Manager } from '../../src/manager/createManager.js';
import type { ManagerSettings } from '../../src/manager/managerOptions.js';
import { fakeClient } from '../../../../spec/informer/fakeClient.js';
import { lookAt } from '../../../inspector/spec/ask.js';

const get = (manager: Manager, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: manager.port(), path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(`${response.statusCode ?? 0} ${text}`));
    })
      .on('error', reject)
      .end();
  });

describe('a manager', () => {
  it('looks every 30 s, logs a warning once, and shows it in its health, in /readyz and in /metrics', async () => {
    const scheduler = new VirtualTimeScheduler();
    const pass = async (ms: number): Promise<void> => {
      scheduler.maxFrames = scheduler.frame + ms;
      scheduler.schedule(() => undefined, ms);
      scheduler.flush();
      await new Promise(setImmediate);
    };
    const lines: string[] = [];
    const logger = { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const client = { ...fakeClient(scheduler), get: () => undefined, list: () => undefined } as never;
    const manager = createManager({
      diagnosePeriodMs: 30_000,
      client,
      scheduler,
      logger,
      process: false,
      port: 0,
      host: '127.0.0.1',
      metrics: true,
    });
    manager.add('keeper', ({ informer, stop$ }) => {
      informer(resources.core.v1.secrets).resource$.subscribe();
      return stop$;
    });
    const ended = manager.run();
    for (let at = 0; at < 100 && !lines.includes('caches are complete'); at += 1) await pass(10);
    expect(lines).toContain('caches are complete');
    const warned = (): string[] => lines.filter((line) => line.startsWith('warning: '));
    await pass(29_000);
    expect(warned()).toEqual([]);

    await pass(1_000);
    expect(warned()).toEqual([expect.stringContaining('The informer secrets keeps all Secrets of the cluster in memory')]);
    await pass(60_000);
    expect(warned()).toHaveLength(1);
    expect(manager.health()).toMatchObject({
      state: 'running',
      warnings: [{ code: 'secrets', subject: { kind: 'informer', name: 'secrets' } }],
    });
    expect(await get(manager, '/readyz')).toMatch(/^200 [^]*\[!\] The informer secrets keeps all Secrets/);
    expect(await get(manager, '/metrics')).toContain('rx_informer_warning{code="secrets",kind="informer",name="secrets"} 1');

    const stopped = manager.stop();
    await pass(1_000);
    await stopped;
    await ended;
    expect(manager.health()).toMatchObject({ state: 'stopped', warnings: [] });
  });

  it('looks as rarely as it is told, also when no timer waits that long', () => {
    jest.useFakeTimers();
    try {
      let looks = 0;
      const settings = {
        diagnosePeriodMs: 2 ** 31 + 5,
        scheduler: monotonicScheduler,
        get staleAfterMs() {
          looks += 1;
          return 60_000;
        },
      };
      const checkups = new Checkups(settings as ManagerSettings);
      checkups.start();
      jest.advanceTimersByTime(1_000);
      expect(looks).toBe(0);
      jest.advanceTimersByTime(2 ** 31 - 1_000);
      expect(looks).toBe(0);
      jest.advanceTimersByTime(5);
      expect(looks).toBe(1);
      jest.advanceTimersByTime(2 ** 31 + 5);
      expect(looks).toBe(2);
      checkups.stop();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('shows in /metrics what is behind for longer than its own `staleAfterMs`', async () => {
    const scheduler = new VirtualTimeScheduler();
    const pass = async (ms: number): Promise<void> => {
      scheduler.maxFrames = scheduler.frame + ms;
      scheduler.schedule(() => undefined, ms);
      scheduler.flush();
      await new Promise(setImmediate);
    };
    const lines: string[] = [];
    const logger = { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const fake = fakeClient(scheduler);
    const client = { ...fake, get: () => undefined, list: () => undefined } as never;
    const served = { process: false, port: 0, host: '127.0.0.1', metrics: true } as const;
    const informers = { onError: () => undefined };
    const manager = createManager({ ...served, client, scheduler, logger, informers, staleAfterMs: 10_000 });
    manager.add('reader', ({ informer, stop$ }) => {
      informer(resources.core.v1.limitranges).resource$.subscribe();
      return stop$;
    });
    const ended = manager.run();
    for (let at = 0; at < 100 && !lines.includes('caches are complete'); at += 1) await pass(10);
    fake.serverOf('limitranges').stop();
    const behind = 'kind="informer",name="limitranges"} 1';
    await pass(9_000);
    expect(await get(manager, '/metrics')).not.toContain(behind);
    await pass(11_000);
    expect(await get(manager, '/metrics')).toContain(behind);
    const stopped = manager.stop();
    await pass(1_000);
    await stopped;
    await ended;
  });

  it('opens the inspector on SIGUSR2, says where, and closes it when it ends', async () => {
    const scheduler = new VirtualTimeScheduler();
    const lines: string[] = [];
    const logger = { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const client = { ...fakeClient(scheduler), get: () => undefined, list: () => undefined } as never;
    const process = Object.assign(new EventEmitter(), { exit: () => undefined });
    const manager = createManager({ client, scheduler, logger, process });
    const ended = manager.run();
    const opened = async (): Promise<string> => {
      for (;;) {
        const line = lines.find((each) => each.startsWith('inspector: '));
        if (line !== undefined) return /http:\S+/.exec(line)?.[0] ?? '';
        await new Promise(setImmediate);
      }
    };
    process.emit('SIGUSR2');
    const url = await opened();
    const inspector = { url, port: Number(new URL(url).port) };
    expect(await lookAt(inspector, {})).toMatchObject({ things: [{ facts: { kind: 'manager' } }] });
    await manager.stop();
    await ended;
    await expect(lookAt(inspector, {})).rejects.toThrow();
    expect(process.listenerCount('SIGUSR2')).toBe(0);
  });
});
