import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { compiledRule, inEngineWords, located, newEnvironment } from './ruleEngine.js';
import { reserved } from './ruleTypes.js';

/** The variables of a policy's expression in addition to the object, the request and the namespace. */
export interface ExpressionScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** The names of the policy's variables that are defined before it. */
  readonly variables: readonly string[];
}

/** Whether a text is valid as the name of a variable. */
export function isIdentifier(text: string): boolean {
  return /^[_a-zA-Z]\w*$/.test(text) && !reserved.has(text);
}

const ofKind = { group: 'string', version: 'string', kind: 'string' };
const ofResource = { group: 'string', version: 'string', resource: 'string' };
const request = {
  kind: ofKind,
  resource: ofResource,
  subResource: 'string',
  requestKind: ofKind,
  requestResource: ofResource,
  requestSubResource: 'string',
  name: 'string',
  namespace: 'string',
  operation: 'string',
  userInfo: { username: 'string', uid: 'string', groups: 'list<string>', extra: 'map<string, list<string>>' },
  dryRun: 'bool',
  options: 'dyn',
};

function environmentOf({ hasParams, hasAuthorizer, variables }: ExpressionScope): Environment | undefined {
  const environment = newEnvironment();
  if (environment === undefined) return undefined;
  const untyped = ['object', 'oldObject', 'namespaceObject', ...(hasParams ? ['params'] : []), ...(hasAuthorizer ? ['authorizer'] : [])];
  for (const name of untyped) environment.registerVariable(name, 'dyn');
  environment.registerVariable('request', { schema: request });
  if (variables.length > 0)
    environment.registerVariable('variables', { schema: Object.fromEntries(variables.filter(isIdentifier).map((name) => [name, 'dyn'])) });
  else environment.registerVariable('variables', { schema: { '': 'dyn' } });
  return environment;
}

/** The API server's name for a type of the engine. */
function shownType(type: string): string {
  if (type === 'null') return 'null_type';
  if (type === 'list' || type === 'list<T>') return 'list(dyn)';
  return type.replaceAll('<', '(').replaceAll('>', ')');
}

const unknownNames = new Set(['object', 'oldObject', 'params']);

/** Whether an expression only reads a field of a value of unknown type. */
function isField(node: ASTNode): boolean {
  if (node.op === '.' || node.op === '[]') return isField(node.args[0]);
  return node.op === 'id' && unknownNames.has(node.args);
}

/**
 * The type error of an expression, in the words of the API server; undefined for unknown functions, since the API server has more of them.
 */
function typeProblem(text: string, summary: string, at: number): string | undefined {
  const unknown = /^Unknown variable: (.+)$/.exec(summary)?.[1];
  if (unknown !== undefined) return located(text, at, `undeclared reference to '${unknown}' (in container '')`);
  const missing = /^No such key: (.+)$/.exec(summary)?.[1];
  if (missing !== undefined) return located(text, at - 1, `undefined field '${missing}'`);
  const [, left, operator, right] = /^no such overload: (\S+) (\S+) (\S+)$/.exec(summary) ?? [];
  const place = operator === undefined ? -1 : text.indexOf(operator, at);
  if (place < 0) return undefined;
  const types = `'(${shownType(left ?? '')}, ${shownType(right ?? '')})'`;
  return located(text, place, `found no matching overload for '_${operator ?? ''}_' applied to ${types}`);
}

/**
 * The error of a policy's expression: it does not compile, or its type is not one of `types` (any type for an empty list). Undefined
 * without an error, and while the engine has not been loaded. `words` is the expression in the form for the engine, if that differs.
 */
export function expressionProblem(
  text: string,
  scope: ExpressionScope,
  types: readonly string[],
  words: string = text,
): string | undefined {
  const syntax = compiledRule(words)?.problem;
  if (syntax?.startsWith('compilation failed') === true) return syntax;
  const environment = environmentOf(scope);
  if (environment === undefined) return undefined;
  let checked;
  let isUnknown: boolean;
  try {
    const parse = environment.parse.bind(environment);
    const inWords = inEngineWords(words, parse);
    checked = environment.check(inWords);
    isUnknown = isField(parse(inWords).ast);
  } catch {
    return undefined;
  }
  const { valid, type = 'dyn', error } = checked;
  if (!valid) return words === text ? typeProblem(text, error?.summary ?? '', error?.range?.start ?? 0) : undefined;
  // The engine's type checker is weaker than the API server's: only fields of the object itself certainly have any type.
  const isCertain = words === text || !/[<{[]/.test(type) || type === 'list<T>';
  if (types.length === 0 || !isCertain || types.includes(shownType(type)) || (type === 'dyn' && !isUnknown)) return undefined;
  return `must evaluate to ${types.length === 1 ? (types[0] ?? '') : `one of [${types.join(' ')}]`} but got ${shownType(type)}`;
}
