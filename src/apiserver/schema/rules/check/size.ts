import type { CelType } from './celType.js';
import type { Expression } from './expression.js';

/** The minimum and the maximum size of a text, list or map; `Infinity` for no limit. */
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

/** The product of a size and a cost, where zero times infinity is zero. */
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

/**
 * A path that shares its memory with longer ones, as in Go: a step that is added later can replace the step of an earlier path. The API
 * server's estimates depend on it.
 */
export class Path {
  private readonly memory: string[];
  private readonly length: number;
  private readonly capacity: number;

  constructor(memory: string[] = [], length = 0, capacity = 0) {
    this.memory = memory;
    this.length = length;
    this.capacity = capacity;
  }

  get steps(): readonly string[] {
    return this.memory.slice(0, this.length);
  }

  /** A path with memory of its own. */
  copy(): Path {
    return new Path([...this.steps], this.length, this.length);
  }

  with(step: string): Path {
    const fits = this.length < this.capacity;
    const memory = fits ? this.memory : this.memory.slice(0, this.length);
    memory[this.length] = step;
    return new Path(memory, this.length + 1, fits ? this.capacity : Math.max(1, 2 * this.capacity));
  }
}

export const noPath: Path = new Path();

/** The properties of a part of an expression that its cost depends on. */
export interface Sized {
  readonly expression: Expression | undefined;
  readonly type: CelType;
  /** The place in the schema: the name of a variable, then names of fields, `@items`, `@keys` and `@values`. */
  readonly path: Path;
  readonly size: Size | undefined;
}
