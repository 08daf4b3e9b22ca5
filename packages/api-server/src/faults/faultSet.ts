import { resourceName } from 'rx-informer/internal';
import type { Clock } from 'rx-informer/workqueue';
import type { HookedRequest } from '../hooks.js';
import { isResourceTarget } from '../http/routePath.js';
import type { RandomSource } from '../randomSource.js';
import type { Fault, FaultType } from './fault.js';
import type { FaultScope } from './faultScope.js';

/** An injected fault. */
export interface InjectedFault {
  readonly fault: Fault;
  /** How often it has struck. */
  readonly struck: number;
  /** Whether it can strike again. */
  readonly active: boolean;
  /** Removes the fault. */
  remove(): void;
}

type FaultOf<T extends FaultType> = Extract<Fault, { readonly type: T }>;

class Entry implements InjectedFault {
  readonly fault: Fault;
  private strikes = 0;
  private passed = 0;
  private removed = false;
  private readonly onRemove: () => void;

  constructor(fault: Fault, onRemove: () => void) {
    this.fault = fault;
    this.onRemove = onRemove;
  }

  get struck(): number {
    return this.strikes;
  }

  get active(): boolean {
    return !this.removed && this.strikes < (this.fault.count ?? Infinity);
  }

  remove(): void {
    if (this.removed) return;
    this.removed = true;
    this.onRemove();
  }

  /** Decides whether the fault strikes now. */
  tryToStrike(random: RandomSource): boolean {
    const { skip = 0, probability = 1 } = this.fault;
    if (!this.active) return false;
    this.passed += 1;
    if (this.passed <= skip || (probability < 1 && random.fraction() >= probability)) return false;
    this.strikes += 1;
    return true;
  }
}

function differs(wanted: string | undefined, actual: string | undefined): boolean {
  return wanted !== undefined && wanted !== actual;
}

function mismatches(wanted: string | RegExp | undefined, actual: string): boolean {
  return wanted !== undefined && (typeof wanted === 'string' ? wanted !== actual : actual.search(wanted) === -1);
}

function concerns({ verb, path, userAgent, user, when, ...wanted }: FaultScope, request: HookedRequest): boolean {
  const { target } = request;
  const found = isResourceTarget(target) ? target : undefined;
  if (verb !== undefined && !([verb].flat() as readonly string[]).includes(request.verb)) return false;
  if (differs(wanted.resource, found && resourceName(found.resource)) || differs(wanted.namespace, found?.namespace)) return false;
  if (differs(wanted.name, found?.name) || differs(wanted.subresource, found?.subresource)) return false;
  if (mismatches(path, request.path) || mismatches(userAgent, request.incoming.headers['user-agent'] ?? '')) return false;
  return !differs(user, request.user.name) && when?.(request) !== false;
}

/** The faults of a server, in the order of their injection. */
export class FaultSet {
  private readonly entries = new Set<Entry>();
  /** The faults that must strike before the server is closed, even if they were removed. */
  private readonly owing = new Set<Entry>();
  private readonly clock: Clock;
  private readonly random: RandomSource;
  private readonly injectionListeners = new Set<(fault: Fault) => void>();
  private readonly removalListeners = new Set<(fault: Fault) => void>();

  constructor({ clock, random }: { readonly clock: Clock; readonly random: RandomSource }) {
    this.clock = clock;
    this.random = random;
  }

  /** Adds a fault. */
  inject(fault: Fault): InjectedFault {
    const entry: Entry = new Entry(fault, () => {
      timer?.unsubscribe();
      this.forget(entry);
    });
    const timer = fault.forMs === undefined ? undefined : this.clock.schedule(() => entry.remove(), fault.forMs);
    this.entries.add(entry);
    this.owing.add(entry);
    for (const listener of [...this.injectionListeners]) listener(fault);
    return entry;
  }

  get all(): readonly InjectedFault[] {
    return [...this.entries];
  }

  /** Whether there is no fault. */
  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  clear(): void {
    for (const entry of this.entries) entry.remove();
    this.owing.clear();
  }

  /** The faults that had to strike and never did. */
  get missed(): readonly Fault[] {
    const missed = [...this.owing].filter(({ fault, struck }) => struck === 0 && fault.optional !== true && (fault.probability ?? 1) === 1);
    return missed.map(({ fault }) => fault);
  }

  /** Whether a fault of these types could strike a request. Does not count as a strike. */
  threatens(request: HookedRequest, types: readonly FaultType[]): boolean {
    return [...this.entries].some(({ fault, active }) => active && types.includes(fault.type) && concerns(fault, request));
  }

  /** The first fault of a type that strikes a request now, and satisfies the condition. It is counted. */
  strike<T extends FaultType>(
    request: HookedRequest,
    type: T,
    condition: (fault: FaultOf<T>) => boolean = () => true,
  ): FaultOf<T> | undefined {
    for (const entry of this.entries) {
      const fault = entry.fault as FaultOf<T>;
      if (fault.type === type && concerns(fault, request) && condition(fault) && entry.tryToStrike(this.random)) return fault;
    }
    return undefined;
  }

  /** Calls a function after each injection. */
  onInjection(listener: (fault: Fault) => void): () => void {
    this.injectionListeners.add(listener);
    return () => this.injectionListeners.delete(listener);
  }

  /** Calls a function after each removal. */
  onRemoval(listener: (fault: Fault) => void): () => void {
    this.removalListeners.add(listener);
    return () => this.removalListeners.delete(listener);
  }

  private forget(entry: Entry): void {
    this.entries.delete(entry);
    for (const listener of [...this.removalListeners]) listener(entry.fault);
  }
}
