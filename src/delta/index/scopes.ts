import type { SourceEvent } from '../../api/events.js';
import { rules } from '../../api/options.js';
import type { OptionRule } from '../../api/optionRules.js';

/** A source event about one object. */
export type SourceChange<T> = Extract<SourceEvent<T>, { readonly type: 'added' | 'modified' | 'deleted' }>;

/** A list that is being received. */
export interface IncomingList<T> {
  /** The keys of the list, with anything. */
  readonly values: ReadonlyMap<string, unknown>;
  /** `isKeyed`: whether the source gave the key, so that the object's metadata say nothing of its content. */
  add(key: string, object: T, isKeyed: boolean): void;
  remove(key: string): void;
}

/** The state of one scope of the source. */
export interface Scope<L> {
  readonly name: string;
  incoming: L | undefined;
  /** What the source says of the list under way: the version before it, and whether it gives keys. With keys, equal versions may have different contents. */
  previousResourceVersion: string;
  isKeyed: boolean;
  ready: boolean;
  /** The newest version seen in this scope. */
  resourceVersion: string;
  /** The keys of the scope; recorded only while there are several scopes. */
  owned: Set<string> | undefined;
}

/** What a source event asks for, after the lists under way have taken their part. */
export type Step<T, L> =
  | { readonly do: 'publish'; readonly scope: Scope<L>; readonly list: L; readonly resourceVersion: string }
  | { readonly do: 'reach'; readonly scope: Scope<L>; readonly resourceVersion: string }
  | {
      readonly do: 'change';
      readonly scope: Scope<L>;
      readonly key: string;
      readonly event: SourceChange<T>;
      readonly previousResourceVersion: string;
    };

/** The rule of an option that declares scopes: they are read again and again. */
export const declaredScopes: OptionRule = {
  expected: 'iterable more than once, as a list or a Set is',
  holds: (value) => rules.iterable.holds(value) && (value as Iterable<unknown>)[Symbol.iterator]() !== value,
};

/** What the scopes need of the cache or of the queue whose source they read. */
export interface ScopesInit<T, L> {
  /** The names of the scopes to wait for, read at each use; by default those that have appeared. */
  readonly declared: Iterable<string> | undefined;
  /** The keys of all objects that are present, or will be when the queue has been processed. */
  readonly presentKeys: () => readonly string[];
  /** The key of an object: the given one, else computed. Undefined, after a report, if the object has no key. */
  readonly keyOf: (object: T, givenKey?: string) => string | undefined;
  /** Begins a list in place of one that is not complete, if there is one. */
  readonly begin: (abandoned: L | undefined) => L;
}

/** The scopes of a source: collects the lists of each until they are complete, and, while there are several, records the keys of each. */
export class Scopes<T, L extends IncomingList<T>> {
  /** The keys present before the first list for which no event has arrived yet. */
  readonly inherited: Set<string>;
  private readonly init: ScopesInit<T, L>;
  private readonly scopes = new Map<string, Scope<L>>();

  constructor(init: ScopesInit<T, L>) {
    this.init = init;
    this.inherited = new Set(init.presentKeys());
  }

  /** Reads an event. Returns undefined when nothing is to be done, or not yet. */
  read(event: SourceEvent<T>): Step<T, L> | undefined {
    if (event.type === 'status') return undefined;
    const scope = this.scopeOf(event.scope ?? '');
    switch (event.type) {
      case 'init':
        this.begin(scope, event.previousResourceVersion);
        return undefined;
      case 'page':
        this.readPage(event, scope);
        return undefined;
      case 'ready':
        return scope.incoming && { do: 'publish', scope, list: scope.incoming, resourceVersion: event.resourceVersion };
      case 'bookmark':
        return { do: 'reach', scope, resourceVersion: event.resourceVersion };
      default:
        return this.readChange(event, scope);
    }
  }

  /** A method of its own: inside `read`, V8 would optimize the loop for pages, and drop that code at the first change of the watch. */
  private readPage({ items, keys }: Extract<SourceEvent<T>, { readonly type: 'page' }>, scope: Scope<L>): void {
    const incoming = scope.incoming ?? this.begin(scope, '');
    scope.isKeyed ||= keys !== undefined;
    items.forEach((object, at) => {
      const key = this.init.keyOf(object, keys?.[at]);
      if (key !== undefined) incoming.add(key, object, keys !== undefined);
    });
  }

  private readChange(event: SourceChange<T>, scope: Scope<L>): Step<T, L> | undefined {
    const incoming = scope.incoming ?? (scope.ready ? undefined : this.begin(scope, ''));
    const previousResourceVersion = scope.resourceVersion;
    if (incoming === undefined && event.resourceVersion !== '') scope.resourceVersion = event.resourceVersion;
    const key = this.init.keyOf(event.object, event.key);
    if (key === undefined) return undefined;
    if (incoming !== undefined) {
      scope.isKeyed ||= event.key !== undefined;
      if (event.type === 'deleted') incoming.remove(key);
      else incoming.add(key, event.object, event.key !== undefined);
      // An object that left with a `reason` must be removed now. Otherwise the list would find it missing and report a deletion.
      if (event.reason === undefined || !scope.ready) return undefined;
    }
    return { do: 'change', scope, key, event, previousResourceVersion };
  }

  /** The scope of that name, created if necessary. */
  private scopeOf(name: string): Scope<L> {
    const known = this.scopes.get(name);
    if (known !== undefined) return known;
    for (const scope of this.scopes.values()) if (scope.ready) scope.owned ??= new Set(this.init.presentKeys());
    const list = { incoming: undefined, previousResourceVersion: '', isKeyed: false };
    const scope: Scope<L> = { name, ready: false, resourceVersion: '', owned: undefined, ...list };
    this.scopes.set(name, scope);
    return scope;
  }

  /** Begins a list, and drops an incomplete one. */
  private begin(scope: Scope<L>, previousResourceVersion: string): L {
    scope.previousResourceVersion = previousResourceVersion;
    scope.isKeyed = false;
    return (scope.incoming = this.init.begin(scope.incoming));
  }

  /** The keys to delete when `list` becomes the content of `scope`. `matches`, if known, is the number of its keys that are present. */
  vanished(scope: Scope<L>, list: L, matches?: number): readonly string[] {
    const isMissing = (key: string): boolean => !list.values.has(key);
    if (this.isAlone()) {
      const present = this.init.presentKeys();
      // Usually nothing has vanished. Comparing the sizes proves that without checking each key.
      return present.length === matches ? [] : present.filter(isMissing);
    }
    const held = new Set([...(scope.owned ?? []), ...(this.allReady(scope) ? this.inherited : [])]);
    return [...held].filter((key) => isMissing(key) && !this.isHeldElsewhere(scope, key));
  }

  /** Makes the list the content of its scope. */
  settle(scope: Scope<L>, list: L, resourceVersion: string): void {
    scope.incoming = undefined;
    scope.ready = true;
    scope.resourceVersion = resourceVersion;
    scope.owned = this.isAlone() ? undefined : new Set(list.values.keys());
    const { declared } = this.init;
    if (declared !== undefined && ![...declared].includes(scope.name)) this.scopes.delete(scope.name);
  }

  /** Whether all scopes are ready, not counting `except`. */
  allReady(except?: Scope<L>): boolean {
    for (const name of this.init.declared ?? this.scopes.keys()) {
      const scope = this.scopes.get(name);
      if (scope === undefined || !(scope.ready || scope === except)) return false;
    }
    return true;
  }

  /** Whether there is only one scope, whose lists have the whole content. */
  isAlone(): boolean {
    return this.init.declared === undefined && this.scopes.size < 2;
  }

  /** Records that an object appeared in a scope or left it. Returns whether another scope still has the deleted object. */
  move(scope: Scope<L>, key: string, { type }: SourceChange<T>): boolean {
    if (type !== 'deleted') scope.owned?.add(key);
    else scope.owned?.delete(key);
    const stays = type === 'deleted' && this.isHeldElsewhere(scope, key);
    if (!stays) this.inherited.delete(key);
    return stays;
  }

  private isHeldElsewhere(scope: Scope<L>, key: string): boolean {
    for (const other of this.scopes.values()) if (other !== scope && other.owned?.has(key) === true) return true;
    return false;
  }
}
