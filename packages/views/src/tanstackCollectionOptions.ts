import type { Collection } from 'rx-informer';
import { expectCollection } from './kernel/checks.js';

/**
 * An object of a collection as a row of TanStack DB.
 */
export type TanstackRow<T> = Readonly<{
  key: string;
  object: T;
}>;

/**
 * What TanStack DB passes to the `sync` function of a collection.
 */
export type TanstackSync<T> = Readonly<{
  /** Begins a transaction. */
  begin(): void;
  /** Writes one row within the transaction. */
  write(message: { type: 'insert' | 'update' | 'delete'; value: TanstackRow<T> }): void;
  /** Makes the transaction visible. */
  commit(): unknown;
  /** Marks the content as complete. */
  markReady(): void;
  /** Marks the collection as failed. */
  markError?(error?: unknown): void;
}>;

/**
 * The options of `createCollection` of TanStack DB.
 */
export type TanstackCollectionOptions<T> = Readonly<{
  id: string;
  /** The key of a row. */
  getKey: (row: TanstackRow<T>) => string;
  /** How the collection is synchronized. */
  sync: {
    rowUpdateMode: 'full';
    /** Begins the synchronization, and returns the function that ends it. */
    sync: (params: TanstackSync<T>) => () => void;
  };
}>;

const writes = { added: 'insert', updated: 'update', deleted: 'delete' } as const;

/**
 * Makes the options of a collection of `@tanstack/db` that shows an informer or a view: one transaction per change, ready when the content is complete.
 *
 * A row has `key` and `object`. The informer or view keeps running while TanStack DB syncs; its name becomes the `id`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { tanstackCollectionOptions } from '@rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const options = tanstackCollectionOptions(pods);
 * // const collection = createCollection(options);
 * console.log(options.id);
 * ```
 *
 * @throws TypeError when the argument is neither an informer nor a view.
 */
export function tanstackCollectionOptions<T>(collection: Collection<T>): TanstackCollectionOptions<T> {
  expectCollection('tanstackCollectionOptions', collection);
  const sync = (rows: TanstackSync<T>): (() => void) => {
    const subscription = collection.change$.subscribe({
      next: ({ events, synced }) => {
        if (events.length > 0) {
          rows.begin();
          for (const { type, key, object } of events) rows.write({ type: writes[type], value: { key, object } });
          rows.commit();
        }
        if (synced) rows.markReady();
      },
      error: (error: unknown) => rows.markError?.(error),
    });
    return () => subscription.unsubscribe();
  };
  return { id: collection.name, getKey: ({ key }) => key, sync: { rowUpdateMode: 'full', sync } };
}
