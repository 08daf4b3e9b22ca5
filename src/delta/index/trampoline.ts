import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import { follow } from '../../rx/follow.js';

/**
 * Serialises re-entrant notifications: one goes through everything below before the next one begins, whoever caused it.
 *
 * ```text
 * source  a            a handler below reacts to a by making the source emit b
 * below   (a..a)(b..b) b waits until every subscriber is done with a
 * ```
 *
 * Errors and completion wait for their turn too. Unsubscribing drops what waits.
 */
export function trampoline<T>(): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable((subscriber) => {
      let waiting: (() => void)[] = [];
      let busy = false;

      const drain = (): void => {
        for (let at = 0; at < waiting.length; at += 1) waiting[at]?.();
        waiting = [];
      };
      const notify = (notification: () => void): void => {
        if (busy) {
          waiting.push(notification);
          return;
        }
        busy = true;
        try {
          notification();
          drain();
        } finally {
          busy = false;
        }
      };

      subscriber.add(() => {
        waiting = [];
      });
      follow(source, subscriber, {
        next: (value) => notify(() => subscriber.next(value)),
        error: (error: unknown) => notify(() => subscriber.error(error)),
        complete: () => notify(() => subscriber.complete()),
      });
    });
}
