import type { ResourceChange } from '../../../api/events/resourceChange.js';
import type { Collection } from '../../../informer/collection.js';
import type { ViewInput } from '../../viewExplanation.js';
import type { ViewOptions } from '../../viewOptions.js';
import type { Dependency } from '../reads/dependency.js';
import type { InputLink } from '../reads/inputLink.js';
import { exchangeDependencies } from '../reads/trackedReads.js';
import { untyped } from '../untyped.js';
import { ViewNode } from '../viewNode.js';

/** It is computed as a whole. */
const entry = 'entry';

/**
 * A view of the objects under one value of an index. It is computed again when one of them changes, comes or goes.
 */
export class IndexEntry<T> extends ViewNode<T> {
  protected override readonly byObject = false;
  private readonly input: Collection<T>;
  private readonly indexName: string;
  private readonly indexedValue: string;
  private dependencies: readonly Dependency[] = [];
  private members: readonly string[] = [];

  constructor(input: Collection<T>, indexName: string, indexedValue: string, options: ViewOptions<T>) {
    super(`objectsByIndex(${indexName}=${indexedValue})`, [untyped(input)], options);
    this.input = input;
    this.indexName = indexName;
    this.indexedValue = indexedValue;
  }

  override changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void {
    if (whole) this.mark(entry, link, change);
    super.changed(link, change, whole);
  }

  protected inputKeys(): Iterable<string> {
    return [];
  }

  protected compute(): void {
    const link = this.links.get(untyped(this.input));
    if (link === undefined) return;
    let dependency: Dependency;
    try {
      dependency = link.byIndex(this.indexName, this.indexedValue);
    } catch (error) {
      this.failed(error);
      return;
    }
    exchangeDependencies(entry, this.dependencies, [dependency]);
    this.dependencies = [dependency];
    for (const key of this.members) this.results.set(key, undefined);
    this.members = dependency.keys();
    for (const key of this.members) {
      this.computations.made(key);
      this.results.set(key, this.input.indexer.getByKey(key));
    }
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [{ collection: this.input.name, read: `index ${this.indexName}=${this.indexedValue}`, keys: [key] }];
  }

  protected override inputKeyOf(): string {
    return entry;
  }

  protected reset(): void {
    this.dependencies = [];
    this.members = [];
  }
}
