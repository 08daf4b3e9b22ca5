import type { Collection } from '../../../informer/collection.js';
import { dateOf } from '../../../rx/schedulerOf.js';
import { keep, type Read, type ViewInput, type ViewOptions } from '../../view.js';
import type { InputLink } from '../reads/inputLink.js';
import type { Dependency } from '../reads/selectionRead.js';
import { exchangeDependencies, type Run, TrackedReads } from '../reads/trackedReads.js';
import { TimeReads } from '../reads/timeReads.js';
import { untyped } from '../viewPort.js';
import { ViewNode } from '../viewNode.js';

const noDependencies: readonly Dependency[] = [];

/**
 * A view that calls a function for each object of its input, again whenever anything the function has read has changed: at most one value per
 * object, under the key of the object.
 *
 * `R` is the result of the function, and `T` a value of the view.
 */
export class Derivation<I, R, T> extends ViewNode<T> {
  protected readonly input: Collection<I>;
  private readonly work: (object: I, read: Read) => R | typeof keep | null | undefined;
  private readonly reads: TrackedReads;
  private readonly times: TimeReads;
  /** What each value was computed from, by the keys of the input. */
  private readonly dependencies = new Map<string, readonly Dependency[]>();

  constructor(
    kind: string,
    input: Collection<I>,
    work: (object: I, read: Read) => R | typeof keep | null | undefined,
    options: ViewOptions<T>,
  ) {
    super(kind, [untyped(input)], options);
    this.input = input;
    this.work = this.guarded(work);
    const { name, guardedName, scheduler } = this;
    this.times = new TimeReads(scheduler, this.turns, (key, change) =>
      this.mark(key, this.links.get(untyped(input)) as InputLink<never>, change),
    );
    this.reads = new TrackedReads({
      name,
      guardedName,
      link: (collection) => this.connect(collection),
      now: (stepMs) => this.times.now(stepMs, dateOf(scheduler)),
    });
  }

  /** Takes the function's result for an object; undefined if the object is gone. */
  protected take(key: string, returned: R | undefined): void {
    this.made(key, returned as unknown as T | undefined);
  }

  protected compute(key: string): void {
    const object = this.input.indexer.getByKey(key);
    const before = this.dependencies.get(key);
    this.times.begin(key);
    if (object === undefined) {
      if (before !== undefined) this.exchange(key, before, noDependencies);
      this.dependencies.delete(key);
      this.succeed(key);
      this.take(key, undefined);
      return;
    }
    const { met } = this;
    const run = this.reads.run(before, this.work, object);
    if (run.dependencies !== before) {
      this.dependencies.set(key, run.dependencies);
      this.exchange(key, before ?? noDependencies, run.dependencies);
    }
    if (met === this.met) this.accept(key, run);
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
    this.times.clear();
  }

  private exchange(key: string, before: readonly Dependency[], after: readonly Dependency[]): void {
    exchangeDependencies(key, before, after);
    this.exchanged = true;
  }

  private accept(key: string, { value, error, failed, pending }: Run<R | typeof keep | null | undefined>): void {
    if (pending) this.waiting.add(key);
    else if (failed) this.fail(key, error);
    else {
      this.succeed(key);
      if (value !== keep) this.take(key, value ?? undefined);
    }
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
