import { Observable, of, Subject, takeUntil } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { InformerError, type InformerErrorCode } from '../../api/errors/informerError.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { callHandler, checkHandler, type ResourceEventHandler } from '../../delta/resourceEventHandler.js';
import { createCrossingFilter, type CrossingFilter } from '../../delta/share/crossingFilter.js';
import type { HandlerOptions } from '../handlerRegistration.js';
import { handlerError } from '../session/errorReporter.js';
import { Activity, type Consumer, type InformerContext, type RunningHandler } from '../session/informerContext.js';
import { waitFor, type WaitOptions } from '../waiting/waitFor.js';
import { noteFailure, processRules, worked } from './process.js';

/** The rules of the options of `addEventHandler`. @internal */
const handlerRules: OptionRules<HandlerOptions<never>> = { ...processRules, filter: rules.function, name: rules.nonEmptyString };

/** One handler of an informer: its queue, and whether its snapshot has been processed. It outlives the informer's sessions. */
class Handler<T> implements RunningHandler {
  readonly name: string;
  readonly removed: Promise<void>;
  private readonly handler: ResourceEventHandler<T>;
  private readonly context: InformerContext<T>;
  private readonly options: HandlerOptions<T>;
  private readonly filter: CrossingFilter<T> | undefined;
  private readonly activity = new Activity();
  readonly failures: Consumer['failures'] = { failed: 0 };
  private readonly synced$ = new Subject<void>();
  private readonly end$ = new Subject<void>();
  private isSynced = false;
  private isRemoved = false;
  private resolveRemoved!: (quiet: Promise<void>) => void;

  constructor(context: InformerContext<T>, name: string, handler: ResourceEventHandler<T>, options: HandlerOptions<T>) {
    this.name = name;
    this.handler = handler;
    this.context = context;
    this.options = options;
    this.filter = options.filter && createCrossingFilter(options.filter);
    this.removed = new Promise((resolve) => {
      this.resolveRemoved = resolve;
    });
  }

  /** Like `process`, but without starting a session. */
  follow(): void {
    const { name, context } = this;
    const { resyncPeriodMs, sliceMs, buffer, capacity } = this.options;
    const change$ = new Observable<ResourceChange<T>>((subscriber) => {
      const resync = (change: ResourceChange<T>): void => {
        if (this.isSynced) subscriber.next(change);
      };
      subscriber.add(context.clock.join(resyncPeriodMs, resync));
      subscriber.add(context.changes$.follow((change) => subscriber.next(change)));
    });
    const consumer = { who: `The handler ${name}`, name, failures: this.failures, sliceMs, buffer, capacity };
    const calls$ = worked<T, never>(context, change$, consumer, (event, _, done) => this.run(event, done));
    const error = (overflow: InformerError): void => {
      context.report(overflow);
      this.remove();
    };
    calls$.pipe(takeUntil(this.end$)).subscribe({ error });
  }

  hasSynced(): boolean {
    return this.isSynced;
  }

  whenSynced(options: WaitOptions = {}): Promise<void> {
    const ended = (): Error => this.errorOf('ERR_STOPPED', 'was removed before it had synced');
    const tooLate = (): Error => this.errorOf('ERR_TIMEOUT', `did not sync within ${options.timeoutMs ?? Infinity} ms`);
    const synced: Observable<void> = this.isSynced ? of(undefined) : this.synced$;
    return waitFor(synced, options, { owner: 'whenSynced', scheduler: this.context.scheduler, ended, tooLate });
  }

  remove(): void {
    if (this.isRemoved) return;
    this.isRemoved = true;
    this.end$.next();
    this.synced$.complete();
    this.resolveRemoved(this.activity.whenQuiet());
  }

  isBusy(): boolean {
    return this.activity.isBusy();
  }

  private run(event: ResourceEvent<T>, done: () => void): void {
    if (event.type === 'synced' && !this.isSynced) {
      this.isSynced = true;
      this.synced$.next();
    }
    let promise: Promise<unknown> | undefined;
    try {
      const passed = this.filter === undefined ? event : this.filter(event);
      if (passed !== undefined) this.context.delivered?.(this.name, passed);
      else if (event.type !== 'synced') this.context.drops$.next({ reason: 'filtered', keys: [event.key], by: this.name });
      promise = passed && this.activity.track(this.activity.call(() => callHandler(this.handler, passed)));
    } catch (error) {
      this.failed(error, event);
    }
    if (promise === undefined) {
      done();
      return;
    }
    promise.then(done, (error: unknown) => {
      this.failed(error, event);
      done();
    });
  }

  private failed(cause: unknown, event: ResourceEvent<T>): void {
    noteFailure(this, cause);
    this.context.report(handlerError(`The handler ${this.name}`, cause, event));
  }

  private errorOf(code: InformerErrorCode, what: string): InformerError {
    return new InformerError({ code, message: `The handler ${this.name} ${what}` });
  }
}

/** A handler of an informer. It gets the changes of all sessions, and starts none. @throws TypeError when the handler or an option is wrong. */
export function createHandler<T>(
  context: InformerContext<T>,
  usualName: string,
  handler: ResourceEventHandler<T>,
  options: HandlerOptions<T>,
): RunningHandler {
  checkHandler('addEventHandler', handler);
  checkOptions('addEventHandler', options, handlerRules);
  return new Handler(context, options.name ?? usualName, handler, options);
}
