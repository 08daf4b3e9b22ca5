import type { ObjectEvent, ResourceChange } from '../../../api/events/resourceChange.js';
import type { IndexReader } from '../../../cache/store/indexReader.js';
import type { Collection } from '../../../informer/collection.js';
import type { ReadSelection } from '../../read.js';
import { type Bucket, type BucketReader, type Content, ordered } from './bucket.js';
import type { Dependency } from './dependency.js';
import type { InputIndex } from './inputIndex.js';

/** Where the objects are that a read may select. */
export interface Candidates<T> {
  readonly index?: InputIndex<T>;
  readonly buckets: readonly Bucket<T>[];
}

/** Whether an object is selected. */
export type Condition<T> = (object: T) => boolean;

/** Whose reads they are. */
interface Reads<T> {
  readonly collection: Collection<T>;
  readonly reader: IndexReader<T>;
  forget(read: SelectionRead<T>): void;
  mark(read: SelectionRead<T>, change: ResourceChange<T>): void;
}

const nothing: ReadonlySet<string> = new Set<string>();

/**
 * What functions of a view have read by namespace, selector, index and filter.
 */
export class SelectionRead<T> implements Dependency, BucketReader<T> {
  readonly readers: Set<string> = new Set<string>();
  /** By what others find it who read the same. */
  id: string | undefined;
  /** What it was asked for with, where nothing but a namespace and labels decides what is selected. A copy: who asks may change what it asked with. */
  private asked: ReadSelection<T> | undefined;
  /** Undefined: everything. */
  readonly candidates: Candidates<T> | undefined;
  private readonly of: Reads<T>;
  private readonly text: () => string;
  /** Which of the candidates are selected; undefined for all. */
  private readonly matches: Condition<T> | undefined;
  /** The one place where they are, if there is just one. */
  private readonly only: Bucket<T> | undefined;
  /** What it selected when it was read last, where that may be less than the candidates. */
  private selected = nothing;

  constructor(of: Reads<T>, text: () => string, candidates: Candidates<T> | undefined, matches: Condition<T> | undefined) {
    this.of = of;
    this.text = text;
    this.candidates = candidates;
    this.matches = matches;
    const { buckets = [] } = candidates ?? {};
    this.only = buckets.length === 1 ? buckets[0] : undefined;
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
    return this.found().keys.slice();
  }

  objects(): readonly T[] {
    return this.found().objects.slice();
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

  private found(): Content<T> {
    const { matches, only } = this;
    const all = only?.inOrder() ?? this.all();
    if (matches === undefined) return all;
    const keys: string[] = [];
    const objects: T[] = [];
    for (let at = 0; at < all.keys.length; at += 1) {
      const object = all.objects[at] as T;
      if (!matches(object)) continue;
      keys.push(all.keys[at] as string);
      objects.push(object);
    }
    this.selected = new Set(keys);
    return { keys, objects };
  }

  private all(): Content<T> {
    const { candidates, of } = this;
    if (candidates === undefined) return ordered(of.reader.listKeys(), of.reader.list());
    const parts = candidates.buckets.map((bucket) => bucket.inOrder());
    return ordered(
      parts.flatMap(({ keys }) => keys),
      parts.flatMap(({ objects }) => objects),
    );
  }
}

function isSameSelector(asked: unknown, given: unknown): boolean {
  if (typeof asked !== 'object' || typeof given !== 'object') return asked === given;
  const labels = asked as Readonly<Record<string, unknown>>;
  const others = given as Readonly<Record<string, unknown>>;
  for (const name in labels) if (labels[name] !== others[name]) return false;
  for (const name in others) if (labels[name] !== others[name]) return false;
  return true;
}
