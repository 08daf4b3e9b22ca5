import type { Collection, ResourceChange } from 'rx-informer';
import { checkViewOptions, expectCollection } from './kernel/checks.js';
import type { View, ViewInput, ViewOptions } from './view.js';
import type { InputLink } from './kernel/reads/inputLink.js';
import type { SelectionRead } from './kernel/reads/linkReads.js';
import { exchangeDependencies } from './kernel/reads/trackedReads.js';
import { untyped } from './kernel/viewPort.js';
import { ViewNode } from './kernel/viewNode.js';

/**
 * Makes a view of the objects with one value of an index: a live `byIndex`.
 *
 * ```text
 * pods, by node              {+a(n1) +b(n2)}      {~b(n1)}      {~a(n2)}
 * value n1                   {+a}                 {+b}          {-a}
 * ```
 *
 * For all values of an index as one view, use `groupObjects` with the index function.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { objectsByIndex } from '@rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods, { indexers: { node: ({ spec }) => [spec?.nodeName ?? ''] } });
 * const pending = objectsByIndex(pods, 'node', '');
 * pending.change$.subscribe(({ events }) => console.log(events.length));
 * ```
 *
 * @throws TypeError when an argument is wrong. Streams fail with a TypeError when there is no such index.
 *
 * @see istio krt: `Index.AsCollection`
 */
export function objectsByIndex<T>(
  collection: Collection<T>,
  indexName: string,
  indexedValue: string,
  options: ViewOptions<T> = {},
): View<T> {
  expectCollection('objectsByIndex', collection);
  for (const [name, value] of Object.entries({ indexName, indexedValue })) {
    if (typeof value !== 'string') throw new TypeError(`Expected \`${name}\` of \`objectsByIndex\` to be a string, got ${typeof value}`);
  }
  checkViewOptions('objectsByIndex', options);
  return new IndexEntry(collection, indexName, indexedValue, options).asView();
}

/** The single key: the view is computed as a whole. */
const entry = 'entry';

/**
 * A view of the objects with one value of an index. It is computed again when one of them is added, changed or removed.
 */
class IndexEntry<T> extends ViewNode<T> {
  protected override readonly byObject = false;
  private readonly input: Collection<T>;
  private readonly indexName: string;
  private readonly indexedValue: string;
  private dependencies: readonly SelectionRead<T>[] = [];
  /** The keys of the value's objects that have changed; undefined for all. */
  private affected: Set<string> | undefined;

  constructor(input: Collection<T>, indexName: string, indexedValue: string, options: ViewOptions<T>) {
    // Not its value: of Secrets, that may be secret, and names are shown and logged.
    super(`objectsByIndex(${indexName})`, [untyped(input)], options);
    this.input = input;
    this.indexName = indexName;
    this.indexedValue = indexedValue;
  }

  override changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void {
    if (whole) {
      this.affected = undefined;
      super.mark(entry, link, change);
    }
    super.changed(link, change, whole);
  }

  override mark(_: string, link: InputLink<never>, change: ResourceChange<unknown>): void {
    for (const event of change.events) {
      this.noteLeft(event.key, event);
      this.affected?.add(event.key);
    }
    super.mark(entry, link, change);
  }

  protected compute(): void {
    const link = this.links.get(untyped(this.input)) as InputLink<T> | undefined;
    if (link === undefined) return;
    let read: SelectionRead<T>;
    try {
      read = link.reads.byIndex(this.indexName, this.indexedValue);
    } catch (error) {
      this.failed(error);
      return;
    }
    const [before = read] = this.dependencies;
    // Another index may have the name by now.
    const keys = before === read ? (this.affected ?? read.keys()) : new Set([...before.keys(), ...(this.affected ?? []), ...read.keys()]);
    exchangeDependencies(entry, this.dependencies, [read]);
    this.dependencies = [read];
    for (const key of keys) {
      const object = read.get(key);
      if (object === undefined) this.needs?.unuse(key);
      else this.use(key, (needs) => needs.key(untyped(this.input), key));
      this.made(key, object);
    }
    this.affected = new Set<string>();
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [{ collection: this.input.name, read: `index ${this.indexName}=${this.indexedValue}`, keys: [key] }];
  }

  protected override membersOf(key: string): Iterable<string> {
    return [key];
  }

  protected override inputKeyOf(): string {
    return entry;
  }

  protected reset(): void {
    this.dependencies = [];
    this.affected = undefined;
  }
}
