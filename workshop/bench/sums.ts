/** Sums of bytes by key. */
export class Sums<K> {
  private readonly sums = new Map<K, number>();

  add(key: K, bytes: number): void {
    this.sums.set(key, this.of(key) + bytes);
  }

  of(key: K): number {
    return this.sums.get(key) ?? 0;
  }

  total(): number {
    return [...this.sums.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  largest(most: number): readonly (readonly [K, number])[] {
    return [...this.sums].sort(([, a], [, b]) => b - a).slice(0, most);
  }
}
