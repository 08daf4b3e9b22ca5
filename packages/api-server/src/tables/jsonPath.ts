type Step = (values: readonly unknown[]) => unknown[];

const children = (value: unknown): unknown[] => (typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : []);

function field(name: string): Step {
  return (values) =>
    values.flatMap((value) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [],
    );
}

function index(position: number): Step {
  return (values) => values.flatMap((value) => (Array.isArray(value) && position < value.length ? [value.at(position) as unknown] : []));
}

/** A filter: `@.path == "text"`, also with `!=`, or `@.path` alone for existence. */
function filterStep(expression: string): Step {
  const match = /^@((?:\.[\w-]+)+)\s*(?:(==|!=)\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+)))?$/.exec(expression.trim());
  if (match === null) throw new TypeError(`Expected a filter such as @.type=="Ready", got ${JSON.stringify(expression)}`);
  const [, path = '', operator, double, single, bare] = match;
  const select = parseJsonPath(path);
  const wanted = double ?? single ?? bare ?? '';
  return (values) =>
    values.flatMap(children).filter((value) => {
      const found = select(value);
      if (operator === undefined) return found.length > 0;
      return found.some((item) => String(item) === wanted) === (operator === '==');
    });
}

function bracketStep(content: string): Step {
  if (content === '*') return (values) => values.flatMap(children);
  if (/^-?\d+$/.test(content)) return index(Number(content));
  if (content.startsWith('?(') && content.endsWith(')')) return filterStep(content.slice(2, -1));
  const quoted = /^'([^']*)'$|^"([^"]*)"$/.exec(content);
  if (quoted !== null) return field((quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1'));
  throw new TypeError(`Expected an index, *, a quoted name or a filter in brackets, got ${JSON.stringify(content)}`);
}

const stepSyntax = /\.((?:[^.[\]\\]|\\.)+)|\[(\?\([^)]*\)|[^\]]*)\]/;

/**
 * Parses a path as printer columns have them: `.spec.size`, `.status.conditions[?(@.type=="Ready")].status`, `.spec.ports[0]`.
 *
 * @throws TypeError when the path is of another form.
 */
export function parseJsonPath(path: string): (value: unknown) => unknown[] {
  const steps: Step[] = [];
  // A regular expression of its own: a filter's path is parsed recursively.
  const scanner = new RegExp(stepSyntax, 'y');
  while (scanner.lastIndex < path.length) {
    const at = scanner.lastIndex;
    const match = scanner.exec(path);
    if (match === null) throw new TypeError(`Expected a path such as .spec.size, got ${JSON.stringify(path)} (at ${String(at)})`);
    const [, name, bracket = ''] = match;
    if (name === '*') steps.push((values) => values.flatMap(children));
    else steps.push(name === undefined ? bracketStep(bracket) : field(name.replace(/\\(.)/g, '$1')));
  }
  return (value) => steps.reduce<unknown[]>((values, step) => step(values), [value]);
}
