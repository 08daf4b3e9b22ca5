import type { ASTNode, Environment, Optional, ParseError } from '@marcbachmann/cel-js';
import { isJsonArray, isJsonObject, type Json } from '../../json.js';
import { loadPatterns } from '../patterns.js';
import type { StructuralSchema } from '../structuralSchema.js';
import type { admissionExpression, ExpressionScope } from './check/admissionExpression.js';
import type { checkExpression } from './check/checkedExpression.js';
import type { Check, RuleScope } from './check/definedRule.js';
import type { syntaxProblem } from './check/syntaxProblem.js';

/** The parts of the engine that are used in addition to its environment. */
interface Engine {
  readonly Environment: typeof Environment;
  readonly ParseError: typeof ParseError;
  readonly Optional: typeof Optional;
  /** The checks of expressions when they are defined. */
  readonly checkExpression: typeof checkExpression;
  readonly admissionExpression: typeof admissionExpression;
  readonly syntaxProblem: typeof syntaxProblem;
  readonly RuleScope: typeof RuleScope;
}

/** A rule that can be evaluated. */
export type Rule = (variables: Readonly<Record<string, unknown>>) => unknown;

let engine: Engine | undefined;
let environment: Environment | undefined;

/** Whether a schema contains rules. */
export function hasRules(schema: Json | undefined): boolean {
  if (isJsonArray(schema)) return schema.some(hasRules);
  if (!isJsonObject(schema)) return false;
  return schema['x-kubernetes-validations'] !== undefined || Object.values(schema).some(hasRules);
}

const settings = { unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false };

/** Loads the engine that evaluates rules. Most servers never use it. */
export async function loadRules(): Promise<void> {
  if (engine !== undefined) return;
  const loaded = await import('@marcbachmann/cel-js');
  await loadPatterns();
  const { addLibrary } = await import('./library.js');
  const checked = await import('./check/checkedExpression.js');
  const syntax = await import('./check/syntaxProblem.js');
  const admission = await import('./check/admissionExpression.js');
  const defined = await import('./check/definedRule.js');
  environment = new loaded.Environment(settings);
  addLibrary(environment, loaded.Optional);
  engine = { ...loaded, ...checked, ...syntax, ...admission, ...defined };
}

const compiled = new Map<string, Rule | undefined>();
const mostKept = 2_000;

/** All nodes of an expression, parents before children. */
function* nodesOf(node: ASTNode): Generator<ASTNode> {
  yield node;
  const parts: readonly unknown[] = [node.args].flat(Infinity);
  for (const part of parts) if (typeof part === 'object' && part !== null && 'op' in part) yield* nodesOf(part as ASTNode);
}

/** Whether a chain of field names begins at a variable: the engine's `has` accepts nothing else. */
function isPath(node: ASTNode): boolean {
  if (node.op === '.' || node.op === '.?') return isPath(node.args[0]);
  return node.op === 'id';
}

/** A replacement of a part of a text. */
type Edit = readonly [start: number, end: number, text: string];

function editOf(node: ASTNode, text: string): readonly Edit[] {
  // Regular expressions must have RE2 semantics, with linear time.
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    const at = text.indexOf('matches', node.args[1].end);
    return [[at, at + 'matches'.length, 'matchesPattern']];
  }
  if (node.op !== 'call' || node.args[0] !== 'has') return [];
  const [field] = node.args[1];
  if (field?.op !== '.' || isPath(field)) return [];
  const [owner, name] = field.args;
  const dot = text.indexOf('.', owner.end);
  const close = text.indexOf(')', field.end);
  // `has(a[0].b)` is rewritten to the test whether the optional `a[0].?b` has a value.
  return [
    [node.start, text.indexOf('(', node.start), ''],
    [dot, text.indexOf(name, dot) + name.length, `.?${name}`],
    [close, close + 1, ').hasValue()'],
  ];
}

/** An expression in a form that the engine supports: unsupported constructs are rewritten. */
function inEngineWords(text: string, parse: Environment['parse']): string {
  const edits = [...nodesOf(parse(text).ast)].flatMap((node) => [...editOf(node, text)]);
  return edits
    .sort(([a], [b]) => b - a)
    .reduce((changed, [start, end, replacement]) => changed.slice(0, start) + replacement + changed.slice(end), text);
}

function compile(text: string, { ParseError: Refusal }: Engine, known: Environment): Rule | undefined {
  const parse = known.parse.bind(known);
  try {
    const rule = parse(inEngineWords(text, parse));
    return rule.check().valid ? (variables) => rule(variables) as unknown : undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

/**
 * The compiled rule. Undefined while the engine has not been loaded, and for expressions that it does not support: they are accepted,
 * but not evaluated.
 */
export function compiledRule(text: string): Rule | undefined {
  const [loaded, known] = [engine, environment];
  if (loaded === undefined || known === undefined) return undefined;
  if (!compiled.has(text)) {
    if (compiled.size >= mostKept) compiled.clear();
    compiled.set(text, compile(text, loaded, known));
  }
  return compiled.get(text);
}

/** Checks an expression with an engine that has been loaded. */
function checkWith({ checkExpression: checked, syntaxProblem: problemOf, ParseError: Refusal }: Engine, known: Environment): Check {
  const fails = (name: string, constant: unknown): boolean => {
    try {
      known.evaluate(`${name}(constant)`, { constant });
      return false;
    } catch {
      return true;
    }
  };
  return (text, variables) => {
    try {
      return checked(text, known.parse(text).ast, variables, fails);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return problemOf(text, error);
    }
  };
}

/** Checks the rules of a place of a schema; undefined while the engine has not been loaded. */
export function ruleScope(schema: StructuralSchema, isRoot: boolean): RuleScope | 'unreadable' | undefined {
  if (engine === undefined || environment === undefined) return undefined;
  return engine.RuleScope.of(checkWith(engine, environment), schema, isRoot) ?? 'unreadable';
}

/** The problem and the type of a policy's expression; undefined while the engine has not been loaded. */
export function checkedAdmission(
  text: string,
  scope: ExpressionScope,
  types: readonly string[],
): ReturnType<typeof admissionExpression> | undefined {
  return engine === undefined || environment === undefined
    ? undefined
    : engine.admissionExpression(checkWith(engine, environment), text, scope, types);
}

/** An optional value in rules. */
export function optional(value: unknown): unknown {
  return value === undefined ? engine?.Optional.none() : engine?.Optional.of(value);
}

/** The result of a `messageExpression`; undefined when it fails. */
export function messageOf(text: string, variables: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const message: unknown = compiledRule(text)?.(variables);
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** A string converted to a timestamp or a duration of CEL. */
export function converted(name: 'timestamp' | 'duration', text: string): unknown {
  try {
    return environment?.evaluate(`${name}(text)`, { text }) as unknown;
  } catch {
    return text;
  }
}

/** The value of an expression as JSON. */
export function plainValue(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  if (Array.isArray(value)) return value.map(plainValue);
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [String(name), plainValue(inner)]));
}
