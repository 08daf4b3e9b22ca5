import type { Collection } from '../../../informer/collection.js';
import { ValueIndex } from '../../../cache/store/valueIndex.js';
import type { ObjectGroup } from '../../objectGroup.js';
import type { ViewInput } from '../../viewExplanation.js';
import type { ViewOptions } from '../../viewOptions.js';
import { ascending } from '../ascending.js';
import { groupsIn } from './groupsIn.js';
import { untyped } from '../untyped.js';
import { ViewNode } from '../viewNode.js';

/**
 * A view of the groups that objects belong to. An object whose groups cannot be told stays where it was, as it was.
 */
export class Grouping<I> extends ViewNode<ObjectGroup<I>> {
  private readonly input: Collection<I>;
  private readonly groupsOf: (object: I) => string | readonly string[] | undefined;
  private members = new ValueIndex();
  private readonly objects = new Map<string, I>();
  private readonly touched = new Set<string>();

  constructor(input: Collection<I>, groupsOf: (object: I) => string | readonly string[] | undefined, options: ViewOptions<ObjectGroup<I>>) {
    super('groupObjects', [untyped(input)], options);
    this.input = input;
    this.groupsOf = groupsOf;
  }

  protected inputKeys(): Iterable<string> {
    return this.objects.keys();
  }

  protected compute(key: string): void {
    const object = this.input.indexer.getByKey(key);
    let groups: readonly string[] = [];
    try {
      if (object !== undefined) groups = groupsIn(this.groupsOf(object));
    } catch (error) {
      this.fail(key, error);
      return;
    }
    this.succeed(key);
    for (const group of [...this.members.valuesOf(key), ...groups]) {
      this.touched.add(group);
      this.computations.made(group);
    }
    this.members.file(key, groups);
    if (object === undefined) this.objects.delete(key);
    else this.objects.set(key, object);
  }

  protected override collect(): void {
    for (const key of this.touched) {
      const objects = ascending([...this.members.keys(key)]).map((member) => this.objects.get(member) as I);
      this.results.set(key, objects.length === 0 ? undefined : { key, objects });
    }
    this.touched.clear();
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [{ collection: this.input.name, read: `group ${key}`, keys: ascending([...this.members.keys(key)]) }];
  }

  protected reset(): void {
    this.members = new ValueIndex();
    this.objects.clear();
    this.touched.clear();
  }
}
