/** Reserved words of CEL. */
export const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const escapes: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/**
 * The names by which rules read a field: some characters are escaped, and a reserved word can be. Empty for names that rules cannot read.
 */
export function namesInRules(name: string): readonly string[] {
  if (reserved.has(name)) return /^(?:true|false|null|in)$/.test(name) ? [`__${name}__`] : [name, `__${name}__`];
  return /^[a-zA-Z_./-][\w./-]*$/.test(name) ? [name.replaceAll(/__|[./-]/g, (part) => escapes[part] ?? part)] : [];
}
