import type { CelType } from './celType.js';
import type { Call, Expression, Loop } from './expression.js';
import { callCost, type Estimate } from './callCost.js';
import { exactly, noPath, timesCost, union, unknownSize, type Path, type Size, type Sized } from './size.js';

/** The sizes of the keys and values of a list or map. */
interface Entries {
  readonly kind: 'list' | 'map';
  readonly key: Size;
  readonly value: Size;
}

interface Local {
  readonly path: Path;
  readonly size: Size | undefined;
  readonly entries: Entries | undefined;
}

const scalars = new Set(['bool', 'double', 'int', 'uint', 'google.protobuf.Duration', 'google.protobuf.Timestamp']);

function isScalar({ name, of }: CelType): boolean {
  return scalars.has(name) || (name === 'optional_type' && of[0] !== undefined && isScalar(of[0]));
}

function characters(text: string): number {
  return Array.from(text).length;
}

/** The size of a literal. */
function literalSize(expression: Expression): Size | undefined {
  if (expression.is === 'list') return exactly(expression.items.length);
  if (expression.is === 'map') return exactly(expression.entries.length);
  if (expression.is !== 'constant') return undefined;
  const { value } = expression;
  return exactly(typeof value === 'string' ? characters(value) : value instanceof Uint8Array ? value.length : 1);
}

function joinedEntries(a: Entries | undefined, b: Entries | undefined): Entries | undefined {
  return a === undefined || b === undefined ? undefined : { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };
}

/** Estimates the largest cost of an expression, with the sizes of a schema. */
class CostEstimator {
  private readonly root: CelType;
  private readonly locals = new Map<string, readonly Local[]>();
  private readonly paths = new Map<Expression, Path>();
  private readonly sizes = new Map<Expression, Size>();
  private readonly entries = new Map<Expression, Entries>();

  constructor(root: CelType) {
    this.root = root;
  }

  cost(expression: Expression): number {
    switch (expression.is) {
      case 'constant':
        return 0;
      case 'name':
        this.paths.set(expression, this.local(expression.name)?.path ?? noPath.with(expression.name));
        return 1;
      case 'select':
        return this.select(expression);
      case 'call':
        return this.call(expression);
      case 'list':
        return this.list(expression);
      case 'map':
        return this.map(expression);
      case 'loop':
        return expression.accumulator === '@result' ? this.loop(expression) : this.bind(expression);
    }
  }

  /** The size of the value at a place of the schema. */
  sizeAt({ steps }: Path): Size | undefined {
    if (steps.length === 0) return undefined;
    let at: CelType | undefined = this.root;
    for (const step of steps.slice(1)) {
      const here: CelType = at;
      const { name, of, fields } = here;
      if (step === '@items' || step === '@values') at = name === 'list' ? of[0] : name === 'map' ? of[1] : undefined;
      else if (step === '@keys') at = name === 'map' ? of[0] : undefined;
      else at = fields?.get(step);
      if (at === undefined) return undefined;
    }
    return { min: 0, max: at.max ?? 0 };
  }

  private local(name: string): Local | undefined {
    return this.locals.get(name)?.at(-1);
  }

  private within<T>(name: string, local: Local, run: () => T): T {
    const before = this.locals.get(name) ?? [];
    this.locals.set(name, [...before, local]);
    const done = run();
    this.locals.set(name, before);
    return done;
  }

  private pathOf(expression: Expression): Path {
    const local = expression.is === 'name' ? this.local(expression.name) : undefined;
    return local?.path ?? this.paths.get(expression) ?? noPath;
  }

  private sizeOf(expression: Expression): Size | undefined {
    const known = this.sizes.get(expression) ?? literalSize(expression);
    if (known !== undefined) return known;
    const found = this.sizeAt(this.pathOf(expression));
    if (found !== undefined) {
      this.sizes.set(expression, found);
      return found;
    }
    if (expression.type !== undefined && isScalar(expression.type)) return exactly(1);
    return expression.is === 'name' ? this.local(expression.name)?.size : undefined;
  }

  private entriesOf(expression: Expression): Entries | undefined {
    return this.entries.get(expression) ?? (expression.is === 'name' ? this.local(expression.name)?.entries : undefined);
  }

  private keep(expression: Expression, size: Size | undefined, entries?: Entries): void {
    if (size !== undefined) this.sizes.set(expression, size);
    if (entries !== undefined) this.entries.set(expression, entries);
  }

  private sized(expression: Expression): Sized {
    const path = this.pathOf(expression);
    return {
      expression,
      type: expression.type ?? this.root,
      path: path.steps[0] === '@result' ? noPath : path,
      size: this.sizeOf(expression),
    };
  }

  private select(expression: Expression & { readonly is: 'select' }): number {
    const { owner, field, isTest, isOptional } = expression;
    const cost = this.cost(owner);
    if (isTest) return cost;
    // Optional access is a call: it knows no place in the schema.
    if (isOptional) return cost + 1;
    this.paths.set(expression, this.pathOf(owner).with(field));
    return cost + (owner.type?.name === 'map' || owner.type?.fields !== undefined ? 1 : 0);
  }

  private call(expression: Call): number {
    const { name, target, args, overloads = [] } = expression;
    const [first] = args;
    if (name === 'dyn' && first !== undefined) {
      const cost = 1 + this.cost(first);
      this.keep(expression, this.sizeOf(first), this.entriesOf(first));
      return cost;
    }
    const costs = args.map((arg) => this.cost(arg));
    const sizedArgs = args.map((arg) => this.sized(arg));
    const own = target === undefined ? 0 : this.cost(target);
    const sizedTarget = target === undefined ? undefined : this.sized(target);
    let most = 0;
    let size: Size | undefined;
    for (const { parameters } of overloads) {
      const found = this.ofOverload(expression, parameters, sizedTarget, sizedArgs, costs);
      most = Math.max(most, found.cost);
      if (found.size !== undefined) size = size === undefined ? found.size : union(size, found.size);
      if (name === '_[_]' && first !== undefined && parameters[0]?.name !== 'optional_type') {
        size = this.entriesOf(first)?.value;
        this.paths.set(expression, this.pathOf(first).with(parameters[0]?.name === 'list' ? '@items' : '@values'));
      }
      size ??= this.sizeOf(expression);
    }
    this.keep(expression, size);
    return own + most;
  }

  private ofOverload(
    expression: Call,
    parameters: readonly CelType[],
    target: Sized | undefined,
    args: readonly Sized[],
    costs: readonly number[],
  ): Estimate {
    const [first = 0, second = 0, third = 0] = costs;
    const { name } = expression;
    const [one, two, three] = expression.args;
    if (name === '_?_:_') {
      this.keep(expression, undefined, joinedEntries(two && this.entriesOf(two), three && this.entriesOf(three)));
      return { cost: first + Math.max(second, third), size: union(args[1]?.size ?? unknownSize, args[2]?.size ?? unknownSize) };
    }
    if (name === '_+_') this.keep(expression, undefined, joinedEntries(one && this.entriesOf(one), two && this.entriesOf(two)));
    if (name === '_&&_' || name === '_||_') return { cost: first + second };
    const found = callCost(name, parameters, target, args, (path) => this.sizeAt(path));
    return { ...found, cost: found.cost + costs.reduce((all, cost) => all + cost, 0) };
  }

  private list(expression: Expression & { readonly is: 'list' }): number {
    let cost = 10;
    let value: Size = { min: expression.items.length === 0 ? 0 : Infinity, max: 0 };
    for (const item of expression.items) {
      cost += this.cost(item);
      value = union(value, this.sizeOf(item) ?? unknownSize);
    }
    this.keep(expression, undefined, { kind: 'list', key: exactly(1), value });
    return cost;
  }

  private map(expression: Expression & { readonly is: 'map' }): number {
    let cost = 30;
    const none = { min: expression.entries.length === 0 ? 0 : Infinity, max: 0 };
    let [key, value]: [Size, Size] = [none, none];
    for (const [name, inner] of expression.entries) {
      cost += this.cost(name) + this.cost(inner);
      key = union(key, this.sizeOf(name) ?? unknownSize);
      value = union(value, this.sizeOf(inner) ?? unknownSize);
    }
    this.keep(expression, undefined, { kind: 'map', key, value });
    return cost;
  }

  private bind(expression: Loop): number {
    const { range, init, accumulator, result } = expression;
    const cost = this.cost(range) + this.cost(init);
    const inner = this.within(accumulator, this.localOf(init), () => this.cost(result));
    this.keep(expression, this.sizeOf(result), this.entriesOf(result));
    return cost + inner;
  }

  private localOf(expression: Expression): Local {
    return { path: this.pathOf(expression), size: this.sizeOf(expression), entries: this.entriesOf(expression) };
  }

  /** The types of a loop's variables. */
  private itemsOf(range: Expression, count: number): readonly Local[] {
    const entries = this.entriesOf(range);
    const isList = (entries?.kind ?? range.type?.name) === 'list';
    const local = (step: string, size: Size | undefined): Local => ({ path: this.pathOf(range).with(step), size, entries: undefined });
    const value = local(isList ? '@items' : '@values', entries?.value);
    if (count === 1) return [isList ? value : local('@keys', entries?.key)];
    return [local(isList ? '@indices' : '@keys', entries?.key), value];
  }

  private loop(expression: Loop): number {
    const { range, init, names, condition, step, result, accumulator } = expression;
    const cost = this.cost(range) + this.cost(init);
    const [first, second] = this.itemsOf(range, names.length);
    const nothing: Local = { path: noPath, size: undefined, entries: undefined };
    const [each, last] = this.within(accumulator, this.localOf(init), () => {
      const inner = (): number => this.cost(condition) + this.cost(step);
      const within = (): number => (names[1] === undefined ? inner() : this.within(names[1], second ?? nothing, inner));
      return [this.within(names[0] ?? '', first ?? nothing, within), this.cost(result)];
    });
    const count = this.sizeOf(range) ?? unknownSize;
    if (init.is === 'constant') this.keep(expression, this.sizeOf(init));
    else this.keep(expression, count, this.entriesOf(step));
    return cost + last + timesCost(count.max, each);
  }
}

/** The largest cost of an expression whose types were checked, with the sizes of `self`. */
export function estimateCost(expression: Expression, self: CelType): number {
  return new CostEstimator(self).cost(expression);
}
