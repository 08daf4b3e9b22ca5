import ts from 'typescript';
import { alternatives, type Mutator } from './alternatives.js';
import type { Mutant } from './mutant.js';
import { type Reason, reasonsIn } from './reasonsIn.js';

/** A source file that contains all its mutants, each behind a call of `__mutant(number)`. */
export interface Instrumented {
  readonly code: string;
  readonly mutants: readonly Mutant[];
  /** Reasons without a mutant. */
  readonly stale: readonly Reason[];
}

/** The text on one line, without comments that have lines of their own. */
const oneLine = (text: string): string => {
  const line = text.replace(/^\s*\/\/.*$/gm, '').replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
};

function isTypeOnly(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeParameterDeclaration(node)
  );
}

/** Whether a node can be put in parentheses and replaced: not a link of an optional chain, a callee or a target. */
function isWhole(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isOptionalChain(parent) && parent.expression === node) return false;
  if (ts.isComputedPropertyName(parent) || ts.isExpressionWithTypeArguments(parent)) return false;
  return !(ts.isCallExpression(parent) && parent.expression === node);
}

class Instrumentation {
  readonly mutants: Mutant[] = [];
  readonly stale: Set<Reason>;
  private readonly source: ts.SourceFile;
  private readonly first: number;
  private readonly reasons: readonly Reason[];

  constructor(source: ts.SourceFile, first: number) {
    this.source = source;
    this.first = first;
    this.reasons = reasonsIn(source);
    this.stale = new Set(this.reasons);
  }

  render(node: ts.Node): string {
    if (isTypeOnly(node)) return node.getText();
    if (ts.isExpression(node) && isWhole(node)) return this.renderExpression(node);
    if (ts.isBlock(node)) return this.renderBlock(node);
    if (ts.isExpressionStatement(node)) return this.renderStatement(node);
    return this.renderParts(node);
  }

  /** The node's text, with its parts already instrumented. */
  private renderParts(node: ts.Node): string {
    const whole = this.source.text;
    const pieces: string[] = [];
    let at = node.getStart();
    ts.forEachChild(node, (child) => {
      if (child.getStart() < at || child.kind === ts.SyntaxKind.EndOfFileToken) return;
      pieces.push(whole.slice(at, child.getStart()), this.render(child));
      at = child.getEnd();
    });
    return [...pieces, whole.slice(at, node.getEnd())].join('');
  }

  private renderExpression(node: ts.Expression): string {
    const choices = alternatives(node).map(
      ({ mutator, replacement }) => `__mutant(${String(this.add(node, mutator, replacement))}) ? ${replacement} : `,
    );
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && node.body.getText() !== 'undefined') {
      const number = this.add(node.body, 'arrow', 'undefined');
      const head = this.source.text.slice(node.getStart(), node.body.getStart());
      return `${head}(__mutant(${String(number)}) ? undefined : ${this.render(node.body)})`;
    }
    const text = this.renderParts(node);
    return choices.length === 0 ? text : `(${choices.join('')}${text})`;
  }

  private renderBlock(node: ts.Block): string {
    const inside = this.renderParts(node);
    const { parent } = node;
    if (node.statements.length === 0 || ts.isConstructorDeclaration(parent) || ts.isCatchClause(parent)) return inside;
    // A function body or a branch with a single statement is mutated through that statement.
    if (node.statements.length === 1 && ts.isExpressionStatement(node.statements[0] ?? node)) return inside;
    return `{ if (__mutant(${String(this.add(node, 'block', '{}'))})) {} else ${inside} }`;
  }

  private renderStatement(node: ts.ExpressionStatement): string {
    const { expression } = node;
    const inside = this.renderParts(node);
    if (ts.isStringLiteral(expression) || (ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword))
      return inside;
    return `{ if (!__mutant(${String(this.add(node, 'statement', ';'))})) { ${inside} } }`;
  }

  private add(node: ts.Node, mutator: Mutator, replacement: string): number {
    const { source } = this;
    const number = this.first + this.mutants.length;
    const at = node.getStart();
    const line = source.getLineAndCharacterOfPosition(at).line + 1;
    // The innermost comment that covers it.
    const found = this.reasons.findLast((one) => one.mutators.includes(mutator) && one.start <= at && at <= one.end);
    if (found !== undefined) this.stale.delete(found);
    const reason = found && { reason: found.text };
    const original = oneLine(node.getText());
    this.mutants.push({ number, file: source.fileName, line, mutator, original, replacement: oneLine(replacement), ...reason });
    return number;
  }
}

/** Inserts all mutants into a file. Their numbers begin at `first`. */
export function instrument(file: string, text: string, first: number): Instrumented {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const instrumentation = new Instrumentation(source, first);
  return { code: instrumentation.render(source), mutants: instrumentation.mutants, stale: [...instrumentation.stale] };
}
