import { type MonoTypeOperatorFunction, Observable, type SchedulerLike, Subject } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { follow } from '../../rx/follow.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { Logger } from '../logger.js';
import { createQuiet } from './createQuiet.js';
import { errorOf } from '../../api/errors/errorOf.js';

/** What `onError` may decide about a failure. */
type ErrorDecision = 'retry' | 'stop';

/**
 * Emits the failures of one informer.
 */
export interface ErrorReporter {
  readonly error$: Observable<InformerError>;
  /** Emits a failure when everybody has been told of the change it belongs to, and asks `onError`, which may stop the informer. */
  readonly report: (error: InformerError) => void;
  /**
   * Reports the failures of a source, which has asked `onError` itself. Fails when the client has no usable kubeconfig: waiting would not mend that.
   * Only a program that has been in touch with its server goes on, since its kubeconfig may be on the way of being replaced.
   */
  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>>;
  /** Passes on a message that is no failure. */
  readonly warn: (message: string) => void;
  /** Nothing follows; the error that ended everything is emitted unless it has been. */
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
  readonly turns: Trampoline;
  /** Called with the error at which `onError` said `'stop'`, or with what it threw. */
  readonly onStop: (error: Error) => void;
}

function isOfConfiguration({ cause }: InformerError): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_KUBECONFIG';
}

/** What ends the informer, if `onError` wants it ended. */
function endOf(onError: ErrorReporterOptions['onError'], error: InformerError): Error | undefined {
  try {
    return onError?.(error) === 'stop' ? error : undefined;
  } catch (thrown) {
    // As with failures of the source: who cannot decide, does not get to go on.
    return errorOf(thrown);
  }
}

export function createErrorReporter({ name, onError, logger, scheduler, turns, onStop }: ErrorReporterOptions): ErrorReporter {
  const errors = new Subject<InformerError>();
  const quiet = createQuiet(scheduler);
  /** What went wrong before there was anybody to hear of it. */
  let early: InformerError[] | undefined = [];
  let lastEmitted: Error | undefined;

  const warn = (message: string): void => {
    const text = `rx-informer: ${name}: ${message}`;
    try {
      (logger ?? console).warn(text);
    } catch {
      // Whoever has something to report goes on, whatever becomes of the report.
      console.warn(text);
    }
  };

  /** Whether somebody wants a line for it: the logger, or the console where nobody else looks. */
  const isLogged = (): boolean => logger !== undefined || (onError === undefined && !errors.observed);

  const emit = (error: InformerError, isFallback = false): void => {
    lastEmitted = error;
    // An expired watch is followed by a list, as a streamed list that fails is: nothing for a person to act on.
    if (!isFallback && error.code !== 'ERR_WATCH_EXPIRED' && isLogged()) {
      const line = quiet(error, `${error.code}: ${error.message}`);
      if (line !== undefined) warn(line);
    }
    errors.next(error);
  };

  const report = (error: InformerError): void => {
    if (early !== undefined) {
      early.push(error);
      return;
    }
    turns.after(() => {
      emit(error);
      const end = endOf(onError, error);
      if (end !== undefined) onStop(end);
    });
  };

  return {
    error$: errors.asObservable(),
    report,
    warn,
    followSource:
      <T>(): MonoTypeOperatorFunction<SourceEvent<T>> =>
      (source) =>
        new Observable((subscriber) => {
          let inTouch = false;
          const waiting = early ?? [];
          early = undefined;
          waiting.forEach(report);
          const next = (event: SourceEvent<T>): void => {
            if (event.type !== 'status') inTouch ||= event.type !== 'init';
            else if (event.error !== undefined) {
              const { error, state } = event;
              // The list follows at once by a LIST: the server cannot stream lists.
              const isFallback = state === 'listing' && error.code === 'ERR_WATCH_LIST';
              turns.after(() => emit(error, isFallback));
              if (!inTouch && isOfConfiguration(error)) {
                subscriber.error(error);
                return;
              }
            }
            subscriber.next(event);
          };
          follow(source, subscriber, { next });
        }),
    complete: (error) => {
      turns.after(() => {
        if (error instanceof InformerError && error !== lastEmitted) emit(error);
        errors.complete();
      });
    },
  };
}
