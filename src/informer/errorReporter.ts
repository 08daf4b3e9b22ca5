import { type Observable, type SchedulerLike, Subject } from 'rxjs';
import type { InformerError } from '../api/informerError.js';
import type { Logger } from './logger.js';

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
  /** Tells a failure, and `onError` too. What that decided, goes to `onStop`. */
  report(error: InformerError): void;
  /** Tells a message that is no failure. */
  warn(message: string): void;
  complete(): void;
}

/**
 * What an error reporter is made of.
 */
export interface ErrorReporterOptions {
  readonly name: string;
  readonly onError: ((error: InformerError) => ErrorDecision | undefined) | undefined;
  readonly logger: Logger | undefined;
  readonly scheduler: SchedulerLike;
  /** Called with the error at which `onError` said `'stop'`. */
  readonly onStop: (error: InformerError) => void;
}

/** How long the console is spared the same code. */
const quietMs = 60_000;

export function createErrorReporter({ name, onError, logger, scheduler, onStop }: ErrorReporterOptions): ErrorReporter {
  const errors = new Subject<InformerError>();
  const warnedAt = new Map<string, number>();

  const warn = (message: string): void => (logger ?? console).warn(`rx-informer: ${name}: ${message}`);

  const tell = (error: InformerError): void => {
    if (logger !== undefined) warn(`${error.code}: ${error.message}`);
    else if (onError === undefined && !errors.observed) {
      const now = scheduler.now();
      const last = warnedAt.get(error.code);
      if (last === undefined || now - last >= quietMs) {
        warnedAt.set(error.code, now);
        warn(`${error.code}: ${error.message}`);
      }
    }
    errors.next(error);
  };

  return {
    error$: errors.asObservable(),
    tell,
    warn,
    report: (error) => {
      tell(error);
      if (onError?.(error) === 'stop') onStop(error);
    },
    complete: () => errors.complete(),
  };
}
