import { checkOptions } from '../../api/options/checkOptions.js';
import { checkHandler } from '../../delta/checkHandler.js';
import { createActivity } from '../session/activity.js';
import { type HandlerOptions, type HandlerRegistration, handlerRules, type ResourceEventHandler } from './eventHandler.js';
import type { InformerContext } from '../session/informerContext.js';
import { Registration } from './registration.js';
import { resyncOf } from '../session/resyncOf.js';

/**
 * The handlers of an informer. They follow its sessions, and start none.
 */
export interface HandlerRegistry<T> {
  add(handler: ResourceEventHandler<T>, options: HandlerOptions<T>): HandlerRegistration;
  /** Removes all handlers, and resolves when none of their calls runs any more. */
  stop(): Promise<void>;
}

export function createHandlerRegistry<T>(options: InformerContext<T>): HandlerRegistry<T> {
  const { name, changes$, indexer, turns, clock, hasSynced } = options;
  const registrations = new Set<Registration<T>>();
  /** Those that are removed, as long as one of their calls runs. */
  const leaving = createActivity();
  let count = 0;

  return {
    add: (handler, handlerOptions) => {
      checkHandler('addEventHandler', handler);
      checkOptions('addEventHandler', handlerOptions, handlerRules);
      count += 1;
      const registration = new Registration(handler, handlerOptions, {
        ...options,
        name: handlerOptions.name ?? `${name} handler ${count}`,
        onRemove: (removed) => {
          registrations.delete(removed);
          following.unsubscribe();
          leaving.track(removed.removed);
        },
      });
      const resync = (): void => {
        if (registration.hasSynced() && hasSynced()) registration.take(resyncOf(indexer));
      };
      const following = clock.join(handlerOptions.resyncPeriodMs, () => turns.tell(resync));
      registrations.add(registration);
      following.add(changes$.follow((change) => registration.take(change)));
      return registration;
    },
    stop: async () => {
      for (const registration of [...registrations]) registration.remove();
      await leaving.whenQuiet();
    },
  };
}
