import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { InformerError, type InformerErrorCode } from '../../../src/api/errors/informerError.js';
import { createErrorReporter, type ErrorReporterOptions } from '../../../src/informer/session/errorReporter.js';

const errorOf = (code: InformerErrorCode, message: string = code) => new InformerError({ code, message });

function reporting(options: Partial<ErrorReporterOptions> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const stops: string[] = [];
  return {
    scheduler,
    stops,
    reporter: createErrorReporter({
      name: 'pods',
      onError: undefined,
      logger: undefined,
      scheduler,
      isChanging: () => false,
      onStop: (error) => stops.push(error instanceof InformerError ? error.code : error.message),
      ...options,
    }),
  };
}

describe('createErrorReporter', () => {
  const warn = jest.spyOn(console, 'warn');
  beforeEach(() => void warn.mockReset().mockImplementation(() => undefined));
  afterEach(() => void warn.mockReset());

  it('warns on the console of what nobody observes, once per code and minute', () => {
    const { reporter, scheduler } = reporting();
    reporter.tell(errorOf('ERR_LIST', 'one'));
    reporter.tell(errorOf('ERR_LIST', 'two'));
    reporter.tell(errorOf('ERR_WATCH', 'three'));
    scheduler.schedule(() => reporter.tell(errorOf('ERR_LIST', 'four')), 59_999);
    scheduler.schedule(() => reporter.tell(errorOf('ERR_LIST', 'five')), 60_000);
    scheduler.flush();
    expect(warn.mock.calls.map(([message]) => message as string)).toEqual([
      'rx-informer: pods: ERR_LIST: one',
      'rx-informer: pods: ERR_WATCH: three',
      'rx-informer: pods: ERR_LIST: five',
    ]);
  });

  it('does not warn while somebody observes', () => {
    const { reporter } = reporting();
    const seen: InformerError[] = [];
    const subscription = reporter.error$.subscribe((error) => seen.push(error));
    reporter.tell(errorOf('ERR_LIST'));
    expect([seen.length, warn.mock.calls.length]).toEqual([1, 0]);
    subscription.unsubscribe();
    reporter.tell(errorOf('ERR_LIST'));
    expect([seen.length, warn.mock.calls.length]).toEqual([1, 1]);
  });

  it('does not warn where onError takes the failures', () => {
    const { reporter } = reporting({ onError: () => 'retry' });
    reporter.tell(errorOf('ERR_LIST'));
    expect(warn).not.toHaveBeenCalled();
  });

  it('tells a logger everything, instead of the console', () => {
    const messages: string[] = [];
    const { reporter } = reporting({ logger: { warn: (message) => messages.push(message) } });
    reporter.error$.subscribe();
    reporter.tell(errorOf('ERR_LIST'));
    reporter.tell(errorOf('ERR_LIST'));
    reporter.warn('careful');
    expect(messages).toEqual([
      'rx-informer: pods: ERR_LIST: ERR_LIST',
      'rx-informer: pods: ERR_LIST: ERR_LIST',
      'rx-informer: pods: careful',
    ]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('asks onError about what it reports, not about what it tells', () => {
    const asked: string[] = [];
    const { reporter, stops } = reporting({
      onError: ({ code }) => {
        asked.push(code);
        return code === 'ERR_KEY' ? 'stop' : undefined;
      },
    });
    reporter.tell(errorOf('ERR_LIST'));
    reporter.report(errorOf('ERR_HANDLER'));
    reporter.report(errorOf('ERR_KEY'));
    expect([asked, stops]).toEqual([['ERR_HANDLER', 'ERR_KEY'], ['ERR_KEY']]);
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

  it('waits with what is reported in the middle of a change until it is over', () => {
    let changing = true;
    const { reporter, stops } = reporting({ onError: () => 'stop', isChanging: () => changing });
    const seen: string[] = [];
    reporter.error$.subscribe(({ code }) => seen.push(code));
    reporter.report(errorOf('ERR_KEY'));
    expect(seen).toEqual([]);
    changing = false;
    reporter.flush();
    reporter.flush();
    expect([seen, stops]).toEqual([['ERR_KEY'], ['ERR_KEY']]);
  });
});
