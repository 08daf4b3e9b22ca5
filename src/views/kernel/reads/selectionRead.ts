import type { ObjectEvent, ResourceChange } from '../../../api/events.js';
import type { Collection } from '../../../informer/collection.js';
import type { ReadSelection } from '../../view.js';
import { ordered } from '../orderedList.js';
import type { Bucket, InputIndex } from './inputIndex.js';

/**
 * Something that functions of a view have read of one input.
 */
export interface Dependency {
  /** The collection that was read. */
  readonly collection: string;
  /** What was read of it, in words. */
  readonly read: string;
  /** The keys whose values were computed from it. */
  readonly readers: Set<string>;
  /** Whether it is what these arguments of `read` ask for, in the same words: then they need no check. */
  isOf(collection: Collection<never>, selection: ReadSelection<never>): boolean;
  /** The objects that it covers now, in ascending order of their keys. */
  objects(): readonly unknown[];
  /** Their keys. */
  keys(): readonly string[];
  /** Called when nobody reads it any more. */
  release(): void;
}

/** Where the objects are that a read may select; no index for nothing. */
export interface Candidates<T> {
  readonly index?: InputIndex<T>;
  readonly buckets: readonly Bucket<T>[];
}

/** Whether an object is selected. */
export type Condition<T> = (object: T) => boolean;

/** Whose reads they are. */
interface Reads<T> {
  readonly collection: Collection<T>;
  forget(read: SelectionRead<T>): void;
  mark(read: SelectionRead<T>, change: ResourceChange<T>): void;
}

const nothing: ReadonlySet<string> = new Set<string>();

/**
 * What functions of a view have read by namespace, selector, index and filter.
 */
export class SelectionRead<T> implements Dependency {
  readonly readers: Set<string> = new Set<string>();
  /** By what others find it who read the same. */
  id: string | undefined;
  /** What it was asked for with, where nothing but a namespace and labels decides what is selected. A copy: who asks may change what it asked with. */
  private asked: ReadSelection<T> | undefined;
  readonly candidates: Candidates<T>;
  private readonly of: Reads<T>;
  private readonly text: () => string;
  /** Which of the candidates are selected; undefined for all. */
  private readonly matches: Condition<T> | undefined;
  /** What it selected when it was read last, where that may be less than the candidates. */
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

  /** Takes note of what it was asked for with. */
  wasAsked({ namespace, labelSelector, filter }: ReadSelection<T>): void {
    const isPlain = typeof labelSelector !== 'object' || Object.values(labelSelector).every((value) => typeof value === 'string');
    if (!isPlain || filter !== undefined) return;
    this.asked = { namespace, labelSelector: typeof labelSelector === 'object' ? { ...labelSelector } : labelSelector };
  }

  isOf(collection: Collection<never>, selection: ReadSelection<never>): boolean {
    const { asked, of } = this;
    if (asked === undefined || (of.collection as unknown) !== collection || asked.namespace !== selection.namespace) return false;
    if (!isSameSelector(asked.labelSelector, selection.labelSelector)) return false;
    // Everything else is a filter, unknown or undefined.
    for (const name in selection) if (asked[name as keyof typeof asked] === undefined) return false;
    return true;
  }

  keys(): readonly string[] {
    return this.found().keys;
  }

  /** The object under a key, if it is one of the candidates. */
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

  /** Takes note of an event in what it selects from. */
  note(event: ObjectEvent<T>, change: ResourceChange<T>): void {
    if (this.concerns(event)) this.of.mark(this, change);
  }

  /** Whether an event matters. A condition that fails is computed again, and fails there. */
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
