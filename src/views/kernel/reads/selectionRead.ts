import type { IndexReader } from '../../../cache/store/indexReader.js';
import { ascending } from '../ascending.js';
import type { Bucket, Place } from './bucket.js';
import type { Dependency } from './dependency.js';
import type { InputIndex, Touched } from './inputIndex.js';

/** Where the objects are that a read may select. */
export interface Candidates<T> {
  readonly index?: InputIndex<T>;
  readonly buckets: readonly Bucket<T>[];
}

/** Whether an object is selected. */
export type Condition<T> = (object: T) => boolean;

/** Whose reads they are. */
interface Reads<T> {
  readonly collection: { readonly name: string };
  readonly reader: IndexReader<T>;
  forget(read: SelectionRead<T>): void;
}

type Found<T> = Pick<Place<T>, 'key' | 'object'>;

const nothing: ReadonlySet<string> = new Set<string>();
const keyOf = ({ key }: Found<unknown>): string => key;
const objectOf = <T>({ object }: Found<T>): T => object;

/**
 * What functions of a view have read by namespace, selector, index and filter.
 */
export class SelectionRead<T> implements Dependency {
  readonly readers: Set<string> = new Set<string>();
  /** By what others find it who read the same. */
  id: string | undefined;
  /** Undefined: everything. */
  readonly candidates: Candidates<T> | undefined;
  private readonly of: Reads<T>;
  private readonly text: () => string;
  /** Which of the candidates are selected; undefined for all. */
  private readonly matches: Condition<T> | undefined;
  /** What it selected when it was read last, where that may be less than the candidates. */
  private selected = nothing;

  constructor(of: Reads<T>, text: () => string, candidates: Candidates<T> | undefined, matches: Condition<T> | undefined) {
    this.of = of;
    this.text = text;
    this.candidates = candidates;
    this.matches = matches;
  }

  get collection(): string {
    return this.of.collection.name;
  }

  get read(): string {
    return this.text();
  }

  release(): void {
    this.of.forget(this);
  }

  keys(): readonly string[] {
    return this.found().map(keyOf);
  }

  objects(): readonly T[] {
    return this.found().map(objectOf);
  }

  /** Whether an event matters. A condition that fails is computed again, and fails there. */
  concerns(event: Touched<T>['event']): boolean {
    const { matches } = this;
    if (matches === undefined || this.selected.has(event.key)) return true;
    try {
      return event.type !== 'deleted' && (matches(event.object) || (event.type === 'updated' && matches(event.oldObject)));
    } catch {
      return true;
    }
  }

  private found(): readonly Found<T>[] {
    const { matches } = this;
    const all = this.all();
    if (matches === undefined) return all;
    const found = all.filter(({ object }) => matches(object));
    this.selected = new Set(found.map(keyOf));
    return found;
  }

  private all(): readonly Found<T>[] {
    if (this.candidates === undefined) {
      const { reader } = this.of;
      return ascending(reader.listKeys()).map((key) => ({ key, object: reader.getByKey(key) as T }));
    }
    const [bucket, ...others] = this.candidates.buckets;
    if (bucket === undefined) return [];
    if (others.length === 0) return bucket.inOrder();
    return this.candidates.buckets.flatMap((each) => each.inOrder()).sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}
