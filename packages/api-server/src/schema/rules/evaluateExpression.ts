import type { Optional } from '@marcbachmann/cel-js';
import { Authorizer } from './authorizer.js';
import type { Call, Expression, Loop } from './check/expression.js';
import { literalType, ofLiteral } from './literalType.js';

/** The value of an expression, for values of its variables. */
export type Evaluation = (scope: Scope) => unknown;

/** The part of the engine used here: it calls functions and recognizes optional values. */
export interface EngineParts {
  /** A function that evaluates a call such as `a0.size()`, for values of `a0` and so on. */
  readonly call: (text: string) => (values: Readonly<Record<string, unknown>>) => unknown;
  readonly optional: typeof Optional;
}

/** The names of an expression: variables, and the names of the loops around it. */
export class Scope {
  private readonly variables: Readonly<Record<string, unknown>>;
  private readonly outer: Scope | undefined;
  private readonly name: string | undefined;
  private value: unknown;

  constructor(variables: Readonly<Record<string, unknown>>, outer?: Scope, name?: string, value?: unknown) {
    this.variables = variables;
    this.outer = outer;
    this.name = name;
    this.value = value;
  }

  with(name: string, value: unknown): Scope {
    return new Scope(this.variables, this, name, value);
  }

  set(value: unknown): void {
    this.value = value;
  }

  find(name: string): { readonly value: unknown } | undefined {
    if (this.name === name) return { value: this.value };
    if (this.outer !== undefined) return this.outer.find(name);
    return Object.hasOwn(this.variables, name) ? { value: this.variables[name] } : undefined;
  }
}

/** An error as the value of a loop so far: further items can make it irrelevant. */
class Failure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

function tried(evaluation: Evaluation, scope: Scope): unknown {
  try {
    return evaluation(scope);
  } catch (error) {
    return new Failure(error);
  }
}

function noOverload(): Error {
  return new Error('no such overload');
}

/** Both sides are evaluated unless the first decides; an error counts only when no side decides. */
function logical(left: Evaluation, right: Evaluation, decides: boolean): Evaluation {
  return (scope) => {
    const first = tried(left, scope);
    if (first === decides) return decides;
    const second = tried(right, scope);
    if (second === decides) return decides;
    for (const one of [first, second]) if (one instanceof Failure) throw one.error;
    if (typeof first !== 'boolean' || typeof second !== 'boolean') throw noOverload();
    return !decides;
  };
}

type Entries = Readonly<Record<string, unknown>>;

function isMap(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

/** The entry of a list or map; undefined when there is none. */
function entryOf(owner: unknown, key: unknown): unknown {
  if (owner instanceof Map) return owner.get(key) as unknown;
  if (Array.isArray(owner)) {
    const at = typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
    if (typeof at !== 'bigint') throw noOverload();
    return owner[Number(at)] as unknown;
  }
  if (owner instanceof Authorizer && key === 'requestResource') return owner.requestResource;
  // Nothing has no fields.
  if (owner === null) return undefined;
  if (!isMap(owner)) throw noOverload();
  return typeof key === 'string' && Object.hasOwn(owner, key) ? owner[key] : undefined;
}

function neededEntry(owner: unknown, key: unknown): unknown {
  const found = entryOf(owner, key);
  if (found !== undefined) return found;
  // Objects of an expression can have any fields.
  if (literalType(owner)?.startsWith('Object') === true) return null;
  throw new Error(`${Array.isArray(owner) ? 'index out of bounds' : 'no such key'}: ${String(key)}`);
}

/** The items of a range with their indexes, or the values of a map with their keys. */
function entriesIn(range: unknown): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(range)) return range.map((item, at) => [BigInt(at), item as unknown] as const);
  if (range instanceof Map) return [...(range as Map<unknown, unknown>)];
  if (isMap(range)) return Object.entries(range);
  throw noOverload();
}

function mapOf(entries: readonly (readonly [unknown, unknown])[]): unknown {
  return ofLiteral(
    entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries as [string, unknown][]) : new Map(entries),
    'map',
  );
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return { object: 'map', bigint: 'int', number: 'double', boolean: 'bool' }[typeof value as string] ?? typeof value;
}

/** A map, or an object of a type. */
function literalOf(type: string | undefined, entries: readonly (readonly [unknown, unknown])[]): unknown {
  if (type === 'JSONPatch')
    for (const [name, value] of entries) {
      if (!/^(op|path|from|value)$/.test(String(name))) throw new Error(`unexpected JSONPatchType field: ${String(name)}`);
      if (name !== 'value' && typeof value !== 'string')
        throw new Error(`unexpected type ${typeName(value)} for JSONPatchType '${String(name)}' field`);
    }
  return ofLiteral(mapOf(entries), type ?? 'map');
}

const operators: Readonly<Record<string, string>> = { '!_': '!a0', '-_': '-a0', '@in': 'a0 in a1' };

/** How the engine writes a call. */
function engineText(name: string, count: number, isMember: boolean): string {
  const [, operator] = /^_(.+)_$/.exec(name) ?? [];
  if (operator !== undefined) return `a0 ${operator} a1`;
  const own = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (own !== undefined) return own;
  const names = Array.from({ length: count }, (_, at) => `a${String(at)}`);
  // Regular expressions must have RE2 semantics, with linear time.
  const known = name === 'matches' ? 'matchesPattern' : name;
  return isMember || name === 'matches' ? `a0.${known}(${names.slice(1).join(', ')})` : `${known}(${names.join(', ')})`;
}

function isOutside(text: unknown, at: unknown): at is bigint {
  return typeof text === 'string' && typeof at === 'bigint' && (at < 0n || at > BigInt(text.length));
}

/** The error of a position outside of a text. */
function positionProblem(name: string, [text, first, second]: readonly unknown[]): string | undefined {
  const bad = name === 'substring' || name === 'charAt' ? [first, second].find((at) => isOutside(text, at)) : undefined;
  if (bad !== undefined) return `index out of range: ${String(bad)}`;
  const isReversed = name === 'substring' && typeof first === 'bigint' && typeof second === 'bigint' && first > second;
  return isReversed ? `invalid substring range. start: ${String(first)}, end: ${String(second)}` : undefined;
}

const numbers: Readonly<Record<string, RegExp>> = {
  int: /^[+-]?\d+$/,
  uint: /^\d+$/,
  double: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^[+-]?(inf(inity)?|nan)$/i,
};

/** The error of a call for which the engine has another message or none. */
function callProblem(name: string, args: readonly unknown[]): string | undefined {
  const [text] = args;
  const isNumber = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
  if (isNumber !== undefined && typeof text === 'string' && !isNumber.test(text)) return `type conversion error from 'string' to '${name}'`;
  return name === 'uint' && typeof text === 'bigint' && text < 0n ? 'unsigned integer overflow' : positionProblem(name, args);
}

/** How many items the loops of one evaluation may see together: a rule that needs more would stop the server for all. */
const mostSteps = 1_000_000;

/** Turns expressions into functions. */
class Compiler {
  /** How many items the loops of this evaluation have seen. */
  steps = 0;
  private readonly engine: EngineParts;

  constructor(engine: EngineParts) {
    this.engine = engine;
  }

  compile(expression: Expression): Evaluation {
    switch (expression.is) {
      case 'constant':
        return () => expression.value;
      case 'name':
        return this.name(expression.name);
      case 'select':
        return this.select(expression);
      case 'call':
        return this.call(expression);
      case 'list': {
        const items = expression.items.map((item) => this.compile(item));
        const { optional } = expression;
        return (scope) => items.flatMap((item, at) => (optional.includes(at) ? this.present(item(scope)) : [item(scope)]));
      }
      case 'map': {
        const entries = expression.entries.map(([key, value]) => [this.compile(key), this.compile(value)] as const);
        const { optional, of } = expression;
        return (scope) =>
          literalOf(
            of,
            entries.flatMap(([key, value], at) => {
              const values = optional.includes(at) ? this.present(value(scope)) : [value(scope)];
              return values.map((one) => [key(scope), one] as const);
            }),
          );
      }
      case 'loop':
        return this.loop(expression);
    }
  }

  /** The value of an optional entry of a literal, if there is one. */
  private present(value: unknown): readonly unknown[] {
    if (!(value instanceof this.engine.optional)) throw noOverload();
    return value.hasValue() ? [value.value()] : [];
  }

  private name(name: string): Evaluation {
    let constant: object | undefined;
    return (scope) => {
      const found = scope.find(name);
      if (found === undefined) return (constant ??= this.engine.call(name)({}) as object);
      if (found.value instanceof Failure) throw found.value.error;
      return found.value;
    };
  }

  private select({ owner, field, isTest, isOptional }: Expression & { readonly is: 'select' }): Evaluation {
    const { optional } = this.engine;
    const evaluated = this.compile(owner);
    return (scope) => {
      const of = evaluated(scope);
      if (of instanceof optional) {
        const found = of.hasValue() ? entryOf(of.value(), field) : undefined;
        return isTest ? found !== undefined : found === undefined ? optional.none() : optional.of(found);
      }
      if (isTest) return entryOf(of, field) !== undefined;
      if (!isOptional) return neededEntry(of, field);
      const found = entryOf(of, field);
      return found === undefined ? optional.none() : optional.of(found);
    };
  }

  private call({ name, target, args }: Call): Evaluation {
    const all = [...(target === undefined ? [] : [target]), ...args].map((part) => this.compile(part));
    const [first, second, third] = all;
    if (first === undefined) return this.delegated(name, all, false);
    if (name === '@not_strictly_false') return (scope) => tried(first, scope) !== false;
    if (second !== undefined) {
      if (name === '_&&_' || name === '_||_') return logical(first, second, name === '_||_');
      if (name === '_[_]' || name === '_[?_]') return this.index(first, second, name === '_[?_]');
      if (name === 'or' || name === 'orValue') return this.otherwise(first, second, name === 'or');
      if (name === '@sortByAssociatedKeys') return this.sorted(first, second);
      if (name === 'cel.@mapInsert') return inserted(first, second, third);
      if (name === '_==_' || name === '_!=_') return this.equal(first, second, name);
    }
    if (name === '_?_:_' && second !== undefined && third !== undefined)
      return (scope) => {
        const test = first(scope);
        if (typeof test !== 'boolean') throw noOverload();
        return (test ? second : third)(scope);
      };
    return this.delegated(name, all, target !== undefined);
  }

  /** Leaves a call to the engine. */
  private delegated(name: string, args: readonly Evaluation[], isMember: boolean): Evaluation {
    const run = this.engine.call(engineText(name, args.length, isMember));
    return (scope) => {
      const values = args.map((arg) => arg(scope));
      const problem = callProblem(name, values);
      if (problem !== undefined) throw new Error(problem);
      // A search that begins behind the end finds nothing.
      if (/^(lastI|i)ndexOf$/.test(name) && typeof values[2] === 'bigint' && isOutside(values[0], values[2] + 1n)) return -1n;
      return run(Object.fromEntries(values.map((value, at) => [`a${String(at)}`, value])));
    };
  }

  private equal(first: Evaluation, second: Evaluation, name: string): Evaluation {
    const compare = this.engine.call('a0 == a1');
    return (scope) => {
      const [a0, a1] = [first(scope), second(scope)];
      const same = typeof a0 === typeof a1 && typeof a0 !== 'object' ? a0 === a1 : compare({ a0, a1 });
      return (same === true) === (name === '_==_');
    };
  }

  private index(owner: Evaluation, key: Evaluation, isOptional: boolean): Evaluation {
    const { optional } = this.engine;
    return (scope) => {
      const [of, at] = [owner(scope), key(scope)];
      if (!isOptional && !(of instanceof optional)) return neededEntry(of, at);
      const inner: unknown = of instanceof optional ? (of.hasValue() ? of.value() : undefined) : of;
      const found = inner === undefined ? undefined : entryOf(inner, at);
      return found === undefined ? optional.none() : optional.of(found);
    };
  }

  /** The other value of an optional one is evaluated only when it is needed. */
  private otherwise(first: Evaluation, second: Evaluation, wraps: boolean): Evaluation {
    const { optional } = this.engine;
    return (scope) => {
      const value = first(scope);
      if (!(value instanceof optional)) throw noOverload();
      const inner: unknown = value.hasValue() && !wraps ? value.value() : value;
      return value.hasValue() ? inner : second(scope);
    };
  }

  private sorted(list: Evaluation, keys: Evaluation): Evaluation {
    const less = this.engine.call('a0 < a1');
    return (scope) => {
      const order = keys(scope) as readonly unknown[];
      const places = order.map((_, at) => at);
      places.sort((a, b) => Number(less({ a0: order[b], a1: order[a] })) - Number(less({ a0: order[a], a1: order[b] })));
      const items = list(scope) as readonly unknown[];
      return places.map((at) => items[at]);
    };
  }

  private loop({ range, names, accumulator, init, condition, step, result }: Loop): Evaluation {
    const [over, begin, goesOn, next, end] = [range, init, condition, step, result].map((part) => this.compile(part)) as [
      Evaluation,
      Evaluation,
      Evaluation,
      Evaluation,
      Evaluation,
    ];
    const [name = '', second] = names;
    return (scope) => {
      const built = scope.with(accumulator, tried(begin, scope));
      const items = over(scope);
      for (const [key, value] of entriesIn(items)) {
        if (goesOn(built) !== true) break;
        this.steps += 1;
        if (this.steps > mostSteps) throw new Error(`stopped, since its loops saw more than ${String(mostSteps)} items`);
        const single = Array.isArray(items) ? value : key;
        const inner = second === undefined ? built.with(name, single) : built.with(name, key).with(second, value);
        built.set(tried(next, inner));
      }
      return end(built);
    };
  }
}

/** Adds an entry, or all entries of a map, to a map without them. */
function inserted(map: Evaluation, key: Evaluation, value: Evaluation | undefined): Evaluation {
  return (scope) => {
    const before = entriesIn(map(scope));
    const added = value === undefined ? entriesIn(key(scope)) : [[key(scope), value(scope)] as const];
    for (const [name] of added)
      if (before.some(([other]) => other === name)) throw new Error(`insert failed: key ${String(name)} already exists`);
    return mapOf([...before, ...added]);
  };
}

/** The evaluation of an expression in which macros are expanded, with the order of errors of the API server. */
export function evaluateExpression(expression: Expression, engine: EngineParts): (variables: Readonly<Record<string, unknown>>) => unknown {
  const compiler = new Compiler(engine);
  const run = compiler.compile(expression);
  return (variables) => {
    compiler.steps = 0;
    return run(new Scope(variables));
  };
}
