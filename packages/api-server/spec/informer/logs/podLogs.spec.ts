import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  concat,
  EMPTY,
  firstValueFrom,
  lastValueFrom,
  map,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  Subject,
  takeWhile,
  throwError,
  toArray,
  VirtualTimeScheduler,
} from 'rxjs';
import { createInformer, type PodLogLine, podLogs, resources, type V1Pod } from 'rx-informer';
import { containerLog } from '../../../../../src/client/logs/containerLog.js';
import { startApiServer, type TestApiServer } from '../../../src/startApiServer.js';

const { pods } = resources.core.v1;
const namespace = 'default';
const started = { startedAt: '2026-01-01T00:00:00Z' };

const podOf = (name: string, more: Partial<V1Pod> = {}): V1Pod => ({
  metadata: { name, namespace, labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'x' }], nodeName: 'n' },
  status: { phase: 'Running', containerStatuses: [statusOf('main')] },
  ...more,
});
const statusOf = (name: string, state: object = { running: started }) => ({
  name,
  image: 'x',
  imageID: '',
  ready: true,
  restartCount: 0,
  state,
});
const put = (server: TestApiServer, pod: V1Pod) => server.objects.put({ apiVersion: 'v1', kind: 'Pod', ...pod });
const texts = (lines: readonly PodLogLine[]): readonly string[] => lines.map(({ pod, text }) => `${pod} ${text}`);

describe('podLogs', () => {
  let server: TestApiServer;

  beforeEach(async () => {
    server = await startApiServer();
  });

  afterEach(() => server.close());

  const write = (name: string, text: string, container?: string): void => server.objects.log({ name }, text, container);
  /** The lines up to the one with this text. */
  const until = (lines$: Observable<PodLogLine>, last: string): Promise<PodLogLine[]> =>
    lastValueFrom(
      lines$.pipe(
        takeWhile(({ text }) => text !== last, true),
        toArray(),
      ),
      { defaultValue: [] },
    );

  it('emits what there is without follow, the last lines or those since a time', async () => {
    put(server, podOf('web'));
    write('web', 'one\ntwo\nthree\n');
    const all = await lastValueFrom(podLogs(server.client, podOf('web'), { follow: false }).pipe(toArray()), { defaultValue: [] });
    expect(all).toMatchObject([{ namespace, pod: 'web', container: 'main', text: 'one' }, { text: 'two' }, { text: 'three' }]);
    expect(Math.abs(Date.parse(all[0]?.time ?? '') - Date.now())).toBeLessThan(60_000);
    const tail = podLogs(server.client, { metadata: { name: 'web', namespace } }, { follow: false, tail: 1 });
    expect(texts(await lastValueFrom(tail.pipe(toArray()), { defaultValue: [] }))).toEqual(['web three']);
    const later = podLogs(server.client, podOf('web'), { follow: false, since: new Date(Date.now() + 3_600_000) });
    expect(await lastValueFrom(later.pipe(toArray()), { defaultValue: [] })).toEqual([]);
    const recent = podLogs(server.client, podOf('web'), { follow: false, sinceMs: 3_600_000, container: ['main'] });
    expect(await lastValueFrom(recent.pipe(toArray()), { defaultValue: [] })).toHaveLength(3);
  });

  it('goes on after cuts without a line that is doubled or lost, and ends with the container', async () => {
    put(server, podOf('web'));
    write('web', 'a\nb');
    const lines = new ReplaySubject<PodLogLine>(Infinity);
    podLogs(server.client, podOf('web'), { random: () => 0 }).subscribe(lines);
    await until(lines, 'b');
    write('web', 'c');
    await until(lines, 'c');
    server.faults.cutConnections();
    write('web', 'd\ne');
    // The pod is read again, and has ended by then.
    const over = podOf('web', {
      status: {
        phase: 'Succeeded',
        containerStatuses: [statusOf('main', { terminated: { ...started, exitCode: 0, finishedAt: '2100-01-01T00:00:00Z' } })],
      },
    });
    put(server, over);
    expect(texts(await lastValueFrom(lines.pipe(toArray()), { defaultValue: [] }))).toEqual(['web a', 'web b', 'web c', 'web d', 'web e']);
  });

  it('follows the containers of all pods of an informer as they come and go', async () => {
    put(server, podOf('a'));
    write('a', 'one');
    write('a', 'two');
    const informer = createInformer(server.client, pods, { namespace, labelSelector: 'app=web' });
    const lines = new ReplaySubject<PodLogLine>(Infinity);
    const subscription = podLogs(server.client, informer, { tail: 1 }).subscribe(lines);
    await until(lines, 'two');
    // A pod that starts later is shown from its first line on.
    put(server, podOf('b', { status: { phase: 'Pending' } }));
    write('b', 'first\nsecond');
    put(server, podOf('b'));
    await until(lines, 'second');
    write('a', 'three');
    await until(lines, 'three');
    server.objects.delete({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b', namespace } });
    write('a', 'four');
    expect(texts(await until(lines, 'four'))).toEqual(['a two', 'b first', 'b second', 'a three', 'a four']);
    subscription.unsubscribe();
    await informer.stop();
  });

  it('shows all containers of a collection once, and completes without follow', async () => {
    const two = {
      containers: [
        { name: 'main', image: 'x' },
        { name: 'side', image: 'x' },
      ],
    };
    put(server, podOf('a', { spec: two, status: { containerStatuses: [statusOf('main'), statusOf('side')] } }));
    write('a', 'm', 'main');
    write('a', 's', 'side');
    put(server, podOf('waiting', { status: { phase: 'Pending' } }));
    const informer = createInformer(server.client, pods, { namespace });
    const lines = await lastValueFrom(podLogs(server.client, informer, { follow: false }).pipe(toArray()), { defaultValue: [] });
    expect(lines.map(({ container, text }) => [container, text])).toEqual([
      ['main', 'm'],
      ['side', 's'],
    ]);
    await informer.stop();
  });

  it('fails for a pod or container that does not exist, and where the server refuses', async () => {
    await expect(firstValueFrom(podLogs(server.client, podOf('gone'), { random: () => 0 }), { defaultValue: undefined })).rejects.toThrow(
      'pods "gone" not found',
    );
    put(server, podOf('web'));
    for (const container of ['nope', ['nope'], ['main', 'nope']])
      await expect(
        lastValueFrom(podLogs(server.client, podOf('web'), { container, random: () => 0 }), { defaultValue: undefined }),
      ).rejects.toThrow('container nope is not valid for pod web');
    await expect(firstValueFrom(podLogs(server.client, podOf('web'), { previous: true }), { defaultValue: undefined })).rejects.toThrow(
      'previous terminated container "main" in pod "web" not found',
    );
    server.faults.inject({ type: 'answer', code: 403, resource: 'pods' });
    await expect(firstValueFrom(podLogs(server.client, podOf('web')), { defaultValue: undefined })).rejects.toThrow('forbidden');
  });

  it.each([
    [{ since: 'yesterday' }, 'to be a time'],
    [{ tail: -1 }, '`tail`'],
    [{ since: new Date(), sinceMs: 1 }, 'got both'],
    [{ previous: true, follow: true }, 'no `follow`'],
  ])('refuses %j', (options, message) => {
    expect(() => podLogs(server.client, podOf('web'), options)).toThrow(message);
  });
});

describe('the log of a container', () => {
  /** A kubelet's log: times with nine digits, asked for by whole seconds. */
  const served = (lines: readonly { at: number; text: string }[], from: number): string =>
    lines
      .filter(({ at }) => at >= Math.floor(from / 1_000) * 1_000)
      .map(({ at, text }) => `${new Date(at).toISOString().slice(0, -1)}000000Z ${text}\n`)
      .join('');

  it('has every line once, in order, wherever the connection is cut and however many lines have one time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ after: fc.constantFrom(0, 0, 1, 250, 1_000, 5_000), text: fc.constantFrom('', 'a', 'bé', 'x'.repeat(300)) }), {
          maxLength: 60,
        }),
        fc.array(fc.nat(2_000), { maxLength: 12 }),
        fc.integer({ min: 1, max: 400 }),
        (steps, cuts, chunk) => {
          let at = Date.parse('2026-01-01T00:00:00.5Z');
          const lines = steps.map(({ after, text }, index) => ({ at: (at += after), text: `${text}${String(index)}` }));
          const scheduler = new VirtualTimeScheduler();
          const left = [...cuts];
          const readPath = (path: string): Observable<Uint8Array> => {
            const since = new URL(path, 'http://x').searchParams.get('sinceTime');
            const bytes = new TextEncoder().encode(served(lines, since === null ? 0 : Date.parse(since)));
            const cut = left.shift();
            const end = cut === undefined ? bytes.length : Math.min(cut, bytes.length);
            const pieces = Array.from({ length: Math.ceil(end / chunk) }, (_, index) =>
              bytes.slice(index * chunk, Math.min((index + 1) * chunk, end)),
            );
            return concat(of(...pieces), cut === undefined ? EMPTY : throwError(() => new Error('cut')));
          };
          const request = {
            follow: true,
            previous: false,
            tail: undefined,
            since: undefined,
            sinceMs: undefined,
            idleTimeoutMs: Infinity,
            scheduler,
            random: () => 1,
          };
          const seen: string[] = [];
          let completed = false;
          const target = { namespace: 'n', pod: 'p', container: 'c' };
          containerLog({ client: { readPath }, target, request, stateOf: () => of('finished' as const) }).subscribe({
            next: ({ text }) => seen.push(text),
            complete: () => {
              completed = true;
            },
          });
          scheduler.flush();
          expect(seen).toEqual(lines.map(({ text }) => text));
          expect(completed).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('replaces a connection that is silent, and waits for a container that has not started', () => {
    const scheduler = new VirtualTimeScheduler();
    const asked: number[] = [];
    const states = ['running', 'waiting', 'waiting', 'running'] as const;
    let at = 0;
    const readPath = (): Observable<Uint8Array> => {
      asked.push(scheduler.now());
      return asked.length < 3 ? NEVER : of(new TextEncoder().encode('2026-01-01T00:00:00Z end'));
    };
    const request = {
      follow: true,
      previous: false,
      tail: 5,
      since: undefined,
      sinceMs: undefined,
      idleTimeoutMs: 10_000,
      scheduler,
      random: () => 1,
    };
    const stopped$ = new Subject<void>();
    const seen: string[] = [];
    const target = { namespace: 'n', pod: 'p', container: '' };
    const log = containerLog({ client: { readPath }, target, request, stateOf: () => of(states[at++] ?? ('gone' as const)) });
    log.pipe(map(({ text }) => text)).subscribe({ next: (text) => seen.push(text), complete: () => stopped$.next() });
    scheduler.flush();
    // 1 s after the first silence; after the second one 2, 4 and 8 s, since the container waits.
    expect(asked).toEqual([0, 11_000, 35_000]);
    expect(seen).toEqual(['end']);
  });
});
