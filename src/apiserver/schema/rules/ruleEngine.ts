import type { ASTNode, Environment, Optional, ParseError } from '@marcbachmann/cel-js';
import { isJsonArray, isJsonObject, type Json } from '../../json.js';
import { loadPatterns } from '../patterns.js';
import type { StructuralSchema } from '../structuralSchema.js';
import { addLibrary } from './library.js';
import { declareSelf } from './ruleTypes.js';

/** The parts of the engine that are used in addition to its environment. */
interface Engine {
  readonly Environment: typeof Environment;
  readonly ParseError: typeof ParseError;
  readonly Optional: typeof Optional;
}

/** A rule that can be evaluated. */
export type Rule = (variables: Readonly<Record<string, unknown>>) => unknown;

/** The result of compiling a rule. */
export interface CompiledRule {
  /** Undefined when it cannot be evaluated. */
  readonly rule: Rule | undefined;
  /**
   * The compile error. Undefined when the rule compiles, and when it uses a function that this server lacks: such a rule is accepted, but
   * not evaluated.
   */
  readonly problem: string | undefined;
}

let engine: Engine | undefined;
let environment: Environment | undefined;

/** Whether a schema contains rules. */
export function hasRules(schema: Json | undefined): boolean {
  if (isJsonArray(schema)) return schema.some(hasRules);
  if (!isJsonObject(schema)) return false;
  return schema['x-kubernetes-validations'] !== undefined || Object.values(schema).some(hasRules);
}

const settings = { unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false };

/** An environment in which variables must be declared; undefined while the engine has not been loaded. */
export function newEnvironment(): Environment | undefined {
  if (engine === undefined) return undefined;
  const own = new engine.Environment({ ...settings, unlistedVariablesAreDyn: false });
  addLibrary(own, engine.Optional);
  return own;
}

/** Loads the engine that evaluates rules. Most servers never use it. */
export async function loadRules(): Promise<void> {
  if (engine !== undefined) return;
  const [loaded] = await Promise.all([import('@marcbachmann/cel-js'), loadPatterns()]);
  environment = new loaded.Environment(settings);
  addLibrary(environment, loaded.Optional);
  engine = loaded;
}

const compiled = new Map<string, CompiledRule>();
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
export function inEngineWords(text: string, parse: Environment['parse']): string {
  const edits = [...nodesOf(parse(text).ast)].flatMap((node) => [...editOf(node, text)]);
  return edits
    .sort(([a], [b]) => b - a)
    .reduce((changed, [start, end, replacement]) => changed.slice(0, start) + replacement + changed.slice(end), text);
}

/** An error at a position of an expression, formatted like the API server does; the position counts from 0. */
export function located(text: string, at: number, problem: string): string {
  const before = text.slice(0, at).split('\n');
  const column = before.at(-1)?.length ?? 0;
  const line = text.split('\n')[before.length - 1] ?? '';
  return `compilation failed: ERROR: <input>:${String(before.length)}:${String(column + 1)}: ${problem}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

const literals = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
/** The expected tokens after the last character of an expression that ends too early. */
const nextTokens: Readonly<Record<string, string>> = {
  '(': `{'[', '{', '(', ')', '.', '-', '!', ${literals}`,
  '[': `{'[', ']', '{', '(', '.', ',', '-', '!', '?', ${literals}`,
};
const startTokens = `{'[', '{', '(', '.', '-', '!', ${literals}`;

function syntaxProblem(text: string, message: string, at: number | undefined): string {
  const token = /^Unexpected token: (.*)$/.exec(message)?.[1] ?? /, got (EOF)$/.exec(message)?.[1];
  if (token !== 'EOF') return located(text, at ?? 0, `Syntax error: ${message}`);
  const last = text.trimEnd().at(-1) ?? '';
  return located(
    text,
    text.length,
    `Syntax error: ${last === '.' ? "no viable alternative at input '.'" : `mismatched input '<EOF>' expecting ${nextTokens[last] ?? startTokens}`}`,
  );
}

function compile(text: string, { ParseError: Refusal }: Engine, known: Environment): CompiledRule {
  const parse = known.parse.bind(known);
  try {
    const words = inEngineWords(text, parse);
    const rule = parse(words);
    const { valid, type } = known.check(words);
    if (!valid) return { rule: undefined, problem: undefined };
    const evaluate: Rule = (variables) => rule(variables) as unknown;
    if (type !== 'bool' && type !== 'dyn') return { rule: evaluate, problem: notBool };
    return { rule: evaluate, problem: undefined };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { rule: undefined, problem: syntaxProblem(text, error.summary, error.range?.start) };
  }
}

const notBool = 'cel expression must evaluate to a bool';

/** The type and the type error of an expression, by a schema; undefined where they cannot be determined. */
function typed(text: string, schema: StructuralSchema): { readonly type: string | undefined; readonly problem: string | undefined } {
  const known = environment;
  if (known === undefined) return { type: undefined, problem: undefined };
  try {
    const own = declareSelf(known.clone(), schema);
    const words = inEngineWords(text, own.parse.bind(own));
    const { valid, type, error } = own.check(words);
    if (valid) return { type, problem: undefined };
    // Only missing fields are reported: the engine's type checker knows less than the API server's.
    const missing = /^No such key: (.+)$/.exec(error?.summary ?? '')?.[1];
    const at = missing === undefined ? -1 : text.search(new RegExp(`\\.${missing}\\b`));
    return { type: undefined, problem: at < 0 ? undefined : located(text, at, `undefined field '${missing ?? ''}'`) };
  } catch {
    return { type: undefined, problem: undefined };
  }
}

/** The compiled rule; undefined while the engine has not been loaded. With a schema, types are checked as well. */
export function compiledRule(text: string, schema?: StructuralSchema): CompiledRule | undefined {
  const [loaded, known] = [engine, environment];
  if (loaded === undefined || known === undefined) return undefined;
  let found = compiled.get(text);
  if (found === undefined) {
    if (compiled.size >= mostKept) compiled.clear();
    found = compile(text, loaded, known);
    compiled.set(text, found);
  }
  if (schema === undefined || found.problem !== undefined) return found;
  const { type, problem } = typed(text, schema);
  const other = type !== undefined && type !== 'bool' && type !== 'dyn';
  return { rule: found.rule, problem: problem ?? (other ? notBool : undefined) };
}

/** The error of a `messageExpression`; undefined when it is valid. */
export function messageProblem(text: string, schema: StructuralSchema): string | undefined {
  const problem = compiledRule(text)?.problem;
  if (problem !== undefined && problem !== notBool) return `messageExpression ${problem}`;
  const { type, problem: other } = typed(text, schema);
  if (other !== undefined) return `messageExpression ${other}`;
  return type === undefined || type === 'string' || type === 'dyn' ? undefined : 'messageExpression must evaluate to a string';
}

/** An optional value in rules. */
export function optional(value: unknown): unknown {
  return value === undefined ? engine?.Optional.none() : engine?.Optional.of(value);
}

/** The result of a `messageExpression`; undefined when it fails. */
export function messageOf(text: string, variables: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const message: unknown = compiledRule(text)?.rule?.(variables);
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
