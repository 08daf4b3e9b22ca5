/** How names are written: most kinds take subdomains. */
export type NameSyntax = 'subdomain' | 'label' | 'label1035' | 'path';

interface Syntax {
  readonly pattern: RegExp;
  readonly longest: number;
  readonly problem: string;
}

const labelPart = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPart}(\\.${labelPart})*`;

const syntaxes: Readonly<Record<NameSyntax, Syntax>> = {
  subdomain: {
    pattern: new RegExp(`^${subdomainPattern}$`),
    longest: 253,
    problem:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric " +
      `character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`,
  },
  label: {
    pattern: new RegExp(`^${labelPart}$`),
    longest: 63,
    problem:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric " +
      `character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPart}')`,
  },
  label1035: {
    pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    longest: 63,
    problem:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric " +
      "character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  },
  path: { pattern: /^(?!\.{1,2}$)[^/%]+$/, longest: 253, problem: "may not be '.' or '..' and may not contain '/' or '%'" },
};

/** What is wrong with a name; `''` when nothing is. */
export function nameProblem(name: string, syntax: NameSyntax): string {
  const { pattern, longest, problem } = syntaxes[syntax];
  if (name.length > longest) return `must be no more than ${String(longest)} characters`;
  return pattern.test(name) ? '' : problem;
}
