import { describe, expect, it } from '@jest/globals';
import { ignoreElements, interval, map, NEVER } from 'rxjs';
import { filterObjects } from '../../../src/operators/filters/filterObjects.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { added, deleted, synced } from '../../../src/testing/marbles/resourceEvents.js';
import { runMarbles } from '../../../src/testing/marbles/runMarbles.js';
import { connectionError } from '../../../src/testing/fakes/serverErrors.js';

const web = pod('web', { metadata: { labels: { app: 'web' } } });
const values = { w: added(web), d: added(pod('db')), x: deleted(web) };
const logger = { warn: () => undefined };

describe('runMarbles', () => {
  it('plays the marbles of a pipeline, and returns what the work returns', () => {
    const result = runMarbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('--w-d-x|', values);
      expectObservable(source.pipe(filterObjects(({ metadata }) => metadata?.labels?.['app'] === 'web'))).toBe('--w---x|', values);
      expectSubscriptions(source.subscriptions).toBe('^------!');
      return 'done';
    });
    expect(result).toBe('done');
  });

  it('shows what was expected and what came, moment by moment and field by field', () => {
    const newer = added(pod('web', { metadata: { resourceVersion: '2', labels: { app: 'web' } } }));
    const wrong = (): void =>
      runMarbles(({ cold, expectObservable }) => expectObservable(cold('d-w|', values)).toBe('d-n-|', { ...values, n: newer }));
    expect(wrong).toThrow(
      [
        'Unexpected notifications (- expected, + received):',
        '        0 ms  added default/db@1',
        '-       2 ms  added default/web@2',
        '+       2 ms  added default/web@1',
        '    value.object.metadata.resourceVersion: expected "2", got "1"',
        '-       4 ms  complete',
        '+       3 ms  complete',
        '    frame: expected 4, got 3',
      ].join('\n'),
    );
  });

  it.each([
    ['missing', '-a-b', '-a'],
    ['too many', '-a', '-a-b'],
    ['another time', '-a', '--a'],
    ['an error', '-a', '-#'],
  ])('fails on %s', (_, actual, expected) => {
    expect(() => runMarbles(({ cold, expectObservable }) => expectObservable(cold(actual)).toBe(expected))).toThrow('Unexpected');
  });

  it('fails on a wrong time of a subscription', () => {
    expect(() =>
      runMarbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source = cold('-a|');
        expectObservable(source).toBe('-a|');
        expectSubscriptions(source.subscriptions).toBe('^--!');
      }),
    ).toThrow('0.unsubscribedFrame: expected 3, got 2');
  });

  it('compares errors by what they say', () => {
    const failing = (message: string) => () =>
      runMarbles(({ cold, expectObservable }) => expectObservable(cold('#', {}, new Error('a'))).toBe('#', {}, new Error(message)));
    expect(failing('a')).not.toThrow();
    expect(failing('b')).toThrow('error.message: expected "b", got "a"');
  });

  it('runs a whole informer through failures and their backoff', () => {
    runMarbles(({ expectObservable, scheduler }) => {
      const server = new FakeListerWatcher({ scheduler });
      server.add(pod('web'));
      for (let failures = 0; failures < 3; failures += 1) server.failNext('watch', connectionError('ECONNREFUSED'));
      const informer = createInformer(server, { scheduler, random: () => 0, logger });
      const state$ = informer.health$.pipe(map(({ state }) => state));
      // 400 ms each: a server that cannot be reached is asked again soon.
      expectObservable(informer.resource$, '^ 6s !').toBe('1200ms (as)', {
        a: added(pod('web', { metadata: { resourceVersion: '2', uid: 'uid-of-pod-default-web' } }), { initial: true }),
        s: synced('2'),
      });
      expectObservable(state$, '^ 6s !').toBe('r 399ms (lr) 396ms (lr) 396ms (lw) 4797ms i', {
        i: 'idle',
        l: 'listing',
        r: 'retrying',
        w: 'watching',
      });
    });
  });

  it('runs a whole informer through the silence of a half-open connection', () => {
    runMarbles(({ cold, expectObservable, scheduler }) => {
      const server = new FakeListerWatcher({ scheduler, bookmarkIntervalMs: Infinity });
      const informer = createInformer(server, { scheduler, random: () => 0, logger });
      cold('10s -s 9999ms a').subscribe((step) => (step === 's' ? server.stall() : void server.add(pod('web'))));
      const late = added(pod('web', { metadata: { resourceVersion: '2' } }));
      expectObservable(informer.resource$, '^ 100s !').toBe('s 74999ms a', { s: synced('1'), a: late });
      expectObservable(informer.error$, '^ 100s !').toBe('');
    });
  });

  it('fails where something never ends, instead of running for ever', () => {
    const endless = (): void =>
      runMarbles(({ expectObservable, scheduler }) => {
        expectObservable(interval(86_400_000, scheduler).pipe(ignoreElements())).toBe('');
      });
    expect(endless).toThrow("Expected the test to end, for example by '^ 100s !', got a timer beyond 2147483647 ms of virtual time");
  });

  it('refuses an async function, since what follows an await would not be checked', () => {
    const waiting = async (): Promise<void> => Promise.resolve();
    expect(() => void runMarbles(waiting)).toThrow('Expected `work` of `runMarbles` to return no promise');
  });

  it('shows a notification that has not come', () => {
    expect(() => runMarbles(({ expectObservable }) => expectObservable(NEVER).toBe('a'))).toThrow(
      'Unexpected notifications (- expected, + received):\n-       0 ms  "a"',
    );
  });
});
