import type { Collection } from 'rx-informer';
import { entryOf } from 'rx-informer/internal';
import { derive, type OrderedView, topObjects } from '@rx-informer/views';
import type { Scope } from '../wire/frames.js';
import { ordering } from '../wire/ordering.js';

interface Shared {
  readonly order: OrderedView<unknown>;
  readonly stop: () => void;
  users: number;
}

/** An order that is held until `release`. */
export interface HeldOrder {
  readonly order: OrderedView<unknown>;
  readonly release: () => void;
}

/** The orders of which windows are parts: kept once for all windows. */
export class Orders {
  private readonly shared = new Map<string, Shared>();

  /** The order of a scope's window, of the objects that `isHere` selects. */
  hold(collection: Collection<unknown>, scope: Scope, isHere: ((object: unknown) => boolean) | undefined): HeldOrder {
    const { kind, view, namespace = '', labelSelector = '', window } = scope;
    const { orderBy = '', descending = false } = window ?? {};
    const id = JSON.stringify([kind ?? view, namespace, labelSelector, orderBy, descending]);
    const shared = entryOf(this.shared, id, (): Shared => {
      const within = isHere && derive(collection, (object) => (isHere(object) ? (object as object) : undefined));
      const order = topObjects<unknown>(within ?? collection, ordering({ orderBy, descending }), { limit: Infinity });
      const stop = (): void => {
        void order.stop();
        void within?.stop();
      };
      return { order, stop, users: 0 };
    });
    shared.users += 1;
    return {
      order: shared.order,
      release: () => {
        shared.users -= 1;
        if (shared.users > 0) return;
        this.shared.delete(id);
        shared.stop();
      },
    };
  }
}
