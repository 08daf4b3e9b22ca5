import type { ObservableInput } from 'rxjs';
import { type OptionRules, rules } from '../../api/options.js';

/** Options of a warm start. */
export interface WarmStartOptions {
  /** Where the cache is kept between two runs. */
  readonly store: SnapshotStore;
  /** How often the cache is saved, when it has changed; it is saved once more at the end. At least 1,000, default 60,000. */
  readonly saveEveryMs?: number | undefined;
  /** Whether Secrets may be saved. Default `false`: an informer on Secrets is refused. */
  readonly secrets?: boolean | undefined;
}

/** The rules of the options of a warm start. @internal */
export const warmStartRules: OptionRules<WarmStartOptions> = {
  store: rules.withMethods('open', 'save'),
  saveEveryMs: rules.durationOf({ min: 1000, infinite: true }),
  secrets: rules.boolean,
};

/** What one scope (namespace) of a cache held at one version. */
export interface SnapshotScope {
  /** The version that a watch may go on from. */
  readonly resourceVersion: string;
  /** Each key with its object, which is plain JSON. */
  readonly objects: Iterable<readonly [key: string, object: object]>;
}

/** What a cache holds at one moment. It does not change any more, however long it takes to write it. */
export interface CacheSnapshot {
  /** What the objects are of: server, resource, selection. */
  readonly identity: string;
  /** By scope; `''` is that of an informer on everything. */
  readonly scopes: ReadonlyMap<string, SnapshotScope>;
}

/** A snapshot as it was saved: read bit by bit. */
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
   * @throws Error when it is not what was written.
   */
  read(key: string): Uint8Array | undefined;
  /**
   * The JSON of all objects of a scope, in parts of whole objects with a comma between two. Between the parts the event loop goes on. Fails when something
   * is not what was written.
   */
  readAll(scope: string): ObservableInput<Uint8Array>;
  /** Nothing will be read any more. */
  close(): void;
}

/** Where an informer keeps its cache between two runs of a program. `snapshotFile` of `rx-informer/manager` is one. */
export interface SnapshotStore {
  /** What was saved last, or undefined where that is nothing. Fails where it is something else, or of another identity. */
  open(identity: string): ObservableInput<SavedSnapshot | undefined>;
  /** Saves a snapshot whole or not at all, in the place of the last one. It must not wait for `stop` of its informer, which waits for it. */
  save(snapshot: CacheSnapshot): ObservableInput<unknown>;
}
