import type { ASTNode } from '@marcbachmann/cel-js';
import type { CelType } from './celType.js';
import type { Overload } from './declarations.js';

interface Part {
  /** The position that errors name. */
  readonly at: number;
  /** Set by the check. */
  type?: CelType;
  overloads?: readonly Overload[];
}

/** A loop that folds the items of a range into one value; a binding of a name is a loop over nothing. */
export interface Loop extends Part {
  readonly is: 'loop';
  readonly range: Expression;
  /** One name: the item, or the key. Two: the index or key, and the item or value. */
  readonly names: readonly string[];
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

export interface Call extends Part {
  readonly is: 'call';
  /** The check turns the receiver of a qualified name such as `sets.contains` into a part of the name. */
  name: string;
  target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** An expression in which macros are expanded, as the API server checks it. */
export type Expression =
  | (Part & { readonly is: 'constant'; readonly of: string; readonly value: unknown })
  | (Part & { readonly is: 'name'; readonly name: string })
  | (Part & {
      readonly is: 'select';
      readonly owner: Expression;
      readonly field: string;
      readonly isTest: boolean;
      readonly isOptional: boolean;
    })
  | Call
  | (Part & { readonly is: 'list'; readonly items: readonly Expression[]; readonly optional: readonly number[] })
  | (Part & {
      readonly is: 'map';
      readonly entries: readonly (readonly [Expression, Expression])[];
      /** The places of optional entries. */
      readonly optional: readonly number[];
      /** The type of an object; its keys are the names of fields. */
      readonly of?: string;
    })
  | Loop;

/** A problem at a position. */
export type Problem = readonly [at: number, problem: string];

/** The name of the value that a macro builds up. */
export const result = '@result';
const input = '@input';

function constantType(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return value instanceof Uint8Array ? 'bytes' : 'uint';
}

/** Builds the parts of a macro, all at its position. */
class Builder {
  private readonly at: number;

  constructor(at: number) {
    this.at = at;
  }

  constant(value: unknown): Expression {
    return { is: 'constant', at: this.at, of: constantType(value), value };
  }

  name(name: string = result): Expression {
    return { is: 'name', at: this.at, name };
  }

  list(...items: readonly Expression[]): Expression {
    return { is: 'list', at: this.at, items, optional: [] };
  }

  map(): Expression {
    return { is: 'map', at: this.at, entries: [], optional: [] };
  }

  call(name: string, ...args: readonly Expression[]): Expression {
    return { is: 'call', at: this.at, name, target: undefined, args };
  }

  member(name: string, target: Expression, ...args: readonly Expression[]): Expression {
    return { is: 'call', at: this.at, name, target, args };
  }

  loop(range: Expression, names: readonly string[], parts: Pick<Loop, 'init' | 'condition' | 'step'>, made = this.name()): Expression {
    return { is: 'loop', at: this.at, range, names, accumulator: result, result: made, ...parts };
  }

  bind(name: string, value: Expression, inner: Expression): Expression {
    const nothing = { init: value, condition: this.constant(false), step: this.name(name) };
    return { is: 'loop', at: this.at, range: this.list(), names: ['#unused'], accumulator: name, result: inner, ...nothing };
  }
}

/** A loop that adds something to a list or map for each item, or for those that pass a filter. */
function collected(
  build: Builder,
  range: Expression,
  names: readonly string[],
  init: Expression,
  add: Expression,
  filter?: Expression,
): Expression {
  const step = filter === undefined ? add : build.call('_?_:_', filter, add, build.name());
  return build.loop(range, names, { init, condition: build.constant(true), step });
}

type Macro = (build: Builder, target: Expression, names: readonly string[], args: readonly Expression[]) => Expression;

const all: Macro = (build, target, names, [test]) =>
  build.loop(target, names, {
    init: build.constant(true),
    condition: build.call('@not_strictly_false', build.name()),
    step: build.call('_&&_', build.name(), test as Expression),
  });

const exists: Macro = (build, target, names, [test]) =>
  build.loop(target, names, {
    init: build.constant(false),
    condition: build.call('@not_strictly_false', build.call('!_', build.name())),
    step: build.call('_||_', build.name(), test as Expression),
  });

const existsOne: Macro = (build, target, names, [test]) => {
  const one = build.call('_+_', build.name(), build.constant(1n));
  return build.loop(
    target,
    names,
    { init: build.constant(0n), condition: build.constant(true), step: build.call('_?_:_', test as Expression, one, build.name()) },
    build.call('_==_', build.name(), build.constant(1n)),
  );
};

const toList: Macro = (build, target, names, args) =>
  collected(build, target, names, build.list(), build.call('_+_', build.name(), build.list(args.at(-1) as Expression)), args.at(-2));

/** A copy with positions of its own, for a part that occurs twice. */
function copied(expression: Expression): Expression {
  return structuredClone(expression);
}

const optMap =
  (wraps: boolean): Macro =>
  (build, target, [name = ''], [inner]) => {
    const bound = build.bind(name, build.member('value', copied(target)), inner as Expression);
    const some = wraps ? build.call('optional.of', bound) : bound;
    return build.call('_?_:_', build.member('hasValue', target), some, build.call('optional.none'));
  };

const isNoName = 'argument must be a simple name';
const isNoIdentifier = 'argument is not an identifier';

/** A macro with a receiver. */
type MacroForm = readonly [names: number, more: readonly number[], macro: Macro, problem: string];

function quantifier(macro: Macro, ...counts: readonly number[]): readonly MacroForm[] {
  return counts.map((count) => [count, [1], macro, isNoName]);
}

/** Macros with a receiver: the number of names that they declare, the number of further arguments, and the message about an invalid name. */
const macros: Readonly<Record<string, readonly MacroForm[]>> = {
  all: quantifier(all, 1, 2),
  exists: quantifier(exists, 1, 2),
  exists_one: quantifier(existsOne, 1, 2),
  existsOne: quantifier(existsOne, 2),
  map: [[1, [1, 2], toList, isNoIdentifier]],
  filter: [
    [
      1,
      [1],
      (build, target, names, [test]) => {
        const item = build.list(build.name(names[0]));
        return collected(build, target, names, build.list(), build.call('_+_', build.name(), item), test);
      },
      isNoIdentifier,
    ],
  ],
  transformList: [[2, [1, 2], toList, isNoName]],
  transformMap: [
    [
      2,
      [1, 2],
      (build, target, names, args) => {
        const add = build.call('cel.@mapInsert', build.name(), build.name(names[0]), args.at(-1) as Expression);
        return collected(build, target, names, build.map(), add, args.at(-2));
      },
      isNoName,
    ],
  ],
  transformMapEntry: [
    [
      2,
      [1, 2],
      (build, target, names, args) =>
        collected(build, target, names, build.map(), build.call('cel.@mapInsert', build.name(), args.at(-1) as Expression), args.at(-2)),
      isNoName,
    ],
  ],
  optMap: [[1, [1], optMap(true), 'optMap() variable name must be a simple identifier']],
  optFlatMap: [[1, [1], optMap(false), 'optFlatMap() variable name must be a simple identifier']],
  sortBy: [
    [
      1,
      [1],
      (build, target, names, args) =>
        build.bind(input, target, build.member('@sortByAssociatedKeys', build.name(input), toList(build, build.name(input), names, args))),
      isNoIdentifier,
    ],
  ],
};

function isMarked(node: ASTNode): node is ASTNode & { readonly op: '-_' } {
  return node.op === '-_' && node.args.op === '!_' && node.args.start === node.start + 1;
}

function marksOf(nodes: readonly ASTNode[]): readonly number[] {
  return nodes.flatMap((node, at) => (isMarked(node) ? [at] : []));
}

function unmarked(node: ASTNode): ASTNode {
  return isMarked(node) && node.args.op === '!_' ? node.args.args : node;
}

/** Reads the tree of an expression; `problems` gets the errors about its macros. */
class Reader {
  private readonly text: string;
  readonly problems: Problem[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** The position of a character after a part of the text. */
  private behind({ end }: { readonly end: number }, sign: string): number {
    return this.text.indexOf(sign, end);
  }

  read(node: ASTNode): Expression {
    const at = node.start;
    switch (node.op) {
      case 'value':
        return { is: 'constant', at, of: constantType(node.args), value: node.args };
      case 'id':
        return { is: 'name', at, name: node.args };
      case '.':
      case '.?':
        return this.select(node.args, node.op === '.?');
      case '[]':
        if (isMarked(node.args[1])) return this.object(node.args[0], unmarked(node.args[1]));
        return this.operation(this.behind(node.args[0], '['), '_[_]', node.args);
      case '[?]':
        return this.operation(this.behind(node.args[0], '['), '_[?_]', node.args);
      case 'call':
        return this.global(node.args, this.text.indexOf('(', at));
      case 'rcall':
        return this.member(node.args);
      case 'list':
        return { is: 'list', at, items: node.args.map((item) => this.read(unmarked(item))), optional: marksOf(node.args) };
      case 'map':
        return this.map(at, node.args);
      case '?:':
        return this.operation(this.behind(node.args[0], '?'), '_?_:_', node.args);
      case '!_':
      case '-_':
        return this.unary(node.op, node.args, at);
      default:
        return this.operation(this.behind(node.args[0], node.op), node.op === 'in' ? '@in' : `_${node.op}_`, node.args);
    }
  }

  private map(at: number, args: readonly (readonly [ASTNode, ASTNode])[]): Expression & { readonly is: 'map' } {
    const entries = args.map(([key, value]) => [this.read(unmarked(key)), this.read(value)] as const);
    return { is: 'map', at, entries, optional: marksOf(args.map(([key]) => key)) };
  }

  /** An object: its fields are at their colons. */
  private object(type: ASTNode, fields: ASTNode): Expression {
    const args = fields.op === 'map' ? fields.args : [];
    const read = this.map(fields.start, args);
    const entries = read.entries.map(([key, value], at) => [{ ...key, at: this.behind(args[at]?.[0] ?? fields, ':') }, value] as const);
    return { ...read, entries, of: this.text.slice(type.start, type.end).replaceAll(/\s/g, '') };
  }

  private select([owner, field]: readonly [ASTNode, string], isOptional: boolean): Expression {
    return { is: 'select', at: this.behind(owner, '.'), owner: this.read(owner), field, isTest: false, isOptional };
  }

  private operation(at: number, name: string, args: readonly ASTNode[]): Expression {
    return { is: 'call', at, name, target: undefined, args: args.map((arg) => this.read(arg)) };
  }

  private unary(name: '!_' | '-_', operand: ASTNode, at: number): Expression {
    // Two signs side by side cancel each other, and the sign of a number belongs to it.
    if (this.text.slice(at + 1, operand.start).trim() !== '') return this.operation(at, name, [operand]);
    if (operand.op === name) return this.read(operand.args);
    const { args } = operand;
    if (name === '-_' && operand.op === 'value' && (typeof args === 'bigint' || typeof args === 'number'))
      return { is: 'constant', at, of: constantType(args), value: -args };
    return this.operation(at, name, [operand]);
  }

  private global([name, args]: readonly [string, readonly ASTNode[]], at: number): Expression {
    const [tested] = args;
    if (name !== 'has' || args.length !== 1 || tested === undefined) return this.operation(at, name, args);
    const read = this.read(tested);
    if (read.is === 'select' && !read.isOptional) return { ...read, at, isTest: true };
    this.problems.push([read.at, 'invalid argument to has() macro']);
    return read;
  }

  private member([name, owner, args]: readonly [string, ASTNode, readonly ASTNode[]]): Expression {
    const at = this.text.indexOf('(', this.text.indexOf(name, this.behind(owner, '.')));
    const target = this.read(owner);
    const read = args.map((arg) => this.read(arg));
    const known = Object.hasOwn(macros, name) ? macros[name] : undefined;
    const [count, , macro, problem] = known?.find(([names, more]) => more.includes(args.length - names)) ?? [];
    if (count === undefined || macro === undefined || problem === undefined) return { is: 'call', at, name, target, args: read };
    const names = read.slice(0, count).map((one) => (one.is === 'name' ? one.name : undefined));
    const bad = names.indexOf(undefined);
    const declared = names.filter((one) => one !== undefined);
    if (bad >= 0) this.problems.push([read[bad]?.at ?? at, problem]);
    else if (declared[0] === declared[1]) this.problems.push([read[1]?.at ?? at, `duplicate variable name: ${declared[0] ?? ''}`]);
    return macro(new Builder(at), target, declared, read.slice(count));
  }
}

/** The expression of a tree, and the problems of its macros. */
export function readExpression(text: string, tree: ASTNode): readonly [Expression, readonly Problem[]] {
  const reader = new Reader(text);
  return [reader.read(tree), reader.problems];
}
