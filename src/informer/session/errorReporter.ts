import { type Observable, type SchedulerLike, Subject } from 'rxjs';
import type { LinkState, ResourceEvent } from '../../api/events.js';
import type { Trampoline } from '../../rx/trampoline.js';
import { endOf, failureOf, InformerError, messageOf, type OnError } from '../../api/errors/informerError.js';
import { escapeControls } from '../../api/errors/foreignText.js';
import { causesOf } from '../../api/errors/apiError.js';

/** Gets the lines about an informer's failures. `console` is a Logger. */
export interface Logger {
  /** Gets one line of text. */
  warn(message: string): void;
}

/** The error of an index function that failed for one object. */
export function indexError(resource: string, cause: unknown, indexName: string, key: string): InformerError {
  const what = `The index function ${JSON.stringify(indexName)} of ${resource} failed for ${key}`;
  return failureOf('ERR_INDEX_FUNC', what, cause, { resource, key });
}

/** The error of a user's function that failed at an event. */
export function handlerError(who: string, resource: string, cause: unknown, event: ResourceEvent<unknown>): InformerError {
  const key = event.type === 'synced' ? undefined : event.key;
  const what = key === undefined ? event.type : `${event.type} ${key}`;
  return failureOf('ERR_HANDLER', `${who} failed at ${what}`, cause, { resource, key });
}

/** A cause is logged at most once in this time. */
const quietMs = 60_000;

/** The cause by which failures are grouped in the log: the codes of the error and its causes. */
function causeOf(error: unknown): string {
  return causesOf(error)
    .map((cause) => {
      const { code, name } = (cause ?? {}) as { readonly code?: unknown; readonly name?: unknown };
      return messageOf(code ?? name ?? typeof cause);
    })
    .join(' ');
}

/**
 * Makes log lines, at most one per minute and cause. Returns undefined for a line that is left out; the next line of that cause has the number of those.
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

/** The dependencies and settings of an error reporter. */
export interface ErrorReporterOptions {
  readonly name: string;
  readonly onError: OnError | undefined;
  readonly logger: Logger | undefined;
  readonly scheduler: SchedulerLike;
  readonly turns: Trampoline;
  /** Called with the error for which `onError` returned `'stop'`, or with the error that `onError` threw. */
  readonly onStop: (error: Error) => void;
}

/** What a failure of the source leads to: another way to list, or the end of the informer. */
interface FailureKind {
  readonly isFallback?: boolean;
  readonly isFinal?: boolean;
}

/** Emits the failures of one informer. */
export class ErrorReporter {
  readonly error$: Observable<InformerError>;
  private readonly options: ErrorReporterOptions;
  private readonly errors$ = new Subject<InformerError>();
  private readonly quiet: ReturnType<typeof createQuiet>;
  /** The failures before the constructor of the informer has returned. */
  private early: InformerError[] | undefined = [];
  private isComplete = false;
  private lastEmitted: Error | undefined;

  constructor(options: ErrorReporterOptions) {
    this.options = options;
    this.quiet = createQuiet(options.scheduler);
    this.error$ = this.errors$.asObservable();
  }

  /** Emits a failure after the change it belongs to has reached all subscribers, and calls `onError`, which may stop the informer. */
  readonly report = (error: InformerError): void => {
    if (this.early !== undefined) {
      this.early.push(error);
      return;
    }
    this.options.turns.after(() => this.handle(error));
  };

  /** Begins a session, and emits what was reported before the first one. */
  begin(): void {
    const { early = [] } = this;
    this.early = undefined;
    early.forEach(this.report);
  }

  /** Logs a warning. */
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
   * Reports a failure of the source. Returns whether it ends the informer in any case. That is so when the client has no usable kubeconfig, since retrying
   * would not help. But if the program has reached its server before, the kubeconfig may just be being replaced, and the informer retries.
   */
  readonly sourceFailed = (error: InformerError, state: LinkState, inTouch: boolean): boolean => {
    // The server cannot stream lists: a plain list follows at once.
    const isFallback = state === 'listing' && error.code === 'ERR_WATCH_LIST';
    const isFinal = !inTouch && error.code === 'ERR_KUBECONFIG';
    this.options.turns.after(() => this.handle(error, { isFallback, isFinal }));
    return isFinal;
  };

  /** Completes `error$`, after the final error if it has not been emitted. */
  complete(error?: Error): void {
    this.options.turns.after(() => {
      if (error instanceof InformerError && error !== this.lastEmitted) this.emit(error);
      this.isComplete = true;
      this.errors$.complete();
    });
  }

  /** Emits a failure, then calls `onError`: whatever that does, the failure has been emitted. */
  private handle(error: InformerError, kind: FailureKind = {}): void {
    const { onError, onStop } = this.options;
    this.emit(error, kind);
    const end = this.isComplete ? undefined : endOf(onError, error);
    if (end !== undefined) onStop(end);
  }

  private emit(error: InformerError, { isFallback = false, isFinal = false }: FailureKind = {}): void {
    this.lastEmitted = error;
    // Not logged: an expired watch or a failed streamed list is followed by a list, so a person need do nothing.
    if (!isFallback && error.code !== 'ERR_WATCH_EXPIRED' && this.isLogged(isFinal)) {
      const line = this.quiet(error, `${error.code}: ${error.message}`);
      if (line !== undefined) this.warn(line);
    }
    this.errors$.next(error);
  }

  /**
   * Whether to log: always with a logger; on the console if neither `onError` nor a subscriber of `error$` gets the failure. One that ends the informer reaches
   * those that wait for objects.
   */
  private isLogged(isFinal: boolean): boolean {
    const { logger, onError } = this.options;
    return logger !== undefined || (!isFinal && onError === undefined && !this.errors$.observed);
  }
}
