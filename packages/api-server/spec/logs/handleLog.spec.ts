import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { send, type Answer } from '../support/httpClient.js';

const start = Date.parse('2026-01-01T00:00:00Z');

describe('the log of a container that runs', () => {
  let server: TestApiServer;
  let clock: ReturnType<typeof createManualClock>;

  beforeEach(async () => {
    clock = createManualClock(start);
    server = await startApiServer({ clock });
  });

  afterEach(() => server.close());

  const logOf = (query = ''): Promise<Answer> => send({ url: server.url }, `/api/v1/namespaces/default/pods/web/log${query}`);
  const put = (status: object): void => {
    server.objects.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { nodeName: 'n', containers: [{ name: 'main', image: 'x' }] },
      status: { phase: 'Running', containerStatuses: [{ name: 'main', image: 'x', imageID: '', ready: true, restartCount: 0, ...status }] },
    } as object);
  };
  const running = { state: { running: { startedAt: '2026-01-01T00:00:00Z' } } };
  const crashed = { startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:05Z', exitCode: 3 };

  it('has a line at the start and one every two seconds, the same whenever it is asked for', async () => {
    put(running);
    expect((await logOf()).text).toBe('started\n');
    clock.advanceBy(5_000);
    const { text } = await logOf('?timestamps=1');
    expect(text.split('\n')).toEqual([
      '2026-01-01T00:00:00.000000000Z started',
      expect.stringMatching(/^2026-01-01T00:00:02.000000000Z GET \//),
      expect.stringMatching(/^2026-01-01T00:00:04.000000000Z GET \//),
      '',
    ]);
    clock.advanceBy(60_000);
    expect((await logOf('?timestamps=1')).text.startsWith(text)).toBe(true);
    expect((await logOf('?tailLines=3')).text.split('\n')).toHaveLength(4);
    expect((await logOf('?sinceSeconds=5')).text.split('\n')).toHaveLength(4);
    expect((await logOf('?sinceTime=2026-01-01T00:01:00.9Z&timestamps=1')).text).toMatch(/^2026-01-01T00:01:00/);
    expect((await logOf('?limitBytes=5')).text).toBe('start');
  });

  it('has that of the run before, and of the last run while the container waits', async () => {
    put({ restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: crashed } });
    clock.advanceBy(60_000);
    const { text } = await logOf();
    expect(text).toMatch(/^started\n(GET .*\n){2}fatal: ended with exit code 3\n$/);
    expect((await logOf('?previous=true')).text).toBe(text);
    put({ restartCount: 1, state: { running: { startedAt: '2026-01-01T00:01:00Z' } }, lastState: { terminated: crashed } });
    expect((await logOf()).text).toBe('started, restart 1\n');
    expect((await logOf('?previous=true')).text).toBe(text);
  });

  it('goes on while it is followed, until the container ends', async () => {
    put(running);
    const answer = logOf('?follow=true');
    while (!server.rbac().rights.some(({ resource }) => resource === 'pods/log')) await new Promise(setImmediate);
    clock.advanceBy(3_000);
    put({ state: { terminated: { ...crashed, exitCode: 0 } } });
    clock.advanceBy(3_000);
    expect((await answer).text).toMatch(/^started\n(GET .*\n){2}done\n$/);
  });

  it('is what a test writes', async () => {
    put(running);
    server.objects.log({ name: 'web' }, 'one\ntwo\n', 'main');
    server.objects.log({ name: 'web' }, 'three');
    expect((await logOf('?tailLines=2')).text).toBe('two\nthree\n');
    expect(() => {
      server.objects.log({ name: 'web' }, 'x', 'other');
    }).toThrow('Expected a container of the pod web, which has main; got other');
  });

  it.each([
    ['?previous=1', 400, 'previous terminated container "main" in pod "web" not found'],
    ['?container=x', 400, 'container x is not valid for pod web'],
    ['?tailLines=-1', 422, 'PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0'],
    ['?limitBytes=0', 422, 'limitBytes: Invalid value: 0: must be greater than 0'],
    ['?sinceSeconds=0', 422, 'sinceSeconds: Invalid value: 0: must be greater than 0'],
    ['?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z', 422, 'at most one of `sinceTime` or `sinceSeconds` may be specified'],
    ['?tailLines=x', 400, 'is no whole number'],
  ])('answers %s with %i', async (query, code, message) => {
    put(running);
    const { code: status, text } = await logOf(query);
    expect(status).toBe(code);
    expect(JSON.stringify(JSON.parse(text))).toContain(message.includes('\\') ? 'invalid syntax' : JSON.stringify(message).slice(1, -1));
  });

  it('says that a container waits', async () => {
    put({ state: { waiting: { reason: 'ErrImagePull' } } });
    expect((await logOf()).text).toContain('waiting to start: ErrImagePull');
  });
});
