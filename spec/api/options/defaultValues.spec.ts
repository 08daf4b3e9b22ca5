import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

type Literal = string | number | boolean;

/** The value of an expression in the sources: a literal, a product of literals, or a constant. */
function valueOf(expression: ts.Expression, checker: ts.TypeChecker): Literal | undefined {
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression)) return valueOf(expression.expression, checker);
  if (ts.isNumericLiteral(expression)) return Number(expression.text);
  if (ts.isStringLiteralLike(expression)) return expression.text;
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (expression.getText() === 'Infinity') return Infinity;
  if (ts.isBinaryExpression(expression)) {
    const [left, right] = [valueOf(expression.left, checker), valueOf(expression.right, checker)];
    if (typeof left !== 'number' || typeof right !== 'number') return undefined;
    if (expression.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right;
    return expression.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken ? left ** right : undefined;
  }
  const symbol = checker.getSymbolAtLocation(expression);
  const resolved = symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = resolved?.valueDeclaration;
  const isConstant = declaration !== undefined && (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration));
  return isConstant && declaration.initializer !== undefined ? valueOf(declaration.initializer, checker) : undefined;
}

/** What the code takes for each option that is not given: `options.name ?? value`, and `{ name = value }`. */
function defaultsTaken(sources: readonly ts.SourceFile[], checker: ts.TypeChecker): ReadonlyMap<ts.PropertySignature, ts.Expression[]> {
  const taken = new Map<ts.PropertySignature, ts.Expression[]>();
  const note = (symbol: ts.Symbol | undefined, value: ts.Expression): void => {
    const declaration = symbol?.declarations?.[0];
    if (declaration === undefined || !ts.isPropertySignature(declaration) || declaration.questionToken === undefined) return;
    taken.set(declaration, [...(taken.get(declaration) ?? []), value]);
  };
  const visit = (node: ts.Node): void => {
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
      ts.isPropertyAccessExpression(node.left)
    )
      note(checker.getSymbolAtLocation(node.left.name), node.right);
    if (ts.isBindingElement(node) && node.initializer !== undefined && ts.isObjectBindingPattern(node.parent))
      note(checker.getTypeAtLocation(node.parent).getProperty((node.propertyName ?? node.name).getText()), node.initializer);
    ts.forEachChild(node, visit);
  };
  sources.forEach(visit);
  return taken;
}

/** The first word of a `@defaultValue`; undefined without one. */
function writtenDefault(option: ts.PropertySignature): string | undefined {
  const tag = ts.getJSDocTags(option).find(({ tagName }) => tagName.text === 'defaultValue');
  const text = tag && ts.getTextOfJSDocComment(tag.comment);
  return text && /^`?'?([^`',:;\s]+)/.exec(text)?.[1];
}

/** The options of these interfaces whose `@defaultValue` is missing, or differs from the code. */
function wrongDefaults(program: ts.Program, files: readonly string[], isPublic: (name: string) => boolean): string[] {
  const checker = program.getTypeChecker();
  const sources = files.map((file) => program.getSourceFile(file)).filter((source) => source !== undefined);
  return [...defaultsTaken(sources, checker)].flatMap(([option, expressions]) => {
    if (!ts.isInterfaceDeclaration(option.parent) || !isPublic(option.parent.name.text)) return [];
    const values = expressions.map((expression) => valueOf(expression, checker));
    // The empty string is how code says "none": an option without a default.
    const literals = [...new Set(values)].filter((value) => value !== undefined && value !== '');
    if (literals.length === 0) return [];
    const written = writtenDefault(option);
    const isTrue = values.includes(undefined) ? written !== undefined : literals.map(String).includes(written ?? '');
    return isTrue
      ? []
      : [`${option.parent.name.text}.${option.name.getText()}: ${written ?? 'none'}, but the code takes ${literals.join(' or ')}`];
  });
}

/** The sources alone, without libraries: the sources say whose options they are. */
function programOf(files: readonly string[], textOf = (file: string): string => readFileSync(file, 'utf8')): ts.Program {
  const host = ts.createCompilerHost({});
  return ts.createProgram(
    files,
    { noLib: true, noEmit: true },
    {
      ...host,
      getSourceFile: (name, language) => ts.createSourceFile(name, textOf(name), language, true),
      resolveModuleNameLiterals: (literals, from) =>
        literals.map(({ text }) => {
          const resolvedFileName = join(dirname(from), text.replace(/\.js$/, '.ts'));
          return { resolvedModule: files.includes(resolvedFileName) ? { resolvedFileName, extension: '.ts' } : undefined };
        }),
    },
  );
}

describe('@defaultValue', () => {
  it('is said of each public option that has a default, and is what the code takes', () => {
    const reports = readdirSync('workshop/api').map((file) => readFileSync(`workshop/api/${file}`, 'utf8'));
    const isPublic = (name: string): boolean => name.endsWith('Options') && reports.some((report) => report.includes(`interface ${name}`));
    const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /^(?!api\/kubernetes\/).*\.tsx?$/.test(file));
    const files = names.map((file) => resolve('src', file));
    expect(wrongDefaults(programOf(files), files, isPublic)).toEqual([]);
  });

  it('is compared by value, also with constants and defaults of bindings', () => {
    const text = [
      'const minute = 60 * 1000;',
      'export interface AOptions {',
      '  /** @defaultValue 60000 */ readonly right?: number;',
      '  /** @defaultValue 5000 */ readonly wrong?: number;',
      "  /** @defaultValue `'a'`, as elsewhere */ readonly word?: string;",
      '  readonly missing?: boolean;',
      '  readonly none?: string;',
      '}',
      'export function f(options: AOptions): unknown[] {',
      '  const { wrong = minute, missing = false } = options;',
      "  return [options.right ?? minute, options.word ?? 'a', options.none ?? '', wrong, missing];",
      '}',
    ].join('\n');
    expect(
      wrongDefaults(
        programOf(['a.ts'], () => text),
        ['a.ts'],
        () => true,
      ),
    ).toEqual(['AOptions.wrong: 5000, but the code takes 60000', 'AOptions.missing: none, but the code takes false']);
  });
});
