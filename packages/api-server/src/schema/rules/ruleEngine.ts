import type { Environment, Optional, ParseError } from '@marcbachmann/cel-js';
import { isJsonArray, isJsonObject, type Json } from '../../json.js';
import { loadPatterns } from '../patterns.js';
import type { StructuralSchema } from 'rx-informer/internal';
import type { admissionExpression, ExpressionScope } from './check/admissionExpression.js';
import type { checkExpression } from './check/checkedExpression.js';
import type { Check, RuleScope } from './check/definedRule.js';
import type { readExpression } from './check/expression.js';
import type { withMarks, Words } from './check/words.js';
import type { evaluateExpression } from './evaluateExpression.js';

/** The parts of the engine that are used in addition to its environment. */
interface Engine {
  readonly Environment: typeof Environment;
  readonly ParseError: typeof ParseError;
  readonly Optional: typeof Optional;
  /** The checks of expressions when they are defined. */
  readonly checkExpression: typeof checkExpression;
  readonly admissionExpression: typeof admissionExpression;
  readonly readExpression: typeof readExpression;
  readonly withMarks: typeof withMarks;
  readonly evaluateExpression: typeof evaluateExpression;
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

const missing = 'Expected the package @marcbachmann/cel-js to be installed: without it no rule of a definition or policy is checked';

/** Loads the package that parses rules. @throws Error if it is missing. */
export async function requireCel(): Promise<Pick<Engine, 'Environment' | 'Optional' | 'ParseError'>> {
  try {
    return await import('@marcbachmann/cel-js');
  } catch (cause) {
    throw new Error(missing, { cause });
  }
}

/** Loads the engine that evaluates rules. Most servers never use it. @throws Error if its package is missing. */
export async function loadRules(): Promise<void> {
  if (engine !== undefined) return;
  const loaded = await requireCel();
  await loadPatterns();
  const { addLibrary } = await import('./library.js');
  const checked = await import('./check/checkedExpression.js');
  const admission = await import('./check/admissionExpression.js');
  const defined = await import('./check/definedRule.js');
  const read = await import('./check/expression.js');
  const marked = await import('./check/words.js');
  const evaluated = await import('./evaluateExpression.js');
  environment = new loaded.Environment(settings);
  addLibrary(environment, loaded.Optional);
  engine = { ...loaded, ...checked, ...admission, ...defined, ...read, ...marked, ...evaluated };
}

const compiled = new Map<string, Rule | undefined>();
const maxKept = 2_000;

/** A text as the engine can read it. */
function readable(text: string, known: Environment, { ParseError: Refusal, withMarks: marked }: Engine): Words {
  try {
    known.parse(text);
    return { text };
  } catch (error) {
    const other = marked(text);
    if (other.places === undefined || !(error instanceof Refusal)) throw error;
    known.parse(other.text);
    return other;
  }
}

function compile(text: string, loaded: Engine, known: Environment): Rule | undefined {
  try {
    const words = readable(text, known, loaded);
    const [expression] = loaded.readExpression(words.text, known.parse(words.text).ast);
    return loaded.evaluateExpression(expression, { call: (call) => known.parse(call), optional: loaded.Optional });
  } catch (error) {
    if (!(error instanceof loaded.ParseError)) throw error;
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
    if (compiled.size >= maxKept) compiled.clear();
    compiled.set(text, compile(text, loaded, known));
  }
  return compiled.get(text);
}

/** Checks an expression with an engine that has been loaded. */
function checkWith(loaded: Engine, known: Environment): Check {
  const { checkExpression: checked, ParseError: Refusal } = loaded;
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
      const words = readable(text, known, loaded);
      return checked(text, words, known.parse(words.text).ast, variables, fails);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return `compilation failed: ${error.summary}`;
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
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (typeof value.valueOf() === 'bigint') return Number(value);
  // A duration: its parts are those of its class.
  if ('nanos' in value && !Object.hasOwn(value, 'nanos')) return (value as { toString(): string }).toString();
  if (Array.isArray(value)) return value.map(plainValue);
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [String(name), plainValue(inner)]));
}
