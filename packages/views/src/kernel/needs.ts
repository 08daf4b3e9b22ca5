import { namespaceOfKey } from 'rx-informer/internal';
import type { Collection } from 'rx-informer';
import { type Needs, viewPortOf } from './viewPort.js';

const hasKey = ({ indexer }: Collection<unknown>, key: string): boolean => indexer.getByKey(key) !== undefined;

/** Collects the needs of one value. */
export class NeedsBuilder {
  private readonly found = new Map<Collection<never>, Set<string>>();
  private isKnown = true;

  /** Adds one namespace of a collection that is no view. */
  add(collection: Collection<never>, namespace: string): void {
    const namespaces = this.found.get(collection);
    if (namespaces === undefined) this.found.set(collection, new Set([namespace]));
    else namespaces.add(namespace);
  }

  /** Adds the needs of another value; undefined for unknown ones. */
  addAll(needs: Needs | undefined): void {
    if (needs === undefined) this.isKnown = false;
    else for (const [collection, namespaces] of needs) for (const namespace of namespaces) this.add(collection, namespace);
  }

  /** Adds the object under a key. That a view has none may depend on everything that the view is made of. */
  key(collection: Collection<never>, key: string): void {
    const port = viewPortOf(collection);
    if (port === undefined) this.add(collection, namespaceOfKey(key));
    else if (hasKey(collection, key)) this.addAll(port.needsOf(key));
    else this.whole(collection);
  }

  /** Adds the objects found by a search in all of a collection: to know that there are none, one must know all of it. */
  keys(collection: Collection<never>, keys: Iterable<string>): void {
    let isEmpty = true;
    for (const key of keys) {
      isEmpty = false;
      this.key(collection, key);
    }
    if (isEmpty) this.whole(collection);
  }

  /** Adds everything that a collection is made of. */
  whole(collection: Collection<never>): void {
    const seen = new Set([collection]);
    for (const each of seen) {
      const port = viewPortOf(each);
      if (port === undefined) this.add(each, '');
      else {
        const inputs = [...port.upstream()];
        if (inputs.length === 0) this.isKnown = false;
        for (const input of inputs) seen.add(input);
      }
    }
  }

  /** It is not known what a value was computed from. */
  unknown(): void {
    this.isKnown = false;
  }

  /** The needs; undefined if some of them are unknown. */
  result(): Needs | undefined {
    if (!this.isKnown) return undefined;
    for (const [collection, namespaces] of this.found) if (namespaces.has('')) this.found.set(collection, new Set(['']));
    return this.found;
  }
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** A number of its own for each object. */
export function numberOf(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  lastNumber += 1;
  numbers.set(object, lastNumber);
  return lastNumber;
}

/** A text that is equal for equal needs only. */
function textOf(needs: Needs): string {
  const parts = [...needs].map(([collection, namespaces]) => [numberOf(collection), ...[...namespaces].sort()].join('/'));
  return parts.sort().join(' ');
}

const maxShared = 1_000;

/**
 * The needs of the values of one view. Those of a value change with what it is computed from, whether the value changes or not; a value that is kept when its
 * function fails, or returns `keep`, keeps its needs.
 */
export class ViewNeeds {
  /** What each object of the inputs needed when it was last used. */
  private readonly used = new Map<string, Needs | undefined>();
  private readonly byKey = new Map<string, Needs | undefined>();
  /** Whether the view is made of more than before: values computed from what was not found in it need more, too. */
  isWholeNew = false;
  /** The keys of values older than what they would be computed from now. */
  private readonly old = new Set<string>();
  private readonly changed = new Set<string>();
  private readonly renewed = new Set<string>();
  private readonly shared = new Map<string, Needs>();

  /** The needs of a value; undefined if they are unknown. */
  of(key: string): Needs | undefined {
    return this.byKey.get(key);
  }

  /** Records what an object needs from which values are computed, some of which may stay the same. */
  use(key: string, collect: (needs: NeedsBuilder) => void, same: Iterable<string>): void {
    const needs = this.collected(collect);
    const isNew = !this.used.has(key) || this.used.get(key) !== needs;
    this.used.set(key, needs);
    if (isNew) for (const value of same) this.renewed.add(value);
  }

  unuse(key: string): void {
    this.used.delete(key);
  }

  /** A value has been computed from these objects. */
  adopt(key: string, collect: (needs: NeedsBuilder) => void): void {
    this.old.delete(key);
    const needs = this.collected(collect);
    if (this.byKey.has(key) && this.byKey.get(key) === needs) return;
    this.byKey.set(key, needs);
    this.changed.add(key);
  }

  /** Adds what an object needed when it was last used. */
  addUsed(key: string, needs: NeedsBuilder): void {
    needs.addAll(this.used.get(key));
  }

  /** A value stays that is older than what it would be computed from. */
  keep(key: string): void {
    this.old.add(key);
  }

  /** The values that stay the same although one of their objects needs something else, since the last call. */
  takeRenewed(): readonly string[] {
    const keys = [...this.renewed].filter((key) => !this.old.has(key));
    this.renewed.clear();
    return keys;
  }

  forget(key: string): void {
    this.byKey.delete(key);
    this.old.delete(key);
    this.changed.delete(key);
    this.renewed.delete(key);
  }

  /** The keys whose needs have changed since the last call. */
  takeChanged(): Set<string> {
    const changed = new Set(this.changed);
    this.changed.clear();
    return changed;
  }

  /** Equal needs are one object. */
  private collected(collect: (needs: NeedsBuilder) => void): Needs | undefined {
    const builder = new NeedsBuilder();
    collect(builder);
    const needs = builder.result();
    if (needs === undefined) return undefined;
    const text = textOf(needs);
    const known = this.shared.get(text);
    if (known !== undefined) return known;
    if (this.shared.size >= maxShared) this.shared.clear();
    this.shared.set(text, needs);
    return needs;
  }
}
