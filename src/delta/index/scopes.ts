import { createIdentityMemory, type IdentityMemory } from './identity.js';
import type { StagedContent } from '../../cache/store/stagedContent.js';
import type { failed } from './objectIntake.js';

/** A list that is being received: what its scope will hold once it is complete. */
export interface HalfList<U> {
  /** `failed` for an object that has no good value yet. */
  readonly values: Map<string, U | typeof failed>;
  /** The keys whose last version could not be transformed. */
  readonly failing: Set<string>;
  /** Objects as sent whose version is cached already: they are transformed only if that has to be looked at again. */
  readonly untransformed: Map<string, unknown>;
  readonly identities: IdentityMemory;
  readonly previousResourceVersion: string;
  /** Whether it may be older than what was seen before it. */
  mayBeOlder: boolean;
  /** Its objects in the store's hands, while nothing speaks against making them its content as they are. */
  staged: StagedContent<U> | undefined;
}

/** What is known of one scope of the source. */
export interface Scope<U> {
  readonly name: string;
  half: HalfList<U> | undefined;
  /** The last list, if the store has refused it, with what has changed since. */
  refused: HalfList<U> | undefined;
  ready: boolean;
  /** The newest version seen in this scope. */
  resourceVersion: string;
  /** Its keys, while there are several scopes. */
  owned: Set<string> | undefined;
}

interface ScopesOptions<U> {
  /** The names of the scopes to wait for, read whenever it matters; without it, those that have appeared. */
  readonly declared: Iterable<string> | undefined;
  readonly cachedKeys: () => readonly string[];
  /** The keys that were in the cache before the first list and that no list has confirmed yet. */
  readonly inherited: ReadonlySet<string>;
  /** Whether values may be anything but the objects as sent. */
  readonly transformed: boolean;
  /** Begins a content that is to take the place of the store's, or of a part of it; by default lists are put into the store when they are complete. */
  readonly stage?: (whole: boolean) => StagedContent<U> | undefined;
}

/** The scopes of a source, and which of them holds which key. Who holds what is recorded only while there are several. */
export class Scopes<U> {
  private readonly options: ScopesOptions<U>;
  private readonly scopes = new Map<string, Scope<U>>();

  constructor(options: ScopesOptions<U>) {
    this.options = options;
  }

  /** The scope of that name, made if need be. */
  of(name: string): Scope<U> {
    const known = this.scopes.get(name);
    if (known !== undefined) return known;
    const scope: Scope<U> = { name, half: undefined, refused: undefined, ready: false, resourceVersion: '', owned: undefined };
    this.recordHolders();
    this.scopes.set(name, scope);
    return scope;
  }

  /** Begins a list, abandoning a half-received one. */
  begin(scope: Scope<U>, previousResourceVersion: string): HalfList<U> {
    const { transformed, stage } = this.options;
    scope.refused = undefined;
    scope.half = {
      values: new Map(),
      failing: new Set(),
      untransformed: new Map(),
      identities: createIdentityMemory(transformed),
      previousResourceVersion,
      mayBeOlder: false,
      // With several scopes, a list is only a part of the store's content.
      staged: stage?.(this.isAlone()),
    };
    return scope.half;
  }

  /** The cached keys that are gone once `half` is the whole content of `scope`. `matches`, where it is known, is how many of its keys are cached. */
  vanished(scope: Scope<U>, half: HalfList<U>, matches?: number): readonly string[] {
    const { cachedKeys, inherited } = this.options;
    const isMissing = (key: string): boolean => !half.values.has(key);
    if (this.isAlone()) {
      const cached = cachedKeys();
      // Mostly nothing is, and that takes no look at each key.
      return cached.length === matches ? [] : cached.filter(isMissing);
    }
    const held = new Set([...(scope.owned ?? []), ...(this.allReady(scope) ? inherited : [])]);
    return [...held].filter((key) => isMissing(key) && !this.isHeldElsewhere(scope, key));
  }

  settle(scope: Scope<U>, half: HalfList<U>, resourceVersion: string): void {
    const { declared } = this.options;
    scope.half = undefined;
    scope.refused = undefined;
    scope.ready = true;
    scope.resourceVersion = resourceVersion;
    scope.owned = this.isAlone() ? undefined : new Set(half.values.keys());
    if (declared !== undefined && ![...declared].includes(scope.name)) this.scopes.delete(scope.name);
  }

  /** Whether all are, or all but one. */
  allReady(except?: Scope<U>): boolean {
    for (const name of this.options.declared ?? this.scopes.keys()) {
      const scope = this.scopes.get(name);
      if (scope === undefined || !(scope.ready || scope === except)) return false;
    }
    return true;
  }

  /** Whether what a scope holds is all there is. */
  isAlone(): boolean {
    return this.options.declared === undefined && this.scopes.size < 2;
  }

  isHeldElsewhere(scope: Scope<U>, key: string): boolean {
    for (const other of this.scopes.values()) if (other !== scope && other.owned?.has(key) === true) return true;
    return false;
  }

  private recordHolders(): void {
    for (const scope of this.scopes.values()) if (scope.ready) scope.owned ??= new Set(this.options.cachedKeys());
  }
}
