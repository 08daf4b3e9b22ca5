import type { IndexReader } from '../../../cache/store/indexReader.js';
import type { Dependency } from './dependency.js';

/** The object under one key, which functions of a view have read. */
export class KeyRead<T> implements Dependency {
  readonly collection: string;
  readonly readers: Set<string> = new Set<string>();
  readonly release: () => void;
  private readonly key: string;
  private readonly reader: IndexReader<T>;

  constructor(collection: string, reader: IndexReader<T>, key: string, release: () => void) {
    this.collection = collection;
    this.reader = reader;
    this.key = key;
    this.release = release;
  }

  get read(): string {
    return `key ${this.key}`;
  }

  isOf(): boolean {
    return false;
  }

  keys(): readonly string[] {
    return this.objects().length === 0 ? [] : [this.key];
  }

  objects(): readonly T[] {
    const object = this.reader.getByKey(this.key);
    return object === undefined ? [] : [object];
  }
}
