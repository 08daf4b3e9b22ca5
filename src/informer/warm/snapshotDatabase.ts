import { defer, type SchedulerLike } from 'rxjs';
import { checkOptions, expectArgument, type OptionRules, rules } from '../../api/options.js';
import { jsonTextOf } from '../../api/jsonTextOf.js';
import type { CacheSnapshot, SavedSnapshot, SnapshotStore } from './snapshotStore.js';
import { dateOf, monotonicScheduler } from '../../rx/schedulerOf.js';

/** The part of IndexedDB used here; Node's types have none of it. */
interface Request<R> {
  readonly result: R;
  readonly error: Error | null;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface ObjectStore {
  get(key: string): Request<unknown>;
  put(value: unknown, key: string): Request<unknown>;
  delete(key: string): Request<unknown>;
}

interface Transaction {
  objectStore(name: string): ObjectStore;
  readonly error: Error | null;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}

interface Database {
  transaction(store: string, mode: 'readonly' | 'readwrite'): Transaction;
  createObjectStore(name: string): unknown;
  close(): void;
}

interface OpenRequest extends Request<Database> {
  onupgradeneeded: (() => void) | null;
}

const databaseName = 'rx-informer';
const storeName = 'snapshots';
const longestOpenMs = 5_000;

/** Fails after a while without an answer: behind a deletion that another tab blocks, browsers give none, and the informer waits for its snapshot. */
function openDatabase(scheduler: SchedulerLike): Promise<Database> {
  return new Promise((resolve, reject) => {
    const { indexedDB } = globalThis as { readonly indexedDB?: { open(name: string, version: number): OpenRequest } };
    if (indexedDB === undefined) throw new Error('IndexedDB is not available');
    const request = indexedDB.open(databaseName, 1);
    const late = scheduler.schedule(() => {
      request.onsuccess = () => request.result.close();
      reject(new Error(`IndexedDB has not answered for ${longestOpenMs} ms`));
    }, longestOpenMs);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => {
      late.unsubscribe();
      resolve(request.result);
    };
    request.onerror = () => {
      late.unsubscribe();
      reject(request.error ?? new Error('IndexedDB cannot be opened'));
    };
  });
}

/** Runs one request in a transaction: resolves when it is committed. */
async function transact(
  mode: 'readonly' | 'readwrite',
  step: (store: ObjectStore) => Request<unknown>,
  scheduler: SchedulerLike = monotonicScheduler,
): Promise<unknown> {
  const database = await openDatabase(scheduler);
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = step(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('the browser has given it up'));
    });
  } finally {
    database.close();
  }
}

/** The snapshots that this origin stores in the browser, by name. */
export const database = {
  get: (name: string, scheduler?: SchedulerLike): Promise<unknown> => transact('readonly', (store) => store.get(name), scheduler),
  put: (name: string, value: unknown): Promise<unknown> => transact('readwrite', (store) => store.put(value, name)),
  remove: (name: string): Promise<unknown> => transact('readwrite', (store) => store.delete(name)),
};

/** Options of {@link snapshotDatabase}. */
export interface SnapshotDatabaseOptions {
  /** Older snapshots are ignored, in milliseconds; at least 1,000. @defaultValue 86400000, a day */
  readonly maxAgeMs?: number | undefined;
}

const optionRules: OptionRules<SnapshotDatabaseOptions> = { maxAgeMs: rules.durationOf({ min: 1_000, infinite: true }) };

/** A scope in its stored form. */
interface SavedScope {
  readonly scope: string;
  readonly resourceVersion: string;
  readonly keys: readonly string[];
  /** The JSON of each object. */
  readonly texts: readonly string[];
}

interface Saved {
  readonly format: number;
  readonly identity: string;
  readonly savedAt: number;
  readonly scopes: readonly SavedScope[];
}

/** A store of snapshots in a page. */
export interface SnapshotDatabase extends SnapshotStore {
  /** Deletes the snapshot, for example when the user logs out. */
  clear(): Promise<void>;
}

const dayMs = 86_400_000;
const sliceMs = 8;
/** How many objects are read per task of the event loop. */
const partObjects = 100;
const utf8 = new TextEncoder();

/** Resolves in a new task of the event loop. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    monotonicScheduler.schedule(() => resolve());
  });
}

async function textsOf(objects: Iterable<readonly [string, object]>): Promise<Pick<SavedScope, 'keys' | 'texts'>> {
  const [keys, texts]: [string[], string[]] = [[], []];
  let begun = monotonicScheduler.now();
  for (const [key, object] of objects) {
    keys.push(key);
    texts.push(jsonTextOf(object));
    if (monotonicScheduler.now() - begun < sliceMs) continue;
    await nextTurn();
    begun = monotonicScheduler.now();
  }
  return { keys, texts };
}

/** The snapshot loaded into memory, since IndexedDB cannot be read synchronously. */
function opened({ savedAt, scopes }: Saved): SavedSnapshot {
  const objects = new Map(scopes.flatMap(({ keys, texts }) => keys.map((key, at) => [key, texts[at] ?? ''] as const)));
  return {
    savedAt,
    resourceVersions: new Map(scopes.map(({ scope, resourceVersion }) => [scope, resourceVersion])),
    keys: () => [...objects.keys()],
    read: (key) => {
      const text = objects.get(key);
      return text === undefined ? undefined : utf8.encode(text);
    },
    readAll: async function* (name) {
      const texts = scopes.find(({ scope }) => scope === name)?.texts ?? [];
      for (let at = 0; at < texts.length && objects.size > 0; at += partObjects) {
        yield utf8.encode(texts.slice(at, at + partObjects).join(','));
        await nextTurn();
      }
    },
    close: () => objects.clear(),
  };
}

/**
 * Stores the cache of one informer in the browser (IndexedDB), for the part `warmStart`: a page that is opened again shows its last state at once, in the state
 * `restored`, until the server has returned the changes since.
 *
 * Objects that a user could read stay on the user's disk until they are replaced, cleared or too old. Use different names for different users of a browser.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { warmStart } from 'rx-informer/pipeline';
 * import { snapshotDatabase } from 'rx-informer/browser';
 *
 * const client = createClient({ server: 'http://localhost:5173' });
 * const saved = warmStart(snapshotDatabase('ada/pods'), { saveEveryMs: 10_000 });
 * const pods = createInformer(client, resources.core.v1.pods, { parts: [saved] });
 * pods.start();
 * pods.health$.subscribe(({ state }) => console.log(state, pods.lister.list().length));
 * ```
 *
 * @param name - the name of the snapshot: include the user and the kind of objects. Each informer needs a name of its own.
 * @returns a store whose `clear` deletes the snapshot, for example when the user logs out.
 * @throws TypeError when the name or an option is wrong.
 */
export function snapshotDatabase(name: string, options: SnapshotDatabaseOptions = {}): SnapshotDatabase {
  expectArgument('snapshotDatabase', 'name', name, rules.nonEmptyString);
  checkOptions('snapshotDatabase', options, optionRules);
  const { maxAgeMs = dayMs } = options;

  const open = async (identity: string): Promise<SavedSnapshot | undefined> => {
    const saved = (await database.get(name)) as Saved | undefined;
    if (saved === undefined) return undefined;
    if (saved.format !== 1 || saved.identity !== identity) throw new Error(`${name}: it is of another server, resource or selection`);
    const ageMs = dateOf(monotonicScheduler) - saved.savedAt;
    if (ageMs >= 0 && ageMs <= maxAgeMs) return opened(saved);
    await database.remove(name);
    return undefined;
  };

  const save = async ({ identity, scopes }: CacheSnapshot): Promise<void> => {
    const saved: SavedScope[] = [];
    for (const [scope, { resourceVersion, objects }] of scopes) saved.push({ scope, resourceVersion, ...(await textsOf(objects)) });
    await database.put(name, { format: 1, identity, savedAt: dateOf(monotonicScheduler), scopes: saved } satisfies Saved);
  };

  return { open: (identity) => defer(() => open(identity)), save, clear: () => database.remove(name).then(() => undefined) };
}
