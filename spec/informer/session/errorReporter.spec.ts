import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { ApiError } from '../../../src/api/errors/apiError.js';
import { InformerError, type InformerErrorCode } from '../../../src/api/errors/informerError.js';
import { ErrorReporter, type ErrorReporterOptions } from '../../../src/informer/session/errorReporter.js';
import { Trampoline } from '../../../src/rx/trampoline.js';

const errorOf = (code: InformerErrorCode, message: string = code) => new InformerError({ code, message });

function reporting({ isIdle = false, ...options }: Partial<ErrorReporterOptions> & { isIdle?: boolean } = {}) {
  const scheduler = new VirtualTimeScheduler();
  const turns = new Trampoline();
  const stops: string[] = [];
  const reporter = new ErrorReporter({
    name: 'pods',
    onError: undefined,
    logger: undefined,
    scheduler,
    turns,
    onStop: (error) => stops.push(error instanceof InformerError ? error.code : error.message),
    ...options,
  });
  if (!isIdle) reporter.begin();
  /** The source reports a failure. */
  const tell = (error: InformerError): boolean => reporter.sourceFailed(error, 'retrying', false);
  return { scheduler, turns, stops, reporter, tell };
}

describe('ErrorReporter', () => {
  const warn = jest.spyOn(console, 'warn');
  beforeEach(() => void warn.mockReset().mockImplementation(() => undefined));
  afterEach(() => void warn.mockReset());

  it('warns on the console of what nobody observes, once per cause and minute', () => {
    const { tell, scheduler } = reporting();
    tell(errorOf('ERR_LIST', 'one'));
    tell(errorOf('ERR_LIST', 'two'));
    tell(errorOf('ERR_WATCH', 'three'));
    scheduler.schedule(() => tell(errorOf('ERR_LIST', 'four')), 59_999);
    scheduler.schedule(() => tell(errorOf('ERR_LIST', 'five')), 60_000);
    scheduler.flush();
    expect(warn.mock.calls.map(([message]) => message as string)).toEqual([
      'rx-informer: pods: ERR_LIST: one',
      'rx-informer: pods: ERR_WATCH: three',
      'rx-informer: pods: ERR_LIST: five (and 2 more like it since the last time)',
    ]);
  });

  it('does not warn of a streamed list that a LIST replaces at once, and still emits it', () => {
    const { reporter, tell } = reporting({ isIdle: true });
    const error = errorOf('ERR_WATCH_LIST');
    reporter.sourceFailed(error, 'listing', false);
    expect(warn).not.toHaveBeenCalled();
    tell(error);
    expect(warn).toHaveBeenCalledTimes(1);
    const seen: InformerError[] = [];
    reporter.error$.subscribe((one) => seen.push(one));
    reporter.sourceFailed(error, 'listing', false);
    expect(seen).toEqual([error]);
  });

  it('tells causes apart, and leaves out what a list mends', () => {
    const messages: string[] = [];
    const { tell } = reporting({ logger: { warn: (message) => void messages.push(message) } });
    const failing = (cause: unknown, code: InformerErrorCode = 'ERR_LIST') => tell(new InformerError({ code, message: 'no', cause }));
    failing(Object.assign(new Error('a'), { code: 'ECONNREFUSED' }));
    failing(new Error('wrapped', { cause: Object.assign(new Error('b'), { code: 'ECONNRESET' }) }));
    failing(Object.assign(new Error('c'), { code: 'ECONNREFUSED' }));
    failing(new ApiError({ code: 403, message: 'a' }));
    failing(new ApiError({ code: 403, message: 'b' }));
    failing(new ApiError({ code: 401, message: 'c' }));
    failing(new ApiError({ code: 410, message: 'c' }), 'ERR_WATCH_EXPIRED');
    expect(messages).toHaveLength(4);
  });

  it('does not warn while somebody observes', () => {
    const { tell, reporter } = reporting();
    const seen: InformerError[] = [];
    const subscription = reporter.error$.subscribe((error) => seen.push(error));
    tell(errorOf('ERR_LIST'));
    expect([seen.length, warn.mock.calls.length]).toEqual([1, 0]);
    subscription.unsubscribe();
    tell(errorOf('ERR_LIST'));
    expect([seen.length, warn.mock.calls.length]).toEqual([1, 1]);
  });

  it('does not warn where onError takes the failures', () => {
    const { tell } = reporting({ onError: () => 'retry' });
    tell(errorOf('ERR_LIST'));
    expect(warn).not.toHaveBeenCalled();
  });

  it('tells a logger in place of the console, once per cause and minute', () => {
    const messages: string[] = [];
    const { tell, reporter } = reporting({ logger: { warn: (message) => messages.push(message) } });
    reporter.error$.subscribe();
    tell(errorOf('ERR_LIST'));
    tell(errorOf('ERR_LIST'));
    reporter.warn('careful');
    expect(messages).toEqual(['rx-informer: pods: ERR_LIST: ERR_LIST', 'rx-informer: pods: careful']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('asks onError about every failure, when it has been emitted', () => {
    const asked: string[] = [];
    const { tell, reporter, stops } = reporting({
      onError: ({ code }) => {
        asked.push(code);
        return code === 'ERR_KEY' ? 'stop' : undefined;
      },
    });
    tell(errorOf('ERR_LIST'));
    reporter.report(errorOf('ERR_HANDLER'));
    reporter.report(errorOf('ERR_KEY'));
    expect([asked, stops]).toEqual([['ERR_LIST', 'ERR_HANDLER', 'ERR_KEY'], ['ERR_KEY']]);
  });

  it('ends the informer with what onError throws, and survives a logger that throws', () => {
    const { reporter, stops } = reporting({
      onError: () => {
        throw new Error('undecided');
      },
      logger: {
        warn: () => {
          throw new Error('no log');
        },
      },
    });
    reporter.report(errorOf('ERR_HANDLER'));
    expect(stops).toEqual(['undecided']);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('waits with what is reported in the middle of a turn until everybody has been told', () => {
    const { reporter, stops, turns } = reporting({ onError: () => 'stop' });
    const seen: string[] = [];
    reporter.error$.subscribe(({ code }) => seen.push(code));
    turns.run(() => {
      reporter.report(errorOf('ERR_KEY'));
      turns.notify(() => seen.push('told'));
      expect([seen, stops]).toEqual([[], []]);
    });
    expect([seen, stops]).toEqual([['told', 'ERR_KEY'], ['ERR_KEY']]);
  });

  it('keeps what is reported before the first session', () => {
    const { reporter } = reporting({ isIdle: true });
    const seen: string[] = [];
    reporter.report(errorOf('ERR_INDEX_FUNC'));
    reporter.error$.subscribe(({ code }) => seen.push(code));
    expect(seen).toEqual([]);
    reporter.begin();
    expect(seen).toEqual(['ERR_INDEX_FUNC']);
  });
});
