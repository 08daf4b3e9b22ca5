import { apiErrorIn } from '../errors/apiError.js';
import type { ResourceChange } from '../events.js';
import type { Facts, FailureFacts } from './facts.js';
import { RequestLog } from './requestLog.js';

/** An entry of the registry. Its figures are computed when they are read. */
export interface Running {
  facts(): Facts;
  /** Its objects, if it has any. */
  readonly cache?: RunningCache | undefined;
  /** The entries of its inputs. */
  inputs?(): readonly Running[];
  /** The entries of what it waits for. */
  waitsFor?(): readonly Running[];
}

/** A cache for the inspector. */
export interface RunningCache {
  keys(): readonly string[];
  get(key: string): unknown;
  /** Calls a function with each change, without starting anything; the result unsubscribes. */
  follow(next: (change: ResourceChange<unknown>) => void): () => void;
  /** What a value of a view was computed from. */
  explain?(key: string): unknown;
}

/** Everything that runs in this process. */
export class Registry {
  /** The requests of clients. */
  readonly requests: RequestLog = new RequestLog();
  /** Earlier observations of `diagnose`. */
  looks: object | undefined;
  private readonly running = new Map<Running, number>();
  private readonly forgettable = new Set<WeakRef<Running>>();
  private readonly ids = new WeakMap<object, number>();
  private readonly counts = new WeakMap<object, Map<string, number>>();
  private sweepAt = 64;
  private lastId = 0;

  /** Adds an entry; the result removes it. */
  add(running: Running): () => void {
    this.running.set(running, (this.running.get(running) ?? 0) + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const left = (this.running.get(running) ?? 1) - 1;
      if (left === 0) this.running.delete(running);
      else this.running.set(running, left);
    };
  }

  /** Adds an entry by a weak reference, for things that end by garbage collection. */
  addForgettable(running: Running): () => void {
    const reference = new WeakRef(running);
    this.forgettable.add(reference);
    if (this.forgettable.size >= this.sweepAt) {
      for (const each of this.forgettable) if (each.deref() === undefined) this.forgettable.delete(each);
      this.sweepAt = Math.max(64, this.forgettable.size * 2);
    }
    return () => void this.forgettable.delete(reference);
  }

  all(): readonly Running[] {
    return [...this.running.keys(), ...[...this.forgettable].flatMap((each) => each.deref() ?? [])];
  }

  /** A stable number for an object. */
  idOf(thing: object): number {
    const known = this.ids.get(thing);
    if (known !== undefined) return known;
    this.lastId += 1;
    this.ids.set(thing, this.lastId);
    return this.lastId;
  }

  /** How many things of a kind have been counted over an owner. Kinds are few: names that contain other names would be kept for ever. */
  countOf(owner: object, kind: string): number {
    const counts = this.counts.get(owner) ?? new Map<string, number>();
    this.counts.set(owner, counts);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count;
  }
}

const place = Symbol.for('rx-informer.registry');

/** The registry of the process, shared by both module formats. */
export function registry(): Registry {
  const holder = globalThis as { [place]?: Registry };
  if (holder[place] === undefined) Object.defineProperty(holder, place, { value: new Registry(), configurable: true });
  return holder[place] as Registry;
}

/** A summary of a failure, with the innermost status of the API server. */
export function failureFacts(error: (Error & { readonly code?: string }) | undefined): FailureFacts | undefined {
  if (error === undefined) return undefined;
  const answer = apiErrorIn(error);
  return { code: error.code ?? error.name, message: error.message, ...(answer && { http: answer.code }) };
}
