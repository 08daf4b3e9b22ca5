import { checkOptions } from '../../api/options/checkOptions.js';
import { checkHandler } from '../../delta/checkHandler.js';
import { Activity } from '../session/activity.js';
import { type HandlerOptions, type HandlerRegistration, handlerRules, type ResourceEventHandler } from './eventHandler.js';
import type { InformerContext } from '../session/informerContext.js';
import { Registration } from './registration.js';
import { resyncOf } from '../session/resyncOf.js';

/**
 * The handlers of an informer. They follow its sessions, and start none.
 */
export class HandlerRegistry<T> {
  private readonly context: InformerContext<T>;
  private readonly registrations = new Set<Registration<T>>();
  /** Those that are removed, as long as one of their calls runs. */
  private readonly leaving = new Activity();
  private count = 0;

  constructor(context: InformerContext<T>) {
    this.context = context;
  }

  add(handler: ResourceEventHandler<T>, options: HandlerOptions<T>): HandlerRegistration {
    checkHandler('addEventHandler', handler);
    checkOptions('addEventHandler', options, handlerRules);
    const { name, changes$, indexer, turns, clock, hasSynced } = this.context;
    this.count += 1;
    const registration = new Registration(handler, options, {
      ...this.context,
      name: options.name ?? `${name} handler ${this.count}`,
      onRemove: (removed) => {
        this.registrations.delete(removed);
        following.unsubscribe();
        this.leaving.track(removed.removed);
      },
    });
    const resync = (): void => {
      if (registration.hasSynced() && hasSynced()) registration.take(resyncOf(indexer));
    };
    const following = clock.join(options.resyncPeriodMs, () => turns.tell(resync));
    this.registrations.add(registration);
    following.add(changes$.follow((change) => registration.take(change)));
    return registration;
  }

  /** Removes all handlers, and resolves when none of their calls runs any more. */
  stop(): Promise<void> {
    for (const registration of [...this.registrations]) registration.remove();
    return this.leaving.whenQuiet();
  }
}
