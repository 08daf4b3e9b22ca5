import { concatMap, EMPTY, filter, map, type Observable, of, takeWhile } from 'rxjs';
import type { KubernetesObject } from '../../../../src/api/kubernetesObject.js';
import type { ListerWatcher, WatchRequest } from '../../../../src/api/listerWatcher.js';
import type { WatchGuarantee } from '../../../../src/testing/suites/guarantees/watchGuarantees.js';

type Source = ListerWatcher<KubernetesObject>;

/** A mistake that an informer could make, and the guarantee that its subscribers then miss. */
export interface ReflectorBug {
  readonly breaks: WatchGuarantee;
  readonly mutate: (source: Source) => Source;
}

const onWatch =
  (watch: (source: Source) => Source['watch']) =>
  (source: Source): Source => ({
    list: (request) => source.list(request),
    watch: watch(source),
    watchList: false,
  });

const shifted = (request: WatchRequest, by: number): WatchRequest => ({
  ...request,
  resourceVersion: String(Number(request.resourceVersion) + by),
});

/** Ends after six events about objects, as if the connection had broken. */
const short = <E extends { readonly type: string }>(events: Observable<E>): Observable<E> => {
  let count = 0;
  return events.pipe(takeWhile(({ type }) => (count += type === 'PROGRESS' || type === 'BOOKMARK' ? 0 : 1) < 6, true));
};

/** Mistakes by name. */
export const reflectorBugs: Readonly<Record<string, ReflectorBug>> = {
  'deletions are swallowed': {
    breaks: 'Reliable',
    mutate: onWatch((source) => (request) => source.watch(request).pipe(filter(({ type }) => type !== 'DELETED'))),
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
            if (skipped || event.type === 'PROGRESS' || event.type === 'BOOKMARK' || event.type === 'ERROR') return of(event);
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
            if (event.type !== 'MODIFIED') return event;
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
