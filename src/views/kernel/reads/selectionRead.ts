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

type Found<T> = Pick<Place<T>, 'key' | 'object'>;

const keyOf = ({ key }: Found<unknown>): string => key;
const objectOf = <T>({ object }: Found<T>): T => object;

/**
 * What functions of a view have read by namespace, selector, index and filter.
 */
export class SelectionRead<T> implements Dependency {
  readonly collection: string;
  readonly read: string;
  readonly readers: Set<string> = new Set<string>();
  readonly release: () => void;
  /** By what others find it who read the same. */
  id: string | undefined;
  /** Undefined: everything. */
  readonly candidates: Candidates<T> | undefined;
  private readonly reader: IndexReader<T>;
  /** Whether a candidate is selected; undefined when each of them is. */
  private readonly matches: ((object: T) => boolean) | undefined;
  /** What it selected when it was read last, where that may be less than the candidates. */
  private selected: ReadonlySet<string> = new Set<string>();

  constructor(
    of: { readonly collection: string; readonly reader: IndexReader<T>; readonly read: string },
    candidates: Candidates<T> | undefined,
    matches: ((object: T) => boolean) | undefined,
    release: (read: SelectionRead<T>) => void,
  ) {
    this.collection = of.collection;
    this.reader = of.reader;
    this.read = of.read;
    this.candidates = candidates;
    this.matches = matches;
    this.release = () => release(this);
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
      const { reader } = this;
      return ascending(reader.listKeys()).map((key) => ({ key, object: reader.getByKey(key) as T }));
    }
    const [bucket, ...others] = this.candidates.buckets;
    if (bucket === undefined) return [];
    if (others.length === 0) return bucket.inOrder();
    return this.candidates.buckets.flatMap((each) => each.inOrder()).sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}
