import { asJsonObject, isJsonObject, type Json, type JsonObject } from '../json.js';
import { showElement, sortElements, type PathElement } from './pathElement.js';

const nothing: JsonObject = {};

/** A set of fields of one object, as in FieldsV1: a tree of path elements, some of which are members of the set. Immutable. */
export class FieldSet {
  static readonly empty: FieldSet = new FieldSet(false, new Map());
  /** The path itself, without anything below it. */
  static readonly leaf: FieldSet = new FieldSet(true, new Map());

  /** Whether the path of this node is in the set. */
  readonly member: boolean;
  /** The subsets below this node, none of them empty. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;
  private json: JsonObject | undefined;

  private constructor(member: boolean, children: ReadonlyMap<PathElement, FieldSet>) {
    this.member = member;
    this.children = children;
  }

  /** A set from its parts; empty children are dropped. */
  static of(member: boolean, children: Iterable<readonly [PathElement, FieldSet]>): FieldSet {
    let filled: Map<PathElement, FieldSet> | undefined;
    for (const [element, child] of children) if (!child.isEmpty) (filled ??= new Map<PathElement, FieldSet>()).set(element, child);
    if (filled === undefined) return member ? FieldSet.leaf : FieldSet.empty;
    return new FieldSet(member, filled);
  }

  /** A field with everything below it. */
  static whole(children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
    return children.size === 0 ? FieldSet.leaf : new FieldSet(true, children);
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

  /** The union of both sets. */
  union(other: FieldSet): FieldSet {
    if (this.isEmpty || other === this) return other;
    if (other.isEmpty) return this;
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, child] of other.children) {
      const own = this.child(element);
      const both = own.union(child);
      if (both !== own) (children ??= new Map(this.children)).set(element, both);
    }
    const member = this.member || other.member;
    return children === undefined && member === this.member ? this : new FieldSet(member, children ?? this.children);
  }

  /** The elements that are not in the other set. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, child] of other.children) {
      const own = this.children.get(element);
      const left = own?.difference(child);
      if (own === undefined || left === undefined || left === own) continue;
      children ??= new Map(this.children);
      if (left.isEmpty) children.delete(element);
      else children.set(element, left);
    }
    const member = this.member && !other.member;
    if (children === undefined && member === this.member) return this;
    return FieldSet.of(member, children ?? this.children);
  }

  /** The intersection of both sets. */
  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return FieldSet.empty;
    const children = [...this.children].map(([element, child]): [PathElement, FieldSet] => [
      element,
      child.intersection(other.child(element)),
    ]);
    return FieldSet.of(this.member && other.member, children);
  }

  /** Every member as messages show it, for example `.spec.containers[name="c"].image`, in order. */
  paths(): readonly string[] {
    const elements = this.sorted();
    const own = elements.filter((element) => this.child(element).member).map(showElement);
    const below = elements.flatMap((element) =>
      this.child(element)
        .paths()
        .map((path) => showElement(element) + path),
    );
    return [...own, ...below];
  }

  /** The set as FieldsV1. */
  toJSON(): JsonObject {
    if (this.json === undefined) {
      const json: Record<string, Json> = this.member ? { '.': nothing } : {};
      for (const element of this.sorted()) {
        const child = this.child(element);
        json[element] = child.children.size === 0 ? nothing : child.toJSON();
      }
      this.json = json;
    }
    return this.json;
  }

  private sorted(): PathElement[] {
    return sortElements([...this.children.keys()]);
  }
}
