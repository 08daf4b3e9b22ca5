const name = /^[A-Za-z_][\w.]*/;
const text = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/;

/**
 * The expression of a mutation in which typed objects (`Object{...}`, `Object.spec{...}`, `JSONPatch{...}`), which the CEL engine lacks,
 * are replaced by maps: the names of their fields become strings.
 */
export function mutationExpression(expression: string): string {
  let result = '';
  /** For each open brace: whether it belongs to an object. */
  const open: boolean[] = [];
  let awaitsKey = false;
  for (let rest = expression; rest !== '';) {
    const [token = rest.charAt(0)] = text.exec(rest) ?? name.exec(rest) ?? [];
    rest = rest.slice(token.length);
    const isObject = /^(Object(\.\w+)*|JSONPatch)$/.test(token) && /^\s*\{/.test(rest);
    if (isObject) {
      rest = rest.replace(/^\s*\{/, '');
      open.push(true);
      awaitsKey = true;
      result += '{';
      continue;
    }
    if (token === '{' || token === '[' || token === '(') open.push(false);
    if (token === '}' || token === ']' || token === ')') open.pop();
    const isKey = awaitsKey && open.at(-1) === true && name.test(token) && /^\s*:/.test(rest);
    result += isKey ? JSON.stringify(token) : token;
    if (token.trim() !== '') awaitsKey = token === ',' && open.at(-1) === true;
  }
  return result;
}
