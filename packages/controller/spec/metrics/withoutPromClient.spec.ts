import { describe, expect, it, jest } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { fakeClient } from '../../../../spec/informer/fakeClient.js';

// The package is optional: here loading it fails as if it were not installed.
jest.unstable_mockModule('prom-client', () => {
  throw Object.assign(new Error("Cannot find package 'prom-client'"), { code: 'ERR_MODULE_NOT_FOUND' });
});

const { createManager } = await import('../../src/manager/createManager.js');
const { prometheusQueueMetrics } = await import('../../src/metrics/prometheusMetrics.js');

describe('without prom-client', () => {
  const sentence = 'What makes metrics for Prometheus needs the package prom-client, which is not installed: npm install prom-client';

  it('a function for metrics fails with that sentence', async () => {
    await expect(prometheusQueueMetrics()).rejects.toThrow(sentence);
  });

  it('a manager with metrics ends with that sentence', async () => {
    const logger = { info: () => undefined, error: () => undefined };
    const scheduler = new VirtualTimeScheduler();
    const client = { ...fakeClient(scheduler), get: () => undefined, list: () => undefined } as never;
    const { error } = await createManager({ client, scheduler, logger, process: false, metrics: true }).run();
    expect(error?.message).toBe(sentence);
  });
});
