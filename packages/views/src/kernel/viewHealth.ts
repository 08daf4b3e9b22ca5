import type { SchedulerLike, Subscription } from 'rxjs';
import type { Collection, InformerError, InformerHealth } from 'rx-informer';
import { CollectionHealth, type Trampoline } from 'rx-informer/internal';

type State = InformerHealth['state'];

/** The part of an input's health that affects the view's. */
type Known = Pick<InformerHealth, 'state' | 'error'>;

const severity: Readonly<Record<State, number>> = { watching: 0, stopped: 0, idle: 2, restored: 2, listing: 2, retrying: 4 };

/** The severity of an input's health, from 0 to 5; with an error it counts as worse. */
const rankOf = ({ state, error }: Known): number => severity[state] + (error === undefined ? 0 : 1);

const isWell = (known: Known): boolean => rankOf(known) === 0;

/** The health of each input of a view. Finds the worst one in constant time. */
class InputHealths {
  private readonly inputs = new Map<Collection<never>, { known: Known; readonly subscription: Subscription | undefined }>();
  private readonly byRank: readonly Map<Collection<never>, Known>[] = Array.from({ length: 6 }, () => new Map<Collection<never>, Known>());

  has(input: Collection<never>): boolean {
    return this.inputs.has(input);
  }

  enter(input: Collection<never>, known: Known, subscription: Subscription | undefined): void {
    this.inputs.set(input, { known, subscription });
    this.byRank[rankOf(known)]?.set(input, known);
  }

  /** Sets the health of an input. Returns whether it has changed. */
  note(input: Collection<never>, known: Known): boolean {
    const entry = this.inputs.get(input);
    if (entry === undefined || (entry.known.state === known.state && entry.known.error === known.error)) return false;
    this.byRank[rankOf(entry.known)]?.delete(input);
    this.byRank[rankOf(known)]?.set(input, known);
    entry.known = known;
    return true;
  }

  /** Removes an input. Returns its last health; undefined if it was none. */
  leave(input: Collection<never>): Known | undefined {
    const entry = this.inputs.get(input);
    if (entry === undefined) return undefined;
    entry.subscription?.unsubscribe();
    this.inputs.delete(input);
    this.byRank[rankOf(entry.known)]?.delete(input);
    return entry.known;
  }

  worst(): Known | undefined {
    for (let rank = this.byRank.length - 1; rank >= 0; rank -= 1) for (const known of this.byRank[rank]?.values() ?? []) return known;
    return undefined;
  }

  keys(): readonly Collection<never>[] {
    return [...this.inputs.keys()];
  }
}

/** Errors by key. */
class Failures extends Map<string, InformerError> {
  private newest: InformerError | undefined;

  /** The newest remaining error. */
  latest(): InformerError | undefined {
    if (this.newest === undefined) for (const error of this.values()) this.newest = error;
    return this.newest;
  }

  override set(key: string, error: InformerError): this {
    super.delete(key);
    this.newest = error;
    return super.set(key, error);
  }

  override delete(key: string): boolean {
    if (this.size > 0 && this.get(key) === this.newest) this.newest = undefined;
    return super.delete(key);
  }

  override clear(): void {
    this.newest = undefined;
    super.clear();
  }
}

/**
 * The health of a view: that of its worst input, with its own failing keys.
 *
 * Updated like values: when the health of inputs has changed, it is computed once per turn, after all inputs and before any subscriber.
 */
export class ViewHealth extends CollectionHealth {
  /** The errors of failing computations, by the keys of the input. */
  readonly degraded: Failures = new Failures();
  /** The errors of keys that several objects claim, or whose values cannot be compared. */
  readonly conflicts: Failures = new Failures();
  /** The errors of inputs that are no longer waited for, by name: they affect the health, but no key. */
  readonly absent: Failures = new Failures();
  private readonly levelOf: () => number;
  private readonly inputs = new InputHealths();
  /** The views over this one, with the collection by which each knows it. */
  private readonly dependents = new Map<ViewHealth, Collection<never>>();
  private own: Known = { state: 'idle' };
  /** When its worst input was last followed. */
  private currentAt: number | undefined;
  private failing = 0;
  private emittedSynced = false;
  private isTouched = false;
  private isEmitting = false;

  constructor(turns: Trampoline, scheduler: SchedulerLike, levelOf: () => number) {
    super(turns, scheduler);
    this.levelOf = levelOf;
  }

  health(): InformerHealth {
    const { state, error } = this.own;
    return {
      state,
      since: this.since,
      resourceVersion: '',
      synced: this.isSynced,
      ...(state !== 'watching' && this.currentAt !== undefined && { staleMs: this.scheduler.now() - this.currentAt }),
      ...(error !== undefined && { error }),
      degraded: [...new Set([...this.degraded.keys(), ...this.conflicts.keys()])],
    };
  }

  begin(): void {
    this.phase = 'running';
    this.touch();
  }

  watch(input: Collection<never>): void {
    if (this.inputs.has(input)) return;
    const port = healthOf(input);
    port?.dependents.set(this, input);
    let known: Known | undefined = port?.own;
    const next = (now: Known): void => {
      if (this.inputs.has(input)) this.note(input, now);
      else known = now;
    };
    const subscription = port === undefined ? input.health$.subscribe({ next, error: () => undefined }) : undefined;
    known ??= input.health();
    this.inputs.enter(input, known, subscription);
    if (!isWell(known)) this.touch();
  }

  unwatch(input: Collection<never>): void {
    healthOf(input)?.dependents.delete(this);
    const known = this.inputs.leave(input);
    if (known !== undefined && !isWell(known)) this.touch();
  }

  synced(synced: boolean): void {
    this.isSynced = synced;
    this.touch();
  }

  override end(phase: 'idle' | 'stopped'): void {
    if (this.phase === 'stopped') return;
    this.phase = phase;
    if (phase === 'idle') this.isSynced = false;
    for (const input of this.inputs.keys()) {
      healthOf(input)?.dependents.delete(this);
      this.inputs.leave(input);
    }
    this.degraded.clear();
    this.conflicts.clear();
    this.absent.clear();
    this.refresh();
  }

  /** Computes the health again in this turn, after all lower levels have settled. */
  touch(): void {
    if (this.isTouched) return;
    this.isTouched = true;
    this.turns.settle(this.levelOf(), this.refresh);
  }

  private readonly refresh = (): void => {
    this.isTouched = false;
    const failing = this.degraded.size + this.conflicts.size;
    const now = this.current();
    const isOther = now.state !== this.own.state || now.error !== this.own.error;
    if (now.state !== this.own.state) {
      this.since = this.scheduler.now();
      if (this.own.state === 'watching') this.currentAt = this.since;
    }
    if (isOther) {
      this.own = now;
      for (const [dependent, self] of this.dependents) dependent.note(self, now);
    }
    if (!isOther && failing === this.failing && this.isSynced === this.emittedSynced) return;
    this.failing = failing;
    this.emittedSynced = this.isSynced;
    if (this.isEmitting) return;
    this.isEmitting = true;
    this.turns.after(() => {
      this.isEmitting = false;
      this.emitHealth();
    });
  };

  /** Sets the health of an input. */
  private note(input: Collection<never>, known: Known): void {
    if (this.inputs.note(input, known)) this.touch();
  }

  private current(): Known {
    const worst = this.phase === 'running' ? this.inputs.worst() : undefined;
    const error = worst?.error ?? this.conflicts.latest() ?? this.degraded.latest() ?? this.absent.latest();
    return { state: this.stateOf(worst?.state), ...(error !== undefined && { error }) };
  }

  private stateOf(worst: State | undefined): State {
    if (this.phase !== 'running') return this.phase;
    if (worst === 'retrying') return 'retrying';
    if (!this.isSynced) return 'listing';
    return worst === 'listing' ? 'listing' : 'watching';
  }
}

/** The health of a view; undefined for any other collection. */
function healthOf(collection: Collection<never>): ViewHealth | undefined {
  const { status } = collection as { readonly status?: unknown };
  return status instanceof ViewHealth ? status : undefined;
}
