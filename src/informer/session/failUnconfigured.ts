import { type MonoTypeOperatorFunction, Observable } from 'rxjs';
import type { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';

function isOfConfiguration({ cause }: InformerError): boolean {
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_KUBECONFIG';
}

/**
 * Fails when the client has no usable kubeconfig. Waiting would not mend that: only a program that has been in touch with its server goes on, since
 * its kubeconfig may be on the way of being replaced.
 *
 * ```text
 * source  status(ERR_KUBECONFIG)             source  init page ready ... status(ERR_KUBECONFIG) ...
 * result  #                                  result  init page ready ... status(ERR_KUBECONFIG) ...
 * ```
 */
export function failUnconfigured<T>(): MonoTypeOperatorFunction<SourceEvent<T>> {
  return (source) =>
    new Observable((subscriber) => {
      let inTouch = false;
      return source.subscribe({
        next: (event) => {
          if (event.type !== 'status') inTouch ||= event.type !== 'init';
          else if (!inTouch && event.error !== undefined && isOfConfiguration(event.error)) {
            subscriber.error(event.error);
            return;
          }
          subscriber.next(event);
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    });
}
