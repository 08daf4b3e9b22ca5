import type { ObservableInput } from 'rxjs';
import { type OptionRules, rules } from '../../api/options.js';

/** Options of `warmStart`. */
export interface WarmStartOptions {
  /** How often a changed cache is saved, in milliseconds, at least 1,000; it is saved once more at the end. @defaultValue 60000 */
  readonly saveEveryMs?: number | undefined;
  /** Whether Secrets may be saved. Without it, an informer on Secrets is refused. @defaultValue false */
  readonly secrets?: boolean | undefined;
}

/** The rules of the options of a warm start. @internal */
export const warmStartRules: OptionRules<WarmStartOptions> = {
  saveEveryMs: rules.durationOf({ min: 1000, infinite: true }),
  secrets: rules.boolean,
};

/** The content of one scope (namespace) of a cache at one version. */
export interface SnapshotScope {
  /** The version from which a watch may resume. */
  readonly resourceVersion: string;
  /** Each key with its object, as plain JSON. */
  readonly objects: Iterable<readonly [key: string, object: object]>;
}

/** The content of a cache at one moment. It is immutable, however long writing it takes. */
export interface CacheSnapshot {
  /** Identifies the content: server, resource, selection. */
  readonly identity: string;
  /** The scopes by name; `''` is that of an informer on all namespaces. */
  readonly scopes: ReadonlyMap<string, SnapshotScope>;
}

/** A saved snapshot, which is read in parts. */
export interface SavedSnapshot {
  /** When it was saved, in milliseconds since 1970. */
  readonly savedAt: number;
  /** The version of each scope. */
  readonly resourceVersions: ReadonlyMap<string, string>;
  /** All keys. */
  keys(): readonly string[];
  /**
   * The JSON of one object; undefined when there is none.
   *
   * @throws Error when the data is damaged.
   */
  read(key: string): Uint8Array | undefined;
  /**
   * The JSON of all objects of a scope, in parts of whole objects separated by commas. Yields to the event loop between parts. Fails when the data
   * is damaged.
   */
  readAll(scope: string): ObservableInput<Uint8Array>;
  /**
   * Called with the objects that were decoded from the parts of a scope, in their order. As long as the cache has such an object, a store can write its bytes again
   * instead of its JSON.
   */
  restored?(scope: string, objects: readonly object[]): void;
  /** Called when nothing more will be read. */
  close(): void;
}

/** Stores an informer's cache between two runs of a program. `snapshotFile` of `@rx-informer/controller/manager` is one. */
export interface SnapshotStore {
  /** The last saved snapshot, or undefined if there is none. Fails if the data is damaged, or has another identity. */
  open(identity: string): ObservableInput<SavedSnapshot | undefined>;
  /** Saves a snapshot completely or not at all, replacing the last one. Must not wait for `stop` of its informer, which waits for it. */
  save(snapshot: CacheSnapshot): ObservableInput<unknown>;
}
