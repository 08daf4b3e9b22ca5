import { isObservable, type Observable, type Subscription } from 'rxjs';
import type { ResourceChange } from '../../../api/events/resourceChange.js';
import type { Collection } from '../../../informer/collection.js';
import type { ViewInput } from '../../viewExplanation.js';
import type { ViewOptions } from '../../viewOptions.js';
import { expectCollections } from '../expectCollections.js';
import { untyped } from '../untyped.js';
import { ViewNode } from '../viewNode.js';

type List<T> = readonly Collection<T>[];

/** What the keys of a collection that has gone are computed again for. */
const otherCollections: ResourceChange<unknown> = { cause: 'view', events: [], synced: true };

/**
 * A view of everything in several collections: always the same ones, or those of the last list of a stream.
 */
export class Merging<T> extends ViewNode<T> {
  private readonly lists$: Observable<List<T>> | undefined;
  private readonly resolve: (objects: readonly [T, T, ...T[]], key: string) => T | undefined;
  private readonly keys = new Set<string>();
  /** Whether there is a list of collections, and whether there may be another one. */
  private known: boolean;
  private open = false;

  constructor(
    collections: List<T> | Observable<List<T>>,
    resolve: (objects: readonly [T, T, ...T[]], key: string) => T | undefined,
    options: ViewOptions<T>,
  ) {
    const isStream = isObservable(collections);
    super('mergeViews', isStream ? [] : collections.map(untyped), options);
    this.lists$ = isStream ? collections : undefined;
    this.known = !isStream;
    this.resolve = resolve;
  }

  override completed(): void {
    if (!this.open) super.completed();
  }

  protected override connectInputs(session: Subscription): void {
    const { lists$ } = this;
    if (lists$ === undefined) {
      super.connectInputs(session);
      return;
    }
    this.open = true;
    let connecting = true;
    // A list that comes later begins a turn: in the middle of one, some would be told before and some after it.
    const inTurn = (action: () => void): void => {
      if (connecting) action();
      else this.turns.run(() => session.closed || action());
    };
    session.add(
      lists$.subscribe({
        next: (list) => inTurn(() => this.exchange(list)),
        error: (error: unknown) => inTurn(() => this.failed(error)),
        complete: () =>
          inTurn(() => {
            this.open = false;
            this.completed();
          }),
      }),
    );
    connecting = false;
  }

  protected override isReady(): boolean {
    return this.known && super.isReady();
  }

  protected inputKeys(): Iterable<string> {
    return this.keys;
  }

  protected compute(key: string): void {
    const objects: T[] = [];
    for (const { indexer } of this.complete()) {
      const object = indexer.getByKey(key);
      if (object !== undefined) objects.push(object);
    }
    if (objects.length === 0) this.keys.delete(key);
    else this.keys.add(key);
    this.computations.made(key);
    try {
      this.results.set(key, objects.length < 2 ? objects[0] : this.resolve(objects as [T, T, ...T[]], key));
      this.succeed(key);
    } catch (error) {
      this.fail(key, error);
    }
  }

  protected madeOf(key: string): readonly ViewInput[] {
    const having = this.complete().filter(({ indexer }) => indexer.getByKey(key) !== undefined);
    return having.map(({ name }) => ({ collection: name, read: `key ${key}`, keys: [key] }));
  }

  protected reset(): void {
    this.keys.clear();
    if (this.lists$ === undefined) return;
    this.inputs = [];
    this.known = false;
  }

  /** The collections that have been complete, in their order: what the others hold is no content yet. */
  private complete(): List<T> {
    return this.inputs.filter((input) => this.links.get(input)?.ready === true);
  }

  /** From now on it is made of these collections. */
  private exchange(list: List<T>): void {
    try {
      expectCollections('mergeViews', list);
      const before = this.inputs;
      const after = [...new Set(list)].map(untyped);
      const kept = before.filter((input) => after.includes(input));
      const isReordered = after.filter((input) => before.includes(input)).some((input, at) => input !== kept[at]);
      this.known = true;
      this.inputs = after;
      for (const input of before) {
        const link = this.links.get(input);
        if (link === undefined || (!isReordered && kept.includes(input))) continue;
        if (link.ready) for (const key of link.reader.listKeys()) this.mark(key, link, otherCollections);
        if (!kept.includes(input)) this.unlink(link);
      }
      for (const input of after) this.link(input);
    } catch (error) {
      this.failed(error);
    }
    this.schedule();
  }
}
