import { type SchedulerLike } from 'rxjs';
import { emptySnapshot, schedulerOf, snapshotWith } from 'rx-informer/internal';
import { type Collection, createInformer, type IndexSnapshot } from 'rx-informer';
import { relaySource, type RelaySourceOptions, type RelayState, retryRelay } from '../client/relaySource.js';
import { type Scope, scopeId } from '../wire/frames.js';

/** How the components of a page reach their relay. */
export interface RelayClientOptions extends Pick<RelaySourceOptions, 'token' | 'credentials' | 'fetch'> {
  /** The URL of the relay's handler, for example `/relay`. */
  readonly url: string;
  /** How long a scope is kept up after its last component has gone, in milliseconds. @defaultValue 300000, five minutes */
  readonly keepMs?: number | undefined;
  /** What the server has loaded with `loadRelay`. */
  readonly state?: RelayState | undefined;
  /** The clock of all timers. @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

interface Entry {
  readonly collection: Collection<unknown>;
  /** The content that the server has loaded. */
  readonly loaded: IndexSnapshot<unknown> | undefined;
  readonly total: Total;
}

/** How many objects the order of a window has, for components. */
export class Total {
  current: number | undefined;
  private readonly listeners = new Set<() => void>();

  readonly get = (): number | undefined => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly set = (total: number): void => {
    this.current = total;
    for (const listener of this.listeners) listener();
  };
}

/** A part of an order that is scrolled past is kept for this long, in milliseconds: a page has a limit of what it follows at once. */
const keepWindowMs = 2_000;

const silent = { warn: (): void => undefined };

/** The scopes of a page: one informer for all components that ask for the same. */
export class RelayClient {
  readonly scheduler: SchedulerLike;
  private readonly options: RelayClientOptions;
  private readonly entries = new Map<string, Entry>();

  constructor(options: RelayClientOptions) {
    this.options = options;
    this.scheduler = schedulerOf(options.scheduler);
  }

  entryOf(scope: Scope): Entry {
    const id = scopeId(scope);
    const known = this.entries.get(id);
    if (known !== undefined) return known;
    const { url, keepMs = 300_000, scheduler, ...way } = this.options;
    const name = scope.kind ?? scope.view ?? '';
    // Components show failures, so they are not logged.
    const total = new Total();
    const idleGraceMs = scope.window?.offset === undefined ? keepMs : Math.min(keepMs, keepWindowMs);
    const collection = createInformer<unknown>(relaySource(url, { ...scope, ...way, scheduler, onTotal: total.set }), {
      ...{ resource: name, name, idleGraceMs, logger: silent, scheduler },
    });
    const state = way.state?.[id];
    const content = state?.held.map(([key, , value]) => [key, value] as const);
    const loaded = content && snapshotWith(emptySnapshot<unknown>(), content, '');
    const entry = { collection, loaded, total };
    this.entries.set(id, entry);
    let hasRun = false;
    // Who has held on to its collection may start it again: another entry has its place by then.
    const forget = (): unknown => this.entries.get(id) === entry && this.entries.delete(id);
    // Starts nothing. What nobody has wanted for so long is forgotten.
    collection.health$.subscribe({
      next: ({ state: current }) => {
        if (hasRun && current === 'idle') forget();
        hasRun ||= current !== 'idle';
      },
      error: forget,
    });
    return entry;
  }

  /** Connects again at once. */
  retry(): void {
    retryRelay(this.options.url);
  }
}
