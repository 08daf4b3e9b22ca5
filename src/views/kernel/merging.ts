import type { Collection } from '../../informer/collection.js';
import type { ViewInput } from '../viewExplanation.js';
import type { ViewOptions } from '../viewOptions.js';
import { untyped } from './untyped.js';
import { ViewNode } from './viewNode.js';

/**
 * A view of everything in several collections.
 */
export class Merging<T> extends ViewNode<T> {
  private readonly collections: readonly Collection<T>[];
  private readonly resolve: (objects: readonly [T, T, ...T[]], key: string) => T | undefined;
  private readonly keys = new Set<string>();

  constructor(
    collections: readonly Collection<T>[],
    resolve: (objects: readonly [T, T, ...T[]], key: string) => T | undefined,
    options: ViewOptions<T>,
  ) {
    super('mergeViews', collections.map(untyped), options);
    this.collections = collections;
    this.resolve = resolve;
  }

  protected inputKeys(): Iterable<string> {
    return this.keys;
  }

  protected compute(key: string): void {
    const objects: T[] = [];
    for (const { indexer } of this.collections) {
      const object = indexer.getByKey(key);
      if (object !== undefined) objects.push(object);
    }
    if (objects.length === 0) this.keys.delete(key);
    else this.keys.add(key);
    this.made.add(key);
    try {
      this.results.set(key, objects.length < 2 ? objects[0] : this.resolve(objects as [T, T, ...T[]], key));
      this.succeed(key);
    } catch (error) {
      this.fail(key, error);
    }
  }

  protected madeOf(key: string): readonly ViewInput[] {
    const having = this.collections.filter(({ indexer }) => indexer.getByKey(key) !== undefined);
    return having.map(({ name }) => ({ collection: name, read: `key ${key}`, keys: [key] }));
  }

  protected reset(): void {
    this.keys.clear();
  }
}
