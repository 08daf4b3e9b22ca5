import type { RE2JS } from 're2js';
import { isJsonArray, isJsonObject, type Json } from '../json.js';

let engine: typeof RE2JS | undefined;

/** Whether a schema contains a pattern. */
export function hasPattern(schema: Json | undefined): boolean {
  if (isJsonArray(schema)) return schema.some(hasPattern);
  if (!isJsonObject(schema)) return false;
  return typeof schema['pattern'] === 'string' || Object.values(schema).some(hasPattern);
}

/** Loads the engine that matches patterns in linear time. It is large, and most servers never use it. */
export async function loadPatterns(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

type Matcher = (text: string) => boolean;

const matchers = new Map<string, Matcher | undefined>();
const maxKept = 1_000;

/** Patterns of this package's own code are trusted: JavaScript's RegExp matches them until the linear engine has been loaded. */
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

/** The error of an invalid pattern, in the words of Go; undefined for a valid one, or while the engine has not been loaded. */
export function patternProblem(pattern: string): string | undefined {
  if (compiled(pattern) !== undefined || engine === undefined) return undefined;
  try {
    engine.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The first matches of a pattern in a text. */
export function findPattern(pattern: string, text: string, most: number): readonly string[] {
  const matcher = engine?.compile(pattern).matcher(text);
  const found: string[] = [];
  while (found.length < most && matcher?.find() === true) found.push(matcher.group() ?? '');
  return found;
}

/** Whether a text matches a pattern in Go's syntax; true for an invalid pattern, which is not enforced. */
export function matchesPattern(pattern: string, text: string): boolean {
  const key = `${engine === undefined ? '' : 'linear '}${pattern}`;
  if (!matchers.has(key)) {
    if (matchers.size >= maxKept) matchers.clear();
    matchers.set(key, compiled(pattern));
  }
  return matchers.get(key)?.(text) !== false;
}
