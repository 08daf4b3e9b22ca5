import { concatMap, EMPTY, filter, from, map, type Observable, of, takeWhile } from 'rxjs';
import type { KubernetesObject } from '../../../../src/api/kubernetesObject.js';
import type { ListerWatcher, WatchEvent, WatchRequest } from '../../../../src/api/listerWatcher.js';
import type { WatchGuarantee } from '../../../../src/testing/suites/guarantees/watchGuarantees.js';

type Source = ListerWatcher<KubernetesObject>;

/** A mistake that an informer could make, and the guarantee that its subscribers then miss. */
export interface ReflectorBug {
  readonly breaks: WatchGuarantee;
  readonly mutate: (source: Source) => Source;
}

/** The events of a watch one by one; `[]` is a sign of life. */
type Events = Observable<WatchEvent<KubernetesObject> | readonly []>;
interface EventSource {
  watch(request: WatchRequest): Events;
}

const onWatch =
  (watch: (source: EventSource) => EventSource['watch']) =>
  (source: Source): Source => {
    const bad = watch({
      watch: (request) => source.watch(request).pipe(concatMap((part): Events => (part.length === 0 ? of([]) : from(part)))),
    });
    return {
      list: (request) => source.list(request),
      watch: (request) => bad(request).pipe(map((event) => [event].flat())),
      watchList: false,
    };
  };

/** Its type; undefined for a sign of life. */
const typeOf = (event: WatchEvent<unknown> | readonly []): string | undefined => ('type' in event ? event.type : undefined);

const shifted = (request: WatchRequest, by: number): WatchRequest => ({
  ...request,
  resourceVersion: String(Number(request.resourceVersion) + by),
});

/** Ends after six events about objects, as if the connection had broken. */
const short = (events: Events): Events => {
  let count = 0;
  return events.pipe(takeWhile((event) => (count += [undefined, 'BOOKMARK'].includes(typeOf(event)) ? 0 : 1) < 6, true));
};

/** Mistakes by name. */
export const reflectorBugs: Readonly<Record<string, ReflectorBug>> = {
  'deletions are swallowed': {
    breaks: 'Reliable',
    mutate: onWatch((source) => (request) => source.watch(request).pipe(filter((event) => typeOf(event) !== 'DELETED'))),
  },
  'the watch begins behind the list': {
    breaks: 'Resumable',
    mutate: onWatch((source) => (request) => source.watch(shifted(request, 1))),
  },
  'a broken watch continues from where it began to break, less one event': {
    breaks: 'Reliable',
    mutate: onWatch((source) => {
      let begun = false;
      return (request) => {
        const again = begun;
        begun = true;
        let skipped = !again;
        return short(source.watch(request)).pipe(
          concatMap((event) => {
            if (skipped || [undefined, 'BOOKMARK', 'ERROR'].includes(typeOf(event))) return of(event);
            skipped = true;
            return EMPTY;
          }),
        );
      };
    }),
  },
  'a page of the list is lost': {
    breaks: 'Atomic',
    mutate: (source) => ({
      watchList: false,
      watch: (request) => source.watch(request),
      list: (request) => source.list(request).pipe(map((chunk) => ({ ...chunk, items: chunk.items.slice(1) }))),
    }),
  },
  'a relist does not take away what is gone': {
    breaks: 'Atomic',
    mutate: (source) => {
      const known = new Map<string | undefined, KubernetesObject>();
      return {
        watchList: false,
        watch: (request) => source.watch(request),
        list: (request) =>
          source.list(request).pipe(
            map((chunk) => {
              for (const item of chunk.items) known.set(item.metadata?.name, item);
              return { ...chunk, items: [...known.values()] };
            }),
          ),
      };
    },
  },
  'the old state of an object is kept under its new version': {
    breaks: 'PrevKV',
    mutate: onWatch((source) => {
      const known = new Map<string, KubernetesObject>();
      return (request) =>
        source.watch(request).pipe(
          map((event) => {
            if (!('type' in event) || event.type !== 'MODIFIED') return event;
            const name = event.object.metadata?.name ?? '';
            const old = known.get(name) ?? event.object;
            known.set(name, event.object);
            return {
              ...event,
              object: { ...old, metadata: { ...old.metadata, resourceVersion: event.object.metadata?.resourceVersion ?? '' } },
            };
          }),
        );
    }),
  },
};
