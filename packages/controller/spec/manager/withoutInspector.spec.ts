import { describe, expect, it, jest } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { resources } from 'rx-informer';
import { fakeClient } from '../../../../spec/informer/fakeClient.js';

// The package is optional: here loading it fails as if it were not installed.
jest.unstable_mockModule('@rx-informer/inspector', () => {
  throw Object.assign(new Error("Cannot find package '@rx-informer/inspector'"), { code: 'ERR_MODULE_NOT_FOUND' });
});

const { createManager } = await import('../../src/manager/createManager.js');
const { prometheusWarnings } = await import('../../src/metrics/prometheusMetrics.js');

describe('without @rx-informer/inspector', () => {
  it('a manager says once that there are no warnings, and does everything else', async () => {
    const lines: string[] = [];
    const logger = { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const scheduler = new VirtualTimeScheduler();
    const client = { ...fakeClient(scheduler), get: () => undefined, list: () => undefined } as never;
    const manager = createManager({ client, scheduler, logger, process: false, port: 0, host: '127.0.0.1', metrics: true });
    manager.add('keeper', ({ informer, stop$ }) => {
      informer(resources.core.v1.secrets).resource$.subscribe();
      return stop$;
    });
    const ended = manager.run();
    while (!lines.includes('caches are complete')) {
      scheduler.maxFrames = scheduler.frame + 10;
      scheduler.flush();
      await new Promise(setImmediate);
    }
    expect(lines.filter((line) => line.includes('inspector'))).toEqual([
      'no warnings: A manager that warns needs the package @rx-informer/inspector, which is not installed: npm install @rx-informer/inspector',
    ]);
    expect(manager.health()).toMatchObject({ state: 'running', warnings: [] });
    const get = async (path: string): Promise<[number, string]> => {
      const answer = await fetch(`http://127.0.0.1:${String(manager.port())}${path}`);
      return [answer.status, await answer.text()];
    };
    expect((await get('/readyz'))[0]).toBe(200);
    expect((await get('/metrics'))[1]).not.toContain('rx_informer_warning');
    expect(await get('/dump')).toEqual([
      500,
      'Error: `/dump` needs the package @rx-informer/inspector, which is not installed: npm install @rx-informer/inspector\n',
    ]);
    const stopped = manager.stop();
    scheduler.maxFrames = scheduler.frame + 1_000;
    scheduler.flush();
    await stopped;
    await ended;
  });

  it('prometheusWarnings fails with that sentence', async () => {
    await expect(prometheusWarnings()).rejects.toThrow(
      'prometheusWarnings needs the package @rx-informer/inspector, which is not installed: npm install @rx-informer/inspector',
    );
  });
});
