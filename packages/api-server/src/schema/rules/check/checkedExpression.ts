import type { ASTNode } from '@marcbachmann/cel-js';
import { patternProblem } from '../../patterns.js';
import { sameType, shownType, type CelType } from './celType.js';
import { checkTypes, partsOf } from './checkExpression.js';
import { readExpression, type Expression, type Problem } from './expression.js';
import { placeOf, type Words } from './words.js';

/** An expression that was checked. */
export interface CheckedExpression {
  readonly expression: Expression;
  /** In the words of the API server; undefined for a correct expression. */
  readonly problem: string | undefined;
}

/** Problems at positions that count from 0, as the API server shows them. */
export function shownProblems(text: string, problems: readonly Problem[]): string {
  const shown = [...problems]
    .sort(([a], [b]) => a - b)
    .map(([at, problem]) => {
      const before = text.slice(0, at).split('\n');
      const column = before.at(-1)?.length ?? 0;
      const line = text.split('\n')[before.length - 1]?.replaceAll('\t', ' ') ?? '';
      return `ERROR: <input>:${String(before.length)}:${String(column + 1)}: ${problem}\n | ${line}\n | ${'.'.repeat(column)}^`;
    });
  return `compilation failed: ${shown.join('\n')}`;
}

/** The type of an item; that of an optional one is its value's. */
function itemType({ type }: Expression, isOptional: boolean): CelType | undefined {
  return isOptional ? type?.of[0] : type;
}

function* unlikeProblems(items: readonly Expression[], optional: readonly number[] = []): Generator<Problem, void, undefined> {
  const types = items.map((item, at) => itemType(item, optional.includes(at)));
  const [first] = types;
  for (const [at, type] of types.entries())
    if (first !== undefined && type !== undefined && !sameType(first, type)) {
      yield [items[at]?.at ?? 0, `expected type '${shownType(first)}' but found '${shownType(type)}'`];
      return;
    }
}

const timed = new Set(['duration', 'timestamp']);

/** Problems of literals in an expression without type errors. `fails` says whether a call with a constant fails. */
function* literalProblems(
  expression: Expression,
  fails: (name: string, constant: unknown) => boolean,
  areAlike = true,
): Generator<Problem, void, undefined> {
  if (expression.is === 'call') {
    const [constant] = expression.args;
    const { name } = expression;
    if (constant?.is === 'constant') {
      const isBad =
        name === 'matches' ? patternProblem(String(constant.value)) !== undefined : timed.has(name) && fails(name, constant.value);
      if (isBad) yield [constant.at, `invalid ${name} argument`];
    }
  }
  if (expression.is === 'list' && areAlike) yield* unlikeProblems(expression.items, expression.optional);
  if (expression.is === 'map' && expression.of === undefined && areAlike) {
    yield* unlikeProblems(expression.entries.map(([key]) => key));
    yield* unlikeProblems(
      expression.entries.map(([, value]) => value),
      expression.optional,
    );
  }
  for (const part of partsOf(expression))
    yield* literalProblems(part, fails, areAlike && !(expression.is === 'call' && expression.name === 'format'));
}

/** Checks the types and literals of an expression; `words` is what the engine read. */
export function checkExpression(
  text: string,
  words: Words,
  tree: ASTNode,
  variables: ReadonlyMap<string, CelType>,
  fails: (name: string, constant: unknown) => boolean,
): CheckedExpression {
  const [expression, syntax] = readExpression(words.text, tree);
  if (words.problem !== undefined) return { expression, problem: shownProblems(text, [words.problem]) };
  let problems = syntax;
  if (problems.length === 0) problems = checkTypes(expression, variables);
  if (problems.length === 0) problems = [...literalProblems(expression, fails)];
  return {
    expression,
    problem:
      problems.length === 0
        ? undefined
        : shownProblems(
            text,
            problems.map(([at, problem]) => [placeOf(words, at), problem]),
          ),
  };
}
