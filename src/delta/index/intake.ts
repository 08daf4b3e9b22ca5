import type { SourceEvent } from '../../api/events.js';
import type { StagedContent } from '../../cache/store/store.js';
import { createIdentityMemory, type failed, type IdentityMemory } from './cacheWriter.js';

/** A source event about one object. */
export type SourceChange<T> = Extract<SourceEvent<T>, { readonly type: 'added' | 'modified' | 'deleted' }>;

/** A list that is being received: the content of its scope once it is complete. */
export interface IncomingList<V> {
  /** `failed` for an object none of whose versions could be transformed. */
  readonly values: Map<string, V | typeof failed>;
  /** The keys whose last version could not be transformed. */
  readonly failing: Set<string>;
  /** Objects as sent whose version is already cached. They are transformed only if the list turns out to be older than the cache. */
  readonly untransformed: Map<string, unknown>;
  readonly identities: IdentityMemory;
  readonly previousResourceVersion: string;
  /** Whether the list may be older than the cache. */
  mayBeOlder: boolean;
  /** The list's objects, staged in the store; undefined once they can no longer become the store's content unchanged. */
  staged: StagedContent<V> | undefined;
}

/** The state of one scope of the source. */
export interface Scope<V> {
  readonly name: string;
  incoming: IncomingList<V> | undefined;
  /** The last list, if the store refused it, updated by the changes since. */
  refused: IncomingList<V> | undefined;
  ready: boolean;
  /** The newest version seen in this scope. */
  resourceVersion: string;
  /** The keys of the scope; recorded only while there are several scopes. */
  owned: Set<string> | undefined;
}

/**
 * Reads source events: collects lists until they are complete, passes on all other events, and records the keys of each scope while there are several.
 *
 * `V` is the type of the values of a list, `R` the result of an event: the change of a store, or the end of a list in a queue.
 */
export abstract class Intake<T, V, R> {
  /** The keys present before the first list for which no event has arrived yet. */
  protected readonly inherited: Set<string>;
  private readonly declared: Iterable<string> | undefined;
  private readonly scopes = new Map<string, Scope<V>>();

  /** @param declared - the names of the scopes to wait for, read at each use; by default those that have appeared. */
  constructor(declared: Iterable<string> | undefined, inherited: Iterable<string>) {
    this.declared = declared;
    this.inherited = new Set(inherited);
  }

  /** The key of an object: the given one, else computed. Undefined, after a report, if the object has no key. */
  protected abstract keyOf(object: T, givenKey?: string): string | undefined;
  /** The keys of all objects that are present, or will be when the queue has been processed. */
  protected abstract presentKeys(): readonly string[];
  /** Adds an object to a list being received. */
  protected abstract collect(incoming: IncomingList<V>, key: string, object: T): void;
  /** Removes an object from a list being received. */
  protected abstract drop(incoming: IncomingList<V>, key: string): void;
  /** Makes a complete list the content of its scope. */
  protected abstract publish(scope: Scope<V>, incoming: IncomingList<V>, resourceVersion: string): R | undefined;
  /** Applies the event of an object of a scope that has been listed. */
  protected abstract change(scope: Scope<V>, key: string, event: SourceChange<T>, previousResourceVersion: string): R | undefined;
  /** Records that a scope has reached a version. */
  protected abstract reach(scope: Scope<V>, resourceVersion: string): R | undefined;

  /** Handles an event. Returns undefined when nothing changed. */
  accept(event: SourceEvent<T>): R | undefined {
    if (event.type === 'status') return undefined;
    const scope = this.scopeOf(event.scope ?? '');
    switch (event.type) {
      case 'init':
        this.beginList(scope, event.previousResourceVersion);
        return undefined;
      case 'page':
        this.acceptPage(event, scope);
        return undefined;
      case 'ready':
        return scope.incoming === undefined ? undefined : this.publish(scope, scope.incoming, event.resourceVersion);
      case 'bookmark':
        return this.reach(scope, event.resourceVersion);
      default:
        return this.acceptChange(event, scope);
    }
  }

  /** A method of its own: inside `accept`, V8 would optimize the loop for pages, and drop that code at the first change of the watch. */
  private acceptPage({ items, keys }: Extract<SourceEvent<T>, { readonly type: 'page' }>, scope: Scope<V>): void {
    const incoming = scope.incoming ?? this.beginList(scope, '');
    items.forEach((object, at) => {
      const key = this.keyOf(object, keys?.[at]);
      if (key !== undefined) this.collect(incoming, key, object);
    });
  }

  private acceptChange(event: SourceChange<T>, scope: Scope<V>): R | undefined {
    const incoming = scope.incoming ?? (scope.ready ? undefined : (scope.refused ?? this.beginList(scope, '')));
    const previousResourceVersion = scope.resourceVersion;
    if (incoming === undefined && event.resourceVersion !== '') scope.resourceVersion = event.resourceVersion;
    const key = this.keyOf(event.object, event.key);
    if (key === undefined) return undefined;
    if (incoming !== undefined) {
      if (event.type === 'deleted') this.drop(incoming, key);
      else this.collect(incoming, key, event.object);
      // An object that left with a `reason` must be removed now. Otherwise the list would find it missing and report a deletion.
      if (event.reason === undefined || !scope.ready) return undefined;
    }
    return this.change(scope, key, event, previousResourceVersion);
  }

  /** The scope of that name, created if necessary. */
  private scopeOf(name: string): Scope<V> {
    const known = this.scopes.get(name);
    if (known !== undefined) return known;
    for (const scope of this.scopes.values()) if (scope.ready) scope.owned ??= new Set(this.presentKeys());
    // mutation boolean: equivalent: `StoreIntake` sets the field itself, and `DeltaFifo` never reads it
    const scope: Scope<V> = { name, incoming: undefined, refused: undefined, ready: false, resourceVersion: '', owned: undefined };
    this.scopes.set(name, scope);
    return scope;
  }

  /** Begins a list, and drops an incomplete one. */
  private beginList(scope: Scope<V>, previousResourceVersion: string): IncomingList<V> {
    scope.refused = undefined;
    scope.incoming = {
      values: new Map(),
      failing: new Set(),
      untransformed: new Map(),
      previousResourceVersion,
      // mutation boolean: equivalent: `StoreIntake` sets the field itself, and `DeltaFifo` never reads it
      mayBeOlder: false,
      ...this.stage(),
    };
    return scope.incoming;
  }

  /** The identities of a list's objects, and the store's staging area for them, if it has one. */
  // mutation block, boolean, object: equivalent: `StoreIntake` sets the field itself, and `DeltaFifo` never reads it
  protected stage(): Pick<IncomingList<V>, 'identities' | 'staged'> {
    return { identities: createIdentityMemory(false), staged: undefined };
  }

  /** The keys to delete when `incoming` becomes the content of `scope`. `matches`, if known, is the number of its keys that are present. */
  protected vanished(scope: Scope<V>, incoming: IncomingList<V>, matches?: number): readonly string[] {
    const isMissing = (key: string): boolean => !incoming.values.has(key);
    if (this.isAlone()) {
      const present = this.presentKeys();
      // Usually nothing has vanished. Comparing the sizes proves that without checking each key.
      // mutation condition: equivalent but for time
      return present.length === matches ? [] : present.filter(isMissing);
    }
    const held = new Set([...(scope.owned ?? []), ...(this.allReady(scope) ? this.inherited : [])]);
    return [...held].filter((key) => isMissing(key) && !this.isHeldElsewhere(scope, key));
  }

  /** Makes the list the content of its scope. */
  protected settle(scope: Scope<V>, incoming: IncomingList<V>, resourceVersion: string): void {
    scope.incoming = undefined;
    scope.refused = undefined;
    scope.ready = true;
    scope.resourceVersion = resourceVersion;
    scope.owned = this.isAlone() ? undefined : new Set(incoming.values.keys());
    if (this.declared !== undefined && ![...this.declared].includes(scope.name)) this.scopes.delete(scope.name);
  }

  /** Whether all scopes are ready, not counting `except`. */
  // mutation boolean: equivalent: `StoreIntake` sets the field itself, and `DeltaFifo` never reads it
  protected allReady(except?: Scope<V>): boolean {
    for (const name of this.declared ?? this.scopes.keys()) {
      const scope = this.scopes.get(name);
      if (scope === undefined || !(scope.ready || scope === except)) return false;
    }
    return true;
  }

  /** Whether this is the only scope. */
  protected isAlone(): boolean {
    return this.declared === undefined && this.scopes.size < 2;
  }

  /** Records that an object appeared in a scope or left it. Returns whether another scope still has the deleted object. */
  protected move(scope: Scope<V>, key: string, { type }: SourceChange<T>): boolean {
    if (type !== 'deleted') scope.owned?.add(key);
    else scope.owned?.delete(key);
    const stays = type === 'deleted' && this.isHeldElsewhere(scope, key);
    // mutation condition: equivalent: the next list of the other scope finds that the object is missing
    if (!stays) this.inherited.delete(key);
    return stays;
  }

  private isHeldElsewhere(scope: Scope<V>, key: string): boolean {
    for (const other of this.scopes.values()) if (other !== scope && other.owned?.has(key) === true) return true;
    // mutation boolean: equivalent: `StoreIntake` sets the field itself, and `DeltaFifo` never reads it
    return false;
  }
}
