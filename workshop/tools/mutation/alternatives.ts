import ts from 'typescript';

/** The type of change of a mutant. Reasons in the sources name these (reasonsIn.ts). */
export const mutators = [
  'arithmetic',
  'arrow',
  'block',
  'boolean',
  'chain',
  'comparison',
  'condition',
  'fallback',
  'list',
  'logic',
  'method',
  'negation',
  'object',
  'statement',
  'text',
] as const;

export type Mutator = (typeof mutators)[number];

/** The replacement of an expression in a mutant. */
export interface Alternative {
  readonly mutator: Mutator;
  readonly replacement: string;
}

const all = (mutator: Mutator, replacements: readonly string[]): readonly Alternative[] =>
  replacements.map((replacement) => ({ mutator, replacement }));

const binary = new Map<ts.SyntaxKind, readonly string[]>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [ts.SyntaxKind.LessThanToken, ['<=', '>=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [ts.SyntaxKind.AmpersandAmpersandToken, ['||']],
  [ts.SyntaxKind.BarBarToken, ['&&']],
  [ts.SyntaxKind.PlusToken, ['-']],
  [ts.SyntaxKind.MinusToken, ['+']],
  [ts.SyntaxKind.AsteriskToken, ['/']],
  [ts.SyntaxKind.AsteriskAsteriskToken, ['*']],
  [ts.SyntaxKind.SlashToken, ['*']],
  [ts.SyntaxKind.PlusEqualsToken, ['-=']],
  [ts.SyntaxKind.MinusEqualsToken, ['+=']],
]);

const methods: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Whether an expression is a condition. */
function isCondition(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    ((ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent)) && parent.expression === node) ||
    ((ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node)
  );
}

/** Whether a string affects decisions: it is not a message for people, nor the name of a member, a module or a type. */
function isMutableText(node: ts.StringLiteralLike): boolean {
  if (/\s/.test(node.text)) return false;
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return false;
  return !('name' in parent && parent.name === node) && !ts.isExpressionStatement(parent);
}

/** Whether a list or an object literal is an assignment target, not a value. */
function isTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return (ts.isForOfStatement(parent) && parent.initializer === node) || (ts.isArrayLiteralExpression(parent) && isTarget(parent));
}

function binaryMutator({ kind }: ts.BinaryOperatorToken): Mutator {
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) return 'logic';
  const isArithmetic = (kind >= ts.SyntaxKind.PlusToken && kind <= ts.SyntaxKind.SlashToken) || kind >= ts.SyntaxKind.EqualsToken;
  return isArithmetic ? 'arithmetic' : 'comparison';
}

function ofBinary(node: ts.BinaryExpression, text: (node: ts.Node) => string): readonly Alternative[] {
  const { left, operatorToken, right } = node;
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return all('fallback', [text(left), text(right)]);
  if (operatorToken.kind === ts.SyntaxKind.PlusToken && (isText(left) || isText(right))) return [];
  const operators = binary.get(operatorToken.kind) ?? [];
  return operators.map((operator) => ({
    mutator: binaryMutator(operatorToken),
    replacement: `${text(left)} ${operator} ${text(right)}`,
  }));
}

function ofCall(node: ts.CallExpression, text: (node: ts.Node) => string): readonly string[] {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || expression.questionDotToken !== undefined) return [];
  const args = node.arguments.map(text).join(', ');
  const name = expression.name.text;
  if (Object.hasOwn(methods, name)) return [`${text(expression.expression)}.${methods[name] ?? name}(${args})`];
  return name === 'filter' || name === 'slice' ? [text(expression.expression)] : [];
}

function ofChain(node: ts.Expression, text: (node: ts.Node) => string): readonly string[] {
  if (!ts.isOptionalChain(node)) return [];
  const found: string[] = [];
  const whole = text(node);
  for (let link: ts.Node = node; ts.isOptionalChain(link); link = link.expression) {
    const token = ts.isNonNullChain(link) ? undefined : link.questionDotToken;
    if (token === undefined) continue;
    const at = token.getStart() - node.getStart();
    found.push(`${whole.slice(0, at)}${ts.isPropertyAccessExpression(link) ? '.' : ''}${whole.slice(at + 2)}`);
  }
  return found;
}

function ofLiteral(node: ts.Expression): readonly Alternative[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return all('boolean', ['false']);
  if (node.kind === ts.SyntaxKind.FalseKeyword) return all('boolean', ['true']);
  if (ts.isStringLiteralLike(node)) return all('text', isMutableText(node) ? [node.text === '' ? "'mutant'" : "''"] : []);
  if (ts.isArrayLiteralExpression(node) && !isTarget(node)) return all('list', [node.elements.length === 0 ? "['mutant']" : '[]']);
  if (ts.isObjectLiteralExpression(node) && !isTarget(node)) return all('object', node.properties.length === 0 ? [] : ['{}']);
  return [];
}

function ofPrefix({ operator, operand }: ts.PrefixUnaryExpression): readonly Alternative[] {
  if (operator === ts.SyntaxKind.ExclamationToken) return all('negation', [operand.getText()]);
  if (operator === ts.SyntaxKind.PlusPlusToken) return all('arithmetic', [`--${operand.getText()}`]);
  return operator === ts.SyntaxKind.MinusMinusToken ? all('arithmetic', [`++${operand.getText()}`]) : [];
}

/** The possible replacements of an expression. */
export function alternatives(node: ts.Expression): readonly Alternative[] {
  const text = (one: ts.Node): string => one.getText();
  const found = [...ofLiteral(node), ...all('chain', ofChain(node, text))];
  if (ts.isBinaryExpression(node)) found.push(...ofBinary(node, text));
  if (ts.isCallExpression(node)) found.push(...all('method', ofCall(node, text)));
  if (ts.isPrefixUnaryExpression(node)) found.push(...ofPrefix(node));
  if (isCondition(node)) found.push(...all('condition', ts.isWhileStatement(node.parent) ? ['false'] : ['true', 'false']));
  return found;
}
