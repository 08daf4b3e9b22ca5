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

function opened(): Promise<Database> {
  return new Promise((resolve, reject) => {
    const { indexedDB } = globalThis as { readonly indexedDB?: { open(name: string, version: number): OpenRequest } };
    if (indexedDB === undefined) throw new Error('IndexedDB is not available');
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB cannot be opened'));
  });
}

/** Runs one request in a transaction: resolves when it is committed. */
async function transact(mode: 'readonly' | 'readwrite', step: (store: ObjectStore) => Request<unknown>): Promise<unknown> {
  const database = await opened();
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
  get: (name: string): Promise<unknown> => transact('readonly', (store) => store.get(name)),
  put: async (name: string, value: unknown): Promise<void> => {
    await transact('readwrite', (store) => store.put(value, name));
  },
  remove: async (name: string): Promise<void> => {
    await transact('readwrite', (store) => store.delete(name));
  },
};
