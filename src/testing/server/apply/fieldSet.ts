import { asJsonObject, isJsonObject, type Json, type JsonObject } from '../json.js';
import { compareElements, showElement, type PathElement } from './pathElement.js';

/**
 * A set of fields of one object, as FieldsV1 writes it: a tree of steps, some of which are members. Never changed once it is made.
 */
export class FieldSet {
  static readonly empty: FieldSet = new FieldSet(false, new Map());
  /** The place itself, and nothing below it. */
  static readonly leaf: FieldSet = new FieldSet(true, new Map());

  /** Whether the place that this tree stands for is in the set. */
  readonly member: boolean;
  /** What is in the set below. No child is empty. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;

  private constructor(member: boolean, children: ReadonlyMap<PathElement, FieldSet>) {
    this.member = member;
    this.children = children;
  }

  /** A set from its parts; children that are empty are left out. */
  static of(member: boolean, children: Iterable<readonly [PathElement, FieldSet]>): FieldSet {
    const filled = [...children].filter(([, child]) => !child.isEmpty);
    if (filled.length === 0) return member ? FieldSet.leaf : FieldSet.empty;
    return new FieldSet(member, new Map(filled));
  }

  /** Reads FieldsV1: a child without content is a member, as is one that holds `.`. */
  static parse(fields: Json | undefined): FieldSet {
    const { '.': dot, ...rest } = asJsonObject(fields);
    const children = Object.entries(rest).flatMap(([element, child]): [PathElement, FieldSet][] =>
      isJsonObject(child) && /^[fkvi]:/.test(element)
        ? [[element, Object.keys(child).length === 0 ? FieldSet.leaf : FieldSet.parse(child)]]
        : [],
    );
    return FieldSet.of(dot !== undefined, children);
  }

  get isEmpty(): boolean {
    return !this.member && this.children.size === 0;
  }

  child(element: PathElement): FieldSet {
    return this.children.get(element) ?? FieldSet.empty;
  }

  /** What is in this set or the other. */
  union(other: FieldSet): FieldSet {
    if (this.isEmpty) return other;
    if (other.isEmpty) return this;
    return this.zip(
      other,
      (a, b) => a || b,
      (a, b) => a.union(b),
    );
  }

  /** What is in this set and not in the other. */
  difference(other: FieldSet): FieldSet {
    return other.isEmpty
      ? this
      : this.zip(
          other,
          (a, b) => a && !b,
          (a, b) => a.difference(b),
        );
  }

  /** What is in both sets. */
  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return FieldSet.empty;
    return this.zip(
      other,
      (a, b) => a && b,
      (a, b) => a.intersection(b),
    );
  }

  equals(other: FieldSet): boolean {
    return this.difference(other).isEmpty && other.difference(this).isEmpty;
  }

  /** Every member as messages show it, for example `.spec.containers[name="c"].image`, in order. */
  paths(): readonly string[] {
    const below = this.sorted().flatMap(([element, child]) => child.paths().map((path) => showElement(element) + path));
    return this.member ? ['', ...below] : below;
  }

  /** The set as FieldsV1. */
  toJSON(): JsonObject {
    const children = this.sorted().map(([element, child]): [string, Json] => [element, child.children.size === 0 ? {} : child.toJSON()]);
    return Object.fromEntries(this.member ? [['.', {}], ...children] : children);
  }

  private sorted(): [PathElement, FieldSet][] {
    return [...this.children].sort(([a], [b]) => compareElements(a, b));
  }

  private zip(other: FieldSet, member: (a: boolean, b: boolean) => boolean, below: (a: FieldSet, b: FieldSet) => FieldSet): FieldSet {
    const elements = new Set([...this.children.keys(), ...other.children.keys()]);
    const children = [...elements].map((element): [PathElement, FieldSet] => [element, below(this.child(element), other.child(element))]);
    return FieldSet.of(member(this.member, other.member), children);
  }
}
