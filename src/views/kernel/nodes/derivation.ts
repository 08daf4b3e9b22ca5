import { inProduction } from '../../../api/inProduction.js';
import type { Collection } from '../../../informer/collection.js';
import type { Read } from '../../read.js';
import type { ViewInput } from '../../viewExplanation.js';
import type { ViewOptions } from '../../viewOptions.js';
import type { Dependency } from '../reads/dependency.js';
import { asyncError } from '../expectFunction.js';
import type { InputLink } from '../reads/inputLink.js';
import { untyped } from '../untyped.js';
import { exchangeDependencies, type Run, TrackedReads } from '../reads/trackedReads.js';
import { ViewNode } from '../viewNode.js';

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

const noDependencies: readonly Dependency[] = [];

/**
 * A view that calls a function for each object of its input, and computes again what has read something that has changed.
 *
 * `R` is what the function returns, and `T` a value of the view.
 */
export abstract class Derivation<I, R, T> extends ViewNode<T> {
  protected readonly input: Collection<I>;
  private readonly work: (object: I, read: Read) => R | undefined;
  private readonly reads: TrackedReads;
  /** By the keys of the input. */
  private readonly dependencies = new Map<string, readonly Dependency[]>();

  constructor(kind: string, input: Collection<I>, work: (object: I, read: Read) => R | undefined, options: ViewOptions<T>) {
    super(kind, [untyped(input)], options);
    this.input = input;
    this.work = work;
    this.reads = new TrackedReads((collection) => this.connect(collection), inProduction() ? undefined : this.name);
  }

  /** Takes what the function has returned for an object; undefined where there is nothing any more. */
  protected abstract take(key: string, returned: R | undefined): void;

  protected inputKeys(): Iterable<string> {
    return this.dependencies.keys();
  }

  protected compute(key: string): void {
    const object = this.input.indexer.getByKey(key);
    const before = this.dependencies.get(key);
    if (object === undefined) {
      if (before !== undefined) this.exchange(key, before, noDependencies);
      this.dependencies.delete(key);
      this.succeed(key);
      this.take(key, undefined);
      return;
    }
    const run = this.reads.run(before, this.work, object);
    if (run.dependencies !== before) {
      this.dependencies.set(key, run.dependencies);
      this.exchange(key, before ?? noDependencies, run.dependencies);
    }
    this.accept(key, run);
  }

  protected madeOf(key: string): readonly ViewInput[] {
    const inputKey = this.inputKeyOf(key);
    const dependencies = this.dependencies.get(inputKey) ?? noDependencies;
    return [
      { collection: this.input.name, read: `key ${inputKey}`, keys: [inputKey] },
      ...dependencies.map((dependency) => ({ collection: dependency.collection, read: dependency.read, keys: dependency.keys() })),
    ];
  }

  protected reset(): void {
    this.dependencies.clear();
  }

  private exchange(key: string, before: readonly Dependency[], after: readonly Dependency[]): void {
    exchangeDependencies(key, before, after);
    this.exchanged = true;
  }

  private accept(key: string, { value, error, failed, pending }: Run<R | undefined>): void {
    if (this.discovered) return;
    if (pending) {
      this.waiting.add(key);
      return;
    }
    if (isPromiseLike(value)) {
      // Nobody waits for it: its failure must not end the process.
      value.then(undefined, () => undefined);
      this.failed(asyncError(`the view ${this.name}`));
      return;
    }
    if (failed) {
      this.fail(key, error);
      return;
    }
    this.succeed(key);
    this.take(key, value ?? undefined);
  }

  private connect(collection: Collection<never>): InputLink<never> {
    try {
      return this.link(collection);
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }
}
