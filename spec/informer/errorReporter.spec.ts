import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { InformerError, type InformerErrorCode } from '../../src/api/informerError.js';
import { createErrorReporter, type ErrorReporterOptions } from '../../src/informer/errorReporter.js';

const errorOf = (code: InformerErrorCode, message: string = code) => new InformerError({ code, message });

function reporter(options: Partial<ErrorReporterOptions> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const stops: string[] = [];
  return {
    scheduler,
    stops,
    ...createErrorReporter({
      name: 'pods',
      onError: undefined,
      logger: undefined,
      scheduler,
      onStop: ({ code }) => stops.push(code),
      ...options,
    }),
  };
}

describe('createErrorReporter', () => {
  const warn = jest.spyOn(console, 'warn');
  beforeEach(() => void warn.mockReset().mockImplementation(() => undefined));
  afterEach(() => void warn.mockReset());

  it('warns on the console of what nobody observes, once per code and minute', () => {
    const { tell, scheduler } = reporter();
    tell(errorOf('ERR_LIST', 'one'));
    tell(errorOf('ERR_LIST', 'two'));
    tell(errorOf('ERR_WATCH', 'three'));
    scheduler.schedule(() => tell(errorOf('ERR_LIST', 'four')), 59_999);
    scheduler.schedule(() => tell(errorOf('ERR_LIST', 'five')), 60_000);
    scheduler.flush();
    expect(warn.mock.calls.map(([message]) => message as string)).toEqual([
      'rx-informer: pods: ERR_LIST: one',
      'rx-informer: pods: ERR_WATCH: three',
      'rx-informer: pods: ERR_LIST: five',
    ]);
  });

  it('does not warn while somebody observes', () => {
    const { tell, error$ } = reporter();
    const seen: InformerError[] = [];
    const subscription = error$.subscribe((error) => seen.push(error));
    tell(errorOf('ERR_LIST'));
    expect([seen.length, warn.mock.calls.length]).toEqual([1, 0]);
    subscription.unsubscribe();
    tell(errorOf('ERR_LIST'));
    expect([seen.length, warn.mock.calls.length]).toEqual([1, 1]);
  });

  it('does not warn where onError takes the failures', () => {
    const { tell } = reporter({ onError: () => 'retry' });
    tell(errorOf('ERR_LIST'));
    expect(warn).not.toHaveBeenCalled();
  });

  it('tells a logger everything, instead of the console', () => {
    const messages: string[] = [];
    const { tell, warn: warnOf, error$ } = reporter({ logger: { warn: (message) => messages.push(message) } });
    error$.subscribe();
    tell(errorOf('ERR_LIST'));
    tell(errorOf('ERR_LIST'));
    warnOf('careful');
    expect(messages).toEqual([
      'rx-informer: pods: ERR_LIST: ERR_LIST',
      'rx-informer: pods: ERR_LIST: ERR_LIST',
      'rx-informer: pods: careful',
    ]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('asks onError about what it reports, not about what it tells', () => {
    const asked: string[] = [];
    const { tell, report, stops } = reporter({
      onError: ({ code }) => {
        asked.push(code);
        return code === 'ERR_KEY' ? 'stop' : undefined;
      },
    });
    tell(errorOf('ERR_LIST'));
    report(errorOf('ERR_HANDLER'));
    report(errorOf('ERR_KEY'));
    expect([asked, stops]).toEqual([['ERR_HANDLER', 'ERR_KEY'], ['ERR_KEY']]);
  });
});
