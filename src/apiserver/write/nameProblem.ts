/** How names are written: most kinds take subdomains. */
export type NameSyntax = 'subdomain' | 'label' | 'label1035' | 'path' | 'labelValue';

interface Syntax {
  readonly pattern: RegExp;
  readonly longest: number;
  readonly problem: string;
}

const labelPart = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPart}(\\.${labelPart})*`;

const namePart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const localProblem =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${namePart}')`;
const valueProblem =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${namePart})?')`;
const namePattern = new RegExp(`^${namePart}$`);

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
  labelValue: { pattern: new RegExp(`^(${namePart})?$`), longest: 63, problem: valueProblem },
  path: { pattern: /^(?!\.{1,2}$)[^/%]+$/, longest: 253, problem: "may not be '.' or '..' and may not contain '/' or '%'" },
};

/** What is wrong with a name; `''` when nothing is. */
export function nameProblem(name: string, syntax: NameSyntax): string {
  const { pattern, longest, problem } = syntaxes[syntax];
  if (name.length > longest) return `must be no more than ${String(longest)} characters`;
  return pattern.test(name) ? '' : problem;
}

/** What is wrong with a name such as `app` or `example.com/app`; `''` when nothing is. */
export function qualifiedNameProblem(name: string): string {
  const [first = '', second, third] = name.split('/');
  if (third !== undefined)
    return `a qualified name ${localProblem.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  const local = second ?? first;
  if (second !== undefined && first === '') return 'prefix part must be non-empty';
  if (second !== undefined && nameProblem(first, 'subdomain') !== '') return `prefix part ${nameProblem(first, 'subdomain')}`;
  if (local === '') return 'name part must be non-empty';
  if (local.length > 63) return 'name part must be no more than 63 characters';
  return namePattern.test(local) ? '' : localProblem;
}
