import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import { follow } from '../../rx/follow.js';
import { Trampoline } from '../../rx/trampoline.js';

/**
 * Serialises re-entrant notifications: one goes through everything below before the next one begins, whoever caused it.
 *
 * ```text
 * source  a            a handler below reacts to a by making the source emit b
 * below   (a..a)(b..b) b waits until every subscriber is done with a
 * ```
 *
 * Errors and completion wait for their turn too. Unsubscribing drops what waits.
 *
 * @param turns - whose turns the notifications take; by default those of each subscription of its own.
 */
export function trampoline<T>(turns?: Trampoline): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable((subscriber) => {
      const own = turns ?? new Trampoline();
      follow(source, subscriber, {
        next: (value) => own.run(() => subscriber.next(value)),
        error: (error: unknown) => own.run(() => subscriber.error(error)),
        complete: () => own.run(() => subscriber.complete()),
      });
    });
}
