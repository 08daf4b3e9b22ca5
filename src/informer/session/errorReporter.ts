import { type MonoTypeOperatorFunction, Observable, type SchedulerLike, Subject } from 'rxjs';
import type { ResourceEvent, SourceEvent } from '../../api/events.js';
import { follow, type Trampoline } from '../../rx/trampoline.js';
import { errorOf, InformerError, messageOf } from '../../api/errors/informerError.js';
import { escapeControls } from '../../api/errors/foreignText.js';
import { ApiError } from '../../api/errors/apiError.js';

/** Where an informer reports failures that have no observer. `console` is one. */
export interface Logger {
  /** Gets one line of text. */
  warn(message: string): void;
}

/** The error of an index function that failed for one object. */
export function indexError(resource: string, cause: unknown, indexName: string, key: string): InformerError {
  const message = `The index function ${JSON.stringify(indexName)} of ${resource} failed for ${key}: ${messageOf(cause)}`;
  return new InformerError({ code: 'ERR_INDEX_FUNC', message, cause, resource, key });
}

/** The error of a user's function that failed at an event. */
export function handlerError(who: string, cause: unknown, event: ResourceEvent<unknown>): InformerError {
  const key = event.type === 'synced' ? undefined : event.key;
  const what = key === undefined ? event.type : `${event.type} ${key}`;
  return new InformerError({ code: 'ERR_HANDLER', message: `${who} failed at ${what}: ${messageOf(cause)}`, cause, key });
}

/** For how long one cause is not said again. */
const quietMs = 60_000;

/** What failures have in common that one person would mend at once: the innermost code of the system or of the server. */
function causeOf(error: unknown): string {
  if (error instanceof ApiError) return String(error.code);
  if (typeof error !== 'object' || error === null) return typeof error;
  const { code, cause, name } = error as { readonly code?: unknown; readonly cause?: unknown; readonly name?: unknown };
  const inner = cause === undefined ? '' : causeOf(cause);
  return `${String(code ?? name)} ${inner}`.trimEnd();
}

/**
 * Makes the lines of a log: a failure is said once per minute and cause, then with the number of those that were left out. Otherwise there is no line.
 */
export function createQuiet(scheduler: SchedulerLike): (error: Error, message: string) => string | undefined {
  const said = new Map<string, { at: number; leftOut: number }>();
  return (error, message) => {
    const cause = causeOf(error);
    const at = scheduler.now();
    const before = said.get(cause);
    if (before !== undefined && at - before.at < quietMs) {
      before.leftOut += 1;
      return undefined;
    }
    said.set(cause, { at, leftOut: 0 });
    const leftOut = before?.leftOut ?? 0;
    return leftOut === 0 ? message : `${message} (and ${String(leftOut)} more like it since the last time)`;
  };
}

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
    // As with failures of the source: an `onError` that throws ends the informer with what it threw.
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
      // A logger that throws must not disturb the informer.
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

  /** Whether to write a line: to the logger, or to the console where neither `onError` nor a subscriber of `error$` gets the failure. */
  private isLogged(): boolean {
    const { logger, onError } = this.options;
    return logger !== undefined || (onError === undefined && !this.errors$.observed);
  }
}
