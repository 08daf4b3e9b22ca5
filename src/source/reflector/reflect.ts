import { Observable } from 'rxjs';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListerWatcher } from '../../api/listerWatcher.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { type ReflectOptions, reflectSettings, type ReflectSettings } from './reflectOptions.js';
import { meteredSource } from '../meteredSource.js';
import { Reflector } from './reflector.js';
import { nothingKnown } from './step.js';

/**
 * Lists and watches a resource for as long as it is subscribed to, and emits everything from one cold Observable.
 *
 * ```text
 * list      (ab)|                                          (a)|
 * watch          -----c-----|                                 ----d---
 * watch                      -----# 410
 * result    i-p--r----c-----------s------ backoff ---------i-p--r----d---
 * i: init, p: page, r: ready, c, d: added, modified or deleted, s: status with the error
 * ```
 *
 * - Each subscription is a session of its own, without the state of another.
 * - It never completes, and fails only when `onError` said `'stop'`, with that InformerError. Every failure is a `status` notification, and is
 *   retried for ever: a watch from the last version where that can work, a list where it cannot.
 * - Waits between failing attempts grow from `backoff.initialMs` to `backoff.maxMs`. They begin anew only after a watch that brought an event or
 *   a bookmark, or stayed open for `healthyWatchMs`.
 * - A watch that the server closed, or that was silent for `idleTimeoutMs`, is replaced at once, without a list and without an error.
 * - A watch counts as open with the first `PROGRESS` or event of the lister-watcher.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { listerWatcher, reflect } from 'rx-informer/pipeline';
 *
 * reflect(listerWatcher(createClient(), resources.core.v1.pods)).subscribe((event) => console.log(event.type));
 * ```
 *
 * @throws TypeError when an option is wrong.
 * @see client-go's `Reflector`
 */
export function reflect<T extends KubernetesObject>(
  listerWatcher: ListerWatcher<T>,
  options: ReflectOptions = {},
): Observable<SourceEvent<T>> {
  const settings = reflectSettings(options);
  if (settings.listStrategy === 'watchList' && listerWatcher.watchList === false) {
    throw new TypeError("Expected `listStrategy` to be 'auto' or 'list' for a source that cannot stream lists, got \"watchList\"");
  }
  return reflectWith(listerWatcher, settings);
}

/**
 * {@link reflect} by settings that are complete: each subscription is a reflector of its own.
 *
 * @param from - a version to watch from at first, in the place of a list. The server is trusted once it has reached that version.
 * @param relist$ - whenever it emits, everything is listed, as by `relistPeriodMs`.
 * @internal
 */
export function reflectWith<T extends KubernetesObject>(
  source: ListerWatcher<T>,
  settings: ReflectSettings,
  { from, relist$ }: { readonly from?: string | undefined; readonly relist$?: Observable<void> | undefined } = {},
): Observable<SourceEvent<T>> {
  return new Observable((subscriber) => {
    const { resource = 'objects', scope, expected, watchList } = source;
    const reflector = new Reflector<T>({
      source: meteredSource(source, settings, (error) => reflector.happens({ type: 'traceFailed', error })),
      context: {
        settings,
        source: { resource, scope, expected, watchList },
        refusals: settings.watchListRefusals ?? new Map<string, number>(),
      },
      output: subscriber,
      ...(from !== undefined && { memory: { ...nothingKnown, version: from, doubtedAt: from }, next: { type: 'watch' } }),
    });
    subscriber.add(() => reflector.stop());
    subscriber.add(
      relist$?.subscribe({ next: () => reflector.happens({ type: 'relistWanted' }), error: (error: unknown) => subscriber.error(error) }),
    );
    reflector.happens({ type: 'due' });
  });
}
