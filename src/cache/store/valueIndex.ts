const nothing: readonly string[] = [];

function withoutRepetition(values: readonly string[]): string | readonly string[] | undefined {
  if (values.length <= 1) return values[0];
  const distinct = [...new Set(values)];
  return distinct.length === 1 ? distinct[0] : distinct;
}

function areEqual(a: string | readonly string[] | undefined, b: string | readonly string[] | undefined): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

/** The keys of a value, where there are several. */
interface Entry {
  /** One string for all keys: a copy per key would double the memory of the index. */
  readonly value: string;
  readonly keys: Set<string>;
}

/**
 * The entries of one index: which keys are filed under which values.
 *
 * The values of each key are stored, not computed again from the old object. So no wrong entry remains when an index function throws for the old object or is
 * not pure, or when an object was mutated. The common cases, one value per key and one key per value, are stored without a collection.
 */
export class ValueIndex {
  private readonly keysByValue = new Map<string, string | Entry>();
  private readonly valuesByKey = new Map<string, string | readonly string[]>();

  /** Indexes a key under exactly these values. */
  file(key: string, values: readonly string[]): void {
    const before = this.valuesByKey.get(key);
    const after = withoutRepetition(values);
    if (areEqual(before, after)) return;
    this.removeFrom(this.valuesOf(key), key);
    if (after === undefined) {
      this.valuesByKey.delete(key);
      return;
    }
    this.valuesByKey.set(key, typeof after === 'string' ? this.addTo(after, key) : after.map((value) => this.addTo(value, key)));
  }

  unfile(key: string): void {
    this.file(key, nothing);
  }

  keys(value: string): readonly string[] {
    const keys = this.keysByValue.get(value);
    if (keys === undefined) return nothing;
    return typeof keys === 'string' ? [keys] : [...keys.keys];
  }

  valuesOf(key: string): readonly string[] {
    const values = this.valuesByKey.get(key);
    if (values === undefined) return nothing;
    return typeof values === 'string' ? [values] : values;
  }

  has(value: string, key: string): boolean {
    const keys = this.keysByValue.get(value);
    return typeof keys === 'object' ? keys.keys.has(key) : keys === key;
  }

  count(value: string): number {
    const keys = this.keysByValue.get(value);
    if (keys === undefined) return 0;
    return typeof keys === 'string' ? 1 : keys.keys.size;
  }

  values(): string[] {
    return [...this.keysByValue.keys()];
  }

  /** Returns the string to store for all keys of the value. */
  private addTo(value: string, key: string): string {
    const keys = this.keysByValue.get(value);
    if (typeof keys === 'object') {
      keys.keys.add(key);
      return keys.value;
    }
    this.keysByValue.set(value, keys === undefined ? key : { value, keys: new Set([keys, key]) });
    return value;
  }

  private removeFrom(values: readonly string[], key: string): void {
    for (const value of values) {
      const keys = this.keysByValue.get(value);
      if (typeof keys === 'object') keys.keys.delete(key);
      // Values without keys are removed, or an index by uid or IP would grow forever.
      if (typeof keys === 'object' ? keys.keys.size === 0 : keys === key) this.keysByValue.delete(value);
    }
  }
}
