import { type Observable, Subject } from 'rxjs';
import type { Collection, ObjectEvent, ResourceChange } from 'rx-informer';
import { collectionPort, Trampoline } from 'rx-informer/internal';
import type { ViewOptions } from '../view.js';
import { noChange } from './computations.js';
import { type NeedsBuilder, ViewNeeds } from './needs.js';
import { InputLink, inSteps, type LinkOwner } from './reads/inputLink.js';
import { defaultName, ViewBase } from './viewBase.js';
import {
  addResources,
  dependencyPath,
  type Needs,
  raiseAll,
  trackNeeds,
  untyped,
  viewPort,
  type ViewPort,
  viewPortOf,
} from './viewPort.js';

/**
 * A view with its place in the graph: its inputs, the views that read it, and, once a relay has asked for them, the needs of its values.
 */
export abstract class LinkedView<T> extends ViewBase<T> implements ViewPort, LinkOwner {
  readonly dependents: Set<ViewPort> = new Set<ViewPort>();
  readonly renewal$: Observable<readonly string[]>;
  private readonly renewalSubject$ = new Subject<readonly string[]>();
  /** The inputs given at creation: they existed before the view, so they cannot depend on it. */
  private readonly fixed: ReadonlySet<Collection<never>>;
  /** The inputs that are connected even if no function reads them. */
  protected inputs: ReadonlySet<Collection<never>>;
  protected readonly links: Map<Collection<never>, InputLink<never>> = new Map<Collection<never>, InputLink<never>>();
  /** The number of connections to new inputs so far. A new input may have to settle before this view. */
  protected connections = 0;
  /** Whether an input may have lost its last reader. */
  protected exchanged = false;
  protected needs: ViewNeeds | undefined;
  /** The incomplete links, and the inputs that the first content waits for. */
  protected readonly behind: Set<InputLink<never>> = new Set<InputLink<never>>();
  protected readonly awaited: Set<Collection<never>> = new Set<Collection<never>>();
  protected readonly lowestLevel: number;

  /** @param owner - what makes the default name unique: views of the same function and owner are numbered. */
  constructor(kind: string, inputs: readonly Collection<never>[], options: ViewOptions<T>, owner: object | undefined = inputs[0]) {
    const name = options.name ?? defaultName(kind, inputs, owner);
    super({ ...options, name }, inputs[0]?.[collectionPort].trampoline ?? new Trampoline());
    this.renewal$ = this.renewalSubject$.asObservable();
    this.fixed = new Set(inputs);
    this.inputs = this.fixed;
    this.lowestLevel = inputs.reduce((highest, input) => Math.max(highest, input[collectionPort].level + 1), 1);
    this.level = this.lowestLevel;
    Object.defineProperty(this, viewPort, { value: this });
  }

  abstract isConnected(): boolean;
  abstract mark(key: string, link: InputLink<never>, change: ResourceChange<unknown>): void;
  abstract changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void;
  abstract failed(error: unknown, link?: InputLink<never>): void;
  abstract completed(): void;

  override *upstream(): Iterable<Collection<never>> {
    yield* this.inputs;
    yield* this.links.keys();
  }

  needsOf(key: string): Needs | undefined {
    return this.needs?.of(key);
  }

  /** A view that runs computes its values again: what they were computed from has not been recorded. */
  recordNeeds(): void {
    if (this.needs !== undefined) return;
    this.needs = new ViewNeeds();
    this.turns.run(() => {
      for (const link of this.links.values()) if (link.ready) this.changed(link, { ...noChange, synced: link.synced }, true);
    });
  }

  renewed(input: Collection<never>, change: ResourceChange<never>, isWhole: boolean): void {
    this.links.get(input)?.renew(change, isWhole);
    if (!isWhole || this.needs === undefined) return;
    this.needs.isWholeNew = true;
    this.schedule();
  }

  /** Connects an input. @throws TypeError when the view depends on itself. */
  link(collection: Collection<never>): InputLink<never> {
    const known = this.links.get(collection);
    if (known !== undefined) return known;
    const port = viewPortOf(collection);
    const way = port === undefined || this.fixed.has(collection) ? undefined : dependencyPath(this, collection);
    if (way !== undefined) throw new TypeError(`A view cannot be made of itself: ${[this.name, ...way].join(' reads ')}`);
    const link = new InputLink<never>(collection, this);
    this.links.set(collection, link);
    if (!this.inputs.has(collection)) this.exchanged = true;
    this.connections += 1;
    const { trampoline, level } = collection[collectionPort];
    this.turns.join(trampoline);
    port?.dependents.add(this);
    addResources(this, collection);
    raiseAll(this, level + 1);
    if (this.needs !== undefined) {
      this.needs.isWholeNew = true;
      trackNeeds(collection);
    }
    this.attend(link);
    inSteps(() => link.connect());
    return link;
  }

  /** Makes completeness and health of the view depend on this input. */
  protected attend(link: InputLink<never>): void {
    const { collection } = link;
    this.behind.add(link);
    if (this.inputs.has(collection) && !link.ready) this.awaited.add(collection);
    this.status.watch(collection);
  }

  protected unlink(link: InputLink<never>): void {
    const { collection } = link;
    this.links.delete(collection);
    this.behind.delete(link);
    this.awaited.delete(collection);
    viewPortOf(collection)?.dependents.delete(this);
    this.status.unwatch(collection);
    link.disconnect();
  }

  /** Disconnects inputs that no function reads any more, so that the view does not wait for them. */
  protected unlinkUnread(): void {
    if (!this.exchanged) return;
    this.exchanged = false;
    for (const [collection, link] of this.links) if (!this.inputs.has(collection) && !link.isRead()) this.unlink(link);
  }

  /** Makes the view settle in this turn. */
  protected abstract schedule(): void;

  /** The objects of the inputs that a value is made of, by their keys. */
  protected abstract membersOf(key: string): Iterable<string>;

  /** Records what an object of an input needs from which values are computed from now on; `same` are those that need not change with it. */
  protected use(key: string, collect: (needs: NeedsBuilder) => void, same: Iterable<string> = []): void {
    this.needs?.use(key, collect, same);
  }

  /** A value is what it would be computed as now: it needs what that would need. */
  protected adoptNeeds(key: string): void {
    const { needs } = this;
    needs?.adopt(key, (builder) => {
      let isEmpty = true;
      for (const member of this.membersOf(key)) {
        isEmpty = false;
        needs.addUsed(member, builder);
      }
      if (isEmpty) builder.unknown();
    });
  }

  /** Tells of values that need something else than before, but have not changed. */
  protected announceNeeds(events: readonly ObjectEvent<T>[]): void {
    if (this.needs === undefined) return;
    for (const key of this.needs.takeRenewed()) if (this.store.getByKey(key) !== undefined) this.adoptNeeds(key);
    const changed = this.needs.takeChanged();
    for (const { key } of events) changed.delete(key);
    const isWhole = this.needs.isWholeNew;
    this.needs.isWholeNew = false;
    if (changed.size === 0 && !isWhole) return;
    const keys = [...changed];
    const renewals = keys.flatMap((key): ObjectEvent<T>[] => {
      const object = this.store.getByKey(key);
      return object === undefined ? [] : [{ type: 'updated', key, object, oldObject: object, resync: false, inferred: false }];
    });
    const change = { cause: 'view', events: renewals, synced: this.behind.size === 0 } as unknown as ResourceChange<never>;
    for (const dependent of this.dependents) dependent.renewed(untyped(this as unknown as Collection<T>), change, isWhole);
    if (keys.length > 0) this.turns.notify(() => this.renewalSubject$.next(keys));
  }
}
