import type { Subscription } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { type Collection, collectionPort } from '../../informer/collection.js';
import { Trampoline } from '../../rx/trampoline.js';
import type { ViewOptions } from '../viewOptions.js';
import { InputLink, type LinkOwner } from './reads/inputLink.js';
import { ViewBase } from './viewBase.js';
import { type LabelsOf, viewPort, type ViewPort, viewPortOf } from './viewPort.js';

/**
 * A view's place in the graph: the inputs that it is connected to, and the views that are connected to it.
 */
export abstract class LinkedView<T> extends ViewBase<T> implements ViewPort, LinkOwner {
  readonly labels: LabelsOf<unknown> | undefined;
  readonly dependents: Set<ViewPort> = new Set<ViewPort>();
  /** What it is made of in any case, whatever functions read. */
  protected inputs: readonly Collection<never>[];
  protected readonly links: Map<Collection<never>, InputLink<never>> = new Map<Collection<never>, InputLink<never>>();
  /** Whether an input has been met for the first time: it may have to settle before. */
  protected discovered = false;
  /** Whether an input may have lost its last reader. */
  protected exchanged = false;

  constructor(kind: string, inputs: readonly Collection<never>[], options: ViewOptions<T>) {
    const name = options.name ?? `${kind}(${inputs.map((input) => input.name).join(', ')})`;
    super({ ...options, name }, inputs[0]?.[collectionPort].trampoline ?? new Trampoline());
    this.inputs = inputs;
    this.labels = options.labels as LabelsOf<unknown> | undefined;
    this.level = 1;
    Object.defineProperty(this, viewPort, { value: this });
  }

  raise(level: number): void {
    if (this.level >= level) return;
    this.level = level;
    for (const dependent of this.dependents) dependent.raise(level + 1);
  }

  wayTo(other: ViewPort): readonly string[] | undefined {
    if (other === this) return [this.name];
    for (const input of new Set([...this.inputs, ...this.links.keys()])) {
      const way = viewPortOf(input)?.wayTo(other);
      if (way !== undefined) return [this.name, ...way];
    }
    return undefined;
  }

  abstract mark(key: string, link: InputLink<never>, change: ResourceChange<unknown>): void;
  abstract changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void;
  abstract failed(error: unknown): void;
  abstract completed(): void;

  /** Connects what it is made of in any case. The subscription ends with the session. */
  protected connectInputs(session: Subscription): void {
    for (const input of this.inputs) if (!session.closed) this.link(input);
  }

  /** Whether everything that it is made of in any case has been complete. */
  protected isReady(): boolean {
    return this.inputs.every((input) => this.links.get(input)?.ready === true);
  }

  /** Connects an input. @throws TypeError when the view is made of itself. */
  protected link(collection: Collection<never>): InputLink<never> {
    const known = this.links.get(collection);
    if (known !== undefined) return known;
    const port = viewPortOf(collection);
    const way = port?.wayTo(this);
    if (way !== undefined) throw new TypeError(`A view cannot be made of itself: ${[this.name, ...way].join(' reads ')}`);
    const link = new InputLink<never>(collection, this);
    this.links.set(collection, link);
    this.discovered = true;
    this.exchanged = true;
    const { trampoline, level } = collection[collectionPort];
    this.turns.join(trampoline);
    port?.dependents.add(this);
    this.raise(level + 1);
    this.status.watch(collection);
    link.connect();
    return link;
  }

  protected unlink(link: InputLink<never>): void {
    const { collection } = link;
    this.links.delete(collection);
    viewPortOf(collection)?.dependents.delete(this);
    this.status.unwatch(collection);
    link.disconnect();
  }

  /** Disconnects inputs that no function reads any more. */
  protected unlinkUnread(): void {
    if (!this.exchanged) return;
    this.exchanged = false;
    for (const [collection, link] of this.links) if (!this.inputs.includes(collection) && !link.isRead()) this.unlink(link);
  }

  protected unlinkAll(): void {
    for (const link of [...this.links.values()]) this.unlink(link);
    this.level = 1;
  }
}
