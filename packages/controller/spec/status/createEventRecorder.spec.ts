import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';

import { ApiError, type KubeClient, type KubernetesObject, resources } from 'rx-informer';
import { createEventRecorder, type EventRecorder } from '../../src/status/createEventRecorder.js';
import { startApiServer } from '@rx-informer/api-server';
import { fail } from '../reconcile/outcomeLog.js';

const pod: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'ns', uid: 'u1', resourceVersion: '7' },
};
const started = { type: 'Normal', reason: 'Started', note: 'It runs' } as const;
const minute = 60_000;

/** Promises are not driven by virtual time: lets those under way settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function setUp(answers: Record<string, (() => unknown)[]> = {}): {
  recorder: EventRecorder;
  requests: string[];
  bodies: unknown[];
  failures: unknown[];
  advance: (ms: number) => Promise<void>;
} {
  const scheduler = new VirtualTimeScheduler();
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const failures: unknown[] = [];
  const request = (verb: string, what: string, body: unknown): Promise<unknown> => {
    requests.push(`${scheduler.now()} ${verb} ${what}`);
    bodies.push(body);
    return Promise.resolve().then(() => answers[verb]?.shift()?.());
  };
  const client = {
    create: (_resource: unknown, object: { reason: string; series?: { count: number } }) =>
      request('create', `${object.reason} ${object.series?.count ?? ''}`.trim(), object),
    patch: (_resource: unknown, _name: string, _type: string, patch: { series: { count: number } }) =>
      request('patch', String(patch.series.count), patch),
  } as unknown as Pick<KubeClient, 'create' | 'patch'>;
  const recorder = createEventRecorder(client, { controller: 'example.com/operator', scheduler, random: () => 0.5 });
  recorder.failure$.subscribe({ next: ({ error }) => failures.push(error), error: fail });
  const advance = async (ms: number): Promise<void> => {
    await settle();
    const end = scheduler.now() + ms;
    scheduler.schedule(() => undefined, ms);
    // One frame after the other, with promises settled in between.
    while (scheduler.now() < end) {
      const next = Math.min(end, ...scheduler.actions.map(({ delay }) => delay));
      scheduler.maxFrames = next;
      scheduler.flush();
      await settle();
    }
  };
  return { recorder, requests, bodies, failures, advance };
}

describe('createEventRecorder', () => {
  it('writes an event about an object (EV-03)', async () => {
    const { recorder, bodies } = setUp();
    recorder.record(pod, { ...started, note: 'x'.repeat(2_000) });
    await settle();
    expect(bodies).toEqual([
      {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: 'web.1', namespace: 'ns' },
        eventTime: '1970-01-01T00:00:00.000000Z',
        reportingController: 'example.com/operator',
        reportingInstance: 'example.com/operator',
        type: 'Normal',
        reason: 'Started',
        action: 'Started',
        note: 'x'.repeat(1_024),
        regarding: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'ns', uid: 'u1', resourceVersion: '7' },
      },
    ]);
  });

  it('cuts notes by bytes, as servers count, and never in the middle of a character', async () => {
    const { recorder, bodies } = setUp();
    recorder.record(pod, { ...started, note: `x${'é'.repeat(2_000)}` });
    recorder.record(pod, { ...started, reason: 'Other', note: '🙂'.repeat(2_000) });
    await settle();
    expect(bodies).toMatchObject([{ note: `x${'é'.repeat(511)}` }, { note: '🙂'.repeat(256) }]);
  });

  it('flushes: waits for the writes that are under way', async () => {
    let answer: () => void = () => undefined;
    const { recorder } = setUp({ create: [() => new Promise<void>((resolve) => (answer = resolve))] });
    await recorder.flush();
    recorder.record(pod, started);
    await settle();
    let isFlushed = false;
    void recorder.flush().then(() => (isFlushed = true));
    await settle();
    expect(isFlushed).toBe(false);
    answer();
    await settle();
    expect(isFlushed).toBe(true);
  });

  it('flushes: waits also for the writes that wait for others of their series', async () => {
    const answers: (() => void)[] = [];
    const hang = () => new Promise<void>((resolve) => answers.push(resolve));
    const { recorder, requests } = setUp({ create: [hang], patch: [hang] });
    recorder.record(pod, started);
    recorder.record(pod, started);
    let isFlushed = false;
    void recorder.flush().then(() => (isFlushed = true));
    await settle();
    answers[0]?.();
    await settle();
    expect([requests.length, isFlushed]).toEqual([2, false]);
    answers[1]?.();
    await settle();
    expect(isFlushed).toBe(true);
  });

  it('writes events of cluster-scoped objects into default, under a name that fits (EV-03)', async () => {
    const { recorder, bodies } = setUp();
    recorder.record({ kind: 'ClusterRole', metadata: { name: 'system:node' } }, started);
    await settle();
    expect(bodies).toMatchObject([{ metadata: { name: 'event.1', namespace: 'default' } }]);
  });

  it('writes the first repeat as a series, counts later ones, and writes the count after 6 quiet minutes (EV-04)', async () => {
    const { recorder, requests, advance } = setUp();
    for (let repeat = 0; repeat < 5; repeat += 1) {
      recorder.record(pod, { ...started, note: `number ${repeat}` });
      await advance(minute);
    }
    await advance(10 * minute);
    recorder.record(pod, started);
    await settle();
    expect(requests).toEqual(['0 create Started', '60000 patch 2', '600000 patch 5', '900000 create Started']);
  });

  it('writes the count of a series that goes on every 30 minutes (EV-04)', async () => {
    const { recorder, requests, advance } = setUp();
    for (let repeat = 0; repeat < 65; repeat += 1) {
      recorder.record(pod, started);
      await advance(minute);
    }
    expect(requests).toEqual(['0 create Started', '60000 patch 2', '1800000 patch 30', '3600000 patch 60']);
  });

  it('keeps events apart that differ in object, type, reason or action (EV-04)', async () => {
    const { recorder, requests } = setUp();
    recorder.record(pod, started);
    recorder.record({ ...pod, metadata: { ...pod.metadata, uid: 'u2' } }, started);
    recorder.record(pod, { ...started, type: 'Warning' });
    recorder.record(pod, { ...started, reason: 'Stopped' });
    recorder.record(pod, { ...started, action: 'Restart' });
    await settle();
    expect(requests.map((request) => request.replace(/^\d+ /, ''))).toEqual([
      ...Array<string>(3).fill('create Started'),
      'create Stopped',
      'create Started',
    ]);
  });

  it('makes an event anew that the server has dropped (EV-02)', async () => {
    const gone = (): never => {
      throw new ApiError({ code: 404, message: 'gone' });
    };
    const { recorder, requests, failures } = setUp({ patch: [gone] });
    recorder.record(pod, started);
    recorder.record(pod, started);
    await settle();
    expect(requests).toEqual(['0 create Started', '0 patch 2', '0 create Started 2']);
    expect(failures).toEqual([]);
  });

  it('tries 12 times when the server cannot be reached: after a random part of 10 s, then every 10 s (EV-01)', async () => {
    const error = new Error('connection refused');
    const unreachable = Array<() => never>(12).fill(() => {
      throw error;
    });
    const { recorder, requests, failures, advance } = setUp({ create: unreachable });
    recorder.record(pod, started);
    await advance(200_000);
    expect(requests.map((request) => parseInt(request, 10))).toEqual([0, ...Array.from({ length: 11 }, (_, at) => 5_000 + at * 10_000)]);
    expect(failures).toEqual([error]);
  });

  it('does not try again what the server refuses, and goes on (EV-01)', async () => {
    const error = new ApiError({ code: 403, message: 'no' });
    const refused = (): never => {
      throw error;
    };
    const { recorder, requests, failures, advance } = setUp({ create: [refused] });
    recorder.record(pod, started);
    await advance(20_000);
    recorder.record(pod, { ...started, reason: 'Stopped' });
    await settle();
    expect(requests).toEqual(['0 create Started', '20000 create Stopped']);
    expect(failures).toEqual([error]);
  });

  it('tries what is left once more when it is stopped, without waiting', async () => {
    const error = new Error('connection refused');
    const unreachable = Array<() => never>(12).fill(() => {
      throw error;
    });
    const { recorder, requests, failures, advance } = setUp({ create: unreachable });
    recorder.record(pod, started);
    await advance(1_000);
    recorder.record(pod, { ...started, reason: 'Stopped' });
    await recorder.stop();
    expect(requests).toEqual(['0 create Started', '1000 create Stopped', '1000 create Started']);
    expect(failures).toEqual([error, error]);
  });

  it('writes what is left when it is stopped, and nothing later', async () => {
    const { recorder, requests } = setUp();
    for (let repeat = 0; repeat < 4; repeat += 1) recorder.record(pod, started);
    await recorder.stop();
    recorder.record(pod, started);
    await settle();
    expect(requests).toEqual(['0 create Started', '0 patch 2', '0 patch 4']);
  });

  it.each([
    [{ ...started, type: 'Error' as never }, 'Expected `type` of an event to be Normal or Warning, got "Error"'],
    [{ ...started, reason: '' }, "Expected `reason` of an event to be a word, got ''"],
  ])('refuses %j (EV-03)', (event, message) => {
    const { recorder } = setUp();
    expect(() => recorder.record(pod, event)).toThrow(new TypeError(message));
  });

  it('refuses a controller without a name', () => {
    expect(() => createEventRecorder({} as KubeClient, { controller: '' })).toThrow(TypeError);
  });

  it('writes what a server accepts', async () => {
    const server = await startApiServer();
    try {
      const recorder = createEventRecorder(server.client, { controller: 'example.com/operator' });
      const failures: unknown[] = [];
      recorder.failure$.subscribe({ next: ({ error }) => failures.push(error), error: fail });
      const object = { ...pod, metadata: { ...pod.metadata, namespace: 'default' } };
      recorder.record(object, started);
      recorder.record(object, started);
      await recorder.stop();
      expect(failures).toEqual([]);
      const { items } = await server.client.list(resources.events.v1.events, { namespace: 'default' });
      expect(items).toMatchObject([{ reason: 'Started', regarding: { name: 'web' }, series: { count: 2 } }]);
    } finally {
      await server.close();
    }
  });

  it('writes 16 events at once, and the others in turn', async () => {
    const open: (() => void)[] = [];
    const waits = Array.from({ length: 30 }, () => () => new Promise<void>((resolve) => void open.push(resolve)));
    const { recorder, requests } = setUp({ create: waits });
    for (let at = 0; at < 30; at += 1) recorder.record({ ...pod, metadata: { ...pod.metadata, uid: `u${at}` } }, started);
    await settle();
    expect(requests).toHaveLength(16);
    for (let done = 1; done <= 30; done += 1) {
      open.shift()?.();
      await settle();
      expect(requests).toHaveLength(Math.min(done + 16, 30));
    }
    await recorder.flush();
  });

  it('writes 25 different events of one object, then one in five minutes; the rest are reported', async () => {
    const { recorder, requests, failures, advance } = setUp();
    const record = (reason: string): void => recorder.record(pod, { ...started, reason });
    for (let at = 0; at < 100; at += 1) record(`Reason${at}`);
    recorder.record({ ...pod, metadata: { ...pod.metadata, uid: 'other' } }, started);
    await recorder.flush();
    expect([requests.length, failures.length]).toEqual([26, 75]);
    expect(failures[0]).toEqual(new Error('Left out: 25 other events of the object came shortly before'));
    // What is a series already goes on.
    record('Reason0');
    await recorder.flush();
    expect(requests.at(-1)).toBe('0 patch 2');
    await advance(5 * minute);
    record('Later');
    record('TooMany');
    await recorder.flush();
    expect([requests.at(-1), failures.length]).toEqual(['300000 create Later', 76]);
  });
});
