import type { RE2JS } from 're2js';
import { isJsonArray, isJsonObject, type Json } from '../json.js';

let engine: typeof RE2JS | undefined;

/** Whether a schema has a pattern anywhere. */
export function hasPattern(schema: Json | undefined): boolean {
  if (isJsonArray(schema)) return schema.some(hasPattern);
  if (!isJsonObject(schema)) return false;
  return typeof schema['pattern'] === 'string' || Object.values(schema).some(hasPattern);
}

/** Loads the engine that matches patterns in linear time. It is large, and most servers never need it. */
export async function loadPatterns(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

type Matcher = (text: string) => boolean;

const matchers = new Map<string, Matcher | undefined>();
const mostKept = 1_000;

/** What is written down in the process's own code may be matched by its own engine until the other one is there. */
function plainMatcher(pattern: string): Matcher {
  const [, flags = '', source = pattern] = /^\(\?([is]+)\)(.*)$/s.exec(pattern) ?? [];
  const expression = new RegExp(source.replaceAll('\\A', '^').replaceAll('\\z', '$'), `u${flags}`);
  return (text) => expression.test(text);
}

function compiled(pattern: string): Matcher | undefined {
  try {
    const linear = engine?.compile(pattern);
    return linear === undefined ? plainMatcher(pattern) : (text) => linear.matcher(text).find();
  } catch {
    return undefined;
  }
}

/** Validation errors of a pattern, in the words of Go; undefined when nothing is, or the engine has not been loaded. */
export function patternProblem(pattern: string): string | undefined {
  if (compiled(pattern) !== undefined || engine === undefined) return undefined;
  try {
    engine.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The first matches for a pattern in a text. */
export function findPattern(pattern: string, text: string, most: number): readonly string[] {
  const matcher = engine?.compile(pattern).matcher(text);
  const found: string[] = [];
  while (found.length < most && matcher?.find() === true) found.push(matcher.group() ?? '');
  return found;
}

/** Whether a text has a match for a pattern in the syntax of Go; true for what is no pattern, which nothing is held against. */
export function matchesPattern(pattern: string, text: string): boolean {
  const key = `${engine === undefined ? '' : 'linear '}${pattern}`;
  if (!matchers.has(key)) {
    if (matchers.size >= mostKept) matchers.clear();
    matchers.set(key, compiled(pattern));
  }
  return matchers.get(key)?.(text) !== false;
}
