import type { Drop } from './drops.js';
import type { ResourceChange } from './events.js';

/** The figures of something that runs. */
export interface Figures {
  /** What it is, for example `informer`. */
  readonly kind: string;
  readonly name: string;
  /** The time of these figures, in milliseconds of the thing's own clock. */
  readonly at: number;
  readonly state?: string | undefined;
}

/** Something that runs. Its figures are computed when they are read. */
export interface Running {
  figures(): Figures;
  /** Its objects, if it has any. */
  readonly cache?: RunningCache | undefined;
  /** The client that it reads with, if everything else that it reads is in its figures. */
  readsWith?(): object | undefined;
  /** The entries of its inputs. */
  inputs?(): readonly Running[];
  /** The resources that its objects are made of, and have ever been. */
  resources?(): Iterable<string>;
  /** The entries of what it waits for. */
  waitsFor?(): readonly Running[];
}

/** The objects of something that runs. */
export interface RunningCache {
  keys(): readonly string[];
  get(key: string): unknown;
  /** Whether anybody gets its changes. */
  isHeard(): boolean;
  /** Calls a function with each change, and one with what goes no further, without starting anything; the result unsubscribes. */
  follow(next: (change: ResourceChange<unknown>) => void, dropped?: (drop: Drop) => void): () => void;
  /** What a value of a view was computed from. */
  explain?(key: string): unknown;
}

/** Something that runs, or a weak reference to it. */
export type RunningEntry = Running | WeakRef<Running>;

/** Gets what happens to one request of a client. */
export interface RequestFollower {
  event(
    event: { readonly type: 'head'; readonly status: number } | { readonly type: 'data'; readonly chunk: { readonly length: number } },
  ): void;
  /** Called once, also for a request that is aborted. */
  end(failure?: unknown): void;
}

/** Everything that runs in this process: things are registered, and their figures and the requests of all clients are there for who looks. */
export class Registry {
  private readonly entries = new Set<RunningEntry>();
  private readonly watchers = new Set<(name: string) => RequestFollower>();

  /** Adds something; the result removes it. What ends by garbage collection is given by a weak reference, and removed by who gives it. */
  register(entry: RunningEntry): () => void {
    this.entries.add(entry);
    return () => void this.entries.delete(entry);
  }

  all(): readonly Running[] {
    return [...new Set([...this.entries].flatMap((each) => (each instanceof WeakRef ? each.deref() : each) ?? []))];
  }

  /** Calls a function at the beginning of each request, with its name, for example `GET /api/v1/pods`; the result ends that. */
  followRequests(watcher: (name: string) => RequestFollower): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  /** The followers of a request that begins: none while nobody looks. */
  beginRequest(name: string): readonly RequestFollower[] {
    return [...this.watchers].map((watcher) => watcher(name));
  }
}

const place = Symbol.for('rx-informer.registry');

/** The registry of the process, shared by both module formats. */
export function registry(): Registry {
  const holder = globalThis as { [place]?: Registry };
  if (holder[place] === undefined) Object.defineProperty(holder, place, { value: new Registry(), configurable: true });
  return holder[place] as Registry;
}

/** The member of an object with its entry for the registry. */
export const runningKey: unique symbol = Symbol.for('rx-informer.running') as never;

/** An object with an entry, whether it is registered or not. */
export interface Describable {
  readonly [runningKey]: Running;
}

const inspectKey = Symbol.for('nodejs.util.inspect.custom');

/** Gives an object its entry, and one line for `console.log`. */
export function describable<O extends object>(thing: O, running: Running): O {
  const line = (): string => {
    const { kind, name, state } = running.figures();
    return `<${kind} ${name}${state === undefined ? '' : `: ${state}`}>`;
  };
  return Object.defineProperties(thing, { [runningKey]: { value: running }, [inspectKey]: { value: line } });
}

/** Makes a wrapper describable like the object that it wraps. */
export function describedAs<O extends object>(thing: O, inner: object): O {
  const running = (inner as Partial<Describable>)[runningKey];
  return running === undefined ? thing : describable(thing, running);
}
