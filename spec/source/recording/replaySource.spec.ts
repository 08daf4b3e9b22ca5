import { describe, expect, it } from '@jest/globals';
import { of, VirtualTimeScheduler } from 'rxjs';
import { ApiError } from '../../../src/api/errors/apiError.js';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { SourceEvent } from '../../../src/api/events.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { recordSource as recordEvents } from '../../../src/source/recording/recordSource.js';
import { reflect } from '../../../src/source/reflector/reflect.js';
import { replaySource } from '../../../src/source/recording/replaySource.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { checkSourceGrammar } from '../../../src/testing/suites/checkSourceGrammar.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { runMarbles } from '../../../src/testing/marbles/runMarbles.js';
import { statusError } from '../../../src/testing/fakes/serverErrors.js';
import { sourceInit, sourceModified, sourcePage, sourceReady, sourceStatus } from '../sourceEvents.js';
import { record } from './record.js';

const header = '{"recording":1,"startedAt":"2026-01-01T00:00:00.000Z"}';
const web = pod('web', { metadata: { resourceVersion: '2' } });
const newer = pod('web', { metadata: { resourceVersion: '3' } });
const values = { i: sourceInit(), p: sourcePage([web]), r: sourceReady('2'), m: sourceModified(newer) };

/** Records a day with a server: the lines, and the events themselves. */
function recorded(): { readonly lines: string[]; readonly events: SourceEvent<object>[] } {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler });
  server.add(pod('a'));
  const source = reflect(server, { scheduler, random: () => 0 });
  const events = record(source);
  const lines = record(source.pipe(recordEvents({ scheduler })));
  server.add(pod('b'));
  advanceBy(scheduler, 5_000);
  server.failNext('watch', statusError(429, 'TooManyRequests', 'slow down', 3_000));
  server.failNext('watch', statusError(429, 'TooManyRequests', 'slow down', 3_000));
  server.expire();
  server.delete('default/a');
  advanceBy(scheduler, 60_000);
  events.subscription.unsubscribe();
  lines.subscription.unsubscribe();
  return { lines: lines.values, events: events.values };
}

describe('replaySource', () => {
  it.each([
    [1, 'i-p--r-(m|)'],
    [0.5, 'i---p-----r---(m|)'],
    [Infinity, '(iprm|)'],
  ])('tells the events at %d times their speed', (speed, expected) => {
    const lines: string[] = [];
    runMarbles(({ cold, scheduler }) => {
      cold('i-p--r-m', values)
        .pipe(recordEvents({ scheduler }))
        .subscribe((line) => lines.push(line));
    });
    runMarbles(({ expectObservable, scheduler }) => {
      expectObservable(replaySource(lines, { speed, scheduler })).toBe(expected, values);
    });
  });

  it('tells what the source has told, errors and their causes included, each time it is subscribed to', () => {
    const { lines, events } = recorded();
    const replayed = replaySource<object>(lines, { speed: Infinity });
    for (const { values: again, errors } of [record(replayed.pipe(checkSourceGrammar())), record(replayed)]) {
      expect(errors).toEqual([]);
      expect(again.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
      expect(again.filter(({ type }) => type !== 'status')).toEqual(events.filter(({ type }) => type !== 'status'));
    }
    const errors = record(replayed).values.flatMap((event) => (event.type === 'status' && event.error !== undefined ? [event.error] : []));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toBeInstanceOf(InformerError);
    expect(errors[0]?.code).toBe('ERR_WATCH_EXPIRED');
    expect(errors[0]?.cause).toBeInstanceOf(ApiError);
    expect(errors[0]?.cause).toMatchObject({ code: 410, reason: 'Expired' });
  });

  it('tells the message of a cause that is any error', () => {
    const error = new InformerError({ code: 'ERR_LIST', message: 'no list', cause: new Error('boom') });
    const scheduler = new VirtualTimeScheduler();
    const { values: lines } = record(of(sourceStatus('retrying', { error })).pipe(recordEvents({ scheduler })));
    const [replayed] = record(replaySource(lines, { speed: Infinity })).values;
    expect(replayed).toMatchObject({ type: 'status', error: { message: 'no list', cause: { message: 'boom' } } });
  });

  it('feeds an informer, which keeps its content when the recording is over', () => {
    const scheduler = new VirtualTimeScheduler();
    const { lines } = recorded();
    const errors: string[] = [];
    const informer = createInformer(replaySource<ReturnType<typeof pod>>(lines, { scheduler }), { scheduler, resource: 'pods' });
    informer.error$.subscribe(({ code }) => errors.push(code));
    informer.start();
    advanceBy(scheduler, 1_000);
    expect(informer.hasSynced()).toBe(true);
    expect(informer.indexer.listKeys().sort()).toEqual(['default/a', 'default/b']);
    advanceBy(scheduler, 120_000);
    expect(informer.isStopped()).toBe(true);
    expect(informer.indexer.listKeys()).toEqual(['default/b']);
    expect(errors).toContain('ERR_WATCH_EXPIRED');
    expect(informer.name).toBe('pods');
  });

  it.each([
    ['no JSON', [header, '{"at":0,"data":{"password":aHVudGVy'], 'Expected line 2 of the recording to be JSON'],
    ['no header', ['{"at":0}'], 'Expected line 1 of the recording to be the header of one, got something else'],
    ['nothing', [header, 'null'], 'Expected line 2 of the recording to have a time and a source event'],
    ['no event at all', [header, '{"at":0}'], 'Expected line 2 of the recording to have a time and a source event'],
    ['an empty event', [header, '{"at":0,"event":null}'], 'Expected line 2 of the recording to have a time and a source event'],
    ['without a time', [header, '{"event":{"type":"init"}}'], 'Expected line 2 of the recording to have a time and a source event'],
    ['no event', [header, '', '{"at":0,"event":{"type":"odd"}}'], 'Expected line 3 of the recording to have a time and a source event'],
  ])('fails on a line that is %s, and names it', (_, lines, message) => {
    const { errors } = record(replaySource(lines));
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_DECODE', message })]);
  });

  it.each([0, -1, NaN])('refuses the speed %d', (speed) => {
    expect(() => replaySource([], { speed })).toThrow(
      `Expected \`speed\` of \`replaySource\` to be a number > 0 or Infinity, got ${speed}`,
    );
  });

  it.each([
    [5, 1_005],
    [Infinity, 1_025],
  ])('tells the next attempt at its time on the new clock, at %d times the speed', (speed, nextAttemptAt) => {
    const error = new InformerError({ code: 'ERR_LIST', message: 'no' });
    const lines: string[] = [];
    runMarbles(({ cold, scheduler }) => {
      cold('-----s', { s: sourceStatus('retrying', { error, nextAttemptAt: 25 }) })
        .pipe(recordEvents({ scheduler }))
        .subscribe((line) => lines.push(line));
    });
    const scheduler = new VirtualTimeScheduler();
    advanceBy(scheduler, 1_000);
    const { values: told } = record(replaySource(lines, { scheduler, speed }));
    advanceBy(scheduler, 100);
    expect(told).toMatchObject([{ state: 'retrying', nextAttemptAt, error: { code: 'ERR_LIST' } }]);
  });
});
