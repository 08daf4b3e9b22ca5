import type { ObjectEvent, ResourceChange } from '../../../api/events.js';
import type { Collection } from '../../../informer/collection.js';
import type { ReadSelection } from '../../view.js';
import { ordered } from '../orderedList.js';
import type { Bucket, InputIndex } from './inputIndex.js';

/**
 * A read of one input by functions of a view.
 */
export interface Dependency {
  /** The collection that was read. */
  readonly collection: string;
  /** A description of the selection. */
  readonly read: string;
  /** The keys whose values were computed from it. */
  readonly readers: Set<string>;
  /** Whether `read` was called with exactly these arguments: then they need not be checked again. */
  isOf(collection: Collection<never>, selection: ReadSelection<never>): boolean;
  /** The objects that it selects now, in ascending order of their keys. */
  objects(): readonly unknown[];
  /** Their keys. */
  keys(): readonly string[];
  /** Called when it has no readers left. */
  release(): void;
}

/** The buckets with the objects that a read may select; no index for none. */
export interface Candidates<T> {
  readonly index?: InputIndex<T>;
  readonly buckets: readonly Bucket<T>[];
}

/** Whether an object is selected. */
export type Condition<T> = (object: T) => boolean;

/** The owner of the reads. */
interface Reads<T> {
  readonly collection: Collection<T>;
  forget(read: SelectionRead<T>): void;
  mark(read: SelectionRead<T>, change: ResourceChange<T>): void;
}

const nothing: ReadonlySet<string> = new Set<string>();

/**
 * A read by namespace, selector, index or filter.
 */
export class SelectionRead<T> implements Dependency {
  readonly readers: Set<string> = new Set<string>();
  /** The key by which equal reads are shared. */
  id: string | undefined;
  /** A copy of the arguments, if they are only a namespace and labels. */
  private asked: ReadSelection<T> | undefined;
  readonly candidates: Candidates<T>;
  private readonly of: Reads<T>;
  private readonly text: () => string;
  /** The condition on candidates; undefined to select all. */
  private readonly matches: Condition<T> | undefined;
  /** The keys selected at the last read, if that may be fewer than the candidates. */
  private selected = nothing;

  constructor(of: Reads<T>, text: () => string, candidates: Candidates<T>, matches: Condition<T> | undefined) {
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

  /** Stores the arguments. */
  wasAsked({ namespace, labelSelector, filter }: ReadSelection<T>): void {
    const isPlain = typeof labelSelector !== 'object' || Object.values(labelSelector).every((value) => typeof value === 'string');
    if (!isPlain || filter !== undefined) return;
    this.asked = { namespace, labelSelector: typeof labelSelector === 'object' ? { ...labelSelector } : labelSelector };
  }

  isOf(collection: Collection<never>, selection: ReadSelection<never>): boolean {
    const { asked, of } = this;
    if (asked === undefined || (of.collection as unknown) !== collection || asked.namespace !== selection.namespace) return false;
    if (!isSameSelector(asked.labelSelector, selection.labelSelector)) return false;
    // Other fields must be absent.
    for (const name in selection) if (asked[name as keyof typeof asked] === undefined) return false;
    return true;
  }

  keys(): readonly string[] {
    return this.found().keys;
  }

  /** The object of a key, if it is a candidate. */
  get(key: string): T | undefined {
    for (const bucket of this.candidates.buckets) {
      const object = bucket.get(key);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  objects(): readonly T[] {
    const { buckets } = this.candidates;
    return this.matches === undefined && buckets.length === 1 ? (buckets[0] as Bucket<T>).array() : this.found().objects;
  }

  /** Handles an event of a candidate. */
  note(event: ObjectEvent<T>, change: ResourceChange<T>): void {
    if (this.concerns(event)) this.of.mark(this, change);
  }

  /** Whether an event affects the read. If the condition throws, compute again: it then throws there. */
  private concerns(event: ObjectEvent<T>): boolean {
    const { matches } = this;
    if (matches === undefined || this.selected.has(event.key)) return true;
    try {
      return event.type !== 'deleted' && (matches(event.object) || (event.type === 'updated' && matches(event.oldObject)));
    } catch {
      return true;
    }
  }

  private found(): { readonly keys: string[]; readonly objects: T[] } {
    const { matches, candidates } = this;
    const keys: string[] = [];
    const objects: T[] = [];
    for (const bucket of candidates.buckets) {
      bucket.each((object, key) => {
        if (matches?.(object) === false) return;
        keys.push(key);
        objects.push(object);
      });
    }
    if (matches !== undefined) this.selected = new Set(keys);
    return ordered(keys, objects);
  }
}

function isSameSelector(asked: unknown, given: unknown): boolean {
  if (typeof asked !== 'object' || typeof given !== 'object') return asked === given;
  if (given === null) return false;
  const labels = asked as Readonly<Record<string, unknown>>;
  const others = given as Readonly<Record<string, unknown>>;
  for (const name in labels) if (labels[name] !== others[name]) return false;
  for (const name in others) if (labels[name] !== others[name]) return false;
  return true;
}
