import { defer, merge, type Observable, tap } from 'rxjs';
import type { SourceEvent } from '../api/events.js';

/**
 * Merges sources of different scopes into one, for example one per namespace.
 *
 * ```text
 * web     i-p--r-----c-----
 * db      i---p---r-----d--      i, p, r: each scope's own
 * result  i-p-pr--r--c--d--
 * ```
 *
 * Each source keeps its own scope, versions and retries: one that fails and waits does not delay the others. The first error ends all of them. Two sources
 * with the same scope, which would delete each other's objects, end all with a TypeError.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { listerWatcher, mergeSources, reflect } from 'rx-informer/pipeline';
 *
 * const client = createClient();
 * const sources = ['web', 'db'].map((namespace) => reflect(listerWatcher(client, resources.core.v1.pods, { namespace })));
 * mergeSources(sources).subscribe((event) => console.log(event.type, event.scope));
 * ```
 */
export function mergeSources<T>(sources: readonly Observable<SourceEvent<T>>[]): Observable<SourceEvent<T>> {
  return defer(() => {
    const owners = new Map<string, number>();
    const own = (event: SourceEvent<T>, source: number): void => {
      if (event.type !== 'init') return;
      const owner = owners.get(event.scope) ?? source;
      if (owner !== source)
        throw new TypeError(`Expected each source to have a scope of its own, got ${JSON.stringify(event.scope)} twice`);
      owners.set(event.scope, source);
    };
    return merge(...sources.map((source, index) => source.pipe(tap((event) => own(event, index)))));
  });
}
