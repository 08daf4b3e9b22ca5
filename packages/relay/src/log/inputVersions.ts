import { Subscription } from 'rxjs';
import type { Collection } from 'rx-informer';
import { collectionPort, compareResourceVersions, resourceVersionOf, uidOf } from 'rx-informer/internal';
import { addHash, entryHash } from '../wire/contentHash.js';
import type { RelaySources } from './relaySources.js';

/** What each collection held when its number of changes was `changes`. */
const marks = new WeakMap<Collection<unknown>, { readonly changes: number; readonly mark: string | undefined }>();

/** A checksum of the uids of a collection with their versions: unlike names, nobody can guess them. Undefined where objects have none. */
function markOf(collection: Collection<unknown>): string | undefined {
  const { changes } = collection[collectionPort];
  const known = marks.get(collection);
  if (known?.changes === changes) return known.mark;
  let sum: number | undefined = 0;
  for (const object of collection.indexer.list()) {
    const [uid, version] = [uidOf(object), resourceVersionOf(object)];
    sum = uid === undefined || version === undefined || sum === undefined ? undefined : addHash(sum, entryHash(uid, version));
  }
  const mark = sum?.toString(36);
  marks.set(collection, { changes, mark });
  return mark;
}

/**
 * The versions of the kinds that a scope is computed from, as a text for tokens: for each kind that of its last change. The version of a list counts the changes of all
 * kinds, which a quiet kind reaches late at other replicas: a mark of its content stands behind it.
 */
export class InputVersions {
  private readonly collections: readonly (Collection<unknown> | undefined)[];
  private readonly last: (string | undefined)[] = [];

  constructor(sources: RelaySources, kinds: readonly string[]) {
    this.collections = kinds.map((kind) => sources[kind]?.collection);
  }

  /** Records the versions of changes until the subscription ends. */
  follow(): Subscription {
    const following = new Subscription();
    for (const [at, collection] of this.collections.entries()) {
      // Without the events of a snapshot, which nobody reads here.
      const subscription = collection?.[collectionPort].settled$.subscribe({
        next: ({ cause, resourceVersion }) => {
          if (resourceVersion === undefined || resourceVersion === '') return;
          const mark = cause === 'watch' ? undefined : markOf(collection);
          this.last[at] = mark === undefined ? resourceVersion : `${resourceVersion}:${mark}`;
        },
        // The view reports the same error.
        error: () => undefined,
      });
      following.add(subscription);
    }
    return following;
  }

  /** The versions of the last changes. */
  changed(): string {
    return this.collections.map((_, at) => this.last[at] ?? '').join(',');
  }

  /** The versions reached, which include bookmarks. */
  reached(): string {
    return this.collections.map((collection) => collection?.health().resourceVersion ?? '').join(',');
  }

  /** Whether something is missing up to a version of `changed`. With `hasAll`, what the collections have now counts. */
  lacks(version: string, reached: string, hasAll: boolean): boolean {
    const here = reached.split(',');
    return version.split(',').some((each, at) => {
      const [least = '', mark] = each.split(':');
      if (!((compareResourceVersions(here[at] ?? '', least) ?? 0) < 0)) return false;
      const collection = this.collections[at];
      return !hasAll || collection === undefined || mark === undefined || markOf(collection) !== mark;
    });
  }
}
