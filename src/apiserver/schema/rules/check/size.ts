/** The least and the largest size of a text, list or map. Infinite stands for any size. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

export const unknownSize: Size = { min: 0, max: Infinity };

export function exactly(size: number): Size {
  return { min: size, max: size };
}

export function union(a: Size, b: Size): Size {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export function sum(...costs: readonly number[]): number {
  return costs.reduce((all, cost) => all + cost, 0);
}

/** A product in which nothing times anything is nothing. */
export function timesCost(size: number, cost: number): number {
  return size === 0 || cost === 0 ? 0 : size * cost;
}

export function plus(a: Size, b: Size): Size {
  return { min: a.min + b.min, max: a.max + b.max };
}

export function times(a: Size, b: Size): Size {
  return { min: timesCost(a.min, b.min), max: timesCost(a.max, b.max) };
}

/** A part of a size, rounded up. */
export function share(size: number, factor: number): number {
  return Math.ceil(timesCost(size, factor));
}
