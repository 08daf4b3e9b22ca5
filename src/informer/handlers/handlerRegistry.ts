import type { SchedulerLike } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { checkBufferOptions } from '../../delta/buffers/createEventBuffer.js';
import { checkSliceMs } from '../../delta/buffers/worker.js';
import type { SnapshotSubject } from '../../delta/share/snapshotSubject.js';
import { createActivity } from '../session/activity.js';
import { checkHandler } from './callHandler.js';
import type { HandlerOptions, HandlerRegistration, ResourceEventHandler } from './eventHandler.js';
import type { InformerTrace } from '../session/informerTrace.js';
import { Registration } from './registration.js';
import { resyncEvents } from '../session/resyncEvents.js';
import { checkResyncPeriod, type ResyncClock } from '../session/resyncClock.js';

/**
 * The handlers of an informer. They follow its sessions, and start none.
 */
export interface HandlerRegistry<T> {
  add(handler: ResourceEventHandler<T>, options: HandlerOptions<T>): HandlerRegistration;
  /** A session begins; what the cache holds has been told before where `warm` is true. */
  begin(subject: SnapshotSubject<T>, warm: boolean): void;
  /** The session is over. */
  idle(): void;
  /** Removes all handlers, and resolves when none of their calls runs any more. */
  stop(): Promise<void>;
}

/**
 * What a handler registry has to know of its informer.
 */
export interface HandlerRegistryOptions<T> {
  readonly name: string;
  readonly indexer: Indexer<T>;
  readonly scheduler: SchedulerLike;
  readonly clock: ResyncClock;
  readonly hasSynced: () => boolean;
  readonly report: (error: InformerError) => void;
  readonly trace?: InformerTrace | undefined;
}

function checkArguments<T>(handler: ResourceEventHandler<T>, options: HandlerOptions<T>): void {
  checkHandler(handler);
  const name: unknown = options.name;
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new TypeError(`Expected \`name\` to be a non-empty string, got ${JSON.stringify(name)}`);
  }
  checkBufferOptions(options);
  checkSliceMs(options.sliceMs);
  checkResyncPeriod(options.resyncPeriodMs);
  if (options.filter !== undefined && typeof options.filter !== 'function') {
    throw new TypeError(`Expected \`filter\` to be a function, got ${typeof options.filter}`);
  }
}

export function createHandlerRegistry<T>(options: HandlerRegistryOptions<T>): HandlerRegistry<T> {
  const { name, indexer, scheduler, clock, hasSynced, report, trace } = options;
  const registrations = new Set<Registration<T>>();
  /** Those that are removed, as long as one of their calls runs. */
  const leaving = createActivity();
  let session: { readonly subject: SnapshotSubject<T>; readonly warm: boolean } | undefined;
  let count = 0;

  const attach = (registration: Registration<T>): void => {
    if (session === undefined) return;
    registration.attach(session.subject.observe({ fresh: session.warm && registration.isFresh() }));
  };

  return {
    add: (handler, handlerOptions) => {
      checkArguments(handler, handlerOptions);
      count += 1;
      const registration = new Registration(handler, handlerOptions, {
        ...{ indexer, scheduler, report, trace },
        name: handlerOptions.name ?? `${name} handler ${count}`,
        onRemove: (removed) => {
          registrations.delete(removed);
          resyncing.unsubscribe();
          leaving.track(removed.removed);
        },
      });
      const resyncing = clock.join(handlerOptions.resyncPeriodMs, () => {
        if (registration.hasSynced() && hasSynced()) for (const event of resyncEvents(indexer)) registration.tell(event);
      });
      registrations.add(registration);
      attach(registration);
      return registration;
    },
    begin: (subject, warm) => {
      session = { subject, warm };
      for (const registration of registrations) attach(registration);
    },
    idle: () => {
      session = undefined;
      for (const registration of registrations) registration.detach();
    },
    stop: async () => {
      session = undefined;
      for (const registration of [...registrations]) registration.remove();
      await leaving.whenQuiet();
    },
  };
}
