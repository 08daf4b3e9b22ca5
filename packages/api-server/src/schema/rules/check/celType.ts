/** A type of CEL. Types of objects know their fields. */
export interface CelType {
  readonly name: string;
  /** Parameters, for example the type of a list's items. */
  readonly of: readonly CelType[];
  readonly fields?: ReadonlyMap<string, CelType>;
  /** The type of all other fields. */
  readonly others?: CelType;
}

const fullNames: Readonly<Record<string, string>> = {
  optional: 'optional_type',
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  IP: 'net.IP',
  CIDR: 'net.CIDR',
  Format: 'kubernetes.NamedFormat',
  ...Object.fromEntries(['Quantity', 'URL', 'Semver'].map((name) => [name, `kubernetes.${name}`])),
  ...Object.fromEntries(
    ['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map((name) => [name, `kubernetes.authorization.${name}`]),
  ),
};

/** A type by its name. Frequent names are shortened, for example `timestamp`. */
export function typeNamed(name: string, of: readonly CelType[] = []): CelType {
  return { name: fullNames[name] ?? name, of };
}

/** A type that is written as `map(string, A)`. */
export function parseType(text: string): CelType {
  let at = 0;
  const next = (): CelType => {
    const [name = ''] = /^[\w.!]+/.exec(text.slice(at)) ?? [];
    at += name.length;
    const of: CelType[] = [];
    while (text[at] === '(' || text[at] === ',') {
      if (text[at] === ',' && of.length === 0) break;
      at += 1;
      of.push(next());
    }
    if (of.length > 0) at += 1;
    return typeNamed(name, of);
  };
  return next();
}

export const dyn: CelType = typeNamed('dyn');
export const bool: CelType = typeNamed('bool');
export const int: CelType = typeNamed('int');
/** The type of an expression with an error: everything fits it. */
export const wrong: CelType = typeNamed('!error!');

const shown: Readonly<Record<string, string>> = {
  null_type: 'null',
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
};

/** The name of a type in messages. */
export function shownType({ name, of }: CelType): string {
  return of.length === 0 ? (shown[name] ?? name) : `${name}(${of.map(shownType).join(', ')})`;
}

/** Whether two types are equal. */
export function sameType(a: CelType, b: CelType): boolean {
  return a.name === b.name && a.of.length === b.of.length && a.of.every((part, at) => sameType(part, b.of[at] ?? dyn));
}

/** Whether a type is a type variable: `A` in a declaration, `_1` in an expression. */
export function isVariable({ name }: CelType): boolean {
  return name.length === 1 || name.startsWith('_');
}

/** Whether every type fits a type. */
export function isOpen(type: CelType): boolean {
  return type.name === 'dyn' || type.name === wrong.name;
}

const neverNull = new Set(['bool', 'bytes', 'double', 'int', 'string', 'uint', 'list', 'map', 'type']);

/** The types bound to type variables. */
export type Bound = Map<string, CelType>;

/** A type with its variables replaced; those without a type stay, or become `dyn`. */
export function substituted(bound: Bound, type: CelType, toDyn = false): CelType {
  const known = bound.get(type.name);
  if (known !== undefined) return substituted(bound, known, toDyn);
  if (isVariable(type)) return toDyn ? dyn : type;
  return type.of.length === 0 ? type : { ...type, of: type.of.map((part) => substituted(bound, part, toDyn)) };
}

/** Whether a type is at least as general as another. */
function isMoreGeneral(a: CelType, b: CelType): boolean {
  if (a.name === 'dyn' || isVariable(a)) return true;
  if (b.name === 'dyn' || isVariable(b)) return false;
  if (a.name === 'type') return b.name === 'type';
  return a.name === b.name && a.of.length === b.of.length && a.of.every((part, at) => isMoreGeneral(part, b.of[at] ?? dyn));
}

/** The more general one of two types. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isMoreGeneral(a, b) ? a : b;
}

function occursIn(bound: Bound, variable: CelType, type: CelType): boolean {
  if (sameType(variable, type)) return true;
  const known = isVariable(type) ? bound.get(type.name) : undefined;
  return known !== undefined ? occursIn(bound, variable, known) : type.of.some((part) => occursIn(bound, variable, part));
}

/** Whether a variable can stand for a type; undefined when it already stands for another. */
function binds(bound: Bound, variable: CelType, type: CelType): boolean | undefined {
  if (sameType(variable, type)) return true;
  const known = bound.get(variable.name);
  if (known === undefined) {
    if (occursIn(bound, variable, type)) return false;
    bound.set(variable.name, type);
    return true;
  }
  if (sameType(known, type)) return true;
  if (!fits(bound, type, known)) return undefined;
  const wider = mostGeneral(type, known);
  if (!occursIn(bound, variable, wider)) bound.set(variable.name, wider);
  return true;
}

/** Whether a value of type `b` can be used as one of type `a`. Variables are bound on the way. */
function fits(bound: Bound, a: CelType, b: CelType): boolean {
  if (isVariable(b)) {
    const can = binds(bound, b, a);
    if (can !== false) return can === true;
  }
  if (isVariable(a)) return binds(bound, a, b) === true;
  if (isOpen(a) || isOpen(b)) return true;
  if (a.name === 'null_type') return !neverNull.has(b.name);
  if (b.name === 'null_type') return !neverNull.has(a.name);
  if (a.name !== b.name) return false;
  return a.name === 'type' || (a.of.length === b.of.length && a.of.every((part, at) => fits(bound, part, b.of[at] ?? dyn)));
}

/** The bindings of type variables that make the types match pairwise; undefined if there are none. */
export function fitted(bound: Bound, as: readonly CelType[], bs: readonly CelType[]): Bound | undefined {
  const changed = new Map(bound);
  return as.length === bs.length && as.every((a, at) => fits(changed, a, bs[at] ?? dyn)) ? changed : undefined;
}
