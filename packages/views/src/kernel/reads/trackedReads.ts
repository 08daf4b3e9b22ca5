import { forbidding } from './forbidding.js';
import { describeValue, readGuard } from 'rx-informer/internal';
import type { Collection } from 'rx-informer';
import type { Read, ReadSelection } from '../../view.js';
import { expectCollection } from '../checks.js';
import { LazyArrays } from '../orderedList.js';
import { untyped } from '../viewPort.js';
import type { InputLink } from './inputLink.js';
import type { Dependency } from './linkReads.js';

/** The result of one run of a function. */
export interface Run<R> {
  readonly value: R | undefined;
  readonly error: unknown;
  readonly failed: boolean;
  /** Whether it has read an incomplete input: then its value is ignored. */
  readonly pending: boolean;
  readonly dependencies: readonly Dependency[];
}

/** What a function may use of its view. */
export interface ReadOwner {
  readonly name: string;
  /** Connects a collection. */
  link(collection: Collection<never>): InputLink<never>;
  /** The name of the view if direct reads of caches are forbidden. */
  readonly guardedName: string | undefined;
  /** The time in steps; the current key is computed again at the next step. */
  now(stepMs: number): number;
}

const noDependencies: readonly Dependency[] = [];

const types: Readonly<Record<string, string>> = { namespace: 'string', filter: 'function' };

/** @throws TypeError when a condition of `read` is unknown, undefined or of the wrong type. */
function checkSelection(selection: ReadSelection<never>): void {
  if (typeof selection !== 'object' || (selection as unknown) === null || Array.isArray(selection))
    throw new TypeError(`Expected \`read\` to be given an object with conditions, got ${describeValue(selection)}`);
  for (const name in selection) {
    const value: unknown = selection[name as keyof typeof selection];
    if (name === 'labelSelector') {
      if (value !== undefined && value !== null) continue;
      throw new TypeError(
        `Expected \`labelSelector\` of \`read\` to be a selector, got ${describeValue(value)}; leave it out to read everything, or use \`none\``,
      );
    }
    const expected = types[name];
    if (expected === undefined)
      throw new TypeError(`Unknown condition \`${name}\` of \`read\`; it has \`namespace\`, \`labelSelector\` and \`filter\``);
    if (typeof value !== expected)
      throw new TypeError(`Expected \`${name}\` of \`read\` to be a ${expected}, got ${describeValue(value)}; leave it out for all`);
  }
}

/**
 * Runs functions of one view, and records their reads. A run with the same reads as the one before allocates nothing.
 */
export class TrackedReads {
  readonly read: Read;
  private readonly owner: ReadOwner;
  private before: readonly Dependency[] = noDependencies;
  private count = 0;
  /** All reads of this run, if they differ from `before`. */
  private other: Set<Dependency> | undefined;
  private pending = false;
  private running = false;
  /** Whether large arrays are lazy: until the function has used one as only an array can be used. */
  private isLazy = true;

  constructor(owner: ReadOwner) {
    this.owner = owner;
    const read = (collection: Collection<never>, selection?: ReadSelection<never>): readonly never[] => this.select(collection, selection);
    this.read = Object.assign(read as unknown as Pick<Read, never> & (<T>(collection: Collection<T>) => readonly T[]), {
      get: <T>(collection: Collection<T>, key: string) => this.get(collection, key),
      byIndex: <T>(collection: Collection<T>, indexName: string, value: string) =>
        this.list(untyped(collection), (link) => link.reads.byIndex(indexName, value)) as readonly T[],
      now: (stepMs: number) => {
        this.expectRunning();
        return owner.now(stepMs);
      },
    });
  }

  run<I, R>(before: readonly Dependency[] | undefined, work: (object: I, read: Read) => R, object: I): Run<R> {
    const arrays = this.isLazy ? new LazyArrays() : undefined;
    const run = this.once(before, work, object, arrays);
    if (arrays?.has() !== true) return run;
    if (arrays.areFilled) this.isLazy = false;
    if (!run.failed && !arrays.mayBeIn(run.value)) return run;
    // A value must consist of arrays, and some functions, as for clones, take nothing else.
    const again = this.once(before, work, object, undefined);
    for (const dependency of run.dependencies)
      if (dependency.readers.size === 0 && !again.dependencies.includes(dependency)) dependency.release();
    if (!again.failed) this.isLazy = false;
    return again;
  }

  private once<I, R>(
    before: readonly Dependency[] | undefined,
    work: (object: I, read: Read) => R,
    object: I,
    arrays: LazyArrays | undefined,
  ): Run<R> {
    this.before = before ?? noDependencies;
    this.count = 0;
    this.other = undefined;
    this.pending = false;
    this.running = true;
    let value: R | undefined;
    let error: unknown;
    let failed = false;
    const [outer, outerArrays] = [readGuard.running, LazyArrays.current];
    readGuard.running = forbidding(this.owner.name);
    LazyArrays.current = arrays;
    try {
      value = work(object, this.read);
    } catch (thrown) {
      error = thrown;
      failed = true;
    }
    LazyArrays.current = outerArrays;
    readGuard.running = outer;
    this.running = false;
    return { value, error, failed, pending: this.pending, dependencies: this.taken() };
  }

  private select(collection: Collection<never>, selection: ReadSelection<never> = {}): readonly never[] {
    const asBefore = this.other === undefined && this.running ? this.before[this.count] : undefined;
    if (asBefore?.isOf(collection, selection) !== true) {
      checkSelection(selection);
      return this.list(collection, (link) => link.reads.select(selection));
    }
    this.count += 1;
    return (this.owner.guardedName === undefined ? asBefore.objects() : this.tracked(() => asBefore.objects())) as readonly never[];
  }

  private list(collection: Collection<never>, dependencyOf: (link: InputLink<never>) => Dependency): readonly never[] {
    return this.linked<readonly never[]>(collection, (link) => {
      const dependency = dependencyOf(link);
      this.note(dependency);
      return dependency.objects() as readonly never[];
    });
  }

  private get<T>(collection: Collection<T>, key: string): T | undefined {
    if (typeof key !== 'string') throw new TypeError(`Expected \`key\` of \`read.get\` to be a string, got ${typeof key}`);
    return this.linked<T | undefined>(untyped(collection), (link) => {
      this.note(link.reads.get(key));
      return link.ready ? (link as unknown as InputLink<T>).reader.getByKey(key) : undefined;
    });
  }

  private linked<R>(collection: Collection<never>, work: (link: InputLink<never>) => R): R {
    this.expectRunning();
    expectCollection('read', collection);
    return this.tracked(() => {
      const { running } = readGuard;
      // Connecting an input may create collections.
      readGuard.running = undefined;
      try {
        const link = this.owner.link(collection);
        if (!link.ready) this.pending = true;
        return work(link);
      } finally {
        readGuard.running = running;
      }
    });
  }

  private expectRunning(): void {
    if (!this.running) throw new TypeError('`read` was called after the function of the view had returned');
  }

  /** Allows direct reads of caches, for code that records them. */
  private tracked<R>(work: () => R): R {
    return this.owner.guardedName === undefined ? work() : readGuard.run(undefined, work);
  }

  private note(dependency: Dependency): void {
    if (this.other === undefined) {
      if (this.before[this.count] === dependency) {
        this.count += 1;
        return;
      }
      this.other = new Set(this.before.slice(0, this.count));
    }
    this.other.add(dependency);
  }

  private taken(): readonly Dependency[] {
    const { before, count, other } = this;
    this.before = noDependencies;
    this.other = undefined;
    if (other !== undefined) return [...other];
    return count === before.length ? before : before.slice(0, count);
  }
}

/**
 * Replaces the dependencies of the value of `key`.
 */
export function exchangeDependencies(key: string, before: readonly Dependency[], after: readonly Dependency[]): void {
  if (before === after) return;
  for (const dependency of after) dependency.readers.add(key);
  if (before.length === 0) return;
  const kept = new Set(after);
  for (const dependency of before) {
    if (kept.has(dependency)) continue;
    dependency.readers.delete(key);
    if (dependency.readers.size === 0) dependency.release();
  }
}
