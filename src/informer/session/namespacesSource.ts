import { Observable, Subscription } from 'rxjs';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { Trampoline } from '../../rx/trampoline.js';

/**
 * Merges one source per namespace, following a list of namespaces that changes. A namespace that leaves, ends with an empty list: everything in
 * it is gone. `scopes` is kept at the namespaces that count.
 *
 * @param turns - those in which the events are taken in: namespaces that change meanwhile wait until the events before them have been.
 */
export function namespacesSource<T>(
  namespaces: Observable<readonly string[]>,
  sourceOf: (namespace: string) => Observable<SourceEvent<T>>,
  scopes: Set<string>,
  turns: Trampoline = new Trampoline(),
): Observable<SourceEvent<T>> {
  return new Observable((subscriber) => {
    const running = new Map<string, Subscription>();
    const error = (failure: unknown): void => subscriber.error(failure);
    scopes.clear();

    const leave = (scope: string): void => {
      subscriber.next({ type: 'init', scope, reason: 'first', previousResourceVersion: '' });
      subscriber.next({ type: 'ready', scope, resourceVersion: '' });
    };

    const follow = (wanted: ReadonlySet<string>): void => {
      const leaving = [...running].filter(([namespace]) => !wanted.has(namespace));
      const entering = [...wanted].filter((namespace) => !running.has(namespace));
      for (const [namespace, subscription] of leaving) {
        subscription.unsubscribe();
        running.delete(namespace);
        scopes.delete(namespace);
      }
      for (const namespace of entering) scopes.add(namespace);
      for (const [namespace] of leaving) leave(namespace);
      // With no namespace at all, there is nothing to wait for.
      if (wanted.size === 0 && leaving.length === 0) leave('');
      for (const namespace of entering) {
        const subscription = new Subscription();
        running.set(namespace, subscription);
        subscriber.add(subscription);
        subscription.add(sourceOf(namespace).subscribe({ next: (event) => subscriber.next(event), error }));
      }
    };

    // What is emitted here may make the namespaces change: then the last ones are next.
    let latest: readonly string[] = [];
    const followLatest = (names: readonly string[]): void => {
      latest = names;
      turns.run(() => {
        if (names === latest && !subscriber.closed) follow(new Set(names));
      });
    };

    subscriber.add(namespaces.subscribe({ next: followLatest, error }));
  });
}
