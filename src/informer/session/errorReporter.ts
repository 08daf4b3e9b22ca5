import { type MonoTypeOperatorFunction, Observable, type SchedulerLike, Subject } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { follow } from '../../rx/follow.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { Logger } from '../logger.js';
import { createQuiet } from './createQuiet.js';
import { errorOf } from '../../api/errors/messageOf.js';
import { escapeControls } from '../../api/errors/foreignText.js';

/** What an error reporter is made of. */
export interface ErrorReporterOptions {
  readonly name: string;
  readonly onError: ((error: InformerError) => 'retry' | 'stop' | undefined) | undefined;
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

/** Emits the failures of one informer. */
export class ErrorReporter {
  readonly error$: Observable<InformerError>;
  private readonly options: ErrorReporterOptions;
  private readonly errors$ = new Subject<InformerError>();
  private readonly quiet: ReturnType<typeof createQuiet>;
  /** What went wrong before there was anybody to hear of it. */
  private early: InformerError[] | undefined = [];
  private lastEmitted: Error | undefined;

  constructor(options: ErrorReporterOptions) {
    this.options = options;
    this.quiet = createQuiet(options.scheduler);
    this.error$ = this.errors$.asObservable();
  }

  /** Emits a failure when everybody has been told of the change it belongs to, and asks `onError`, which may stop the informer. */
  readonly report = (error: InformerError): void => {
    if (this.early !== undefined) {
      this.early.push(error);
      return;
    }
    const { turns, onError, onStop } = this.options;
    turns.after(() => {
      this.emit(error);
      const end = endOf(onError, error);
      if (end !== undefined) onStop(end);
    });
  };

  /** Passes on a message that is no failure. */
  readonly warn = (message: string): void => {
    const { name, logger = console } = this.options;
    const text = escapeControls(`rx-informer: ${name}: ${message}`);
    try {
      logger.warn(text);
    } catch {
      // Whoever has something to report goes on, whatever becomes of the report.
      console.warn(text);
    }
  };

  /**
   * Reports the failures of a source, which has asked `onError` itself. Fails when the client has no usable kubeconfig: waiting would not mend that.
   * Only a program that has been in touch with its server goes on, since its kubeconfig may be on the way of being replaced.
   */
  followSource<T>(): MonoTypeOperatorFunction<SourceEvent<T>> {
    return (source) =>
      new Observable((subscriber) => {
        let inTouch = false;
        const { early = [] } = this;
        this.early = undefined;
        early.forEach(this.report);
        const next = (event: SourceEvent<T>): void => {
          if (event.type !== 'status') inTouch ||= event.type !== 'init';
          else if (event.error !== undefined) {
            const { error, state } = event;
            // The list follows at once by a LIST: the server cannot stream lists.
            const isFallback = state === 'listing' && error.code === 'ERR_WATCH_LIST';
            this.options.turns.after(() => this.emit(error, isFallback));
            if (!inTouch && isOfConfiguration(error)) {
              subscriber.error(error);
              return;
            }
          }
          subscriber.next(event);
        };
        follow(source, subscriber, { next });
      });
  }

  /** Nothing follows; the error that ended everything is emitted unless it has been. */
  complete(error?: Error): void {
    this.options.turns.after(() => {
      if (error instanceof InformerError && error !== this.lastEmitted) this.emit(error);
      this.errors$.complete();
    });
  }

  private emit(error: InformerError, isFallback = false): void {
    this.lastEmitted = error;
    // An expired watch is followed by a list, as a streamed list that fails is: nothing for a person to act on.
    if (!isFallback && error.code !== 'ERR_WATCH_EXPIRED' && this.isLogged()) {
      const line = this.quiet(error, `${error.code}: ${error.message}`);
      if (line !== undefined) this.warn(line);
    }
    this.errors$.next(error);
  }

  /** Whether somebody wants a line for it: the logger, or the console where nobody else looks. */
  private isLogged(): boolean {
    const { logger, onError } = this.options;
    return logger !== undefined || (onError === undefined && !this.errors$.observed);
  }
}
