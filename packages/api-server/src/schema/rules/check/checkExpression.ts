import {
  bool,
  dyn,
  fitted,
  int,
  isOpen,
  isVariable,
  mostGeneral,
  shownType,
  substituted,
  typeNamed,
  wrong,
  type Bound,
  type CelType,
} from './celType.js';
import { overloadsOf, typeOfType, type Overload } from './declarations.js';
import type { Call, Expression, Loop, Problem } from './expression.js';

type Variables = ReadonlyMap<string, CelType>;

/** The name of a chain of fields, for example `google.protobuf.Timestamp`; undefined for other expressions. */
function qualifiedName(expression: Expression): string | undefined {
  if (expression.is === 'name') return expression.name;
  if (expression.is !== 'select' || expression.isTest || expression.isOptional) return undefined;
  const owner = qualifiedName(expression.owner);
  return owner === undefined ? undefined : `${owner}.${expression.field}`;
}

/** The names of all variables in an expression. */
export function* namesIn(expression: Expression): Generator<string, void, undefined> {
  if (expression.is === 'name') yield expression.name;
  for (const part of partsOf(expression)) yield* namesIn(part);
}

/** The direct parts of an expression. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.is) {
    case 'select':
      return [expression.owner];
    case 'call':
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case 'list':
      return expression.items;
    case 'map':
      return expression.entries.flat();
    case 'loop':
      return [expression.range, expression.init, expression.condition, expression.step, expression.result];
    default:
      return [];
  }
}

/** Finds the type of each part of an expression, in the order and with the messages of the API server. */
class Checker {
  readonly problems: Problem[] = [];
  private bound: Bound = new Map();
  private fresh = 0;

  private variable(): CelType {
    this.fresh += 1;
    return typeNamed(`_${String(this.fresh)}`);
  }

  private known(expression: Expression, toDyn = false): CelType {
    return substituted(this.bound, expression.type ?? wrong, toDyn);
  }

  private fit(as: readonly CelType[], bs: readonly CelType[]): boolean {
    const changed = fitted(this.bound, as, bs);
    if (changed !== undefined) this.bound = changed;
    return changed !== undefined;
  }

  private report(at: number, problem: string): CelType {
    this.problems.push([at, problem]);
    return wrong;
  }

  /** Replaces the variables of types in an expression. */
  settle(expression: Expression): void {
    expression.type = this.known(expression, true);
    for (const part of partsOf(expression)) this.settle(part);
  }

  check(expression: Expression, variables: Variables): CelType {
    expression.type = this.typeOf(expression, variables);
    return expression.type;
  }

  private typeOf(expression: Expression, variables: Variables): CelType {
    switch (expression.is) {
      case 'constant':
        return typeNamed(expression.of);
      case 'name':
        return this.named(expression.name, variables) ?? this.undeclared(expression.at, expression.name);
      case 'select':
        return this.select(expression, variables);
      case 'call':
        return this.call(expression, variables);
      case 'list':
        return typeNamed('list', [this.joined(expression, variables)]);
      case 'map': {
        if (expression.of !== undefined) return this.object(expression, expression.of, variables);
        const { entries, optional } = expression;
        let [key, value]: (CelType | undefined)[] = [];
        for (const [at, [name, inner]] of entries.entries()) {
          key = this.join(name, key, variables);
          value = this.join(inner, value, variables, optional.includes(at));
        }
        return typeNamed('map', [key ?? this.variable(), value ?? this.variable()]);
      }
      case 'loop':
        return this.loop(expression, variables);
    }
  }

  private named(name: string, variables: Variables): CelType | undefined {
    const known = variables.get(name) ?? typeOfType(name);
    // The fields of an object have types of their own, of any name.
    const object = name.startsWith('Object.') ? variables.get('Object') : undefined;
    return known ?? (object === undefined ? undefined : { ...object, of: object.of.map((type) => ({ ...type, name })) });
  }

  private undeclared(at: number, name: string): CelType {
    return this.report(at, `undeclared reference to '${name}' (in container '')`);
  }

  private joined({ items, optional }: Expression & { readonly is: 'list' }, variables: Variables): CelType {
    let type: CelType | undefined;
    for (const [at, item] of items.entries()) type = this.join(item, type, variables, optional.includes(at));
    return type ?? this.variable();
  }

  /** The type of items with one more item. */
  private join(item: Expression, before: CelType | undefined, variables: Variables, isOptional = false): CelType {
    const found = this.check(item, variables);
    const type = isOptional ? this.unwrapped(item.at, found) : found;
    if (before === undefined) return type;
    // Items of different types are reported later, unless there are other problems.
    return this.fit([before], [type]) ? mostGeneral(before, type) : dyn;
  }

  private object({ at, entries, optional }: Expression & { readonly is: 'map' }, name: string, variables: Variables): CelType {
    const named = this.named(name, variables);
    if (named === undefined) return this.undeclared(at, name);
    const [type = dyn] = named.name === 'type' ? named.of : [];
    const isObject = type.fields !== undefined;
    if (named.name !== 'type') this.report(at, `'${shownType(named)}' is not a type`);
    else if (!isObject) this.report(at, `'${shownType({ ...type, of: [] })}' is not a message type`);
    for (const [index, [key, value]] of entries.entries()) {
      const field = key.is === 'constant' ? String(key.value) : '';
      const found = this.check(value, variables);
      const given = optional.includes(index) ? this.unwrapped(value.at, found) : found;
      if (named.name !== 'type') this.report(key.at, `unexpected failed resolution of '${name}'`);
      const wanted = named.name === 'type' ? (type.fields?.get(field) ?? type.others ?? this.undefinedField(key.at, field)) : wrong;
      if (!this.fit([wanted], [given]))
        this.report(
          key.at,
          `expected type of field '${field}' is '${shownType(wanted)}' but provided type is '${shownType(substituted(this.bound, given))}'`,
        );
    }
    return isObject ? type : wrong;
  }

  private undefinedField(at: number, field: string): CelType {
    return this.report(at, `undefined field '${field}'`);
  }

  private unwrapped(at: number, type: CelType): CelType {
    if (type.name === 'optional_type') return type.of[0] ?? dyn;
    if (!isOpen(type)) this.report(at, `expected type '${shownType(typeNamed('optional', [type]))}' but found '${shownType(type)}'`);
    return type;
  }

  private select(expression: Expression & { readonly is: 'select' }, variables: Variables): CelType {
    const { at, owner, field, isTest, isOptional } = expression;
    const name = qualifiedName(expression);
    const whole = name === undefined ? undefined : this.named(name, variables);
    if (whole !== undefined) return whole;
    this.check(owner, variables);
    const of = this.known(owner);
    const wraps = of.name === 'optional_type';
    const found = this.field(at, wraps ? (of.of[0] ?? dyn) : of, field);
    if (isTest) return bool;
    return substituted(this.bound, wraps || isOptional ? typeNamed('optional', [found]) : found);
  }

  private field(at: number, owner: CelType, field: string): CelType {
    if (owner.name === 'map') return owner.of[1] ?? dyn;
    if (isOpen(owner)) return dyn;
    if (isVariable(owner)) {
      this.fit([dyn], [owner]);
      return dyn;
    }
    if (owner.fields !== undefined) return owner.fields.get(field) ?? owner.others ?? this.undefinedField(at, field);
    if (owner.name.startsWith('kubernetes.')) return this.report(at, `unexpected failed resolution of '${owner.name}'`);
    this.report(at, `type '${shownType(owner)}' does not support field selection`);
    return dyn;
  }

  private call(expression: Call, variables: Variables): CelType {
    const { at, name, target, args } = expression;
    for (const arg of args) this.check(arg, variables);
    const prefix = target === undefined ? undefined : qualifiedName(target);
    const isKnown = prefix !== undefined && (prefix !== 'jsonpatch' || variables.has('JSONPatch'));
    const global = isKnown ? overloadsOf(`${prefix}.${name}`) : undefined;
    if (global !== undefined) {
      expression.name = `${prefix ?? ''}.${name}`;
      expression.target = undefined;
      return this.resolve(expression, global);
    }
    if (target !== undefined) this.check(target, variables);
    const overloads = overloadsOf(name);
    return overloads === undefined ? this.undeclared(at, name) : this.resolve(expression, overloads);
  }

  private resolve(call: Call, overloads: readonly Overload[]): CelType {
    const { at, name, target, args } = call;
    const types = [...(target === undefined ? [] : [target]), ...args].map(({ type }) => type ?? wrong);
    if (name === '_&&_' || name === '_||_') {
      call.overloads = overloads;
      const bad = args.filter((arg) => !this.fit([arg.type ?? wrong], [bool]));
      for (const arg of bad) this.report(arg.at, `expected type 'bool' but found '${shownType(arg.type ?? wrong)}'`);
      return bad.length > 0 ? wrong : bool;
    }
    let found: CelType | undefined;
    const matching: Overload[] = [];
    for (const overload of overloads.filter(({ isMember }) => isMember === (target !== undefined))) {
      const own: Bound = new Map();
      for (const letter of 'AB') own.set(letter, this.variable());
      const parameters = overload.parameters.map((parameter) => substituted(own, parameter));
      if (!this.fit(types, parameters)) continue;
      matching.push(overload);
      const result = substituted(this.bound, substituted(own, overload.result));
      if (found === undefined) found = result;
      else if (found.name !== 'dyn' && shownType(found) !== shownType(result)) found = dyn;
    }
    call.overloads = matching;
    if (found !== undefined) return found;
    const shown = types.map((type) => shownType(substituted(this.bound, type, true)));
    const applied = target === undefined ? `(${shown.join(', ')})` : `${shown[0] ?? ''}.(${shown.slice(1).join(', ')})`;
    return this.report(at, `found no matching overload for '${name}' applied to '${applied}'`);
  }

  private loop({ range, names, accumulator, init, condition, step, result }: Loop, variables: Variables): CelType {
    this.check(range, variables);
    const built = this.check(init, variables);
    const inner = new Map(variables).set(accumulator, built);
    const types = this.itemTypes(range, names.length);
    const within = new Map(inner);
    for (const [at, name] of names.entries()) within.set(name, types[at] ?? dyn);
    this.check(condition, within);
    this.expect(condition, bool);
    this.check(step, within);
    this.expect(step, built);
    this.check(result, inner);
    return substituted(this.bound, result.type ?? wrong);
  }

  private itemTypes(range: Expression, count: number): readonly CelType[] {
    const type = this.known(range);
    const [first = dyn, second = dyn] = type.of;
    if (type.name === 'list') return count === 1 ? [first] : [int, first];
    if (type.name === 'map') return [first, second];
    if (isOpen(type) || isVariable(type)) {
      this.fit([dyn], [type]);
      return [dyn, dyn];
    }
    this.report(range.at, `expression of type '${shownType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`);
    return [wrong, wrong];
  }

  private expect(expression: Expression, type: CelType): void {
    const found = expression.type ?? wrong;
    if (!this.fit([type], [found])) this.report(expression.at, `expected type '${shownType(type)}' but found '${shownType(found)}'`);
  }
}

/** The problems with the types of an expression. Afterwards each part has its type. */
export function checkTypes(expression: Expression, variables: Variables): readonly Problem[] {
  const checker = new Checker();
  checker.check(expression, variables);
  if (checker.problems.length === 0) checker.settle(expression);
  return checker.problems;
}
