/** Below this, moving the rest to the front is not worth it. */
const compactFrom = 1024;

/** A queue that takes constant time at both ends. */
export class Fifo<V> {
  private values: (V | undefined)[] = [];
  private head = 0;

  get size(): number {
    return this.values.length - this.head;
  }

  push(value: V): void {
    this.values.push(value);
  }

  shift(): V | undefined {
    const { values } = this;
    if (this.head === values.length) return undefined;
    const value = values[this.head];
    values[this.head] = undefined;
    this.head += 1;
    if (this.head === values.length) this.clear();
    else if (this.head >= compactFrom && this.head * 2 > values.length) {
      this.values = values.slice(this.head);
      this.head = 0;
    }
    return value;
  }

  clear(): void {
    this.values = [];
    this.head = 0;
  }
}
