import { typeNamed, type CelType } from './celType.js';
import { exactly, plus, share, times, timesCost, unknownSize, type Path, type Size, type Sized } from './size.js';

/** The largest cost of a call without its arguments, and the size of its result. */
export interface Estimate {
  readonly cost: number;
  readonly size?: Size | undefined;
}

/** What the rules of a function see of a call. */
interface Seen {
  readonly name: string;
  readonly parameters: readonly CelType[];
  readonly target: Size;
  readonly targetType: CelType;
  readonly args: readonly Sized[];
  /** The sizes of the arguments. */
  readonly sizes: readonly Size[];
  /** The size of the items of the receiver. */
  readonly items: Size;
}

type Rule = (seen: Seen) => Estimate;

/** Reading a character costs a tenth, applying one of a regular expression a quarter. */
const traversal = 0.1;
const regex = 0.25;

function first({ sizes }: Seen): Size {
  return sizes[0] ?? unknownSize;
}

/** The number of a constant argument. */
function numberAt({ args }: Seen, at: number): number | undefined {
  const constant = args[at]?.expression;
  return constant?.is === 'constant' && typeof constant.value === 'bigint' ? Number(constant.value) : undefined;
}

const one: Rule = () => ({ cost: 1 });
const readArgument: Rule = (seen) => ({ cost: share(first(seen).max, traversal) });
const readTarget: Rule = ({ target }) => ({ cost: share(target.max, traversal), size: target });

function isText({ name }: CelType): boolean {
  return name === 'string' || name === 'bytes';
}

const readItems: Rule = ({ target, targetType, items }) => {
  const [item] = targetType.of;
  if (item === undefined) return { cost: share(target.max, traversal) };
  return { cost: timesCost(target.max, 1 + (isText(item) ? share(items.max, traversal) : 0)) };
};

const replace: Rule = ({ target, sizes: [from = unknownSize, to = unknownSize] }) => {
  let [count, kept] = [0, 0];
  if (from.min === 0) [count, kept] = [target.max + 1, target.max];
  else if (to.max <= from.min) kept = target.max;
  else count = Math.ceil(target.max / from.min);
  let [least, keptLeast] = [0, 0];
  if (from.max === 0) [least, keptLeast] = [target.min + 1, target.min];
  else if (from.max <= to.min) keptLeast = target.min;
  else least = Math.ceil(target.min / from.max);
  const size = { min: timesCost(least, to.min) + keptLeast, max: timesCost(count, to.max) + kept };
  return { cost: share(target.max, 2 * traversal), size };
};

const split: Rule = (seen) => {
  const limit = numberAt(seen, 1);
  const max = limit === undefined ? seen.target.max : limit < 0 ? Infinity : limit;
  return { cost: share(seen.target.max, 2 * traversal), size: { min: 0, max } };
};

const join: Rule = ({ target, items, sizes: [separator] }) => {
  const between = { min: Math.max(0, target.min - 1), max: Math.max(0, target.max - 1) };
  const texts = times(target, items);
  const size = separator === undefined ? texts : plus(texts, times(separator, between));
  return { cost: share(size.max, traversal), size };
};

function matched(size: Size, pattern: Size): number {
  return timesCost(share(size.max + 1, traversal), share(pattern.max, regex));
}

const find: Rule = (seen) => ({ cost: matched(seen.target, first(seen)), size: { min: 0, max: seen.target.max } });

/** Comparing an address costs its sixteen bytes twice. */
const contained =
  (more: number): Rule =>
  (seen) => ({
    cost: share(32, traversal) + more + (isText(seen.parameters[1] ?? seen.targetType) ? share(first(seen).max, traversal) : 0),
  });

function allocated(factor: number, size: Size): Estimate {
  return { cost: share(size.max, factor) + 1 + 10, size };
}

const square = (size: Size): Size => times(size, size);
const sortFactor = (item: CelType | undefined): number => (item !== undefined && isText(item) ? 2 + traversal : 2);

const sets =
  (factor: number): Rule =>
  ({ sizes: [a = unknownSize, b = unknownSize] }) => ({ cost: share(timesCost(a.max, b.max), factor) + 1 });

const requirements: Rule = (seen) => {
  const { max } = first(seen);
  return { cost: 10 + share(max, traversal) + share(share(max, 0.5), 50) };
};

const equal: Rule = ({ args: [a, b], sizes: [left = unknownSize, right = unknownSize] }) => {
  const same = a !== undefined && b !== undefined && a.type.name === b.type.name;
  if (same && (a.type.name.startsWith('net.') || a.type.name.startsWith('kubernetes.'))) {
    if (a.type.name === 'kubernetes.NamedFormat') return { cost: share(64, traversal) };
    return { cost: a.type.name === 'kubernetes.URL' ? share((b.size ?? exactly(1)).max, traversal) : 1 };
  }
  return { cost: share(Math.min(left.max, right.max), traversal) };
};

/** Comparing texts costs the shorter one. */
const compare: Rule = (seen) => (isText(seen.parameters[0] ?? seen.targetType) ? shorter(seen) : one(seen));
const shorter: Rule = ({ sizes: [left = unknownSize, right = unknownSize] }) => ({ cost: share(Math.min(left.max, right.max), traversal) });

const concat: Rule = (seen) => {
  const {
    parameters,
    sizes: [left = unknownSize, right = unknownSize],
  } = seen;
  const [type] = parameters;
  const size = plus(left, right);
  if (type?.name === 'list') return { cost: 1, size };
  return type !== undefined && isText(type) ? { cost: share(size.max, traversal), size } : one(seen);
};

function forAll(names: string, rule: Rule): Readonly<Record<string, Rule>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]));
}

/** What calls cost, by function; all others cost 1. */
const rules: Readonly<Record<string, Rule>> = {
  check: () => ({ cost: 350_000 }),
  ...forAll('fieldSelector labelSelector', requirements),
  ...forAll('isSorted sum max min indexOf lastIndexOf', readItems),
  ...forAll('url jsonpatch.escapeKey', (seen) => ({ ...readArgument(seen), size: first(seen) })),
  ...forAll('lowerAscii upperAscii substring trim', readTarget),
  replace,
  split,
  join,
  ...forAll('find findAll', find),
  ...forAll('cidr isIP isCIDR quantity isQuantity semver isSemver startsWith endsWith', readArgument),
  ip: (seen) => (seen.parameters[0]?.name === 'net.CIDR' ? one(seen) : readArgument(seen)),
  'ip.isCanonical': (seen) => ({ cost: share(first(seen).max, 2 * traversal) }),
  containsIP: contained(0),
  containsCIDR: contained(share(16, traversal) + 1),
  validate: (seen) => ({ cost: share(share(first(seen).max, traversal), 128 * regex) }),
  '_==_': equal,
  '_!=_': shorter,
  ...forAll('_<_ _<=_ _>_ _>=_', compare),
  '_+_': concat,
  '@in': (seen) => (seen.parameters[1]?.name === 'list' ? { cost: (seen.sizes[1] ?? unknownSize).max } : one(seen)),
  // Written as a function, the text is no receiver: the call costs 1.
  matches: (seen) => (seen.args.length === 1 ? { cost: matched(seen.target, first(seen)) } : one(seen)),
  contains: (seen) => ({ cost: timesCost(share(seen.target.max, traversal), share(first(seen).max, traversal)) }),
  format: ({ target }) => ({ cost: share(target.max, traversal) }),
  bytes: (seen) =>
    seen.parameters[0]?.name === 'string'
      ? { cost: share(first(seen).max, traversal), size: times(first(seen), { min: 1, max: 4 }) }
      : one(seen),
  string: (seen) =>
    seen.parameters[0]?.name === 'bytes'
      ? { cost: share(first(seen).max, traversal), size: { min: Math.floor(first(seen).min / 4), max: first(seen).max } }
      : one(seen),
  'strings.quote': (seen) => ({
    cost: share(first(seen).max, traversal),
    size: { min: first(seen).min + 2, max: 2 * first(seen).max + 2 },
  }),
  slice: (seen) => {
    const length = (numberAt(seen, 1) ?? seen.target.max) - (numberAt(seen, 0) ?? 0);
    return allocated(1, exactly(length < 0 ? Infinity : length));
  },
  'lists.range': (seen) => allocated(1, exactly(numberAt(seen, 0) ?? Infinity)),
  reverse: ({ target }) => allocated(1, target),
  flatten: (seen) => allocated(seen.args.length === 0 ? 1 : (numberAt(seen, 0) ?? Infinity), seen.target),
  distinct: ({ target }) => allocated(2, square(target)),
  sort: ({ target, parameters }) => allocated(sortFactor(parameters[0]?.of[0]), square(target)),
  '@sortByAssociatedKeys': (seen) => allocated(sortFactor(seen.parameters[1]?.of[0]), square(first(seen))),
  ...forAll('sets.contains sets.intersects', sets(1)),
  'sets.equivalent': sets(2),
};

/** The largest cost of a call, and the size of its result. */
export function callCost(
  name: string,
  parameters: readonly CelType[],
  target: Sized | undefined,
  args: readonly Sized[],
  sizeAt: (path: Path) => Size | undefined,
): Estimate {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) return { cost: 1 };
  const sizeOf = ({ size, path }: Sized): Size => size ?? sizeAt(path) ?? unknownSize;
  const path = target === undefined || target.path.steps.length === 0 ? undefined : target.path.copy().with('@items');
  return rule({
    name,
    parameters,
    target: target === undefined ? unknownSize : sizeOf(target),
    targetType: target?.type ?? typeNamed(''),
    args,
    sizes: args.map(sizeOf),
    items: (path === undefined ? undefined : sizeAt(path)) ?? unknownSize,
  });
}
