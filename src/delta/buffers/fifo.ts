/** A queue that takes constant time at both ends. */
interface Fifo<V> {
  push(value: V): void;
  shift(): V | undefined;
  readonly size: number;
  clear(): void;
}

/** Below this, moving the rest to the front is not worth it. */
const compactFrom = 1024;

export function createFifo<V>(): Fifo<V> {
  let values: (V | undefined)[] = [];
  let head = 0;

  const clear = (): void => {
    values = [];
    head = 0;
  };

  return {
    clear,
    get size(): number {
      return values.length - head;
    },
    push: (value) => {
      values.push(value);
    },
    shift: () => {
      if (head === values.length) return undefined;
      const value = values[head];
      values[head] = undefined;
      head += 1;
      if (head === values.length) clear();
      else if (head >= compactFrom && head * 2 > values.length) {
        values = values.slice(head);
        head = 0;
      }
      return value;
    },
  };
}
