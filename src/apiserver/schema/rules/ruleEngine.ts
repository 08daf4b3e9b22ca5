import type { Environment, ParseError } from '@marcbachmann/cel-js';
import { isJsonArray, isJsonObject, type Json } from '../../json.js';
import { addLibrary } from './library.js';

/** What of the engine is needed beside its environment. */
interface Engine {
  readonly ParseError: typeof ParseError;
}

/** A rule that can be evaluated. */
export type Rule = (variables: Readonly<Record<string, unknown>>) => unknown;

/** What has come of a rule's text. */
export interface CompiledRule {
  /** Undefined where it cannot be evaluated. */
  readonly rule: Rule | undefined;
  /** What is wrong with the text; undefined for a rule, and for one with a function that is not known here. */
  readonly problem: string | undefined;
}

let engine: Engine | undefined;
let environment: Environment | undefined;

/** Whether a schema has rules anywhere. */
export function hasRules(schema: Json | undefined): boolean {
  if (isJsonArray(schema)) return schema.some(hasRules);
  if (!isJsonObject(schema)) return false;
  return schema['x-kubernetes-validations'] !== undefined || Object.values(schema).some(hasRules);
}

/** Loads the engine that evaluates rules. Most servers never need it. */
export async function loadRules(): Promise<void> {
  if (engine !== undefined) return;
  const loaded = await import('@marcbachmann/cel-js');
  environment = new loaded.Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  addLibrary(environment);
  engine = loaded;
}

const compiled = new Map<string, CompiledRule>();
const mostKept = 2_000;

function compile(text: string, { ParseError }: Engine, { check, parse }: Pick<Environment, 'check' | 'parse'>): CompiledRule {
  try {
    const rule = parse(text);
    const { valid, type } = check(text);
    if (!valid) return { rule: undefined, problem: undefined };
    if (type !== 'bool' && type !== 'dyn') return { rule: undefined, problem: 'must evaluate to a bool' };
    return { rule: (variables) => rule(variables) as unknown, problem: undefined };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const [problem = ''] = error.message.split('\n');
    return { rule: undefined, problem: `compilation failed: ERROR: <input>:1: Syntax error: ${problem}` };
  }
}

/** A rule by its text; undefined where the engine has not been loaded. */
export function compiledRule(text: string): CompiledRule | undefined {
  const [loaded, known] = [engine, environment];
  if (loaded === undefined || known === undefined) return undefined;
  let found = compiled.get(text);
  if (found === undefined) {
    if (compiled.size >= mostKept) compiled.clear();
    found = compile(text, loaded, { check: (rule) => known.check(rule), parse: (rule) => known.parse(rule) });
    compiled.set(text, found);
  }
  return found;
}

/** The text that an expression for a message evaluates to; undefined when it fails. */
export function messageOf(text: string, variables: Readonly<Record<string, unknown>>): string | undefined {
  try {
    const message: unknown = environment?.parse(text)(variables);
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** A text as the time or the duration that it stands for in rules. */
export function converted(name: 'timestamp' | 'duration', text: string): unknown {
  try {
    return environment?.evaluate(`${name}(text)`, { text }) as unknown;
  } catch {
    return text;
  }
}
