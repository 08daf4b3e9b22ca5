import type { Observable, Observer, Subscription } from 'rxjs';
import { type Collection, type IndexReader, InformerError, type Lister, type ResourceChange, type ResourceEvent } from 'rx-informer';
import {
  type CollectionFigures,
  type Content,
  contentOf,
  createLister,
  type Describable,
  inProduction,
  LiveCollection,
  messageOf,
  readGuard,
  type Running,
  runningKey,
  type Trampoline,
} from 'rx-informer/internal';
import type { ViewCounters, ViewExplanation, ViewOptions } from '../view.js';
import { Computations } from './computations.js';
import { asyncError, isPromise } from './checks.js';
import { ViewHealth } from './viewHealth.js';
import type { LabelsOf } from './viewPort.js';
import { forbidding } from './reads/forbidding.js';

/**
 * The options of every collection of the views.
 */
export interface ViewBaseOptions<T> extends Pick<ViewOptions<T>, 'labels' | 'indexers' | 'idleGraceMs' | 'logger' | 'scheduler'> {
  readonly name: string;
}

/** The longest default name. */
const longestName = 80;

/** The default name of a view. Those of one kind over one owner, as several views of an informer, are numbered. */
export function defaultName(kind: string, inputs: readonly Collection<never>[], owner: object | undefined): string {
  const names = inputs.slice(0, 5).map(({ name }) => name);
  const all = `${kind}(${[...names, ...(inputs.length > 5 ? [`${inputs.length - 5} others`] : [])].join(', ')})`;
  return uniqueName(all.length > longestName ? `${all.slice(0, longestName - 3)}...` : all, owner, kind.replace(/\(.*/s, ''));
}

/** How many views of a kind have been made over an owner. Kinds are few: names that contain other names would be kept for ever. */
const counts = new WeakMap<object, Map<string, number>>();

function countOf(owner: object, kind: string): number {
  const ofOwner = counts.get(owner) ?? new Map<string, number>();
  counts.set(owner, ofOwner);
  const count = (ofOwner.get(kind) ?? 0) + 1;
  ofOwner.set(kind, count);
  return count;
}

/** A name with a number, unless it is the first of its kind over the owner. */
export function uniqueName(name: string, owner: object | undefined, kind: string): string {
  const count = owner === undefined ? 1 : countOf(owner, kind);
  return count === 1 ? name : `${name} ${count}`;
}

/** The figures of a view. */
export interface ViewFigures extends CollectionFigures {
  readonly kind: 'view';
  /** The names of its inputs. */
  readonly inputs: readonly string[];
  readonly computed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly durationMs: number;
}

/**
 * A store with the members of a collection. The subclass's `session` maintains its content.
 */
export abstract class ViewBase<T> extends LiveCollection<T> {
  readonly change$: Observable<ResourceChange<T>>;
  readonly resource$: Observable<ResourceEvent<T>>;
  readonly indexer: IndexReader<T>;
  readonly lister: Lister<T>;
  readonly status: ViewHealth;
  protected readonly writes: Content<T>;
  protected readonly computations: Computations = new Computations();
  /** Its name if its functions must not read caches directly. */
  readonly guardedName: string | undefined;
  readonly labels: LabelsOf<unknown> | undefined;
  /** The resources of the informers that its values are made of, and have ever been: a value may be kept when its function reads something else. */
  readonly resources: Set<string> = new Set<string>();

  constructor({ name, ...options }: ViewBaseOptions<T>, turns: Trampoline) {
    super({ what: 'view', name, resource: name, turns, options });
    const { store, changes$ } = this;
    this.guardedName = inProduction() ? undefined : name;
    this.status = new ViewHealth(turns, this.scheduler, () => this.level);
    this.indexer = store;
    this.writes = contentOf(store);
    this.labels = options.labels && this.labelsBy(options.labels as LabelsOf<unknown>);
    this.lister = createLister({ indexer: store, resource: name, labelsOf: this.labels });
    this.change$ = changes$;
    this.resource$ = changes$.resource$;
  }

  stop(): Promise<void> {
    this.finish();
    return Promise.resolve();
  }

  counters(): ViewCounters {
    return { ...this.computations.counted };
  }

  /** How a value was computed. */
  explain(_key: string): ViewExplanation | undefined {
    return undefined;
  }

  /** The inputs. */
  *upstream(): Iterable<Collection<never>> {
    // None by default.
  }

  protected override figures(): ViewFigures {
    const { computed, unchanged, failed, durationMs } = this.computations.counted;
    const inputs = [...new Set([...this.upstream()].map(({ name }) => name))];
    return { kind: 'view', ...this.collectionFigures(), inputs, computed, unchanged, failed, durationMs };
  }

  protected override running(): Running {
    const running = super.running();
    const inputs = (): readonly Running[] =>
      [...new Set(this.upstream())].flatMap((input) => (input as Partial<Describable>)[runningKey] ?? []);
    const resources = (): ReadonlySet<string> => this.resources;
    return { ...running, inputs, resources, cache: running.cache && { ...running.cache, explain: (key) => this.explain(key) } };
  }

  /** Subscribes to an Observable of inputs. Later emissions begin a turn, so that no change is applied between two subscribers. */
  protected follow<V>(session: Subscription, stream$: Observable<V>, take: Pick<Observer<V>, 'next' | 'error' | 'complete'>): void {
    let connecting = true;
    const inTurn = (action: () => void): void => {
      if (connecting) action();
      else this.turns.run(() => session.closed || action());
    };
    session.add(
      stream$.subscribe({
        next: (value) => inTurn(() => take.next(value)),
        error: (error: unknown) => inTurn(() => take.error(error)),
        complete: () => inTurn(() => take.complete()),
      }),
    );
    connecting = false;
  }

  /** The option `labels`, guarded: when it throws, an object has no labels. */
  private labelsBy(labels: LabelsOf<unknown>): LabelsOf<unknown> {
    const guarded = this.guarded(labels);
    return (value) => {
      try {
        return guarded(value);
      } catch (error) {
        this.failure('a value', error, 'option `labels`');
        return undefined;
      }
    };
  }

  /** Wraps a user's function, which must not read caches directly, and must not be asynchronous. */
  guarded<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    const { guardedName, name } = this;
    const checked = (...args: A): R => {
      const value = work(...args);
      if (isPromise(value)) throw asyncError(`the view ${name}`);
      return value;
    };
    if (guardedName === undefined) return checked;
    const forbids = forbidding(guardedName);
    return (...args) => readGuard.run(forbids, () => checked(...args));
  }

  /** Reports an error of a user's function. */
  protected failure(key: string, cause: unknown, what: string = 'function'): InformerError {
    const message = `The ${what} of the view ${this.name} failed for ${key}: ${messageOf(cause)}`;
    const error = new InformerError({ code: 'ERR_VIEW', message, cause, resource: this.name, key });
    this.errors.report(error);
    return error;
  }
}
