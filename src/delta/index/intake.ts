import type { SourceEvent } from '../../api/events.js';
import type { StagedContent } from '../../cache/store/store.js';
import { createIdentityMemory, type IdentityMemory } from './identity.js';
import type { failed } from './objectIntake.js';

/** A source event that says what happened to one object. */
export type SourceChange<T> = Extract<SourceEvent<T>, { readonly type: 'added' | 'modified' | 'deleted' }>;

/** A list that is being received: what its scope will hold once it is complete. */
export interface HalfList<V> {
  /** `failed` for an object that has no good value yet. */
  readonly values: Map<string, V | typeof failed>;
  /** The keys whose last version could not be transformed. */
  readonly failing: Set<string>;
  /** Objects as sent whose version is cached already: they are transformed only if that has to be looked at again. */
  readonly untransformed: Map<string, unknown>;
  readonly identities: IdentityMemory;
  readonly previousResourceVersion: string;
  /** Whether it may be older than what was seen before it. */
  mayBeOlder: boolean;
  /** Its objects in the store's hands, while nothing speaks against making them its content as they are. */
  staged: StagedContent<V> | undefined;
}

/** What is known of one scope of the source. */
export interface Scope<V> {
  readonly name: string;
  half: HalfList<V> | undefined;
  /** The last list, if the store has refused it, with what has changed since. */
  refused: HalfList<V> | undefined;
  ready: boolean;
  /** The newest version seen in this scope. */
  resourceVersion: string;
  /** Its keys, while there are several scopes. */
  owned: Set<string> | undefined;
}

/**
 * Reads source events: collects lists until they are complete, hands on everything else as it comes, and knows which scope holds which key. Who holds what
 * is recorded only while there are several scopes.
 *
 * `V` is what the values of a list are, `R` what comes of an event: the change of a store, or the end of a list in a queue.
 */
export abstract class Intake<T, V, R> {
  /** The keys that were there before the first list, and of which nothing has been heard yet. */
  protected readonly inherited: Set<string>;
  private readonly declared: Iterable<string> | undefined;
  private readonly scopes = new Map<string, Scope<V>>();

  /** @param declared - the names of the scopes to wait for, read whenever it matters; by default those that have appeared. */
  constructor(declared: Iterable<string> | undefined, inherited: Iterable<string>) {
    this.declared = declared;
    this.inherited = new Set(inherited);
  }

  /** The key of an object: the one that came with it, or else one made of it. Undefined, after a report, where there is none. */
  protected abstract keyOf(object: T, told?: string): string | undefined;
  /** The keys of all objects that are there, or will be when what waits has been processed. */
  protected abstract presentKeys(): readonly string[];
  /** Takes an object into a list that is being received. */
  protected abstract collect(half: HalfList<V>, key: string, object: T): void;
  /** Takes one out again. */
  protected abstract drop(half: HalfList<V>, key: string): void;
  /** Makes a list that is complete the content of its scope. */
  protected abstract publish(scope: Scope<V>, half: HalfList<V>, resourceVersion: string): R | undefined;
  /** Takes what has happened to an object of a scope that has been listed. */
  protected abstract change(scope: Scope<V>, key: string, event: SourceChange<T>, previousResourceVersion: string): R | undefined;
  /** Takes note that a scope has reached a version. */
  protected abstract reach(scope: Scope<V>, resourceVersion: string): R | undefined;

  /** Takes an event, and returns what has come of it; undefined when there is nothing to say. */
  accept(event: SourceEvent<T>): R | undefined {
    if (event.type === 'status') return undefined;
    const scope = this.scopeOf(event.scope ?? '');
    switch (event.type) {
      case 'init':
        this.beginList(scope, event.previousResourceVersion);
        return undefined;
      case 'page': {
        const half = scope.half ?? this.beginList(scope, '');
        for (const [at, object] of event.items.entries()) {
          const key = this.keyOf(object, event.keys?.[at]);
          if (key !== undefined) this.collect(half, key, object);
        }
        return undefined;
      }
      case 'ready':
        return scope.half === undefined ? undefined : this.publish(scope, scope.half, event.resourceVersion);
      case 'bookmark':
        return this.reach(scope, event.resourceVersion);
      default:
        return this.acceptChange(event, scope);
    }
  }

  private acceptChange(event: SourceChange<T>, scope: Scope<V>): R | undefined {
    const half = scope.half ?? (scope.ready ? undefined : (scope.refused ?? this.beginList(scope, '')));
    const previousResourceVersion = scope.resourceVersion;
    if (half === undefined && event.resourceVersion !== '') scope.resourceVersion = event.resourceVersion;
    const key = this.keyOf(event.object, event.key);
    if (key === undefined) return undefined;
    if (half !== undefined) {
      if (event.type === 'deleted') this.drop(half, key);
      else this.collect(half, key, event.object);
      // What has left for a reason must not be found missing by the list: that would count as deleted.
      if (event.reason === undefined || !scope.ready) return undefined;
    }
    return this.change(scope, key, event, previousResourceVersion);
  }

  /** The scope of that name, made if need be. */
  private scopeOf(name: string): Scope<V> {
    const known = this.scopes.get(name);
    if (known !== undefined) return known;
    for (const scope of this.scopes.values()) if (scope.ready) scope.owned ??= new Set(this.presentKeys());
    const scope: Scope<V> = { name, half: undefined, refused: undefined, ready: false, resourceVersion: '', owned: undefined };
    this.scopes.set(name, scope);
    return scope;
  }

  /** Begins a list, abandoning a half-received one. */
  private beginList(scope: Scope<V>, previousResourceVersion: string): HalfList<V> {
    scope.refused = undefined;
    scope.half = {
      values: new Map(),
      failing: new Set(),
      untransformed: new Map(),
      previousResourceVersion,
      mayBeOlder: false,
      ...this.stage(),
    };
    return scope.half;
  }

  /** What knows the identities of a list's objects, and where a store takes them in while the list arrives. */
  protected stage(): Pick<HalfList<V>, 'identities' | 'staged'> {
    return { identities: createIdentityMemory(false), staged: undefined };
  }

  /** The keys that are gone once `half` is the whole content of `scope`. `matches`, where it is known, is how many of its keys are there. */
  protected vanished(scope: Scope<V>, half: HalfList<V>, matches?: number): readonly string[] {
    const isMissing = (key: string): boolean => !half.values.has(key);
    if (this.isAlone()) {
      const present = this.presentKeys();
      // Mostly nothing is, and that takes no look at each key.
      return present.length === matches ? [] : present.filter(isMissing);
    }
    const held = new Set([...(scope.owned ?? []), ...(this.allReady(scope) ? this.inherited : [])]);
    return [...held].filter((key) => isMissing(key) && !this.isHeldElsewhere(scope, key));
  }

  /** The list is the content of its scope from now on. */
  protected settle(scope: Scope<V>, half: HalfList<V>, resourceVersion: string): void {
    scope.half = undefined;
    scope.refused = undefined;
    scope.ready = true;
    scope.resourceVersion = resourceVersion;
    scope.owned = this.isAlone() ? undefined : new Set(half.values.keys());
    if (this.declared !== undefined && ![...this.declared].includes(scope.name)) this.scopes.delete(scope.name);
  }

  /** Whether all scopes are ready, or all but one. */
  protected allReady(except?: Scope<V>): boolean {
    for (const name of this.declared ?? this.scopes.keys()) {
      const scope = this.scopes.get(name);
      if (scope === undefined || !(scope.ready || scope === except)) return false;
    }
    return true;
  }

  /** Whether what a scope holds is all there is. */
  protected isAlone(): boolean {
    return this.declared === undefined && this.scopes.size < 2;
  }

  /** An object has come to a scope, or left it; returns whether it has gone nowhere, because another scope holds it. */
  protected move(scope: Scope<V>, key: string, { type }: SourceChange<T>): boolean {
    if (type !== 'deleted') scope.owned?.add(key);
    else scope.owned?.delete(key);
    const stays = type === 'deleted' && this.isHeldElsewhere(scope, key);
    if (!stays) this.inherited.delete(key);
    return stays;
  }

  private isHeldElsewhere(scope: Scope<V>, key: string): boolean {
    for (const other of this.scopes.values()) if (other !== scope && other.owned?.has(key) === true) return true;
    return false;
  }
}
