/** Reserved words of CEL. */
export const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

const escapes: Readonly<Record<string, string>> = { __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' };

/** A field name as written in rules: reserved words and some characters are escaped. Undefined for names that rules cannot read. */
export function escaped(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  return /^[a-zA-Z_./-][\w./-]*$/.test(name) ? name.replaceAll(/__|[./-]/g, (part) => escapes[part] ?? part) : undefined;
}
