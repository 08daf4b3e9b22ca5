import { type Observable, type SchedulerLike, Subject } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { Logger } from '../logger.js';

/**
 * What `onError` may decide about a failure.
 */
export type ErrorDecision = 'retry' | 'stop';

/**
 * Tells the failures of one informer.
 */
export interface ErrorReporter {
  readonly error$: Observable<InformerError>;
  /** Tells a failure that `onError` knows already. */
  tell(error: InformerError): void;
  /** Tells a failure, and `onError` too, which may stop the informer. In the middle of a change, it waits for `flush`. */
  report(error: InformerError): void;
  /** Tells what has been reported in a change that is over. */
  flush(): void;
  /** Tells a message that is no failure. */
  warn(message: string): void;
  /** Nothing follows; the error that ended everything is told unless it has been. */
  complete(error?: Error): void;
}

/**
 * What an error reporter is made of.
 */
export interface ErrorReporterOptions {
  readonly name: string;
  readonly onError: ((error: InformerError) => ErrorDecision | undefined) | undefined;
  readonly logger: Logger | undefined;
  readonly scheduler: SchedulerLike;
  /** A callback may subscribe somewhere: it must see all of a change, or nothing of it. */
  readonly isChanging: () => boolean;
  /** Called with the error at which `onError` said `'stop'`, or with what it threw. */
  readonly onStop: (error: Error) => void;
}

/** How long the console is spared the same code. */
const quietMs = 60_000;

/** Knows which codes the console is to be told again. */
function createQuiet(scheduler: SchedulerLike): (code: string) => boolean {
  const toldAt = new Map<string, number>();
  return (code) => {
    const now = scheduler.now();
    const last = toldAt.get(code);
    const isTime = last === undefined || now - last >= quietMs;
    if (isTime) toldAt.set(code, now);
    return isTime;
  };
}

/** What ends the informer, if `onError` wants it ended. */
function endOf(onError: ErrorReporterOptions['onError'], error: InformerError): Error | undefined {
  try {
    return onError?.(error) === 'stop' ? error : undefined;
  } catch (thrown) {
    // As with failures of the source: who cannot decide, does not get to go on.
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

export function createErrorReporter({ name, onError, logger, scheduler, isChanging, onStop }: ErrorReporterOptions): ErrorReporter {
  const errors = new Subject<InformerError>();
  const isTime = createQuiet(scheduler);
  const waiting: InformerError[] = [];
  let lastTold: Error | undefined;

  const warn = (message: string): void => {
    const text = `rx-informer: ${name}: ${message}`;
    try {
      (logger ?? console).warn(text);
    } catch {
      // Whoever has something to report goes on, whatever becomes of the report.
      console.warn(text);
    }
  };

  const tell = (error: InformerError): void => {
    lastTold = error;
    if (logger !== undefined) warn(`${error.code}: ${error.message}`);
    else if (onError === undefined && !errors.observed && isTime(error.code)) warn(`${error.code}: ${error.message}`);
    errors.next(error);
  };

  const reportNow = (error: InformerError): void => {
    tell(error);
    const end = endOf(onError, error);
    if (end !== undefined) onStop(end);
  };

  return {
    error$: errors.asObservable(),
    tell,
    warn,
    report: (error) => {
      if (isChanging()) waiting.push(error);
      else reportNow(error);
    },
    flush: () => {
      for (const error of waiting.splice(0)) reportNow(error);
    },
    complete: (error) => {
      if (error instanceof InformerError && error !== lastTold) tell(error);
      errors.complete();
    },
  };
}
