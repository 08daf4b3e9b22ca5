import { EMPTY, Observable, type ObservableInput, of, Subject, takeUntil } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../api/events.js';
import { InformerError, type InformerErrorCode } from '../../api/errors/informerError.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { callHandler, checkHandler } from '../../delta/checkHandler.js';
import { createCrossingFilter, type CrossingFilter } from '../../delta/share/crossingFilter.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from '../resourceEventHandler.js';
import { Activity, type InformerContext } from '../session/informerContext.js';
import { waitFor, type WaitOptions } from '../waiting/waitFor.js';
import { processRules, runnerOf, worked } from './process.js';

/** The rules of the options of `addEventHandler`. @internal */
const handlerRules: OptionRules<HandlerOptions<never>> = { ...processRules, filter: rules.function, name: rules.nonEmptyString };

/** One handler of an informer: its queue, and whether its snapshot has been processed. It outlives the informer's sessions. */
class Registration<T> implements HandlerRegistration {
  readonly name: string;
  readonly removed: Promise<void>;
  private readonly handler: ResourceEventHandler<T>;
  private readonly context: InformerContext<T>;
  private readonly filter: CrossingFilter<T> | undefined;
  private readonly activity = new Activity();
  private readonly synced$ = new Subject<void>();
  private readonly end$ = new Subject<void>();
  private isSynced = false;
  private isRemoved = false;
  private resolveRemoved!: (quiet: Promise<void>) => void;

  constructor(name: string, handler: ResourceEventHandler<T>, context: InformerContext<T>, filter: HandlerOptions<T>['filter']) {
    this.name = name;
    this.handler = handler;
    this.context = context;
    this.filter = filter && createCrossingFilter(filter);
    this.removed = new Promise((resolve) => {
      this.resolveRemoved = resolve;
    });
  }

  /** Begins to call the handler, which may stop the informer. Like `process`, but without starting a session. */
  follow({ resyncPeriodMs, sliceMs, buffer, capacity }: HandlerOptions<T>): void {
    const { name, context } = this;
    const change$ = new Observable<ResourceChange<T>>((subscriber) => {
      const resync = (change: ResourceChange<T>): void => {
        if (this.isSynced) subscriber.next(change);
      };
      subscriber.add(context.clock.join(resyncPeriodMs, resync));
      subscriber.add(context.changes$.follow((change) => subscriber.next(change)));
    });
    const who = `The handler ${name}`;
    const run = runnerOf<T, never>(who, (event) => this.call(event), { activity: this.activity, report: context.report });
    const calls$ = worked<T, never>(context, change$, { who, name, sliceMs, buffer, capacity }, run);
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

  private call(event: ResourceEvent<T>): ObservableInput<never> {
    if (event.type === 'synced' && !this.isSynced) {
      this.isSynced = true;
      this.synced$.next();
    }
    const passed = this.filter === undefined ? event : this.filter(event);
    if (passed === undefined) return EMPTY;
    this.context.trace?.delivery(this.name, passed);
    return (this.activity.track(callHandler(this.handler, passed)) as Promise<never> | undefined) ?? EMPTY;
  }

  private errorOf(code: InformerErrorCode, what: string): InformerError {
    return new InformerError({ code, message: `The handler ${this.name} ${what}` });
  }
}

/** The handlers of an informer. They get the changes of its sessions, and start none. */
export class HandlerRegistry<T> {
  private readonly context: InformerContext<T>;
  /** The handlers, including removed ones with a call under way. */
  private readonly registrations = new Set<Registration<T>>();
  private count = 0;

  constructor(context: InformerContext<T>) {
    this.context = context;
  }

  add(handler: ResourceEventHandler<T>, options: HandlerOptions<T>): HandlerRegistration {
    checkHandler('addEventHandler', handler);
    checkOptions('addEventHandler', options, handlerRules);
    this.count += 1;
    const name = options.name ?? `${this.context.name} handler ${this.count}`;
    const registration = new Registration(name, handler, this.context, options.filter);
    this.registrations.add(registration);
    void registration.removed.then(() => this.registrations.delete(registration));
    registration.follow(options);
    return registration;
  }

  /** Whether a call of a handler is running. */
  isBusy(): boolean {
    return [...this.registrations].some((registration) => registration.isBusy());
  }

  /** Removes all handlers, and resolves when none of their calls is running. */
  async stop(): Promise<void> {
    const all = [...this.registrations];
    for (const registration of all) registration.remove();
    await Promise.all(all.map(({ removed }) => removed));
  }
}
