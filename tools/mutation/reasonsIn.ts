import ts from 'typescript';
import { type Mutator, mutators } from './alternatives.js';

/**
 * Why mutants may live, from a comment in the source:
 *
 *     // mutation text, list: the types do not know that every slot has an owner
 *
 * It speaks of the mutants of these kinds in the statement, member or expression that begins below it: to its end, but of an `if` or a loop only up to
 * its body. Lines of the comment that begin otherwise go on with the reason above them.
 */
export interface Reason {
  readonly mutators: readonly Mutator[];
  readonly text: string;
  /** The line of the comment. */
  readonly line: number;
  /** The part of the file, from its first character to its last, whose mutants the comment speaks of. */
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

/** Where a comment above this node ends to speak of it. */
function endOf(node: ts.Node): number {
  if (ts.isIfStatement(node)) return node.thenStatement.getStart();
  return ts.isIterationStatement(node, false) ? node.statement.getStart() : node.getEnd();
}

/** The reasons that a source file gives, the outer before the inner. */
export function reasonsIn(source: ts.SourceFile): readonly Reason[] {
  const found: Reason[] = [];
  const seen = new Set<number>();
  const readAbove = (node: ts.Node): void => {
    for (const { kind, pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      // A node that begins an outer one has the same comments above it: they speak of the outer one.
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
