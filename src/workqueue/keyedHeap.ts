interface Slot<K> {
  readonly key: K;
  readonly at: number;
  readonly sequence: number;
  index: number;
}

function isBefore<K>(a: Slot<K>, b: Slot<K>): boolean {
  return a.at < b.at || (a.at === b.at && a.sequence < b.sequence);
}

/** A binary heap of keys by time, each key at most once: the earliest first, equal times in order of insertion. */
export class KeyedHeap<K> {
  private readonly slots: Slot<K>[] = [];
  private readonly byKey = new Map<K, Slot<K>>();
  private sequence = 0;

  get size(): number {
    return this.slots.length;
  }

  /** Adds the key, or moves it to an earlier time; returns whether it did. */
  push(key: K, at: number): boolean {
    const present = this.byKey.get(key);
    if (present !== undefined && present.at <= at) return false;
    this.sequence += 1;
    const slot = { key, at, sequence: this.sequence, index: present?.index ?? this.slots.length };
    this.byKey.set(key, slot);
    this.slots[slot.index] = slot;
    this.rise(slot);
    return true;
  }

  first(): { readonly key: K } | undefined {
    return this.slots[0];
  }

  earliest(): number | undefined {
    return this.slots[0]?.at;
  }

  /** Removes and returns the earliest key if its time has come. */
  popUntil(now: number): { readonly key: K } | undefined {
    const top = this.slots[0];
    if (top === undefined || top.at > now) return undefined;
    this.remove(top.key);
    return top;
  }

  /** Removes a key. */
  remove(key: K): void {
    const slot = this.byKey.get(key);
    if (slot === undefined) return;
    this.byKey.delete(key);
    const last = this.slots.pop() as Slot<K>;
    if (last === slot) return;
    this.place(last, slot.index);
    this.rise(last);
    this.sink(last);
  }

  clear(): void {
    this.slots.length = 0;
    this.byKey.clear();
  }

  private place(slot: Slot<K>, index: number): void {
    this.slots[index] = slot;
    slot.index = index;
  }

  private rise(slot: Slot<K>): void {
    let { index } = slot;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.slots[parentIndex] as Slot<K>;
      if (!isBefore(slot, parent)) break;
      this.place(parent, index);
      index = parentIndex;
    }
    this.place(slot, index);
  }

  private sink(slot: Slot<K>): void {
    let { index } = slot;
    for (;;) {
      const left = this.slots[2 * index + 1];
      const right = this.slots[2 * index + 2];
      const child = left !== undefined && right !== undefined && isBefore(right, left) ? right : left;
      if (child === undefined || !isBefore(child, slot)) break;
      const childIndex = child.index;
      this.place(child, index);
      index = childIndex;
    }
    this.place(slot, index);
  }
}
