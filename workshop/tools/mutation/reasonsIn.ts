import ts from 'typescript';
import { type Mutator, mutators } from './alternatives.js';

/**
 * The reason why mutants may survive, from a comment in the source:
 *
 *     // mutation text, list: the types do not know that every slot has an owner
 *
 * It covers the mutants of these kinds in the statement, member or expression below it; in an `if` or a loop, only those before the body.
 * Following comment lines continue the reason.
 */
export interface Reason {
  readonly mutators: readonly Mutator[];
  readonly text: string;
  /** The line of the comment. */
  readonly line: number;
  /** The range of the file that the comment covers, from its first character to its last. */
  readonly start: number;
  readonly end: number;
}

const form = /^mutation (\w+(?:, \w+)*): (.+)$/;

function mutatorsIn(list: string, where: string): readonly Mutator[] {
  return list.split(', ').map((name) => {
    const found = mutators.find((mutator) => mutator === name);
    if (found === undefined) throw new Error(`Expected one of ${mutators.join(', ')} in the comment at ${where}, got ${name}`);
    return found;
  });
}

/** The end of the range that a comment above this node covers. */
function endOf(node: ts.Node): number {
  if (ts.isIfStatement(node)) return node.thenStatement.getStart();
  return ts.isIterationStatement(node, false) ? node.statement.getStart() : node.getEnd();
}

/** The reasons in a source file, outer ones before inner ones. */
export function reasonsIn(source: ts.SourceFile): readonly Reason[] {
  const found: Reason[] = [];
  const seen = new Set<number>();
  const readAbove = (node: ts.Node): void => {
    for (const { kind, pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      // The first node inside another one has the same leading comments: they cover the outer node.
      if (kind !== ts.SyntaxKind.SingleLineCommentTrivia || seen.has(pos)) continue;
      seen.add(pos);
      const text = source.text.slice(pos + 2, end).trim();
      const line = source.getLineAndCharacterOfPosition(pos).line + 1;
      const [, list, reason] = form.exec(text) ?? [];
      const last = found.at(-1);
      if (list !== undefined && reason !== undefined) {
        const where = `${source.fileName}:${String(line)}`;
        found.push({ mutators: mutatorsIn(list, where), text: reason, line, start: node.getStart(), end: endOf(node) });
      } else if (last?.start === node.getStart()) found[found.length - 1] = { ...last, text: `${last.text} ${text}` };
    }
    ts.forEachChild(node, readAbove);
  };
  ts.forEachChild(source, readAbove);
  return found;
}
